//! Hierarchies that a configuration does not hold, but names: `"hierarchy": { "file": "zip codes.csv" }`.

use serde_json::{Value, json};

use super::Draft;

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
        let all = self.settings.get("hierarchies").and_then(Value::as_object);
        let linked = all.into_iter().flatten();
        linked.filter_map(|(column, of)| Some((column.clone(), file(of)?.to_owned()))).collect()
    }

    /// Puts the rows of a hierarchy into the draft: a value and its generalisations, from fine to coarse.
    pub fn put_hierarchy(&mut self, column: &str, rows: &[Vec<String>]) {
        self.settings.entry("hierarchies").or_insert_with(|| json!({}))[column] = json!(rows);
    }
}
