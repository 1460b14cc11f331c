//! What a run did, in a few lines for standard error.

use lookalike_core::{
    audit::certificate::MOST_RECORDS,
    pipeline::Outcome,
    table::{Table, text::counted},
};
use lookalike_model::{
    job::{BoundOf, Status},
    report::{Objective, Report},
    settings::{Loss, MethodName, Model},
};

use crate::{
    disclosed,
    progress::{from_the_best, say},
    signals,
};

/// How many warnings of one kind are printed.
const SHOWN: usize = 5;

/// Says what is odd in the input.
pub(crate) fn table_warnings(table: &Table) {
    for warning in table.warnings.iter().take(SHOWN) {
        say(&format!("warning: {warning}"));
    }
    if let Some(more) = table.warnings.len().checked_sub(SHOWN).filter(|&n| n > 0) {
        say(&format!(
            "warning: {more} more (`lookalike describe --json` lists them, and the file of anonymize --private)"
        ));
    }
}

/// Says what was published.
pub(crate) fn outcome(outcome: &Outcome) {
    let report = outcome.exact();
    for line in lines(report) {
        say(&line);
    }
    if report.changes.counterfeits > 0 {
        say(
            "for you alone: these figures are exact; with counterfeits the report that can be published has the loss to two \
             digits, and nothing that depends on where they are",
        );
    }
    if let Some(sent) = &outcome.private.sent {
        say(&format!(
            "the classes were computed elsewhere: {} in {} went to {}",
            counted(sent.bytes as usize, "byte", "bytes"),
            counted(sent.messages as usize, "message", "messages"),
            sent.to
        ));
    }
    if let Some(line) = outcome.private.informed.as_ref().and_then(|i| disclosed::informed(report, i)) {
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
    // Of another machine's search this one knows that it was stopped if it has asked for that.
    let asked = matches!(report.status, Some(Status::Cancelled)) && signals::caught().is_some();
    let account = if report.claimed.is_some() && !asked { "by the account of the worker " } else { "" };
    let mut lines = vec![
        match &report.freeform {
            Some(freeform) => format!(
                "not k-anonymity: {} rows of their own, each record with at least {} matches; {} rows alike at least",
                report.input.rows, freeform.least_matches, freeform.smallest_group
            ),
            None => format!(
                "{guarantee}: {} in {} classes of {} to {}",
                records(report),
                classes.count,
                classes.min_size,
                classes.max_size
            ),
        },
        format!(
            "{}{}",
            reached(&report.objective),
            report.status.as_ref().map_or_else(String::new, |s| status(report, s, account))
        ),
    ];
    lines.extend(bound(report));
    lines.extend(claimed(report));
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
            classes.single_real.filter(|_| report.freeform.is_none()).unwrap_or(0),
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
    if !report.against.is_empty() {
        lines.push(report.against.clone());
    }
    lines.push(format!(
        "audit of the published bytes: {} of {} checks passed; the bytes were read by {}",
        report.audit.checks.iter().filter(|c| c.passed).count(),
        report.audit.checks.len(),
        report.audit.reader
    ));
    lines.extend(report.warnings.iter().map(|w| format!("warning: {w}")));
    lines
}

/// What is published; counterfeits are no records of anybody.
fn records(report: &Report) -> String {
    match report.changes.counterfeits {
        0 => format!("{} records", report.input.rows),
        faked => format!(
            "{} and {}",
            counted(report.input.rows, "real record", "real records"),
            counted(faked, "counterfeit", "counterfeits")
        ),
    }
}

/// The bound that a worker claims, and how to have it checked, where it can be.
fn claimed(report: &Report) -> Option<String> {
    let claimed = report.claimed.as_ref()?;
    let least = at_least(claimed.bound?);
    let whole = claimed.of == BoundOf::WholeProblem;
    let keeps = if whole { "" } else { " that keeps to the blocks" };
    let advice = if whole && can_be_certified(report) {
        "; what it sends for --certificate can be checked"
    } else {
        ""
    };
    Some(format!(
        "claimed by the worker, not checked here: no partition{keeps} loses less than {least}{advice}"
    ))
}

/// Whether such a run can have a certificate that is checked.
fn can_be_certified(report: &Report) -> bool {
    let changes = &report.changes;
    report.method.name == MethodName::ColumnGeneration
        && report.series.is_none()
        && changes.counterfeits + changes.suppressed_for_loss == 0
        && report.input.rows <= MOST_RECORDS
}

/// The loss that was asked for.
fn reached(objective: &Objective) -> String {
    match (objective.loss, objective.information_loss_percent, objective.sst, objective.gcp_mean) {
        (Loss::Sse, Some(percent), Some(sst), _) => {
            format!("information loss {percent:.4} % (SSE {:.4} of {sst:.4})", objective.value)
        }
        (Loss::Sse, ..) => format!("loss (SSE) {:.4}", objective.value),
        (Loss::Ncp, _, _, Some(mean)) => {
            format!("certainty penalty (NCP) {:.4}, {mean:.4} a record", objective.value)
        }
        // The published ranges are wider, since counterfeits have points of their own.
        (Loss::Ncp, ..) => format!("certainty penalty (NCP) of the real records {:.4}", objective.value),
        (Loss::NcpBinary, _, _, mean) => {
            let of = if mean.is_none() { " of the real records" } else { "" };
            format!("certainty penalty with labels equal or not (ncp-binary){of} {:.4}", objective.value)
        }
    }
}

/// What is proven of the loss, in its unit.
fn bound(report: &Report) -> Option<String> {
    let Some(bound) = &report.bound else {
        let sought =
            report.method.name == MethodName::ColumnGeneration && report.changes.suppressed_for_loss == 0;
        return sought.then(|| String::from("nothing is proven yet of how much lower the loss could be"));
    };
    let least = at_least(bound.value);
    Some(if bound.of == BoundOf::WholeProblem {
        let far = from_the_best(bound.gap_percent);
        format!("{far}: no partition loses less than {least} ({})", bound.proven_by)
    } else {
        let gap = bound.gap_percent;
        format!("no partition that keeps to the blocks loses less than {least} (gap {gap:.3} %)")
    })
}

/// A bound with four decimals, or with as many as a small one needs, rounded down so that it stays one.
pub(crate) fn at_least(bound: f64) -> String {
    let small = bound > 0.0 && bound < 0.01;
    at_least_to(bound, if small { (3.0 - bound.log10().floor()).min(300.0) } else { 4.0 })
}

/// The same with so many decimals.
pub(crate) fn at_least_to(bound: f64, digits: f64) -> String {
    let unit = 10_f64.powf(digits);
    let down = (bound * unit).floor() / unit;
    format!("{:.*}", digits as usize, if down.is_finite() { down } else { bound })
}

/// Why the search stopped, in words.
fn status(report: &Report, status: &Status, account: &str) -> String {
    let words = match status {
        Status::Optimal => "proven optimal",
        Status::GapReached => "the gap asked for is reached",
        Status::OptimalClaimed => "claimed by the worker, not checked here: that nothing better exists",
        Status::GapReachedClaimed => {
            "claimed by the worker, not checked here: that the gap asked for is reached"
        }
        Status::EffortSpent if report.method.name.is_search() => &format!("{account}the effort is spent"),
        Status::EffortSpent => &format!("{account}the method ended"),
        Status::TimeLimit => &format!("{account}time is up: not reproducible"),
        Status::Cancelled => &format!("{account}stopped: the best so far"),
        Status::Infeasible { why } => return format!("; infeasible: {why}"),
    };
    format!("; {words}")
}
