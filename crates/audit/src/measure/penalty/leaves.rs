//! Labels of a generalisation hierarchy, or sets of them.

use std::collections::BTreeMap;

use lookalike_table::hierarchy::Hierarchy;
use lookalike_words::Cell as Quoted;

use super::Counted;
use crate::{
    Unmeasurable,
    measure::{
        cell::{Form, members},
        leaves::Leaves,
    },
};

/// Labels so far.
pub(super) struct Leafy {
    leaves: Leaves,
    suppressed: usize,
    /// Records by the number of values that their cell stands for, "missing" being one.
    sizes: BTreeMap<usize, usize>,
    missing: bool,
}

impl Leafy {
    pub(super) fn new(hierarchy: &Hierarchy) -> Self {
        Self { leaves: Leaves::new(hierarchy), suppressed: 0, sizes: BTreeMap::new(), missing: false }
    }

    /// What a cell stands for.
    pub(super) fn parse(&self, text: &str, form: Form) -> Result<Counted, Unmeasurable> {
        let members = members(text).ok_or_else(|| Unmeasurable::NoSet { cell: Quoted::from(text) })?;
        let (mut found, mut missing) = (Vec::new(), false);
        for member in members {
            match self.leaves.under(&member) {
                _ if form.is_missing(&member) => missing = true,
                Some(under) if self.leaves.is_all(under) => return Ok(Counted::Suppressed),
                Some(under) => found.extend_from_slice(under),
                None => return Err(Unmeasurable::NotInHierarchy { label: Quoted::from(member.as_str()) }),
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(Counted::Values(found.len() + usize::from(missing), missing))
    }

    pub(super) fn suppressed(&mut self, records: usize) -> bool {
        self.suppressed += records;
        true
    }

    pub(super) fn add(&mut self, values: usize, missing: bool, records: usize) -> bool {
        *self.sizes.entry(values).or_default() += records;
        self.missing |= missing;
        true
    }

    pub(super) fn total(&self) -> f64 {
        let domain = (self.leaves.values().len() + usize::from(self.missing)).saturating_sub(1).max(1);
        let sum: usize = self.sizes.iter().map(|(&size, &n)| size.saturating_sub(1) * n).sum();
        self.suppressed as f64 + sum as f64 / domain as f64
    }
}
