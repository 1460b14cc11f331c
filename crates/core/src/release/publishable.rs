//! What of a report may be published.
//!
//! Without counterfeits all of it. With counterfeits a figure of the real records alone (a total over the classes, what is
//! proven of it, how the search went) is an equation in the number of counterfeits of each class, whose sensitive values are
//! then as good as known (docs/disclosure.md). So the loss is told to two significant digits, and
//! every other figure is either a function of the published bytes, of the totals of counterfeits and deletions and of that
//! rounded loss, or left out. A bound rounded down would still narrow the loss down where it is proven optimal, and "proven
//! optimal" excludes all worlds in which a better partition exists: both are left out.

use lookalike_model::{
    assessment::{ColumnUtility, Utility},
    report::{Changes, Classes, MethodUsed, Objective, Report, ReportClaim},
    settings::Loss,
};

use lookalike_words::Said;

use super::{
    Explanation,
    rounding::{nine_digits, percent, two_digits},
};

/// The report as it may be published. `of_records` are warnings about the real records, which are among those of the report.
///
/// Every field is named, so that whoever adds one decides here.
pub(super) fn publishable(exact: &Report, of_records: &[Said]) -> Report {
    if exact.changes.counterfeits == 0 {
        return exact.clone();
    }
    let Report {
        // What was asked for, and by what it was done.
        schema_version,
        input,
        model,
        // There are no counterfeits where there are conditions on sensitive values.
        conditions,
        further,
        sets,
        sample,
        // Follows from the model, and from whether there are counterfeits and deletions.
        against,
        loss,
        method,
        publish,
        version,
        revision,
        searched,
        // Of the published bytes.
        table_sha256,
        // Of the machine.
        threads,
        // Says that there were changes, as `changes` does.
        lp_backend,
        objective,
        // Left out.
        bound: _,
        // Without the bound that is claimed.
        claimed,
        classes,
        // There are no counterfeits among persons with several rows.
        persons: _,
        // Totals of counterfeits and deletions are published: `disclosure` is for an attacker who knows them.
        changes,
        // Cells that say "missing" are counted in the published rows.
        missing,
        // Audit, risk and disclosure are functions of the published bytes and of these totals.
        audit,
        risk,
        // Nothing: no column is published unchanged where there are counterfeits.
        unchanged,
        disclosure,
        utility,
        // By a clock of a machine that nobody knows: nothing that could be computed for a world and compared.
        seconds,
        // Left out.
        status: _,
        // Follows from the settings, and from whether a person stopped the run.
        reproducible,
        warnings,
        series,
        freeform,
        // There are no counterfeits where levels are chosen.
        full_domain: _,
    } = exact;
    Report {
        schema_version: *schema_version,
        input: *input,
        model: *model,
        conditions: conditions.clone(),
        further: further.clone(),
        sets: sets.clone(),
        sample: sample.clone(),
        against: against.clone(),
        loss: *loss,
        // The counts of what the search did depend on where the counterfeits are.
        method: MethodUsed {
            name: method.name,
            explanation: Explanation::NotTold.into(),
            parameters: method.parameters.clone(),
        },
        publish: *publish,
        version: version.clone(),
        revision: *revision,
        searched: *searched,
        table_sha256: table_sha256.clone(),
        threads: *threads,
        lp_backend: lp_backend.clone(),
        objective: rounded(objective, input.rows),
        bound: None,
        claimed: claimed.as_ref().map(|claimed| ReportClaim { bound: None, ..claimed.clone() }),
        classes: Classes { min_real: None, single_real: None, ..*classes },
        persons: None,
        // How many people each class was to have says where counterfeits are, if there are no more of them.
        changes: Changes { min_real: None, ..*changes },
        missing: missing.clone(),
        audit: audit.clone(),
        risk: *risk,
        unchanged: unchanged.clone(),
        disclosure: *disclosure,
        utility: of_bytes(utility),
        seconds: *seconds,
        status: None,
        reproducible: *reproducible,
        warnings: warnings.iter().filter(|warning| !of_records.contains(warning)).cloned().collect(),
        series: *series,
        freeform: freeform.clone(),
        full_domain: None,
    }
}

/// The loss to two significant digits, and what follows from it.
fn rounded(exact: &Objective, records: usize) -> Objective {
    let value = two_digits(exact.value);
    let none = Objective {
        loss: exact.loss,
        value,
        sse: None,
        sst: None,
        information_loss_percent: None,
        ncp_total: None,
        gcp_mean: None,
    };
    match exact.loss {
        Loss::Sse => {
            // Records times the weights of the columns that are not the same everywhere. Its last digits are rounding
            // errors, which differ from one table to another.
            let sst = exact.sst.map(nine_digits);
            Objective {
                sse: Some(value),
                sst,
                information_loss_percent: sst.map(|sst| percent(value, sst)),
                ..none
            }
        }
        Loss::Ncp => {
            let ncp_total = exact.ncp_total.map(|_| value);
            Objective { ncp_total, gcp_mean: ncp_total.map(|ncp| ncp / records.max(1) as f64), ..none }
        }
        Loss::NcpBinary => none,
    }
}

/// Without what compares the published rows with the original ones.
fn of_bytes(exact: &Utility) -> Utility {
    let columns = exact.columns.iter();
    Utility {
        queries: None,
        columns: columns.map(|c| ColumnUtility { information_loss_percent: None, ..c.clone() }).collect(),
        ..exact.clone()
    }
}
