//! The data sets: where they come from, what is asked of them, and the files that all tools get.

use std::{
    cell::OnceCell,
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use lookalike_core::{
    demo::hospital,
    digest::sha256,
    hierarchies::generate,
    table::{ReadOptions, Table, read, write},
};
use lookalike_model::settings::{Model, Settings};

use super::{
    entrant::{Entrant, Form},
    hierarchy,
    scripts::Bench,
};
use crate::{
    levels::{adult_nine, adult_without_gaps},
    peers::{environment, instance::Instance},
};

/// Patients of the made-up hospital, and the seed of its table.
const PATIENTS: (usize, u64) = (5_000, 1);

/// Decimals that are written behind whole numbers where means are published: ours are rounded to the resolution of their column.
const DECIMALS: &str = ".000";

/// What is asked of a published table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Condition {
    pub(super) k: usize,
    /// Different sensitive values of each group.
    pub(super) l: Option<usize>,
}

impl Condition {
    pub(super) fn name(self) -> String {
        match self.l {
            None => format!("k = {}", self.k),
            Some(l) => format!("k = {}, distinct l = {l}", self.k),
        }
    }
}

const FIVE: Condition = Condition { k: 5, l: None };
const TEN: Condition = Condition { k: 10, l: None };

/// Widths of the intervals of a column of numbers.
#[derive(Clone, Copy)]
enum Widths {
    Of(&'static [i64]),
    /// So many levels, doubling, the coarsest of two intervals.
    Doubling(u32),
}

/// The content of a data set.
#[derive(Clone, Copy)]
enum Content {
    /// Columns of numbers of a file, all if none is named; without rows that have a gap; a sample of so many rows.
    Numbers { columns: &'static [&'static str], widths: &'static [Widths], sample: Option<usize> },
    /// Nine columns of Adult, or eight and occupation.
    Adult { sensitive: bool },
    /// Made up by this project.
    Hospital { sensitive: bool },
}

/// A data set.
pub(super) struct Field {
    pub(super) name: &'static str,
    /// A file of the data folder; none for what is made up.
    file: Option<&'static str>,
    pub(super) form: Form,
    conditions: &'static [Condition],
    content: Content,
    data: PathBuf,
    loaded: OnceCell<Loaded>,
}

/// A quasi-identifier.
pub(super) struct Quasi {
    pub(super) name: String,
    /// Numbers, or else labels.
    pub(super) number: bool,
}

/// A data set's content.
pub(super) struct Loaded {
    pub(super) table: Table,
    pub(super) quasi: Vec<Quasi>,
    pub(super) sensitive: Option<String>,
    /// Of all quasi-identifiers.
    pub(super) hierarchies: BTreeMap<String, Vec<Vec<String>>>,
    /// `table.csv`, `columns.csv` and `hierarchy-N.csv` of the N-th column, from 0.
    pub(super) folder: PathBuf,
}

/// A public file and its digest; docs/results/league.md says where it is.
struct Source {
    file: &'static str,
    sha256: &'static str,
}

const SOURCES: [Source; 4] = [
    Source {
        file: "adult-train.csv",
        sha256: "f2c62076f19504d99a38b22badf445a7f42530ade6b827acf78dd143fbce38bb",
    },
    Source { file: "census.csv", sha256: "40fb91564d4379274610e941161fd38729adb471bddb9c71d7c01ef142fd0f5b" },
    Source {
        file: "tarragona.csv",
        sha256: "d5f719a134a3476b2157d9675d1a2b211dbc06ad6109685ad1e4b7847cfa45a4",
    },
    Source { file: "acs.csv", sha256: "71ea39eae232c5c71c1c67df1d53d86010749b5f4da8de1fd6f185162188b81e" },
];

/// All data sets; they are read when a row asks for them.
pub(super) fn fields(data: &Path) -> Vec<Field> {
    const AGES: Widths = Widths::Of(&[5, 10, 20, 40]);
    const SEX: Widths = Widths::Of(&[]);
    const SCHOOLING: Widths = Widths::Of(&[2, 4, 8]);
    const HOURS: Widths = Widths::Of(&[10, 20, 40]);
    const ADULT: &[&str] = &["age", "sex", "education-num"];
    const ACS: &[&str] = &["AGEP", "SEX", "SCHL", "WKHP"];
    const ACS_WIDTHS: &[Widths] = &[AGES, SEX, SCHOOLING, HOURS];
    const AMOUNTS: &[Widths] = &[Widths::Doubling(1)];
    const K: &[Condition] = &[FIVE, TEN];
    let numbers = |columns, widths, sample| Content::Numbers { columns, widths, sample };
    let field = |name, file, form, conditions, content| Field {
        name,
        file,
        form,
        conditions,
        content,
        data: data.to_owned(),
        loaded: OnceCell::new(),
    };
    let recoded = |name, file, conditions, content| field(name, file, Form::Recoded, conditions, content);
    let means = |name, file, content| field(name, Some(file), Form::Centroids, K, content);
    let (census, tarragona) = ("census.csv", "tarragona.csv");
    vec![
        recoded("census", Some(census), K, numbers(&[], AMOUNTS, None)),
        recoded("tarragona", Some(tarragona), K, numbers(&[], AMOUNTS, None)),
        recoded("hospital", None, K, Content::Hospital { sensitive: false }),
        recoded(
            "hospital with diagnosis",
            None,
            &[Condition { k: 5, l: Some(3) }],
            Content::Hospital { sensitive: true },
        ),
        recoded(
            "adult, 3 columns",
            Some("adult-train.csv"),
            K,
            numbers(ADULT, &[AGES, SEX, SCHOOLING], None),
        ),
        recoded("adult, 9 columns", Some("adult-train.csv"), K, Content::Adult { sensitive: false }),
        recoded(
            "adult, 8 columns with occupation",
            Some("adult-train.csv"),
            &[Condition { k: 5, l: Some(4) }],
            Content::Adult { sensitive: true },
        ),
        recoded("acs, 10,000 rows", Some("acs.csv"), K, numbers(ACS, ACS_WIDTHS, Some(10_000))),
        recoded("acs, 100,000 rows", Some("acs.csv"), K, numbers(ACS, ACS_WIDTHS, Some(100_000))),
        means("census, means", census, numbers(&[], AMOUNTS, None)),
        means("tarragona, means", tarragona, numbers(&[], AMOUNTS, None)),
        means("census AGI, means", census, numbers(&["AGI"], AMOUNTS, None)),
        means("acs, 10,000 rows, means", "acs.csv", numbers(ACS, ACS_WIDTHS, Some(10_000))),
        means("acs, 100,000 rows, means", "acs.csv", numbers(ACS, ACS_WIDTHS, Some(100_000))),
    ]
}

impl Field {
    /// What is asked, and of whom.
    pub(super) fn rows<'a>(&self, bench: &'a Bench) -> impl Iterator<Item = (Condition, Entrant)> + 'a {
        let (form, conditions) = (self.form, self.conditions);
        let one = matches!(self.content, Content::Numbers { columns: [_], .. });
        conditions.iter().flat_map(move |&condition| {
            let entrants = Entrant::all(form).into_iter();
            let can = move |entrant: &Entrant| entrant.can(condition, one) && bench.has(*entrant);
            entrants.filter(can).map(move |entrant| (condition, entrant))
        })
    }

    /// Whether the file is there, and the one that the results are of.
    ///
    /// # Errors
    /// If it is not.
    pub(super) fn is_there(&self) -> Result<()> {
        let Some(file) = self.file else { return Ok(()) };
        let bytes = fs::read(self.data.join(file)).with_context(|| format!("{file} cannot be read"))?;
        let expected = SOURCES.iter().find(|source| source.file == file).map(|source| source.sha256);
        let found = sha256(&bytes);
        ensure!(expected == Some(found.as_str()), "{file} is another file: its SHA-256 is {found}");
        Ok(())
    }

    /// Reads the data set the first time, and writes the files of the tools.
    pub(super) fn load(&self) -> Result<&Loaded> {
        if let Some(loaded) = self.loaded.get() {
            return Ok(loaded);
        }
        self.is_there()?;
        let loaded = match self.content {
            Content::Numbers { columns, widths, sample } => self.numbers(columns, widths, sample)?,
            Content::Adult { sensitive } => {
                let found = if sensitive {
                    adult_without_gaps(&self.data, 5, None)?
                } else {
                    adult_nine(&self.data)?
                };
                let sensitive = sensitive.then(|| String::from("occupation"));
                self.loaded_of(found.table, &["age"], sensitive, found.settings.hierarchies)?
            }
            Content::Hospital { sensitive } => self.hospital(sensitive)?,
        };
        loaded.write()?;
        Ok(self.loaded.get_or_init(|| loaded))
    }

    fn numbers(
        &self,
        columns: &'static [&'static str],
        widths: &[Widths],
        sample: Option<usize>,
    ) -> Result<Loaded> {
        let file = self.file.context("numbers come from a file")?;
        let instance = Instance::new(&self.data, self.name, file, columns, sample);
        let whole = &instance.load()?.table;
        let mut hierarchies = BTreeMap::new();
        for (at, column) in whole.columns.iter().enumerate() {
            let widths = match widths.get(at).or(widths.last()).context("a column has no widths")? {
                Widths::Of(widths) => widths.to_vec(),
                Widths::Doubling(levels) => hierarchy::doubling(column, *levels),
            };
            hierarchies.insert(column.name.clone(), hierarchy::of_numbers(column, &widths)?);
        }
        let header: Vec<String> = whole.columns.iter().map(|column| column.name.clone()).collect();
        let behind = if self.form == Form::Centroids { DECIMALS } else { "" };
        let cells = |row: usize| header.iter().enumerate().map(move |(at, _)| (at, row)).collect::<Vec<_>>();
        let rows: Vec<Vec<String>> = (0..whole.rows)
            .map(|row| {
                cells(row)
                    .into_iter()
                    .map(|(at, row)| whole.columns[at].cell(row).to_owned() + behind)
                    .collect()
            })
            .collect();
        let text = write(&header, rows.iter().map(|row| row.iter().map(String::as_str)));
        let table = read(&text, &ReadOptions::default())?;
        let names: Vec<&str> = header.iter().map(String::as_str).collect();
        self.loaded_of(table, &names, None, hierarchies)
    }

    fn hospital(&self, sensitive: bool) -> Result<Loaded> {
        let whole = read(hospital(PATIENTS.0, PATIENTS.1).as_bytes(), &ReadOptions::default())?;
        let quasi = ["sex", "age", "postcode", "nights"];
        let header: Vec<String> =
            quasi.into_iter().chain(sensitive.then_some("diagnosis")).map(String::from).collect();
        let columns = header.iter().map(|name| whole.column(name).context("the hospital lacks a column"));
        let columns = columns.collect::<Result<Vec<_>>>()?;
        let rows = (0..whole.rows).map(|row| columns.iter().map(move |column| column.cell(row)));
        let table = read(&write(&header, rows), &ReadOptions::default())?;
        let mut hierarchies = BTreeMap::new();
        let settings = Settings::of(Model::KAnonymity { k: 5 });
        hierarchies.insert(
            String::from("postcode"),
            generate(&table, "postcode", &"prefix".parse()?, &settings)?.rows(),
        );
        let sex = ["F", "M"].map(|sex| vec![sex.to_owned(), String::from("*")]);
        hierarchies.insert(String::from("sex"), sex.to_vec());
        self.loaded_of(table, &["age", "nights"], sensitive.then(|| String::from("diagnosis")), hierarchies)
    }

    /// With the hierarchies of numbers that are not there, and the folder of the files.
    fn loaded_of(
        &self,
        table: Table,
        numbers: &[&str],
        sensitive: Option<String>,
        mut hierarchies: BTreeMap<String, Vec<Vec<String>>>,
    ) -> Result<Loaded> {
        if !matches!(self.content, Content::Numbers { .. }) {
            for name in numbers {
                let column = table.column(name).with_context(|| format!("there is no column {name}"))?;
                hierarchies.insert((*name).to_owned(), hierarchy::of_numbers(column, &[5, 10, 20, 40])?);
            }
        }
        let names = table.columns.iter().map(|column| column.name.clone());
        let quasi: Vec<Quasi> = names
            .filter(|name| sensitive.as_ref() != Some(name))
            .map(|name| Quasi { number: numbers.contains(&name.as_str()), name })
            .collect();
        hierarchies.retain(|name, _| quasi.iter().any(|column| column.name == *name));
        ensure!(hierarchies.len() == quasi.len(), "{}: a column has no hierarchy", self.name);
        let folder = environment::folder()?.join("league").join(self.name.replace([',', ' '], "-"));
        Ok(Loaded { table, quasi, sensitive, hierarchies, folder })
    }
}

impl Loaded {
    pub(super) fn names(&self) -> Vec<String> {
        self.quasi.iter().map(|column| column.name.clone()).collect()
    }

    /// The files that all tools get.
    fn write(&self) -> Result<()> {
        fs::create_dir_all(&self.folder).with_context(|| format!("cannot make {}", self.folder.display()))?;
        let put = |name: &str, bytes: &[u8]| {
            let path = self.folder.join(name);
            fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))
        };
        let header: Vec<String> = self.table.columns.iter().map(|column| column.name.clone()).collect();
        let table = &self.table;
        let rows = (0..table.rows).map(|row| table.columns.iter().map(move |column| column.cell(row)));
        put("table.csv", &write(&header, rows))?;
        let mut columns = String::from("name;role;kind\n");
        for (at, name) in header.iter().enumerate() {
            let quasi = self.quasi.iter().find(|column| column.name == *name);
            let role = if quasi.is_some() { "quasi" } else { "sensitive" };
            let kind = if quasi.is_some_and(|column| column.number) { "number" } else { "label" };
            for part in [name, ";", role, ";", kind, "\n"] {
                columns.push_str(part);
            }
            if let Some(rows) = self.hierarchies.get(name) {
                put(&format!("hierarchy-{at}.csv"), hierarchy::file(rows).as_bytes())?;
            }
        }
        put("columns.csv", columns.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_differ_and_every_file_has_a_digest() {
        let fields = fields(Path::new("no such folder"));
        let names: BTreeSet<&str> = fields.iter().map(|field| field.name).collect();
        assert_eq!(names.len(), fields.len());
        let files: BTreeSet<&str> = fields.iter().filter_map(|field| field.file).collect();
        assert_eq!(files, SOURCES.iter().map(|source| source.file).collect());
        let told = |field: &Field| field.is_there().map_err(|why| why.to_string());
        assert!(fields.iter().all(|field| field.file.is_none() == told(field).is_ok()));
    }

    #[test]
    fn all_tools_get_the_same_files() {
        let fields = fields(Path::new("no such folder"));
        let field = fields.iter().find(|field| field.name == "hospital with diagnosis").unwrap();
        let loaded = field.load().unwrap();
        assert_eq!((loaded.table.rows, loaded.sensitive.as_deref()), (PATIENTS.0, Some("diagnosis")));
        let text = |name: &str| fs::read_to_string(loaded.folder.join(name)).unwrap();
        assert_eq!(
            text("columns.csv"),
            "name;role;kind\nsex;quasi;label\nage;quasi;number\npostcode;quasi;label\nnights;quasi;number\ndiagnosis;sensitive;label\n"
        );
        assert_eq!(text("table.csv").lines().count(), 1 + PATIENTS.0);
        assert_eq!(text("hierarchy-0.csv"), "F;*\nM;*\n");
        assert!(text("hierarchy-2.csv").starts_with("01010;0101*;010**;01***;0****;*"));
        let ages = text("hierarchy-1.csv");
        assert!(ages.lines().all(|line| line.split(';').count() == 6 && line.ends_with(";*")));
        assert!(!loaded.folder.join("hierarchy-4.csv").exists());
    }
}
