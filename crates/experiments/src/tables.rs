//! The tables that were written before, row by row: what a later run has not computed again stays, and says what made it.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context, Result};
use lookalike_model::REVISION;

use crate::write::line;

/// The last column of every table.
pub(crate) const MADE: &str = "made by";

/// What makes rows now: version of the program and revision of its algorithms.
pub(crate) fn maker() -> String {
    format!("{}, revision {REVISION}", env!("CARGO_PKG_VERSION"))
}

/// Whether rows of this maker are of the algorithms of today, which decide, and not the version of the program.
pub(crate) fn current(made: &str) -> bool {
    made.rsplit_once("revision ").is_some_and(|(_, revision)| revision == REVISION.to_string())
}

/// A row that was written: its computed cells, and what made them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Old {
    /// The cells after the key.
    pub values: Vec<String>,
    /// Version of the program, with the revision of its algorithms since there are revisions.
    pub made: String,
}

/// The rows of a written table by their keys of `keys` columns; none if there is no table yet, or its columns are others.
///
/// # Errors
/// If the file cannot be read.
pub(crate) fn read(path: &Path, header: &[&str], keys: usize) -> Result<BTreeMap<Vec<String>, Old>> {
    if !path.exists() {
        return Ok(BTreeMap::new());
    }
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(parse(&text, header, keys))
}

fn parse(text: &str, header: &[&str], keys: usize) -> BTreeMap<Vec<String>, Old> {
    let plain = line(header.iter().copied());
    let with_maker = line(header.iter().copied().chain([MADE]));
    // Tables of before had one version for all of their rows, in the sentence on how they were made.
    let version = text.split_once(", version ").and_then(|(_, rest)| rest.split_whitespace().next());
    let version = version.map_or("", |version| version.trim_end_matches(['.', ',']));
    let mut lines = text.lines().skip_while(|written| *written != plain && *written != with_maker);
    let told = lines.next() == Some(with_maker.as_str());
    let mut rows = BTreeMap::new();
    for written in lines.skip(1).take_while(|written| written.starts_with('|')) {
        let inner = written.trim().trim_start_matches('|').trim_end_matches('|');
        let mut cells: Vec<String> = inner.split('|').map(|cell| cell.trim().to_owned()).collect();
        if cells.len() != header.len() + usize::from(told) || keys > header.len() {
            continue;
        }
        let made = if told { cells.pop().unwrap_or_default() } else { version.to_owned() };
        let values = cells.split_off(keys);
        rows.insert(cells, Old { values, made });
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: [&str; 3] = ["m", "loss", "CPU s"];

    #[test]
    fn rows_of_a_table_without_makers_have_its_version() {
        let text = "# T\n\nMade by `x`, version 0.1.0.\n\n| m | mean |\n| --- | --- |\n| 3 | 9 |\n\n\
                    | m | loss | CPU s |\n| --- | --- | --- |\n| 3 | 1.5 |  |\n| 4 | 2 | 3 |\nend\n";
        let rows = parse(text, &HEADER, 1);
        let old = |values: [&str; 2]| Old {
            values: values.map(String::from).to_vec(),
            made: String::from("0.1.0"),
        };
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[&vec![String::from("3")]], old(["1.5", ""]));
        assert_eq!(rows[&vec![String::from("4")]], old(["2", "3"]));
        assert!(parse(text, &["m", "other", "CPU s"], 1).is_empty(), "columns that are others");
    }

    #[test]
    fn each_row_tells_its_maker() {
        let text = format!(
            "| m | loss | CPU s | {MADE} |\n|---|---|---|---|\n| 3 | 1 | 2 | 0.1.0 |\n| 4 | 5 | 6 | {} |\n",
            maker()
        );
        let rows = parse(&text, &HEADER, 1);
        let made = |m: &str| rows[&vec![m.to_owned()]].made.clone();
        assert_eq!((made("3").as_str(), made("4")), ("0.1.0", maker()));
        assert!(current(&made("4")) && !current(&made("3")));
        assert!(
            !current(&format!("0.2.0, revision {REVISION}0")),
            "a revision is not told by its first digits"
        );
    }
}
