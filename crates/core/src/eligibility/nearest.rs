//! Why a table is not m-eligible, and what would help.

use super::{SurveyRow, distinct, is_eligible, largest, largest_m, survey, too_few_values, total};
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
    let why = nearest(counts, m).map(|why| {
        let name = values.get(why.value).map_or("the most frequent sensitive value", String::as_str);
        why.explain(name)
    });
    Error::Infeasible(why.unwrap_or_else(|| format!("the table is {m}-eligible as it is")))
}

impl Ineligible {
    /// One paragraph: the reason, the nearest feasible `m`, and what the ways to `m` cost. `value` is the name of the
    /// most frequent sensitive value ([`Ineligible::value`]).
    #[must_use]
    pub fn explain(&self, value: &str) -> String {
        let m = self.cost.m;
        if self.domain < m {
            let reason = too_few_values(self.domain, m);
            return match self.largest_m {
                free if free == self.domain || self.domain < 2 => reason,
                free if free < 2 => format!("{reason}, and that with changes only"),
                free => format!("{reason} with changes and {free} without"),
            };
        }
        let reason = format!(
            "{value} is held by {} of {} records; m = {m} allows at most {}",
            self.count, self.records, self.at_most
        );
        let without = match self.largest_m {
            0 | 1 => String::from("no m of 2 or more is possible without changes"),
            free => format!("the largest m without changes is {free}"),
        };
        let ways = self.ways();
        if ways.is_empty() {
            return format!("{reason}; {without}");
        }
        format!("{reason}; {without}; m = {m} would take {}", ways.join(", or "))
    }

    /// The ways to `m` in words: a hybrid that is no hybrid is left out.
    fn ways(&self) -> Vec<String> {
        let mut ways = Vec::new();
        if let Some(a) = self.cost.additions {
            ways.push(plural(a, "counterfeit"));
        }
        if let Some(d) = self.cost.deletions {
            ways.push(plural(d, "deletion"));
        }
        if let Some(h) = self.cost.hybrid.filter(|h| h.additions > 0 && h.deletions > 0) {
            ways.push(format!(
                "{} with {}",
                plural(h.additions, "counterfeit"),
                plural(h.deletions, "deletion")
            ));
        }
        ways
    }
}

fn plural(amount: u64, noun: &str) -> String {
    format!("{amount} {noun}{}", if amount == 1 { "" } else { "s" })
}
