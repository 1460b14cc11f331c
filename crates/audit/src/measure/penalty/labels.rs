//! Sets of labels that are equal or not.

use std::collections::{BTreeMap, BTreeSet};

use crate::measure::{
    cell::{Atom, Cell},
    reading::Domain,
};

/// Sets of labels so far.
pub(super) struct Labels {
    declared: Option<BTreeSet<String>>,
    pub(super) suppressed: usize,
    /// Records by the number of labels of their set.
    pub(super) sizes: BTreeMap<usize, usize>,
    /// All labels; a missing one is "".
    pub(super) said: BTreeSet<String>,
}

/// The labels of a cell, ascending; a missing one is "".
pub(super) fn of(cell: Cell) -> Vec<String> {
    let Cell::OneOf(atoms) = cell else { return Vec::new() };
    let text = |atom| if let Atom::Label(text) = atom { text } else { String::new() };
    let set: BTreeSet<String> = atoms.into_iter().map(text).collect();
    set.into_iter().collect()
}

impl Labels {
    pub(super) fn new(domain: Option<&Domain>) -> Self {
        let declared = match domain {
            Some(Domain::Labels(labels)) => Some(labels.iter().cloned().collect()),
            _ => None,
        };
        Self { declared, suppressed: 0, sizes: BTreeMap::new(), said: BTreeSet::new() }
    }

    /// Forgets the records, not the labels.
    pub(super) fn clear(&mut self) {
        self.suppressed = 0;
        self.sizes.clear();
    }

    pub(super) fn suppressed(&mut self, records: usize) -> bool {
        self.suppressed += records;
        true
    }

    /// Whether all labels are of the declared domain, or the cell as it stands is one of it: a label may look like a set.
    pub(super) fn add(&mut self, text: &str, set: &[String], records: usize) -> bool {
        *self.sizes.entry(set.len()).or_default() += records;
        for label in set {
            if !self.said.contains(label) {
                self.said.insert(label.clone());
            }
        }
        let allowed = |label: &String| {
            label.is_empty() || self.declared.as_ref().is_none_or(|declared| declared.contains(label))
        };
        set.iter().all(allowed) || self.declared.as_ref().is_some_and(|declared| declared.contains(text))
    }

    pub(super) fn total(&self, binary: bool) -> f64 {
        // "Missing" is a value beside the declared ones.
        let missing = usize::from(self.said.contains(""));
        let domain = self.declared.as_ref().map_or(self.said.len(), |declared| declared.len() + missing);
        let steps = |size: usize| match size {
            0 | 1 => 0,
            size if binary => size,
            size => size - 1,
        };
        let sum: usize = self.sizes.iter().map(|(&size, &records)| steps(size) * records).sum();
        self.suppressed as f64 + sum as f64 / domain.max(1) as f64
    }
}
