//! The published table as a workbook, for a file whose name ends in `.xlsx`.
//!
//! What was judged are bytes of a CSV. Their cells are written into a workbook, which is then read back by another library than
//! the one that wrote it and compared with them, cell for cell, as the audit's strict reader reads them: what differs stops the
//! publication. A workbook knows no delimiter and no line ends, and it runs no text as a formula.

mod compare;
mod write;

use std::path::Path;

use lookalike_core::{audit_dialect, pipeline::Outcome};
use lookalike_model::{
    dialect::{Dialect, Output},
    report::{Audit, Check},
};
use lookalike_words::Said;

use crate::exit::Failure;

lookalike_words::messages! {
    in "worker";

    /// What a workbook cannot be, or is not.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) enum WorkbookFault {
        /// A form of text is asked for.
        Form,
        /// The release belongs to a series.
        Series,
        /// The table is not in memory.
        OutOfCore,
        /// The library that writes workbooks refuses.
        Unwritten {
            /// What it says.
            says: String,
        },
        /// The library that reads them refuses.
        Unread {
            /// What it says.
            says: String,
        },
        /// A cell is another one.
        Differs {
            /// Its row, the header being row 1.
            row: usize,
            /// Its column, from 1.
            column: usize,
        },
        /// There are more or fewer rows or columns.
        Size {
            /// Rows of the table, with its header.
            rows: usize,
            /// Columns of the table.
            columns: usize,
        },
    }

    /// What is checked of a workbook.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) enum WorkbookCheck {
        /// Its cells are those that were judged.
        Name,
        /// They are.
        Same {
            /// How many.
            cells: usize,
            /// Rows, with the header.
            rows: usize,
        },
    }
}

/// The warning of cells that a spreadsheet would run as formulas.
const FORMULAS: &str = "core.ReleaseWarning.Formulas";

/// Whether a file of this name is to be a workbook.
pub(crate) fn is_asked(path: Option<&Path>) -> bool {
    path.and_then(Path::extension).is_some_and(|ending| ending.eq_ignore_ascii_case("xlsx"))
}

/// Refuses flags that a workbook has no use for.
pub(crate) fn fit(path: Option<&Path>, form: Output) -> Result<(), Failure> {
    if is_asked(path) && !form.is_as_input() {
        return Err(Failure::input(WorkbookFault::Form));
    }
    Ok(())
}

/// Puts a workbook in the place of the published bytes, and a check of it into the verdict, if the file is to be one.
///
/// # Errors
/// If the cells have no place in a workbook, or are others when they are read back.
pub(crate) fn put(path: Option<&Path>, outcome: &mut Outcome) -> Result<(), Failure> {
    if !is_asked(path) {
        return Ok(());
    }
    let dialect = audit_dialect(outcome.report.audit.dialect);
    let workbook = write::workbook(&outcome.published, dialect).map_err(Failure::input)?;
    let same = compare::compare(&workbook, &outcome.published, dialect).map_err(Failure::input)?;
    let check = Check { name: Said::from(WorkbookCheck::Name), passed: true, finding: same.into() };
    for report in [Some(&mut outcome.report), outcome.private.exact.as_deref_mut()].into_iter().flatten() {
        say(&mut report.audit, check.clone());
        // Its text is never run.
        report.warnings.retain(|warning| warning.id() != FORMULAS);
    }
    outcome.published = workbook;
    Ok(())
}

/// Says in a verdict that what it is about stands in a workbook, which has no delimiter and no line ends.
fn say(audit: &mut Audit, check: Check) {
    audit.checks.push(check);
    audit.dialect = Dialect::PLAIN;
}
