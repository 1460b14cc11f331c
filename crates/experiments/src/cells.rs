//! Rows that are computed already: an interrupted run goes on where it was stopped.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::Write as _,
    path::Path,
};

use anyhow::{Context, Result};

/// A file with one line a row: key and values, separated by tabs. Its first line names what the rows depend on.
pub(crate) struct Cells {
    known: BTreeMap<String, Vec<String>>,
    file: File,
}

impl Cells {
    /// Opens the file; rows of another version are forgotten.
    pub(crate) fn open(folder: &Path, series: &str, version: &str) -> Result<Self> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let path = folder.join(format!("{series}.tsv"));
        let text = fs::read_to_string(&path).unwrap_or_default();
        let mut lines = text.lines();
        let mut known = BTreeMap::new();
        let current = lines.next() == Some(version);
        if current {
            for line in lines {
                let mut parts = line.split('\t').map(String::from);
                // A line that was cut off by an interruption lacks its end mark.
                if let (Some(key), Some("end")) = (parts.next(), line.rsplit('\t').next()) {
                    let mut values: Vec<String> = parts.collect();
                    values.pop();
                    known.insert(key, values);
                }
            }
        }
        let mut file = OpenOptions::new()
            .create(true)
            .write(true)
            .append(current)
            .truncate(!current)
            .open(&path)
            .with_context(|| format!("cannot write {}", path.display()))?;
        writeln!(file, "{}", if current { "" } else { version })?;
        Ok(Self { known, file })
    }

    /// Whether the row of this key is computed already.
    pub(crate) fn holds(&self, key: &str) -> bool {
        self.known.contains_key(key)
    }

    /// The row of this key, computed if it is not known.
    pub(crate) fn get(
        &mut self,
        key: &str,
        compute: impl FnOnce() -> Result<Vec<String>>,
    ) -> Result<Vec<String>> {
        if let Some(values) = self.known.get(key) {
            return Ok(values.clone());
        }
        let values = compute().with_context(|| format!("{key} failed"))?;
        writeln!(self.file, "{key}\t{}\tend", values.join("\t"))?;
        self.file.flush()?;
        self.known.insert(key.to_owned(), values.clone());
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_survive_and_other_versions_do_not() {
        let folder = std::env::temp_dir().join(format!("lookalike-cells-{}", std::process::id()));
        let row = |text: &str| Ok(vec![text.to_owned(), String::from("2")]);
        let mut cells = Cells::open(&folder, "s", "v1").unwrap();
        assert_eq!(cells.get("a", || row("1")).unwrap(), ["1", "2"]);
        drop(cells);
        let path = folder.join("s.tsv");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{text}b\t9\tcut of")).unwrap();
        let mut cells = Cells::open(&folder, "s", "v1").unwrap();
        assert_eq!(cells.get("a", || row("computed again")).unwrap(), ["1", "2"]);
        assert_eq!(cells.get("b", || row("3")).unwrap(), ["3", "2"], "a row that was cut off does not count");
        drop(cells);
        let mut cells = Cells::open(&folder, "s", "v2").unwrap();
        assert_eq!(cells.get("a", || row("4")).unwrap(), ["4", "2"]);
        drop(cells);
        fs::remove_dir_all(folder).unwrap();
    }
}
