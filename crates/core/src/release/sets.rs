//! Sets of quasi-identifiers with a k of their own: what the audit finds of them.

use lookalike_audit::{Dialect, Verdict, judge_set};
use lookalike_model::{
    report::SetReport,
    settings::{QuasiSet, Settings},
};

use crate::Error;

/// Judges the sets from the bytes, and adds what was found to the verdict.
///
/// # Errors
/// As [`judge_set`].
pub(super) fn judged(
    settings: &Settings,
    (bytes, dialect): (&[u8], Dialect),
    verdict: &mut Verdict,
) -> Result<Vec<SetReport>, Error> {
    let mut all = Vec::new();
    for QuasiSet { columns, k } in &settings.sets {
        let found = judge_set(bytes, dialect, columns, *k)?;
        verdict.add(found.check);
        let (smallest, groups) = (found.smallest, found.groups);
        all.push(SetReport { columns: columns.clone(), k: *k, smallest, groups });
    }
    Ok(all)
}
