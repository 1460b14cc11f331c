//! The records of a run.

use std::collections::{BTreeMap, BTreeSet};

use lookalike_audit::Verdict;
use lookalike_model::{
    job::{Answer, BoundOf, Status},
    proof::ColumnWork,
    report::{
        Audit, Check, Classes, Counterfeit, FurtherReport, InputSize, LinkedValues, MethodUsed, Objective,
        Private, REPORT_VERSION, Reader, Report, ReportBound, ReportClaim, Risk, Seconds, SeriesPlace,
        SourceDigest,
    },
    sent::Searched,
    settings::{Budget, Loss, Model, RowsAre, Settings},
};
use lookalike_table::{HeaderRow, Table, Warning};
use lookalike_words::{Message, Said};

use super::{
    Explanation,
    against::{Released, against},
    assess::Assessed,
    form::of_audit,
    missing,
    order::Class,
    rounding::percent,
};
use crate::{
    ReleaseWarning, digest,
    prepare::{Prepared, published},
    republish::part::Part,
    suggest::reading_warnings,
};

/// Class size and number of classes of that size, ascending.
pub(crate) fn sizes(classes: &[Class]) -> Vec<(usize, usize)> {
    let mut sizes = BTreeMap::new();
    for class in classes {
        *sizes.entry(class.rows.len() + class.counterfeits.len()).or_insert(0) += 1;
    }
    sizes.into_iter().collect()
}

/// The report with all figures, for the data holder; [`super::publishable`] makes of it what is published. `outliers` are
/// warnings about the real records.
pub(crate) fn report(
    table: &Table,
    prepared: &Prepared,
    (answer, objective): (&Answer, Objective),
    (classes, outliers): (&[Class], &[Said]),
    (verdict, further): (&Verdict, &[FurtherReport]),
    assessed: &Assessed,
    seconds: Seconds,
) -> Report {
    let settings = &prepared.settings;
    Report {
        schema_version: REPORT_VERSION,
        input: InputSize { rows: prepared.rows.len(), columns: published(&prepared.schema).count() },
        model: settings.model,
        conditions: super::conditions::reached(&settings.conditions, &verdict.reached),
        further: further.to_vec(),
        sets: Vec::new(),
        sample: None,
        against: against(
            settings.model,
            Released {
                conditions: settings.has_conditions(),
                counterfeits: prepared.changes.counterfeits > 0,
                deletions: prepared.changes.deletions > 0,
                series: prepared.series.is_some(),
                apart: prepared.series.as_ref().is_some_and(Part::keeps_apart),
                freeform: settings.method.is_freeform(),
                persons: prepared.persons.is_some(),
            },
        )
        .beside(&settings.unchanged)
        .into(),
        loss: settings.loss,
        method: MethodUsed {
            name: settings.method.name(),
            explanation: explanation(answer),
            parameters: answer.parameters.clone(),
        },
        publish: settings.publish,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        revision: lookalike_model::REVISION,
        threads: answer.threads,
        lp_backend: prepared.lp_backend.clone(),
        bound: (answer.bound.as_ref())
            .and_then(|b| Stated::new(b.value, &objective).map(|stated| (b, stated)))
            .map(|(b, stated)| stated.bound(proven_by(prepared, &b.proven_by), b.of, answer.work)),
        claimed: answer.claimed.map(|claimed| ReportClaim { bound: claimed.bound, of: claimed.of }),
        objective,
        classes: class_sizes(classes),
        // Known once the linking key is judged, too.
        persons: None,
        changes: prepared.changes,
        missing: missing::report(table, prepared, classes),
        audit: audit(verdict),
        risk: Risk {
            smallest_group: verdict.risk.smallest_group,
            highest_reidentification: verdict.risk.highest_reidentification,
            mean_reidentification: verdict.risk.mean_reidentification,
            highest_attribute_disclosure: verdict.risk.highest_attribute_disclosure,
            ..assessed.risk
        },
        unchanged: assessed.unchanged.clone(),
        disclosure: assessed.disclosure,
        utility: assessed.utility.clone(),
        seconds,
        status: Some(answer.status.clone()),
        reproducible: reproducible(settings.budget, &answer.status),
        warnings: (prepared.warnings.iter().chain(outliers).cloned())
            .chain(single_valued(settings, verdict.risk.single_valued))
            .chain(linked_values(prepared))
            .collect(),
        searched: Some(Searched::Here),
        // The bytes are known to who calls this.
        table_sha256: None,
        freeform: None,
        full_domain: None,
        series: (prepared.series.as_ref()).map(|part| SeriesPlace {
            release: part.updates.release,
            mode: part.ledger.mode,
            vacancies: part.ledger.vacancies,
        }),
    }
}

/// The verdict as the report has it.
pub(crate) fn audit(verdict: &Verdict) -> Audit {
    let check = |c: &lookalike_audit::Check| Check {
        name: c.name.said(),
        passed: c.passed,
        finding: c.finding.said(),
    };
    Audit {
        passed: verdict.passed,
        checks: verdict.checks.iter().map(check).collect(),
        reader: reader(verdict.reader),
        dialect: verdict.dialect.map(of_audit).unwrap_or_default(),
    }
}

/// Who read the bytes, as reports have it.
pub(crate) fn reader(reader: lookalike_audit::Reader) -> Reader {
    match reader {
        lookalike_audit::Reader::Strict => Reader::Strict,
        lookalike_audit::Reader::General => Reader::General,
    }
}

/// The warning that some groups hold one sensitive value: k-anonymity hides a row, not its value.
pub(crate) fn single_valued(settings: &Settings, groups: Option<(usize, usize)>) -> Option<Said> {
    let (Model::KAnonymity { .. }, Some(sensitive), Some((single, all))) =
        (settings.model, &settings.sensitive, groups)
    else {
        return None;
    };
    let sensitive = sensitive.as_str().into();
    (single > 0).then(|| match settings.rows_are {
        Some(RowsAre::EventsOf(_)) => {
            ReleaseWarning::OneValueOfPersons { single, groups: all, sensitive }.into()
        }
        _ => ReleaseWarning::OneValue { single, groups: all, sensitive }.into(),
    })
}

/// How sensitive values are linked, if any two of them are.
fn linked(prepared: &Prepared) -> Option<LinkedValues> {
    prepared.persons.as_ref()?.linked.filter(LinkedValues::are_several)
}

/// A proof, of partitions by groups of linked values where there are such.
fn proven_by(prepared: &Prepared, proof: &Said) -> Said {
    match linked(prepared) {
        Some(_) => Explanation::OfLinkedValues { proof: proof.clone() }.into(),
        None => proof.clone(),
    }
}

/// The warning that values which persons hold together count as one: partitions that tell them apart may lose less.
fn linked_values(prepared: &Prepared) -> Option<Said> {
    let LinkedValues { values, groups, largest } = linked(prepared)?;
    let sensitive = prepared.settings.sensitive.as_deref()?.into();
    Some(ReleaseWarning::LinkedValues { sensitive, values, groups, largest }.into())
}

/// A bound and its gap to a loss that was reached.
pub(crate) struct Stated {
    loss: Loss,
    value: f64,
    percent: Option<f64>,
    gap: f64,
}

impl Stated {
    /// `None` for a bound that says no more than that no loss is negative. The loss is computed once more than the one that
    /// the search compared with its bound: rounding must not put the bound above it.
    pub(crate) fn new(bound: f64, reached: &Objective) -> Option<Self> {
        let value = bound.min(reached.value);
        (value > 0.0 || reached.value <= 0.0).then(|| Self {
            loss: reached.loss,
            value,
            percent: reached.sst.filter(|_| reached.loss == Loss::Sse).map(|sst| percent(value, sst)),
            gap: percent(reached.value - value, reached.value).clamp(0.0, 100.0),
        })
    }

    /// As the report has it.
    pub(crate) fn bound(self, proven_by: Said, of: BoundOf, work: Option<ColumnWork>) -> ReportBound {
        ReportBound {
            loss: self.loss,
            value: self.value,
            information_loss_percent: self.percent,
            gap_percent: self.gap,
            proven_by,
            of,
            work,
        }
    }
}

/// Whether a run is the same again. With a time limit a clock steers the whole search, however it ends; with an effort one
/// has a part only where a part of the search has a time limit of its own and ran into it ([`Status::TimeLimit`]).
pub(crate) fn reproducible(budget: Budget, status: &Status) -> bool {
    let by_itself = !matches!(status, Status::TimeLimit | Status::Cancelled | Status::Infeasible { .. });
    matches!(budget, Budget::Effort(_)) && by_itself
}

/// The private record, without the report with all figures.
pub(crate) fn private(
    table: &Table,
    prepared: &Prepared,
    (classes, outliers): (&[Class], Vec<Said>),
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
        exact: None,
        informed: assessed.informed,
        statistics: assessed.statistics,
        source_risk: assessed.source_risk,
        warnings: (table.notes.iter().map(Message::said))
            .chain(table.warnings.iter().map(Warning::said))
            .chain(outliers)
            .chain(reading_warnings(table, &prepared.settings))
            .collect(),
        witnesses: verdict.checks.iter().flat_map(|c| c.witnesses.iter().map(Message::said)).collect(),
        header: header(table),
        series: prepared.series.as_ref().map(|part| part.updates),
        ledger_before: (prepared.series.as_ref())
            .filter(|part| part.updates.release > 1)
            .and_then(|part| super::ledger::state(&part.ledger)),
        // Known once the release is.
        ledger_after: None,
        chain: None,
        unpublished_columns: unpublished(table, published(&prepared.schema).map(|c| c.name.as_str())),
        sent: None,
        sent_before: Vec::new(),
        source: Some(source(table)),
    }
}

/// The digest of the source, whose salt the host of the run draws.
pub(crate) fn source(table: &Table) -> SourceDigest {
    SourceDigest { sha256: digest::hexadecimal(table.digest), salt: String::new() }
}

/// What was said of the first row of a table's file.
pub(crate) fn header(table: &Table) -> Option<bool> {
    match table.first_row {
        HeaderRow::Ask | HeaderRow::Keys => None,
        said => Some(said == HeaderRow::Present),
    }
}

/// Columns of the file, kept by the reader or not, that are not among the published ones.
pub(crate) fn unpublished<'a>(table: &Table, published: impl Iterator<Item = &'a str>) -> Vec<String> {
    let published: BTreeSet<&str> = published.collect();
    table
        .header
        .iter()
        .filter(|name| !name.is_empty() && !published.contains(name.as_str()))
        .cloned()
        .collect()
}

fn explanation(answer: &Answer) -> Said {
    let method = answer.method.clone();
    match answer.moves {
        0 => method,
        moves => Explanation::Moves { method, moves }.into(),
    }
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
        min_real: Some(classes.iter().map(|c| c.rows.len()).min().unwrap_or(0)),
        single_real: Some(classes.iter().filter(|c| c.rows.len() == 1).count()),
    }
}

/// BLAKE3 of the digest (SHA-256) of all that was read, keyed with a key derived from the seed: whoever lacks the seed cannot
/// test guesses about the input against it.
pub(crate) fn input_hash(table: &Table, seed: u64) -> String {
    let key = blake3::derive_key("lookalike 2026 input hash", &seed.to_le_bytes());
    blake3::keyed_hash(&key, &table.digest).to_hex().to_string()
}
