//! Generalisation hierarchies: for each value of a column its ever coarser generalisations.
//!
//! The file form is that of the ARX Data Anonymization Tool: a line a value, `value;level1;level2;*`, no header
//! ([`Hierarchy::read`], [`Hierarchy::write`]). [`interval()`], [`prefix()`], [`date()`] and [`order()`] generate hierarchies,
//! and [`Generator`] names them.
//!
//! **Invariants.** Every value has a generalisation at every level; values differ, white space around them not
//! counted; values that share a generalisation share all coarser ones. So the generalisations are the nodes of a
//! forest, and a tree if the coarsest level has one label only.

mod date;
mod ends;
mod error;
mod file;
mod generator;
mod interval;
#[cfg(feature = "encodings")]
mod open;
mod order;
mod prefix;
#[cfg(test)]
mod tests;

use lookalike_words::Cell;
use rustc_hash::FxHashMap;

pub use date::date;
pub use ends::interval_ends;
pub use error::{HierarchyError, Parameters};
pub use generator::{Generator, GeneratorError};
pub use interval::{Intervals, interval};
pub use order::order;
pub use prefix::prefix;

use crate::{Column, is_missing, usual_and};

/// Most levels of a hierarchy, the values themselves not counted.
pub const MOST_LEVELS: usize = 64;

/// Label of everything, at the coarsest level of generated hierarchies.
pub const ANY: &str = "*";

/// For each value its generalisations, from fine to coarse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hierarchy {
    /// Level 0 is the values, one node each.
    levels: Vec<Level>,
    /// Place of each value, trimmed.
    places: FxHashMap<String, u32>,
}

/// The different labels of a level, in order of first appearance, and for each value the index of its label.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Level {
    labels: Vec<String>,
    of: Vec<u32>,
}

impl Hierarchy {
    /// A hierarchy from its rows: a value and its generalisations, from fine to coarse.
    ///
    /// # Errors
    /// If there is no row or no level, if rows differ in length, if a value stands twice, or if one generalisation
    /// leads to two different coarser ones. Rows count from 1.
    pub fn new(rows: &[Vec<String>]) -> Result<Self, HierarchyError> {
        Self::build(rows, |row| row + 1)
    }

    /// `number` tells for a 0-based row how messages call it.
    fn build(rows: &[Vec<String>], number: impl Fn(usize) -> usize) -> Result<Self, HierarchyError> {
        let width = rows.first().ok_or(HierarchyError::Empty)?.len();
        if let Some((at, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != width) {
            let value = Cell::from(row.first().map_or("", String::as_str));
            return Err(HierarchyError::Width { row: number(at), value, expected: width, found: row.len() });
        }
        if width < 2 {
            return Err(HierarchyError::NoLevel);
        }
        if width > MOST_LEVELS + 1 {
            return Err(HierarchyError::TooDeep { levels: width - 1, most: MOST_LEVELS });
        }
        let mut places = FxHashMap::default();
        for (at, row) in rows.iter().enumerate() {
            if let Some(first) = places.insert(row[0].trim().to_owned(), at as u32) {
                let (row, first, value) = (number(at), number(first as usize), Cell::from(row[0].as_str()));
                return Err(HierarchyError::Twice { row, first, value });
            }
        }
        let levels: Vec<Level> = (0..width).map(|level| Level::of(rows, level)).collect();
        for (below, pair) in levels.windows(2).enumerate().skip(1) {
            if let Some((first, at)) = pair[0].torn(&pair[1]) {
                return Err(HierarchyError::NotNested {
                    row: number(at),
                    column: below + 2,
                    label: Cell::from(rows[at][below].as_str()),
                    coarser: Cell::from(rows[at][below + 1].as_str()),
                    first: number(first),
                    other: Cell::from(rows[first][below + 1].as_str()),
                });
            }
        }
        Ok(Self { levels, places })
    }

    /// The rows again: a value and its generalisations, from fine to coarse.
    #[must_use]
    pub fn rows(&self) -> Vec<Vec<String>> {
        (0..self.len()).map(|value| self.row(value).map(String::from).collect()).collect()
    }

    fn row(&self, value: usize) -> impl Iterator<Item = &str> {
        (0..=self.height()).map(move |level| self.label(value, level))
    }

    /// Number of values, at least 1.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a hierarchy is never empty")]
    pub fn len(&self) -> usize {
        self.levels[0].of.len()
    }

    /// Number of levels above the values, at least 1.
    #[must_use]
    pub fn height(&self) -> usize {
        self.levels.len() - 1
    }

    /// Place of the value that a cell holds, white space around it not counted.
    #[must_use]
    pub fn find(&self, cell: &str) -> Option<usize> {
        self.places.get(cell.trim()).map(|&at| at as usize)
    }

    /// Label of a value (by its place) at a level; level 0 is the value itself.
    ///
    /// # Panics
    /// If there is no such value or level.
    #[must_use]
    pub fn label(&self, value: usize, level: usize) -> &str {
        let level = &self.levels[level];
        &level.labels[level.of[value] as usize]
    }

    /// Node of a value (by its place) at a level: values share a node if they share the label.
    ///
    /// # Panics
    /// If there is no such value or level.
    #[must_use]
    pub fn node(&self, value: usize, level: usize) -> usize {
        self.levels[level].of[value] as usize
    }

    /// The finest level at which all these values (by their places) share a label, 0 for one value; `None` if they
    /// share none.
    ///
    /// # Panics
    /// If there is no such value.
    #[must_use]
    pub fn lowest_common(&self, values: &[usize]) -> Option<usize> {
        self.levels.iter().position(|level| {
            let mut nodes = values.iter().map(|&value| level.of[value]);
            let first = nodes.next();
            nodes.all(|node| Some(node) == first)
        })
    }

    /// Whether no cell of a published column is a label that nobody can tell from a missing value.
    ///
    /// # Errors
    /// [`HierarchyError::MissingLabel`] with the first such label.
    pub fn check_published(&self, column: &Column, markers: &[String]) -> Result<(), HierarchyError> {
        let known = (0..self.len()).filter(|&leaf| !is_missing(self.label(leaf, 0), markers));
        let mut occurs = vec![false; column.values.len()];
        column.cells.iter().for_each(|&code| occurs[code as usize] = true);
        let shown = |label: &str| {
            let same = |code: usize| occurs[code] && column.values[code].trim() == label.trim();
            (0..occurs.len()).any(same)
        };
        self.unreadable(known, markers, shown)
    }

    /// Whether the labels of a column's known values can be published: nobody takes one for a missing value.
    ///
    /// # Errors
    /// [`HierarchyError::MissingLabel`] with the first that is a marker.
    pub fn check_labels(&self, column: &Column, markers: &[String]) -> Result<(), HierarchyError> {
        let mut occurs = vec![false; column.values.len()];
        column.cells.iter().for_each(|&code| occurs[code as usize] = true);
        let values = (0..occurs.len()).filter(|&code| occurs[code]).map(|code| &column.values[code]);
        let known = values.filter(|cell| !is_missing(cell, markers)).filter_map(|cell| self.find(cell));
        self.unreadable(known, markers, |_| true)
    }

    /// Refuses the first label of these leaves, other than the leaf's own, that is `shown` and that a reader takes for a missing value:
    /// the usual markers are read so whatever the column calls so.
    fn unreadable(
        &self,
        leaves: impl Iterator<Item = usize>,
        markers: &[String],
        shown: impl Fn(&str) -> bool,
    ) -> Result<(), HierarchyError> {
        let all = usual_and(markers);
        let marks: Vec<Vec<bool>> = self
            .levels
            .iter()
            .map(|level| level.labels.iter().map(|label| is_missing(label, &all)).collect())
            .collect();
        if !marks.iter().skip(1).flatten().any(|&marked| marked) {
            return Ok(());
        }
        for leaf in leaves {
            let value = self.label(leaf, 0);
            let marked = (1..=self.height()).filter(|&level| marks[level][self.node(leaf, level)]);
            // The label of everything is read as such.
            let mut labels = marked.map(|level| self.label(leaf, level)).filter(|label| label.trim() != ANY);
            if let Some(label) = labels.find(|label| label.trim() != value.trim() && shown(label)) {
                return Err(HierarchyError::MissingLabel { value: value.into(), label: label.into() });
            }
        }
        Ok(())
    }

    /// Whether the hierarchy has every known value of a column.
    ///
    /// # Errors
    /// [`HierarchyError::Uncovered`] with the first value that it misses and where this stands.
    pub fn check(&self, column: &Column, markers: &[String]) -> Result<(), HierarchyError> {
        const NAMED: usize = 3;
        let lacks: Vec<bool> = column
            .values
            .iter()
            .map(|cell| !is_missing(cell, markers) && self.find(cell).is_none())
            .collect();
        let Some(first) = column.cells.iter().find(|&&code| lacks[code as usize]) else {
            return Ok(());
        };
        let rows = || (1..).zip(&column.cells).filter(|(_, code)| *code == first).map(|(row, _)| row);
        let mut others: Vec<u32> =
            column.cells.iter().copied().filter(|code| lacks[*code as usize] && code != first).collect();
        others.sort_unstable();
        others.dedup();
        Err(HierarchyError::Uncovered {
            value: Cell::from(&column.values[*first as usize]),
            rows: rows().take(NAMED).collect(),
            more_rows: rows().count().saturating_sub(NAMED),
            more_values: others.len(),
        })
    }
}

impl Level {
    fn of(rows: &[Vec<String>], level: usize) -> Self {
        let mut nodes: FxHashMap<&str, u32> = FxHashMap::default();
        let mut labels = Vec::new();
        let of = rows
            .iter()
            .map(|row| {
                *nodes.entry(&row[level]).or_insert_with(|| {
                    labels.push(row[level].clone());
                    labels.len() as u32 - 1
                })
            })
            .collect();
        Self { labels, of }
    }

    /// The first two values that share a label here but none at the `coarser` level.
    fn torn(&self, coarser: &Self) -> Option<(usize, usize)> {
        let mut first: Vec<Option<usize>> = vec![None; self.labels.len()];
        for (at, &node) in self.of.iter().enumerate() {
            let before = *first[node as usize].get_or_insert(at);
            if coarser.of[before] != coarser.of[at] {
                return Some((before, at));
            }
        }
        None
    }
}
