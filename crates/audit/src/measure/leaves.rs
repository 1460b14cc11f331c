//! What the labels of a generalisation hierarchy stand for.

use std::collections::BTreeMap;

use lookalike_table::{Reading as Compared, hierarchy::Hierarchy};

use super::intervals::Intervals;

/// For each label of a hierarchy, of any level, the values that it stands for.
pub(super) struct Leaves {
    /// The values, trimmed and sorted.
    values: Vec<String>,
    /// Indices into `values`, ascending. A label that several nodes have stands for the values of all of them.
    of: BTreeMap<String, Vec<u32>>,
    /// What labels cover, if they are intervals of numbers.
    intervals: Option<Intervals>,
}

impl Leaves {
    pub(super) fn new(hierarchy: &Hierarchy, compared: &Compared) -> Self {
        let mut places: Vec<(String, usize)> =
            (0..hierarchy.len()).map(|at| (hierarchy.label(at, 0).trim().to_owned(), at)).collect();
        places.sort_unstable();
        let mut of: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for (value, &(_, at)) in (0..).zip(&places) {
            for level in 0..=hierarchy.height() {
                let leaves = of.entry(hierarchy.label(at, level).trim().to_owned()).or_default();
                if leaves.last() != Some(&value) {
                    leaves.push(value);
                }
            }
        }
        let intervals = Intervals::new(hierarchy, compared);
        Self { values: places.into_iter().map(|place| place.0).collect(), of, intervals }
    }

    /// What labels cover, if they are intervals of numbers: they cost their width then, not the number of their values.
    pub(super) fn intervals(&self) -> Option<&Intervals> {
        self.intervals.as_ref()
    }

    /// The values, sorted.
    pub(super) fn values(&self) -> &[String] {
        &self.values
    }

    /// What a label stands for, white space around it not counted.
    pub(super) fn under(&self, label: &str) -> Option<&[u32]> {
        self.of.get(label.trim()).map(Vec::as_slice)
    }

    /// Whether a label stands for all of several values and tells nothing: an interval still may, as `[20-29]` below `[0-99]`.
    pub(super) fn is_all(&self, leaves: &[u32]) -> bool {
        self.intervals.is_none() && leaves.len() > 1 && leaves.len() == self.values.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_all_levels() {
        let rows: Vec<Vec<String>> = ["b;north;*", " a;north;*", "south;south;*", "c;south;*"]
            .iter()
            .map(|row| row.split(';').map(String::from).collect())
            .collect();
        let leaves = Leaves::new(&Hierarchy::new(&rows).unwrap(), &Compared::Labels);
        assert_eq!(leaves.values(), ["a", "b", "c", "south"]);
        assert_eq!(leaves.under("north"), Some(&[0, 1][..]));
        assert_eq!(leaves.under(" c "), Some(&[2][..]));
        assert_eq!(leaves.under("south"), Some(&[2, 3][..]), "a value and a label of two values");
        assert!(leaves.is_all(leaves.under("*").unwrap()) && !leaves.is_all(leaves.under("north").unwrap()));
        assert_eq!(leaves.under("west"), None);
    }
}
