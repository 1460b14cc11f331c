//! The published table as a workbook, for a file whose name ends in `.xlsx`: see `lookalike-workbook`.

use std::path::Path;

use lookalike_core::{audit_dialect, pipeline::Outcome};
use lookalike_model::{
    dialect::{Dialect, Output},
    report::{Audit, Check},
};
use lookalike_words::{Message, Said};
use lookalike_workbook::{WorkbookCheck, workbook};

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
        /// There is none, or it is not what was judged.
        Refused {
            /// Why.
            why: Said,
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
    let made = workbook(&outcome.published, dialect);
    let (workbook, same) = made.map_err(|why| Failure::input(WorkbookFault::Refused { why: why.said() }))?;
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
