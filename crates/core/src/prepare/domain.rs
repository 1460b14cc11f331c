//! Declared domains: the values that a column may have, whether they occur or not. They are the denominators of the certainty
//! penalty (the permissible L and U of Liang 2020), which then do not depend on the records that are published.

use std::collections::BTreeSet;

use lookalike_audit::measure;
use lookalike_model::settings::Domain as Told;
use lookalike_table::{Column, Reading, is_missing};
use lookalike_words::{Cell, Name};

use super::{
    limits::LARGEST,
    misfit::{DomainMisfit, Misfit},
    recoding::Recoding,
};

/// A declared domain that fits its column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Domain {
    /// Least and greatest number, day number or rank; the first is less.
    Numbers(f64, f64),
    /// Labels, two at least.
    Labels(BTreeSet<String>),
}

impl Domain {
    /// Of a column that is read so and recoded so.
    pub(crate) fn new(
        name: &str,
        told: &Told,
        reading: &Reading,
        recoding: &Recoding,
        markers: &[String],
    ) -> Result<Self, Misfit> {
        let wrong = |why| Err(Misfit::Domain { name: Name::from(name), why });
        if recoding.published_by().is_some() {
            return wrong(DomainMisfit::ByHierarchy);
        }
        match (told, reading) {
            (Told::Labels(_), by_value) if *by_value != Reading::Labels => wrong(DomainMisfit::NeedsRange),
            (Told::Range { .. }, Reading::Labels) => wrong(DomainMisfit::NeedsLabels),
            (Told::Labels(labels), _) => {
                let all: BTreeSet<String> = labels.iter().cloned().collect();
                let missing = labels.iter().find(|label| is_missing(label, markers));
                if let Some(label) = missing {
                    return wrong(DomainMisfit::Missing { label: Cell::from(label.as_str()) });
                }
                if all.len() < labels.len() {
                    return wrong(DomainMisfit::Twice);
                }
                if all.len() < 2 { wrong(DomainMisfit::TooShort) } else { Ok(Self::Labels(all)) }
            }
            (Told::Range { from, to }, _) => {
                let number = |text: &String| {
                    let value = reading.value(text.trim()).filter(|x| x.abs() <= LARGEST);
                    value.ok_or_else(|| Misfit::Domain {
                        name: Name::from(name),
                        why: DomainMisfit::NoValue {
                            text: Cell::from(text.as_str()),
                            kind: reading.noun_for(text.trim()),
                        },
                    })
                };
                let (low, high) = (number(from)?, number(to)?);
                if low < high { Ok(Self::Numbers(low, high)) } else { wrong(DomainMisfit::Crossed) }
            }
        }
    }

    /// Refuses a column with a known value outside; `before` is the number of rows before this part of the table.
    pub(crate) fn check(
        &self,
        column: &Column,
        reading: &Reading,
        markers: &[String],
        before: usize,
    ) -> Result<(), Misfit> {
        let outside = |text: &str| {
            !is_missing(text, markers)
                && match self {
                    Self::Numbers(low, high) => reading.value(text).is_some_and(|x| x < *low || *high < x),
                    Self::Labels(labels) => !labels.contains(text),
                }
        };
        let outside: Vec<bool> = column.values.iter().map(outside).collect();
        match column.cells.iter().position(|&code| outside[code as usize]) {
            None => Ok(()),
            Some(row) => Err(Misfit::OutsideDomain {
                name: Name::from(column.name.as_str()),
                row: before + row + 1,
                cell: Cell::from(column.cell(row)),
            }),
        }
    }

    /// Its numbers as they count, coded at their limits; `None` for labels.
    pub(crate) fn span(&self, recoding: &Recoding) -> Option<(f64, f64)> {
        match self {
            Self::Numbers(low, high) => Some((recoding.code(*low), recoding.code(*high))),
            Self::Labels(_) => None,
        }
    }

    /// How many labels there may be; `None` for numbers.
    pub(crate) fn labels(&self) -> Option<usize> {
        match self {
            Self::Numbers(..) => None,
            Self::Labels(labels) => Some(labels.len()),
        }
    }

    /// As the audit is told it.
    pub(crate) fn told(&self, recoding: &Recoding) -> measure::Domain {
        match self {
            Self::Numbers(low, high) => measure::Domain::Numbers(recoding.code(*low), recoding.code(*high)),
            Self::Labels(labels) => measure::Domain::Labels(labels.iter().cloned().collect()),
        }
    }
}
