//! Five published tables with original and control: parts of public tables, copied, perturbed and drawn anew.

use std::{fs, path::Path};

use anyhow::{Context, Result, bail};
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde_json::json;

/// What rows are drawn by.
const SEED: u64 = 1;

/// How a published table is made of its original.
#[derive(Clone, Copy)]
pub(super) enum Made {
    /// Rows drawn with replacement.
    Bootstrap,
    /// Each column drawn by itself.
    Independent,
    /// Each cell that of another row with this probability.
    Swapped(f64),
    /// Each number times 1 plus or minus at most this.
    Jittered(f64),
}

/// A table, what it was made of, and what is asked of both tools.
#[derive(Clone, Copy)]
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) file: &'static str,
    /// Rows of the original and of the control.
    pub(super) rows: (usize, usize),
    pub(super) made: Made,
    /// Columns of the two sources.
    pub(super) first: &'static [&'static str],
    pub(super) second: &'static [&'static str],
    pub(super) secret: &'static str,
    /// Columns that are numbers.
    pub(super) numbers: &'static [&'static str],
    /// What page and reader call the making.
    pub(super) about: &'static str,
}

const ADULT_FIRST: &[&str] = &["age", "education", "marital-status", "relationship"];
const ADULT_SECOND: &[&str] = &["fnlwgt", "workclass", "hours-per-week", "sex"];
const ADULT_NUMBERS: &[&str] = &["age", "fnlwgt", "hours-per-week"];

/// All of them.
pub(super) fn cases() -> [Case; 5] {
    let adult = Case {
        name: "adult-swapped",
        file: "adult-train.csv",
        rows: (1000, 1000),
        made: Made::Swapped(0.2),
        first: ADULT_FIRST,
        second: ADULT_SECOND,
        secret: "occupation",
        numbers: ADULT_NUMBERS,
        about: "Adult, each cell that of another row with probability 0.2",
    };
    [
        Case {
            name: "adult-bootstrap",
            made: Made::Bootstrap,
            about: "Adult, rows drawn with replacement",
            ..adult
        },
        adult,
        Case {
            name: "acs-independent",
            file: "acs.csv",
            rows: (1000, 1000),
            made: Made::Independent,
            first: &["AGEP", "SEX", "SCHL", "WKHP"],
            second: &["OCCP", "INDP", "MAR", "PINCP"],
            secret: "COW",
            numbers: &["AGEP", "WKHP", "PINCP"],
            about: "ACS, each column drawn by itself",
        },
        Case {
            name: "census-jittered",
            file: "census.csv",
            rows: (540, 540),
            made: Made::Jittered(0.1),
            first: &["AFNLWGT", "AGI", "EMCONTRB", "PTOTVAL"],
            second: &["FEDTAX", "STATETAX", "TAXINC", "INTVAL"],
            secret: "WSALVAL",
            numbers: &[
                "AFNLWGT", "AGI", "EMCONTRB", "PTOTVAL", "FEDTAX", "STATETAX", "TAXINC", "INTVAL", "WSALVAL",
            ],
            about: "Census, each number times 0.9 to 1.1",
        },
        Case {
            name: "fars-swapped",
            file: "fars.csv",
            rows: (4000, 2000),
            made: Made::Swapped(0.5),
            first: &["MONTH", "DAY", "HOUR", "AGE"],
            second: &["STATE", "MAKE", "MOD_YEAR", "RACE"],
            secret: "INJ_SEV",
            numbers: &["MONTH", "DAY", "HOUR", "AGE", "MOD_YEAR"],
            about: "FARS, each cell that of another row with probability 0.5",
        },
    ]
}

impl Case {
    /// How often each attack is tried: as often as both tools can.
    pub(super) fn attacks(&self) -> usize {
        self.rows.0.min(self.rows.1)
    }

    /// Columns that attackers know.
    pub(super) fn known(&self) -> Vec<&'static str> {
        self.first.iter().chain(self.second).copied().collect()
    }

    /// Whether the secret is a number.
    pub(super) fn regression(&self) -> bool {
        self.numbers.contains(&self.secret)
    }

    /// Writes the three tables and what is asked into a folder of that name.
    pub(super) fn write(&self, data: &Path, folder: &Path) -> Result<()> {
        let path = data.join(self.file);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut rng = ChaCha8Rng::seed_from_u64(SEED);
        let (header, original, control) = self.parts(&text, &mut rng)?;
        let published = self.published(&header, &original, &mut rng)?;
        let folder = folder.join(self.name);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let put = |name: &str, text: String| {
            let path = folder.join(name);
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
        };
        for (name, rows) in [("published", &published), ("original", &original), ("control", &control)] {
            let lines = std::iter::once(&header).chain(rows).map(|row| row.join(",") + "\n");
            put(&format!("{name}.csv"), lines.collect())?;
        }
        let asked = json!({
            "first": self.first,
            "second": self.second,
            "secret": self.secret,
            "regression": self.regression(),
            "numbers": self.numbers,
            "attacks": self.attacks(),
        });
        put("asked.json", asked.to_string())
    }

    /// Header, original and control: different rows of the file, drawn at random, with the columns that are asked about.
    fn parts(&self, text: &str, rng: &mut ChaCha8Rng) -> Result<(Vec<String>, Rows, Rows)> {
        let mut lines = text.lines().map(|line| line.split(',').map(str::trim).collect::<Vec<_>>());
        let header = lines.next().context("the file is empty")?;
        let names: Vec<&str> = self.known().into_iter().chain([self.secret]).collect();
        let place = |name: &&str| header.iter().position(|other| other == name);
        let places = names.iter().map(place).collect::<Option<Vec<_>>>().context("a column is not there")?;
        let mut rows: Rows = lines
            .map(|cells| places.iter().map(|&at| cells.get(at).copied().unwrap_or("").to_owned()).collect())
            .collect();
        rows.shuffle(rng);
        let (original, control) = self.rows;
        if rows.len() < original + control {
            bail!("{} rows are too few", rows.len());
        }
        rows.truncate(original + control);
        let control = rows.split_off(original);
        Ok((names.into_iter().map(String::from).collect(), rows, control))
    }

    fn published(&self, header: &[String], original: &Rows, rng: &mut ChaCha8Rng) -> Result<Rows> {
        let any = |rng: &mut ChaCha8Rng| rng.random_range(0..original.len());
        let mut rows = original.clone();
        match self.made {
            Made::Bootstrap => {
                for row in &mut rows {
                    row.clone_from(&original[any(rng)]);
                }
            }
            Made::Independent => {
                for cell in rows.iter_mut().flat_map(|row| row.iter_mut().enumerate()) {
                    cell.1.clone_from(&original[any(rng)][cell.0]);
                }
            }
            Made::Swapped(share) => {
                for (at, cell) in rows.iter_mut().flat_map(|row| row.iter_mut().enumerate()) {
                    if rng.random_bool(share) {
                        cell.clone_from(&original[any(rng)][at]);
                    }
                }
            }
            Made::Jittered(most) => {
                for (at, cell) in rows.iter_mut().flat_map(|row| row.iter_mut().enumerate()) {
                    if self.numbers.contains(&header[at].as_str()) {
                        let number: f64 = cell.parse().with_context(|| format!("{cell:?} is no number"))?;
                        *cell = (number * rng.random_range(1.0 - most..=1.0 + most)).round().to_string();
                    }
                }
            }
        }
        // The order tells nothing, as in a table that is published.
        rows.shuffle(rng);
        Ok(rows)
    }
}

/// Rows cell by cell.
type Rows = Vec<Vec<String>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn original_and_control_are_different_rows() {
        let text: String = std::iter::once(String::from("a,b,c\n"))
            .chain((0..10).map(|at| format!("{at},{},x{at}\n", 10 * at)))
            .collect();
        let case = Case {
            name: "t",
            file: "t.csv",
            rows: (6, 4),
            made: Made::Jittered(0.0),
            first: &["b"],
            second: &["a"],
            secret: "c",
            numbers: &["a", "b"],
            about: "",
        };
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (header, original, control) = case.parts(&text, &mut rng).unwrap();
        assert_eq!(header, ["b", "a", "c"]);
        assert_eq!((original.len(), control.len(), case.attacks()), (6, 4, 4));
        assert!(original.iter().all(|row| !control.contains(row)));
        let mut published = case.published(&header, &original, &mut rng).unwrap();
        let mut sorted = original.clone();
        published.sort();
        sorted.sort();
        assert_eq!(published, sorted);
        for made in [Made::Bootstrap, Made::Independent, Made::Swapped(1.0)] {
            let published = Case { made, ..case }.published(&header, &original, &mut rng).unwrap();
            assert!(
                published.len() == 6
                    && published.iter().flatten().all(|cell| original.iter().flatten().any(|o| o == cell))
            );
        }
        assert!(Case { rows: (8, 4), ..case }.parts(&text, &mut rng).is_err());
    }
}
