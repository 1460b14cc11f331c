//! Widths of ranges of numbers, day numbers or ranks.

use std::collections::BTreeMap;

use crate::measure::{
    numbers::{Numbers, Part, joined},
    reading::Domain,
};

/// Widths so far.
pub(super) struct Widths {
    declared: Option<Part>,
    /// Where open ends end.
    limits: (Option<f64>, Option<f64>),
    pub(super) suppressed: usize,
    /// Of the cells without an open end.
    pub(super) sum: f64,
    /// Records that are open at both ends.
    pub(super) anything: usize,
    /// Records that are open below, by the other end's bits; and above.
    pub(super) below: BTreeMap<u64, usize>,
    pub(super) above: BTreeMap<u64, usize>,
    /// What is said, open ends not counted.
    pub(super) said: Option<Part>,
}

impl Widths {
    pub(super) fn new(domain: Option<&Domain>, limits: Option<&(Option<f64>, Option<f64>)>) -> Self {
        let declared = match domain {
            Some(Domain::Numbers(low, high)) => Some((*low, *high)),
            _ => None,
        };
        Self {
            declared,
            limits: limits.copied().unwrap_or_default(),
            suppressed: 0,
            sum: 0.0,
            anything: 0,
            below: BTreeMap::new(),
            above: BTreeMap::new(),
            said: None,
        }
    }

    /// Forgets the records, not the domain.
    pub(super) fn clear(&mut self) {
        (self.suppressed, self.sum, self.anything) = (0, 0.0, 0);
        self.below.clear();
        self.above.clear();
    }

    pub(super) fn suppressed(&mut self, records: usize) -> bool {
        self.suppressed += records;
        self.reaches(self.limits.0);
        self.reaches(self.limits.1);
        true
    }

    /// Whether all that the cell says lies in the declared domain.
    pub(super) fn add(&mut self, cell: &Numbers, records: usize) -> bool {
        self.said = joined(self.said.into_iter().chain(cell.finite_span()));
        let inside = match (self.declared, cell.finite_span()) {
            (Some((least, most)), Some((low, high))) => least <= low && high <= most,
            _ => true,
        };
        match cell.span() {
            None => {}
            Some((low, high)) if low.is_finite() && high.is_finite() => {
                self.sum += (high - low) * records as f64;
            }
            Some((low, _)) if low.is_finite() => {
                self.reaches(self.limits.1);
                *self.above.entry(low.to_bits()).or_default() += records;
            }
            Some((_, high)) if high.is_finite() => {
                self.reaches(self.limits.0);
                *self.below.entry(high.to_bits()).or_default() += records;
            }
            Some(_) => self.anything(records),
        }
        inside
    }

    /// Cells that say nothing.
    fn anything(&mut self, records: usize) {
        self.reaches(self.limits.0);
        self.reaches(self.limits.1);
        self.anything += records;
    }

    fn reaches(&mut self, end: Option<f64>) {
        self.said = joined(self.said.into_iter().chain(end.map(|x| (x, x))));
    }

    pub(super) fn total(&self) -> f64 {
        let suppressed = self.suppressed as f64;
        let Some((least, most)) = self.declared.or(self.said) else { return suppressed };
        let width = most - least;
        if width <= 0.0 {
            return suppressed;
        }
        let of = |ends: &BTreeMap<u64, usize>, wide: &dyn Fn(f64) -> f64| -> f64 {
            ends.iter().map(|(&end, &n)| wide(f64::from_bits(end)).max(0.0) * n as f64).sum()
        };
        let open = of(&self.below, &|high| high - least) + of(&self.above, &|low| most - low);
        suppressed + self.anything as f64 + (self.sum + open) / width
    }
}
