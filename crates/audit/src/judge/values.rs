//! The different sensitive values of a table.

use lookalike_model::missing::is_missing;
use rustc_hash::FxHashMap;

use super::{
    verdict::Check,
    words::{near_values, rare},
};

/// The different sensitive values, by their codes: places in the order of first appearance.
pub(super) struct Values {
    /// Cells that mean "not known".
    markers: Vec<String>,
    codes: FxHashMap<Box<str>, u32>,
    found: Vec<Value>,
}

/// A sensitive value.
struct Value {
    text: Box<str>,
    rows: usize,
    missing: bool,
}

impl Values {
    /// None yet; cells alike to one of `markers` mean "not known".
    pub(super) fn new(markers: &[String]) -> Self {
        Self { markers: markers.to_vec(), codes: FxHashMap::default(), found: Vec::new() }
    }

    /// The code of a cell; counts its row.
    pub(super) fn code(&mut self, cell: &str) -> u32 {
        if let Some(&code) = self.codes.get(cell) {
            self.found[code as usize].rows += 1;
            return code;
        }
        let code = self.found.len() as u32;
        self.codes.insert(cell.into(), code);
        self.found.push(Value { text: cell.into(), rows: 1, missing: is_missing(cell, &self.markers) });
        code
    }

    /// Counts so many rows of a value.
    pub(super) fn add(&mut self, cell: &str, rows: usize) {
        let code = self.code(cell);
        self.found[code as usize].rows += rows;
        self.found[code as usize].rows -= 1;
    }

    pub(super) fn text(&self, code: u32) -> &str {
        &self.found[code as usize].text
    }

    /// The code of a value that there is.
    pub(super) fn find(&self, cell: &str) -> Option<u32> {
        self.codes.get(cell).copied()
    }

    /// All values with their rows.
    pub(super) fn rows(&self) -> impl Iterator<Item = (u32, usize)> {
        (0..).zip(&self.found).map(|(code, value)| (code, value.rows))
    }

    /// Rows of a value.
    pub(super) fn rows_of(&self, code: u32) -> usize {
        self.found[code as usize].rows
    }

    /// Whether a value means "not known".
    pub(super) fn is_missing(&self, code: u32) -> bool {
        self.found[code as usize].missing
    }

    /// The values that mean "not known".
    pub(super) fn missing(&self) -> Vec<&str> {
        self.found.iter().filter(|value| value.missing).map(|value| &*value.text).collect()
    }

    /// What is said of the values of the whole table: those that occur once, and those that people read as one.
    pub(super) fn notes(&self) -> Vec<Check> {
        let all: Vec<(&str, usize)> = self.found.iter().map(|value| (&*value.text, value.rows)).collect();
        std::iter::once(rare(&all)).chain(self.near()).collect()
    }

    /// What is said of values that people read as one, if there are such.
    pub(super) fn near(&self) -> Option<Check> {
        let known = self.found.iter().filter(|value| !value.missing);
        near_values(known.map(|value| (&*value.text, value.rows)).collect())
    }
}
