//! Hierarchies that a configuration does not hold, but names: `"hierarchy": { "file": "zip codes.csv" }`.

use serde_json::Value;

use super::{Draft, HierarchyTold};

/// The name of the file, if a field's hierarchy is one.
pub(super) fn file(hierarchy: &Value) -> Option<&str> {
    let link = hierarchy.as_object().filter(|link| link.len() == 1)?;
    link.get("file").and_then(Value::as_str).filter(|file| !file.trim().is_empty())
}

impl Draft {
    /// The columns whose hierarchies are in files, with these files as the configuration names them: relative to its
    /// own folder. Whoever can read files puts their rows into the draft ([`Draft::put_hierarchy`]).
    #[must_use]
    pub fn linked(&self) -> Vec<(String, String)> {
        let linked = self.settings.hierarchies.iter().filter_map(|(column, of)| match of {
            HierarchyTold::File { file } => Some((column.clone(), file.clone())),
            HierarchyTold::Rows(_) => None,
        });
        linked.collect()
    }

    /// Puts the rows of a hierarchy into the draft: a value and its generalisations, from fine to coarse.
    pub fn put_hierarchy(&mut self, column: &str, rows: &[Vec<String>]) {
        self.settings.hierarchies.insert(column.to_owned(), HierarchyTold::Rows(rows.to_vec()));
    }
}
