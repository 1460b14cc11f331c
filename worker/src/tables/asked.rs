//! What is asked of a worker that gets a whole table.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Component, Path},
};

use lookalike_words::Said;
use serde::{Deserialize, Serialize};

use super::TableFault;
use crate::written::{Written, schema_form};

/// The flags that say how a table is read; no other reaches the run.
const READING: [&str; 12] = [
    "header",
    "names",
    "encoding",
    "delimiter",
    "quote",
    "sheet",
    "member",
    "skip-rows",
    "skip-last-rows",
    "ragged",
    "duplicate-names",
    "json-lines",
];

/// The files that a run writes, by what they are: the flag of each, and its name unless one is given.
const FILES: [(&str, &str, &str); 10] = [
    ("release", "--output", "published.csv"),
    ("report", "--report", "report.json"),
    ("statement", "--statement", "statement.html"),
    ("private", "--private", "private.json"),
    ("manifest", "--manifest", "manifest.json"),
    ("statement_json", "--statement-json", "statement.json"),
    ("classes", "--classes", "classes.csv"),
    ("certificate", "--certificate", "certificate.json"),
    ("configuration", "--save-config", "configuration.json"),
    ("schema", "--schema", "schema.json"),
];

/// Those that are written unless others are asked for.
const USUAL: usize = 5;

/// A run that is asked for, but for its table.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Asked {
    /// The configuration's text.
    pub(crate) configuration: String,
    /// How the table is read: flags without their dashes, and their values; one without a value has an empty one.
    pub(crate) reading: BTreeMap<String, String>,
    /// What is to be written, and the name of each file; empty for the usual ones.
    pub(crate) files: BTreeMap<String, String>,
    /// The files of hierarchies that the configuration names.
    pub(crate) hierarchies: BTreeMap<String, String>,
    /// The seed of the random choices.
    pub(crate) seed: Option<u64>,
    /// The table's name.
    pub(crate) name: String,
    /// Where the table was sent, as its sender calls this worker.
    pub(crate) to: String,
    /// When it came (UTC).
    pub(crate) at: String,
    /// Bytes of the request.
    pub(crate) bytes: u64,
    /// Threads of the run.
    pub(crate) threads: usize,
}

impl Asked {
    /// The run as the words of a command line.
    ///
    /// # Errors
    /// If a flag is none that says how a table is read, a file is none that a run writes, or a name is none of a file alone.
    pub(crate) fn words(&self) -> Result<Vec<String>, Said> {
        let mut words = vec![String::from("anonymize")];
        for (flag, value) in &self.reading {
            if !READING.contains(&flag.as_str()) {
                return Err(TableFault::Reading { name: flag.clone() }.into());
            }
            words.push(if value.is_empty() { format!("--{flag}") } else { format!("--{flag}={value}") });
        }
        for (flag, name) in self.named()? {
            words.push(format!("{flag}={name}"));
        }
        words.extend(self.seed.map(|seed| format!("--seed={seed}")));
        words.push(format!("--threads={}", self.threads.clamp(1, 1024)));
        words.extend([String::from("--"), own_name(&self.name)?.to_owned()]);
        Ok(words)
    }

    /// Refuses what is known from the names of the files: a run of them would refuse it in the words of its flags.
    ///
    /// # Errors
    /// If an ending says nothing, or a schema is asked for of a release that has its types in itself.
    pub(crate) fn fit(&self) -> Result<(), Said> {
        let named = |what: &str| self.files.get(what).map(Path::new);
        let form = Written::of(named("release")).map_err(|why| why.said())?;
        let Some(schema) = named("schema") else { return Ok(()) };
        schema_form(schema).map_err(|why| why.said())?;
        form.name().map_or(Ok(()), |form| Err(TableFault::SchemaOfTypes { form }.into()))
    }

    /// The files to write, by the flag of each.
    fn named(&self) -> Result<Vec<(&'static str, String)>, Said> {
        if self.files.is_empty() {
            return Ok(FILES.iter().take(USUAL).map(|(_, flag, name)| (*flag, (*name).to_owned())).collect());
        }
        let mut taken = BTreeSet::new();
        let named = self.files.iter().map(|(what, name)| {
            if !taken.insert(name) {
                return Err(TableFault::SameName { name: name.clone() }.into());
            }
            let known = FILES.iter().find(|(known, ..)| known == what);
            let (_, flag, _) = known.ok_or_else(|| Said::from(TableFault::File { what: what.clone() }))?;
            Ok((*flag, own_name(name)?.to_owned()))
        });
        named.collect()
    }
}

/// A name of a file, which is no way into another folder.
fn own_name(name: &str) -> Result<&str, Said> {
    let mut parts = Path::new(name).components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(own)), None) if own.to_str() == Some(name) && name != "-" => Ok(name),
        _ => Err(TableFault::Name { name: name.to_owned() }.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked() -> Asked {
        Asked { name: String::from("in.csv"), threads: 2, ..Asked::default() }
    }

    #[test]
    fn flags_beyond_reading_and_names_beyond_files_are_refused() {
        let words = asked().words().unwrap();
        assert_eq!(words.last().unwrap(), "in.csv");
        assert!(words.contains(&String::from("--output=published.csv")), "{words:?}");
        let of = |flag: &str, value: &str| {
            let reading = BTreeMap::from([(flag.to_owned(), value.to_owned())]);
            Asked { reading, ..asked() }.words()
        };
        assert!(of("delimiter", ";").unwrap().contains(&String::from("--delimiter=;")));
        assert!(of("json-lines", "").unwrap().contains(&String::from("--json-lines")));
        for flag in ["worker", "out-of-core", "config", "output", "passphrase-file", "sign-key"] {
            assert!(of(flag, "x").is_err(), "{flag}");
        }
        for name in ["../in.csv", "/etc/passwd", "", "-", ".", "..", "a/b.csv", "a/"] {
            assert!(Asked { name: name.to_owned(), ..asked() }.words().is_err(), "{name}");
            let files = BTreeMap::from([(String::from("release"), name.to_owned())]);
            assert!(Asked { files, ..asked() }.words().is_err(), "{name}");
        }
        let files = BTreeMap::from([(String::from("passwords"), String::from("x"))]);
        assert!(Asked { files, ..asked() }.words().is_err());
        let files = ["release", "report"].map(|what| (what.to_owned(), String::from("a.csv"))).into();
        let same = TableFault::SameName { name: String::from("a.csv") };
        assert_eq!(Asked { files, ..asked() }.words(), Err(same.into()));
        for (release, schema, fits) in [
            ("a.csv", "s.json", true),
            ("a.TSV", "s.do", true),
            ("a.parquet", "s.json", false),
            ("a.xlsx", "s.json", false),
            ("a.csv", "s.xml", false),
            ("a.sav", "s.json", false),
        ] {
            let files = [("release", release), ("schema", schema)];
            let files = files.map(|(what, name)| (what.to_owned(), name.to_owned())).into();
            assert_eq!(Asked { files, ..asked() }.fit().is_ok(), fits, "{release}, {schema}");
        }
        assert_eq!(asked().fit(), Ok(()));
        // A name that looks like a flag is one of a file all the same.
        let words = Asked { name: String::from("--seed=1"), ..asked() }.words().unwrap();
        assert_eq!(words[words.len() - 2..], ["--", "--seed=1"]);
    }
}
