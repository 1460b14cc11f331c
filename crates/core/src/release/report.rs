//! The two records of a run: one to publish, one to keep.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use lookalike_audit::Verdict;
use lookalike_table::Table;
use lookalike_wire::{
    job::{Answer, Status},
    report::{
        Audit, Check, Classes, Counterfeit, InputSize, MethodUsed, Private, REPORT_VERSION, Report,
        ReportBound, Risk, Seconds, SeriesPlace,
    },
    sent::Searched,
    settings::{Budget, Loss},
};

use super::{assess::Assessed, missing, objective::objective, order::Class};
use crate::{
    Error,
    prepare::{Prepared, published},
};

/// Class size and number of classes of that size, ascending.
pub(crate) fn sizes(classes: &[Class]) -> Vec<(usize, usize)> {
    let mut sizes = BTreeMap::new();
    for class in classes {
        *sizes.entry(class.rows.len() + class.counterfeits.len()).or_insert(0) += 1;
    }
    sizes.into_iter().collect()
}

/// The publishable report.
pub(crate) fn report(
    table: &Table,
    prepared: &Prepared,
    answer: &Answer,
    classes: &[Class],
    verdict: &Verdict,
    assessed: &Assessed,
    seconds: Seconds,
) -> Result<Report, Error> {
    let settings = &prepared.settings;
    let objective = objective(table, prepared, answer)?;
    Ok(Report {
        schema_version: REPORT_VERSION,
        input: InputSize { rows: prepared.rows.len(), columns: published(&prepared.schema).count() },
        model: settings.model,
        loss: settings.loss,
        method: MethodUsed { name: settings.method, explanation: explanation(answer) },
        publish: settings.publish,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        threads: answer.threads,
        lp_backend: prepared.lp_backend.clone(),
        bound: answer.bound.as_ref().map(|b| ReportBound {
            loss: settings.loss,
            value: b.value,
            information_loss_percent: (settings.loss == Loss::Sse).then(|| percent(b.value, objective.sst)),
            gap_percent: percent(objective.value - b.value, objective.value),
            proven_by: b.proven_by.clone(),
            of: String::from(b.of.words()),
            work: answer.work,
        }),
        objective,
        classes: class_sizes(classes),
        changes: prepared.changes,
        missing: missing::report(table, prepared, classes),
        audit: Audit {
            passed: verdict.passed,
            checks: verdict
                .checks
                .iter()
                .map(|c| Check { name: c.name.clone(), passed: c.passed, finding: c.finding.clone() })
                .collect(),
        },
        risk: Risk {
            smallest_group: verdict.risk.smallest_group,
            highest_reidentification: verdict.risk.highest_reidentification,
            mean_reidentification: verdict.risk.mean_reidentification,
            highest_attribute_disclosure: verdict.risk.highest_attribute_disclosure,
            ..assessed.risk
        },
        disclosure: assessed.disclosure,
        utility: assessed.utility.clone(),
        seconds,
        status: answer.status.clone(),
        reproducible: matches!(settings.budget, Budget::Effort(_)) && answer.status == Status::EffortSpent,
        warnings: prepared.warnings.clone(),
        searched: Some(Searched::Here),
        freeform: None,
        series: (prepared.series.as_ref())
            .map(|part| SeriesPlace { release: part.updates.release, mode: part.ledger.mode }),
    })
}

/// The private record.
pub(crate) fn private(
    table: &Table,
    prepared: &Prepared,
    classes: &[Class],
    verdict: &Verdict,
    assessed: Assessed,
) -> Private {
    let numbered = || classes.iter().zip(1..);
    Private {
        notice: String::from("this file links the published table to the people in it"),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        settings: prepared.settings.clone(),
        input_hash: input_hash(table, prepared.settings.seed.unwrap_or(0)),
        input_rows: table.rows,
        fates: prepared.fates.clone(),
        missing: missing::counts(table, &prepared.schema),
        counterfeits: numbered()
            .flat_map(|(class, label)| {
                class.counterfeits.iter().enumerate().map(move |(at, v)| Counterfeit {
                    sensitive: v.clone(),
                    class: label,
                    drawn_from: class.drawn_from.get(at).map(|&row| row as usize),
                })
            })
            .collect(),
        informed: assessed.informed,
        statistics: assessed.statistics,
        warnings: (table.notes.iter().cloned())
            .chain(table.warnings.iter().map(|w| match w.row {
                Some(row) => format!("row {row}: {}", w.message),
                None => w.message.clone(),
            }))
            .chain(prepared.private_warnings.iter().cloned())
            .collect(),
        witnesses: verdict.checks.iter().flat_map(|c| c.witnesses.iter().cloned()).collect(),
        series: prepared.series.as_ref().map(|part| part.updates),
        unpublished_columns: unpublished(table, published(&prepared.schema).map(|c| c.name.as_str())),
        sent: None,
    }
}

/// Columns of the file, kept by the reader or not, that are not among the published ones.
pub(crate) fn unpublished<'a>(table: &Table, published: impl Iterator<Item = &'a str>) -> Vec<String> {
    let published: BTreeSet<&str> = published.collect();
    table.names.iter().filter(|name| !published.contains(name.as_str())).cloned().collect()
}

fn explanation(answer: &Answer) -> String {
    let mut text = answer.method.clone();
    if answer.moves > 0 {
        // Writing to a String cannot fail.
        let _ = write!(text, "; {} moves proposed", answer.moves);
    }
    text
}

/// 100 part / whole; 0 if the whole is 0.
pub(crate) fn percent(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { 100.0 * part / whole }
}

fn class_sizes(classes: &[Class]) -> Classes {
    let mut all: Vec<usize> = classes.iter().map(|c| c.rows.len() + c.counterfeits.len()).collect();
    all.sort_unstable();
    let middle = |half: usize| all.get(half).copied().unwrap_or(0) as f64;
    Classes {
        count: classes.len(),
        min_size: all.first().copied().unwrap_or(0),
        max_size: all.last().copied().unwrap_or(0),
        median_size: f64::midpoint(middle(all.len().saturating_sub(1) / 2), middle(all.len() / 2)),
        min_real: classes.iter().map(|c| c.rows.len()).min().unwrap_or(0),
        single_real: classes.iter().filter(|c| c.rows.len() == 1).count(),
    }
}

/// BLAKE3 of the digest of all that was read, keyed with a key derived from the seed: whoever lacks the seed cannot
/// test guesses about the input against it.
pub(crate) fn input_hash(table: &Table, seed: u64) -> String {
    let key = blake3::derive_key("lookalike 2026 input hash", &seed.to_le_bytes());
    blake3::keyed_hash(&key, &table.digest).to_hex().to_string()
}
