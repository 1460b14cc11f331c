//! Why a table is not m-eligible, and what would help.

use lookalike_words::Name;

use super::{Mixed, NotEligible, SurveyRow, distinct, is_eligible, largest, largest_m, survey, total};
use crate::Error;

/// Why a table is not m-eligible, and what would help.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ineligible {
    /// Index of the most frequent sensitive value; the first one among equals.
    pub value: usize,
    /// Its records.
    pub count: u64,
    /// All records.
    pub records: u128,
    /// The most records of one value that `m` allows: `floor(records / m)`.
    pub at_most: u64,
    /// Number of values that occur.
    pub distinct: u64,
    /// Size of the domain.
    pub domain: u64,
    /// The largest `m` without changes.
    pub largest_m: u64,
    /// What reaching `m` would cost.
    pub cost: SurveyRow,
}

/// Why `counts` is not m-eligible; `None` if it is.
#[must_use]
pub fn nearest(counts: &[u64], m: u64) -> Option<Ineligible> {
    if is_eligible(counts, m) {
        return None;
    }
    let records = total(counts);
    let count = largest(counts);
    Some(Ineligible {
        value: counts.iter().position(|&c| c == count)?,
        count,
        records,
        // Below the largest count, since the table is not eligible.
        at_most: (records / u128::from(m.max(1))) as u64,
        distinct: distinct(counts),
        domain: counts.len() as u64,
        largest_m: largest_m(counts),
        cost: *survey(counts, [m]).first()?,
    })
}

/// The error for a table that is not m-eligible and may not be changed; `values` are the names of the values.
#[must_use]
pub fn explain(counts: &[u64], values: &[String], m: u64) -> Error {
    let why = nearest(counts, m).map_or(NotEligible::AsItIs { m }, |why| {
        why.explain(values.get(why.value).map(|value| value.as_str().into()))
    });
    why.into()
}

impl Ineligible {
    /// The reason, the nearest feasible `m`, and what the ways to `m` cost. `value` is the name of the most frequent sensitive
    /// value ([`Ineligible::value`]).
    #[must_use]
    pub fn explain(&self, value: Option<Name>) -> NotEligible {
        let m = self.cost.m;
        if self.domain < m {
            let without = (self.largest_m != self.domain && self.domain >= 2).then_some(self.largest_m);
            return NotEligible::TooFewValues { values: self.domain, m, without };
        }
        // A hybrid that is no hybrid is left out.
        let mixed = self.cost.hybrid.filter(|h| h.additions > 0 && h.deletions > 0);
        NotEligible::TooFrequent {
            value,
            count: self.count,
            records: u64::try_from(self.records).unwrap_or(u64::MAX),
            m,
            at_most: self.at_most,
            without: self.largest_m,
            counterfeits: self.cost.additions,
            deletions: self.cost.deletions,
            mixed: mixed.map(|h| Mixed::Changes { counterfeits: h.additions, deletions: h.deletions }),
        }
    }
}
