//! Labels of a generalisation hierarchy, or sets of them.

use std::collections::BTreeMap;

use lookalike_table::{Reading as Compared, hierarchy::Hierarchy};
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
    pub(super) suppressed: usize,
    /// Records by what their cell stands for.
    pub(super) extents: BTreeMap<Extent, usize>,
    pub(super) missing: bool,
}

/// What a cell stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Extent {
    /// So many values, "missing" being one.
    Values(usize),
    /// The bits of a part of the whole width, where labels are intervals of numbers: "missing" has none.
    Width(u64),
}

impl Leafy {
    pub(super) fn new(hierarchy: &Hierarchy, compared: &Compared) -> Self {
        let leaves = Leaves::new(hierarchy, compared);
        Self { leaves, suppressed: 0, extents: BTreeMap::new(), missing: false }
    }

    /// What a cell stands for.
    pub(super) fn parse(&self, text: &str, form: Form) -> Result<Counted, Unmeasurable> {
        let members = members(text).ok_or_else(|| Unmeasurable::NoSet { cell: Quoted::from(text) })?;
        let (mut found, mut missing) = (Vec::new(), false);
        for member in &members {
            match self.leaves.under(member) {
                _ if form.is_missing(member) => missing = true,
                Some(under) if self.leaves.is_all(under) => return Ok(Counted::Suppressed),
                Some(under) => found.extend_from_slice(under),
                None => return Err(Unmeasurable::NotInHierarchy { label: Quoted::from(member.as_str()) }),
            }
        }
        found.sort_unstable();
        found.dedup();
        let known = members.iter().map(String::as_str).filter(|member| !form.is_missing(member));
        let extent = match self.leaves.intervals() {
            Some(intervals) => Extent::Width(intervals.part(known).to_bits()),
            None => Extent::Values(found.len() + usize::from(missing)),
        };
        Ok(Counted::Leaves(extent, missing))
    }

    /// Forgets the records, not whether values are missing.
    pub(super) fn clear(&mut self) {
        self.suppressed = 0;
        self.extents.clear();
    }

    pub(super) fn suppressed(&mut self, records: usize) -> bool {
        self.suppressed += records;
        true
    }

    pub(super) fn add(&mut self, extent: Extent, missing: bool, records: usize) -> bool {
        *self.extents.entry(extent).or_default() += records;
        self.missing |= missing;
        true
    }

    pub(super) fn total(&self) -> f64 {
        let domain = (self.leaves.values().len() + usize::from(self.missing)).saturating_sub(1).max(1);
        let (mut values, mut widths) = (0_usize, 0.0);
        for (extent, &records) in &self.extents {
            match *extent {
                Extent::Values(size) => values += size.saturating_sub(1) * records,
                Extent::Width(bits) => widths += f64::from_bits(bits) * records as f64,
            }
        }
        self.suppressed as f64 + values as f64 / domain as f64 + widths
    }
}
