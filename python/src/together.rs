//! All releases of a series judged before the newest one is handed out, as `republish --releases` does.

use lookalike_core::{
    audit::series::fingerprint,
    pipeline::Outcome,
    republish::together::Judged,
    table::{Edits, Table},
};
use lookalike_wire::ledger;
use lookalike_words::Message as _;
use pyo3::prelude::*;

use crate::{arguments::spoken, failure::Failure, source::Wanted, stream::Frame};

/// What the newest release is judged with.
pub(crate) struct Together {
    /// The bytes of all earlier releases, in their order.
    pub(crate) earlier: Vec<Vec<u8>>,
    /// The tables that these were made of, or none.
    pub(crate) sources: Vec<Frame>,
}

impl Together {
    /// Judges them with the newest release, whose table is `frame`, and has ledger and records say so.
    ///
    /// # Errors
    /// If a check does not hold.
    pub(crate) fn judge(&self, outcome: &mut Outcome, frame: &Frame, edits: &Edits) -> Result<(), Failure> {
        let none = || Failure::system("the run made no ledger");
        let ledger = outcome.ledger.as_ref().map(ledger::write).ok_or_else(none)?;
        let ledger = ledger.map_err(|why| Failure::system(why.to_string()))?;
        let before: Vec<&[u8]> = self.earlier.iter().map(Vec::as_slice).collect();
        let judged = Judged::of(outcome, &ledger, &before, &self.tables(frame, edits)?)?.ok_or_else(none)?;
        if let Some(audit) = judged.audit() {
            outcome.audited(audit);
            return Ok(());
        }
        let broken = judged
            .broken()
            .map(|check| format!("{}: {}", spoken(&check.name.said()), spoken(&check.finding.said())));
        let broken: Vec<String> = broken.collect();
        Err(Failure::audit(format!(
            "the audit of all {} releases together failed, nothing is published: {}",
            judged.releases,
            broken.join("; ")
        )))
    }

    /// The sources, with the newest one's last; none if the earlier ones are not known.
    fn tables(&self, frame: &Frame, edits: &Edits) -> Result<Vec<Table>, Failure> {
        if self.sources.is_empty() {
            return Ok(Vec::new());
        }
        let whole = |frame: &Frame| {
            frame.table(Wanted { columns: None, keys: false, typed: true, edits: edits.clone() })
        };
        self.sources.iter().chain([frame]).map(whole).collect()
    }
}

/// The digest of a file, as ledgers name published tables.
#[pyfunction]
pub(crate) fn digest(bytes: &[u8]) -> String {
    fingerprint(bytes)
}

/// The digests of the releases that a ledger names, in their order.
///
/// # Errors
/// If it is no ledger.
#[pyfunction]
pub(crate) fn published(bytes: &[u8]) -> Result<Vec<String>, Failure> {
    let ledger = ledger::read(bytes).map_err(|why| Failure::series(why.to_string()))?;
    Ok(ledger.releases.into_iter().map(|release| release.hash).collect())
}
