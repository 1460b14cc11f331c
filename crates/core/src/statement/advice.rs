//! Warnings of the run, and what no run promises.

use lookalike_model::{document::Part, report::Report};
use lookalike_words::{Said, messages};

messages! {
    in "core";

    /// What the reader of every statement should know.
    enum StatementAdvice {
        /// How far the guarantee goes.
        Exposure,
        /// The next release of a series needs its ledger.
        NextRelease,
        /// There is no ledger for another release.
        NoLedger,
        /// Who can undo the protection.
        Undo {
            /// Whether there is a ledger.
            ledger: bool,
        },
    }
}

/// Warnings of the run, and what no run promises.
pub(super) fn advice(report: &Report) -> Vec<Part> {
    let series = report.series.is_some();
    let mut items: Vec<Said> = report.warnings.clone();
    items.extend(
        [
            StatementAdvice::Exposure,
            if series { StatementAdvice::NextRelease } else { StatementAdvice::NoLedger },
            StatementAdvice::Undo { ledger: series },
        ]
        .map(Said::from),
    );
    vec![Part::List(items)]
}
