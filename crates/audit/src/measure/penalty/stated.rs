//! The loss that a report states, against the published bytes.

use std::collections::BTreeMap;

use lookalike_words::{Figure, Name, Round};

use super::ColumnPenalty;
use crate::{Check, LossNotRecomputed, Observation, Subject, certificate::Loss};

/// Relative difference of two computations of one sum.
const ROUNDING: f64 = 1e-9;

/// The same of each record, in units of its largest penalty.
const ROUNDING_OF_RECORD: f64 = 1e-11;

/// What a report states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stated {
    /// The loss.
    pub loss: Loss,
    /// Its value.
    pub value: f64,
    /// Whether the value may be told: with counterfeits it would help to find them.
    pub told: bool,
}

/// Why the published bytes do not determine a loss.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Open {
    /// Counterfeits with quasi-identifiers of their own widen what is published.
    Drawn,
    /// This column has labels that look like sets.
    Braces(String),
}

/// Whether the stated loss is that of the published bytes, which `columns` were counted from. Columns count with their
/// `weights`, others not at all. `open` is what is known beforehand to leave it open.
#[must_use]
pub fn stated(
    columns: &[ColumnPenalty],
    weights: &BTreeMap<String, f64>,
    stated: Stated,
    open: Option<Open>,
) -> Check {
    let binary = match stated.loss {
        Loss::Sse => return note(LossNotRecomputed::Squares),
        Loss::Ncp => false,
        Loss::NcpBinary => true,
    };
    match open {
        Some(Open::Drawn) => return note(LossNotRecomputed::Drawn),
        Some(Open::Braces(column)) => {
            return note(LossNotRecomputed::Braces { column: Name::from(column.as_str()) });
        }
        None => {}
    }
    let mut found = 0.0;
    let mut records = 0;
    for column in columns {
        let Some(weight) = weights.get(&column.name).filter(|weight| **weight > 0.0) else { continue };
        let ncp = if binary { &column.binary } else { &column.ncp };
        match ncp {
            Ok(ncp) => found += weight * ncp,
            Err(_) => {
                return note(LossNotRecomputed::Column { column: Name::from(column.name.as_str()) });
            }
        }
        records = records.max(column.records);
    }
    let allowed = ROUNDING * found.abs().max(stated.value.abs()) + ROUNDING_OF_RECORD * records as f64;
    let passed = (found - stated.value).abs() <= allowed;
    let four = |x: f64| Figure::fixed(x, 4);
    let finding = match (passed, stated.told) {
        (true, true) => {
            Observation::LossRecomputed { binary, value: Figure::significant(found, 3, Round::Near) }
        }
        (true, false) => Observation::LossRecomputedUntold { binary },
        (false, _) => Observation::LossDiffers { binary, stated: four(stated.value), found: four(found) },
    };
    Check { name: Subject::StatedLoss, passed, finding, witnesses: Vec::new() }
}

fn note(why: LossNotRecomputed) -> Check {
    Check::note(Subject::StatedLoss, Observation::LossNotRecomputed { why }, None)
}

/// Whether what is published lies in the declared domains; `None` if none is declared.
#[must_use]
pub fn domains(columns: &[ColumnPenalty]) -> Option<Check> {
    let declared: Vec<(&ColumnPenalty, usize)> =
        columns.iter().filter_map(|column| Some((column, column.outside?))).collect();
    if declared.is_empty() {
        return None;
    }
    let names = |which: &dyn Fn(&(&ColumnPenalty, usize)) -> bool| -> Vec<Name> {
        let all = declared.iter().filter(|of| which(of));
        all.map(|(column, _)| Name::from(column.name.as_str())).collect()
    };
    let rows = declared.iter().map(|of| of.1).max().unwrap_or(0);
    // What cannot be read may be anything.
    let unread = names(&|of| of.0.ncp.is_err());
    let (passed, finding) = if rows > 0 {
        (false, Observation::OutsideDomains { columns: names(&|of| of.1 > 0), rows })
    } else if unread.is_empty() {
        (true, Observation::InDomains { columns: names(&|_| true) })
    } else {
        (false, Observation::DomainsUnread { columns: unread })
    };
    Some(Check { name: Subject::Domains, passed, finding, witnesses: Vec::new() })
}
