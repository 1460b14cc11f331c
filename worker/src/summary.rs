//! What a run did, in a few lines for standard error.

use lookalike_core::{
    pipeline::Outcome,
    table::{Table, text::counted},
};
use lookalike_wire::{
    job::{BoundOf, Status},
    report::Report,
    settings::Model,
};

use crate::{
    disclosed,
    progress::{from_the_best, say},
};

/// How many warnings of one kind are printed.
const SHOWN: usize = 5;

/// Says what is odd in the input.
pub(crate) fn table_warnings(table: &Table) {
    for warning in table.warnings.iter().take(SHOWN) {
        match warning.row {
            Some(row) => say(&format!("warning: row {row}: {}", warning.message)),
            None => say(&format!("warning: {}", warning.message)),
        }
    }
    if let Some(more) = table.warnings.len().checked_sub(SHOWN).filter(|&n| n > 0) {
        say(&format!(
            "warning: {more} more (`lookalike describe --json` lists them, and the file of anonymize --private)"
        ));
    }
}

/// Says what was published.
pub(crate) fn outcome(outcome: &Outcome) {
    for line in lines(&outcome.report) {
        say(&line);
    }
    if let Some(sent) = &outcome.private.sent {
        say(&format!(
            "the classes were computed elsewhere: {} in {} went to {}",
            counted(sent.bytes as usize, "byte", "bytes"),
            counted(sent.messages as usize, "message", "messages"),
            sent.to
        ));
    }
    if let Some(line) =
        outcome.private.informed.as_ref().and_then(|i| disclosed::informed(&outcome.report, i))
    {
        say(&line);
    }
}

/// The report's essence, one thought a line.
pub(crate) fn lines(report: &Report) -> Vec<String> {
    let guarantee = match report.model {
        Model::MInvariance { m } => format!("m-invariance, m = {m}"),
        Model::KAnonymity { k } => format!("k-anonymity, k = {k}"),
    };
    let classes = &report.classes;
    let changes = &report.changes;
    let mut lines = vec![
        match &report.freeform {
            Some(freeform) => format!(
                "not k-anonymity: {} rows of their own, each record with at least {} matches; {} rows alike at least",
                report.input.rows, freeform.least_matches, freeform.smallest_group
            ),
            None => format!(
                "{guarantee}: {} records in {} classes of {} to {}",
                report.input.rows, classes.count, classes.min_size, classes.max_size
            ),
        },
        format!(
            "information loss {:.4} % (SSE {:.4} of {:.4}); {}",
            report.objective.information_loss_percent,
            report.objective.sse,
            report.objective.sst,
            status(&report.status)
        ),
    ];
    if let Some(bound) = &report.bound {
        lines.push(if bound.of == BoundOf::WholeProblem.words() {
            let far = from_the_best(bound.gap_percent);
            format!("{far}: no partition loses less than {:.4} ({})", bound.value, bound.proven_by)
        } else {
            let (value, gap) = (bound.value, bound.gap_percent);
            format!("no partition that keeps to the blocks loses less than {value:.4} (gap {gap:.3} %)")
        });
    }
    let changed: Vec<String> = [
        (changes.counterfeits, "counterfeit added", "counterfeits added"),
        (changes.deletions, "record deleted for eligibility", "records deleted for eligibility"),
        (changes.suppressed, "row dropped for missing values", "rows dropped for missing values"),
        (
            changes.suppressed_for_loss,
            "record suppressed for its price",
            "records suppressed for their price",
        ),
        (
            if report.freeform.is_some() { 0 } else { classes.single_real },
            "class with a single real record",
            "classes with a single real record",
        ),
    ]
    .into_iter()
    .filter(|(count, ..)| *count > 0)
    .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }))
    .collect();
    if !changed.is_empty() {
        lines.push(changed.join(", "));
    }
    lines.extend(report.disclosure.as_ref().and_then(disclosed::line));
    lines.push(format!(
        "audit of the published bytes: {} of {} checks passed",
        report.audit.checks.iter().filter(|c| c.passed).count(),
        report.audit.checks.len()
    ));
    lines.extend(report.warnings.iter().map(|w| format!("warning: {w}")));
    lines
}

/// Why the search stopped, in words.
fn status(status: &Status) -> String {
    match status {
        Status::Optimal => String::from("proven optimal"),
        Status::GapReached => String::from("the gap asked for is reached"),
        Status::EffortSpent => String::from("the effort is spent"),
        Status::TimeLimit => String::from("time is up: not reproducible"),
        Status::Cancelled => String::from("stopped: the best so far"),
        Status::Infeasible { why } => format!("infeasible: {why}"),
    }
}
