//! The flags that say how columns are recoded: hierarchies, forms by column, top and bottom coding, domains.

use std::{collections::BTreeMap, path::Path};

use lookalike_core::{
    hierarchies::generate,
    table::{
        Table,
        hierarchy::{Generator, Hierarchy},
    },
};
use lookalike_model::settings::{Coding, Domain, Publish, Settings};
use lookalike_wire::config::Draft;

use crate::{
    column_flags::GivenFault,
    exit::Failure,
    files,
    flag_values::{Named, Pairs, named},
    progress::say,
};

/// The flags.
#[derive(Debug, clap::Args)]
pub(crate) struct RecodingArgs {
    /// How single columns are published: zip=hierarchy,age=range
    #[arg(long, value_name = "COLUMN=FORM", help_heading = "Output")]
    publish_column: Option<Pairs>,
    /// Generalisation hierarchy of a column: a file with lines value;level1;level2;*, no header (the form of ARX); once
    /// for each such column
    #[arg(long, value_name = "COLUMN=FILE", help_heading = "Output")]
    hierarchy: Vec<Named>,
    /// Make a column's hierarchy from its values: zip=prefix, date=date, age=interval:5,2,2:from=20,to=90,
    /// education=order:2; once for each such column
    #[arg(long, value_name = "COLUMN=GENERATOR", help_heading = "Output")]
    generate_hierarchy: Vec<Named>,
    /// Publish numbers of at least this as >=LIMIT: age=90
    #[arg(long, value_name = "COLUMN=LIMIT", help_heading = "Output")]
    top: Option<Pairs>,
    /// Publish numbers of at most this as <=LIMIT: age=20
    #[arg(long, value_name = "COLUMN=LIMIT", help_heading = "Output")]
    bottom: Option<Pairs>,
    /// The values that a column may have, by which its certainty penalty is divided: age=0..120, born=1900-01-01..2025-12-31,
    /// city=Bath|Hull|Kent; values outside are refused. What holds | or .. stands in double quotes. Once for each such column
    #[arg(long, value_name = "COLUMN=DOMAIN", help_heading = "Loss")]
    domain: Vec<Named>,
}

impl RecodingArgs {
    /// Puts what the flags say into a draft, but for hierarchies that are made from the table.
    pub(crate) fn said(&self, draft: &mut Draft) -> Result<(), Failure> {
        if let Some(pairs) = &self.publish_column {
            draft.settings.publish_columns = forms(pairs)?;
        }
        if !self.hierarchy.is_empty() {
            for (name, tree) in hierarchies(&self.hierarchy)? {
                draft.put_hierarchy(name, &tree.rows());
            }
        }
        draft.settings.coding = self.coding()?;
        draft.settings.domains = domains(&self.domain)?;
        self.generators().map(drop)
    }

    /// The columns of which hierarchies are to be made.
    pub(crate) fn columns(&self) -> impl Iterator<Item = String> {
        self.generate_hierarchy.iter().map(|named| named.name.clone())
    }

    /// Makes the hierarchies that are asked for; they stand before those of a configuration.
    pub(crate) fn generate(&self, table: &Table, settings: &mut Settings) -> Result<(), Failure> {
        for (name, generator) in self.generators()? {
            let hierarchy = generate(table, name, &generator, settings)?;
            settings.hierarchies.insert(name.to_owned(), hierarchy.rows());
        }
        Ok(())
    }

    fn generators(&self) -> Result<BTreeMap<&str, Generator>, Failure> {
        let mut generators = BTreeMap::new();
        for Named { name, value } in &self.generate_hierarchy {
            let generator = value.parse::<Generator>().map_err(Failure::input)?;
            let known = self.hierarchy.iter().any(|file| file.name == *name);
            if generators.insert(name.as_str(), generator).is_some() || known {
                return Err(twice(name));
            }
        }
        Ok(generators)
    }

    fn coding(&self) -> Result<BTreeMap<String, Coding>, Failure> {
        let mut all: BTreeMap<String, Coding> = BTreeMap::new();
        for (name, value) in self.top.iter().flat_map(|pairs| &pairs.0) {
            all.entry(name.clone()).or_default().top = Some(limit(name, value)?);
        }
        for (name, value) in self.bottom.iter().flat_map(|pairs| &pairs.0) {
            all.entry(name.clone()).or_default().bottom = Some(limit(name, value)?);
        }
        Ok(all)
    }
}

/// Reads the domains that are given for columns.
pub(crate) fn domains(given: &[Named]) -> Result<BTreeMap<String, Domain>, Failure> {
    let mut all = BTreeMap::new();
    for Named { name, value } in given {
        let wrong = || GivenFault::Domain { column: name.as_str().into(), value: value.as_str().into() };
        let domain = Domain::parse(value).ok_or_else(|| Failure::input(wrong()))?;
        if all.insert(name.clone(), domain).is_some() {
            return Err(Failure::input(GivenFault::DomainTwice { column: name.as_str().into() }));
        }
    }
    Ok(all)
}

/// Reads the hierarchies that are named with their files.
pub(crate) fn hierarchies(named: &[Named]) -> Result<BTreeMap<&str, Hierarchy>, Failure> {
    let mut hierarchies = BTreeMap::new();
    for Named { name, value } in named {
        if hierarchies.insert(name.as_str(), hierarchy(Path::new(value))?).is_some() {
            return Err(twice(name));
        }
    }
    Ok(hierarchies)
}

/// Reads a hierarchy's file, and says what its encoding and dialect were taken for.
pub(crate) fn hierarchy(path: &Path) -> Result<Hierarchy, Failure> {
    let bytes = files::read_small(path)?;
    let read = Hierarchy::open(&bytes);
    let (hierarchy, notes) = read.map_err(|error| Failure::in_file(path, error))?;
    for note in notes {
        say(&format!("{} read with {note}", path.display()));
    }
    Ok(hierarchy)
}

fn twice(name: &str) -> Failure {
    Failure::input(GivenFault::TwoHierarchies { column: name.into() })
}

fn limit(name: &str, value: &str) -> Result<f64, Failure> {
    let number = value.parse().ok().filter(|x: &f64| x.is_finite());
    number.ok_or_else(|| Failure::input(GivenFault::Limit { column: name.into(), value: value.into() }))
}

fn forms(pairs: &Pairs) -> Result<BTreeMap<String, Publish>, Failure> {
    let form = |(name, value): &'_ (String, String)| {
        named(value).map_err(|_| {
            Failure::input(GivenFault::Form { column: name.as_str().into(), value: value.as_str().into() })
        })
    };
    pairs.0.iter().map(|pair| Ok((pair.0.clone(), form(pair)?))).collect()
}
