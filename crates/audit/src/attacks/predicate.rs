//! Predicates about a person: one condition for each of some columns.

use super::attribute::Attribute;
use crate::measure::{Entries, NOT_KNOWN, Numbers, Part};

/// Conditions on columns, by their place among the attributes; all hold.
pub(super) type Predicate = Vec<(usize, Condition)>;

/// What a value is to be.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Condition {
    /// A number in one of these parts, or not known, if `missing`.
    Within { parts: Vec<Part>, missing: bool },
    /// A known number in none of these parts.
    Outside { parts: Vec<Part> },
    /// One of these labels, ascending.
    Among { labels: Vec<u32> },
    /// A known label that is none of these.
    Except { labels: Vec<u32> },
}

impl Condition {
    /// That a value is what a published cell says; `None` if it says nothing.
    pub(super) fn like(attribute: &Attribute, code: usize) -> Option<Self> {
        match &attribute.entries {
            Entries::Numbers { published, .. } => match &published[code] {
                Numbers::Suppressed => None,
                Numbers::Missing => Some(Self::Within { parts: Vec::new(), missing: true }),
                Numbers::Known { parts, missing } => {
                    Some(Self::Within { parts: parts.clone(), missing: *missing })
                }
            },
            Entries::Labels { published, .. } => published[code].clone().map(|labels| Self::Among { labels }),
        }
    }

    /// That a known value is not what a published cell says; `None` if it says nothing.
    pub(super) fn unlike(attribute: &Attribute, code: usize) -> Option<Self> {
        Self::like(attribute, code).map(|condition| match condition {
            Self::Within { parts, .. } | Self::Outside { parts } => Self::Outside { parts },
            Self::Among { labels } | Self::Except { labels } => Self::Except { labels },
        })
    }

    /// A number from `low` to `high`.
    pub(super) fn between(low: f64, high: f64) -> Self {
        Self::Within { parts: vec![(low, high)], missing: false }
    }

    fn number(&self, value: Option<f64>) -> bool {
        let inside = |parts: &[Part], x: f64| parts.iter().any(|&(low, high)| low <= x && x <= high);
        match (self, value) {
            (Self::Within { missing, .. }, None) => *missing,
            (Self::Within { parts, .. }, Some(x)) => inside(parts, x),
            (Self::Outside { parts }, Some(x)) => !inside(parts, x),
            _ => false,
        }
    }

    fn label(&self, value: u32) -> bool {
        match self {
            Self::Among { labels } => labels.binary_search(&value).is_ok(),
            Self::Except { labels } => value != NOT_KNOWN && labels.binary_search(&value).is_err(),
            _ => false,
        }
    }

    /// By entry of the published dictionary: whether the value may fulfil it.
    pub(super) fn possible(&self, attribute: &Attribute) -> Vec<bool> {
        match &attribute.entries {
            Entries::Numbers { published, .. } => {
                published.iter().map(|cell| self.possible_number(cell)).collect()
            }
            Entries::Labels { published, .. } => {
                let may = |set: &Option<Vec<u32>>| {
                    set.as_ref().is_none_or(|set| set.iter().any(|&l| self.label(l)))
                };
                published.iter().map(may).collect()
            }
        }
    }

    fn possible_number(&self, cell: &Numbers) -> bool {
        let (parts, missing) = match cell {
            Numbers::Suppressed => return true,
            Numbers::Missing => return self.number(None),
            Numbers::Known { parts, missing } => (parts, *missing),
        };
        let may = |&(low, high): &Part| match self {
            Self::Within { parts, .. } => parts.iter().any(|&(from, to)| from <= high && low <= to),
            // A range that is not within one part may be outside of it.
            Self::Outside { parts } => !parts.iter().any(|&(from, to)| from <= low && high <= to),
            _ => false,
        };
        parts.iter().any(may) || missing && self.number(None)
    }

    /// By entry of an exact table's dictionary: whether the value fulfils it.
    pub(super) fn fulfilled(&self, attribute: &Attribute, table: usize) -> Vec<bool> {
        match &attribute.entries {
            Entries::Numbers { exact, .. } => exact[table].iter().map(|&x| self.number(x)).collect(),
            Entries::Labels { exact, .. } => exact[table].iter().map(|&label| self.label(label)).collect(),
        }
    }
}

/// How many published rows may fulfil a predicate, counted up to `most`.
pub(super) fn possible_rows(predicate: &Predicate, attributes: &[&Attribute], most: usize) -> usize {
    let of_column = |(at, condition): &(usize, Condition)| {
        let attribute = attributes[*at];
        (condition.possible(attribute), attribute.published.cells.as_slice())
    };
    count(&predicate.iter().map(of_column).collect::<Vec<_>>(), most)
}

/// How many rows of an exact table fulfil a predicate, counted up to `most`.
pub(super) fn exact_rows(
    predicate: &Predicate,
    attributes: &[&Attribute],
    table: usize,
    most: usize,
) -> usize {
    let of_column = |(at, condition): &(usize, Condition)| {
        let attribute = attributes[*at];
        (condition.fulfilled(attribute, table), attribute.exact[table].cells.as_slice())
    };
    count(&predicate.iter().map(of_column).collect::<Vec<_>>(), most)
}

/// Rows whose cells all have an entry that is allowed; without a condition none counts.
fn count(columns: &[(Vec<bool>, &[u32])], most: usize) -> usize {
    let rows = columns.first().map_or(0, |(_, cells)| cells.len());
    let all = |row: &usize| columns.iter().all(|(allowed, cells)| allowed[cells[*row] as usize]);
    (0..rows).filter(all).take(most).count()
}
