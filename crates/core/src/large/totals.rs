//! The records of a run over all blocks.

use std::collections::BTreeMap;

use lookalike_audit::{Judged, WITNESSES};
use lookalike_table::{Reading, Table};
use lookalike_wire::{
    assessment::Utility,
    job::{BoundOf, Status},
    report::{
        Audit, Changes, Check, Classes, InputSize, MethodUsed, MissingReport, Objective, Private,
        REPORT_VERSION, Report, ReportBound, Risk, Seconds,
    },
    sent::Searched,
    settings::{Loss, Model},
};

use super::{block::Blocks, block::Solved, survey::Survey};
use crate::release::{exposure, input_hash, percent, unpublished};

/// Sums over the blocks that are solved.
#[derive(Debug, Default)]
pub struct Totals {
    blocks: usize,
    largest: usize,
    records: usize,
    value: f64,
    sse: f64,
    ncp: f64,
    /// Sum of the blocks' bounds, as long as each has one.
    bound: Option<(f64, String)>,
    unbounded: bool,
    sizes: BTreeMap<usize, usize>,
    missing: Vec<usize>,
    moves: u64,
    /// What was done with the largest block.
    method: String,
    cancelled: bool,
}

impl Totals {
    /// Takes in a block. Sums are made in the order of the calls: go by the blocks' numbers.
    pub fn add(&mut self, solved: &Solved) {
        let records: usize = solved.classes.iter().map(|class| class.rows.len()).sum();
        self.blocks += 1;
        self.records += records;
        if records > self.largest {
            (self.largest, self.method) = (records, solved.answer.method.clone());
        }
        let Objective { value, sse, ncp_total, .. } = solved.objective;
        self.value += value;
        self.sse += sse;
        self.ncp += ncp_total;
        match &solved.answer.bound {
            Some(bound) => {
                let so_far = self.bound.get_or_insert_with(|| (0.0, bound.proven_by.clone()));
                so_far.0 += bound.value;
            }
            None => self.unbounded = true,
        }
        for class in &solved.classes {
            *self.sizes.entry(class.rows.len()).or_insert(0) += 1;
        }
        self.missing.resize(solved.missing.len(), 0);
        for (all, more) in self.missing.iter_mut().zip(&solved.missing) {
            *all += more;
        }
        self.moves += solved.answer.moves;
        self.cancelled |= solved.answer.status == Status::Cancelled;
    }

    /// Class size and number of classes of that size, ascending.
    #[must_use]
    pub fn sizes(&self) -> Vec<(usize, usize)> {
        self.sizes.iter().map(|(&size, &count)| (size, count)).collect()
    }

    /// The records of the run. `read` is what the reader said of the input, `judged` what the audit says of the published
    /// bytes.
    #[must_use]
    pub fn reports(
        &self,
        blocks: &Blocks,
        read: &Table,
        judged: &Judged,
        (threads, seconds): (usize, Seconds),
    ) -> (Report, Private) {
        let survey = &blocks.survey;
        (self.report(survey, blocks, judged, (threads, seconds)), private(survey, blocks, read, judged))
    }

    fn report(
        &self,
        survey: &Survey,
        blocks: &Blocks,
        judged: &Judged,
        (threads, seconds): (usize, Seconds),
    ) -> Report {
        let settings = &survey.settings;
        let sst = sst(survey);
        let (Model::MInvariance { m: least } | Model::KAnonymity { k: least }) = settings.model;
        let risk = &judged.verdict.risk;
        let exposed = exposure(judged.risks.prosecutor);
        let average = judged.rows as f64 / judged.risks.groups.max(1) as f64;
        Report {
            schema_version: REPORT_VERSION,
            input: InputSize { rows: self.records, columns: blocks.header().0.len() },
            model: settings.model,
            loss: settings.loss,
            method: MethodUsed { name: settings.method, explanation: self.explanation() },
            publish: settings.publish,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            threads,
            lp_backend: None,
            objective: Objective {
                loss: settings.loss,
                value: self.value,
                sse: self.sse,
                sst,
                information_loss_percent: percent(self.sse, sst),
                ncp_total: self.ncp,
                gcp_mean: self.ncp / self.records.max(1) as f64,
            },
            bound: self.bound.as_ref().filter(|_| !self.unbounded).map(|(value, proven_by)| ReportBound {
                loss: settings.loss,
                value: *value,
                information_loss_percent: (settings.loss == Loss::Sse).then(|| percent(*value, sst)),
                gap_percent: percent(self.value - value, self.value),
                proven_by: proven_by.clone(),
                of: String::from(BoundOf::DecomposedProblem.words()),
                work: None,
            }),
            classes: self.classes(),
            changes: Changes { suppressed: (survey.rows - survey.kept) as usize, ..Changes::default() },
            missing: MissingReport {
                markers: survey.schema.markers.clone(),
                columns: blocks.missing_columns(&self.missing),
            },
            audit: Audit {
                passed: judged.verdict.passed,
                checks: (judged.verdict.checks.iter())
                    .map(|c| Check { name: c.name.clone(), passed: c.passed, finding: c.finding.clone() })
                    .collect(),
            },
            risk: Risk {
                smallest_group: risk.smallest_group,
                highest_reidentification: risk.highest_reidentification,
                mean_reidentification: risk.mean_reidentification,
                highest_attribute_disclosure: risk.highest_attribute_disclosure,
                highest_known_disclosure: judged.known_share,
                uniques: judged.risks.uniques,
                prosecutor: exposed,
                journalist: exposure(judged.risks.journalist),
                marketer: judged.risks.marketer,
                sample_fraction: judged.risks.sample_fraction,
                threshold: judged.risks.threshold,
            },
            disclosure: None,
            utility: Utility {
                average_class_size: average,
                c_avg: average / least as f64,
                discernibility: judged.discernibility,
                classification_metric: judged.classification_metric,
                ..Utility::default()
            },
            seconds,
            status: if self.cancelled { Status::Cancelled } else { Status::EffortSpent },
            reproducible: !self.cancelled,
            warnings: survey.warnings.clone(),
            searched: Some(Searched::Here),
            series: None,
            freeform: None,
        }
    }

    fn explanation(&self) -> String {
        format!(
            "{} blocks of up to {} records, each by itself; the largest: {}; {} moves proposed in all",
            self.blocks, self.largest, self.method, self.moves
        )
    }

    fn classes(&self) -> Classes {
        let count: usize = self.sizes.values().sum();
        let at = |place: usize| {
            let mut before = 0;
            let size = self.sizes.iter().find(|(_, n)| {
                before += **n;
                before > place
            });
            size.map_or(0, |(size, _)| *size) as f64
        };
        let smallest = self.sizes.keys().next().copied().unwrap_or(0);
        Classes {
            count,
            min_size: smallest,
            max_size: self.sizes.keys().next_back().copied().unwrap_or(0),
            median_size: f64::midpoint(at(count.saturating_sub(1) / 2), at(count / 2)),
            min_real: smallest,
            single_real: self.sizes.get(&1).copied().unwrap_or(0),
        }
    }
}

/// What the data holder keeps.
fn private(survey: &Survey, blocks: &Blocks, read: &Table, judged: &Judged) -> Private {
    let warnings = read.notes.iter().cloned().chain(read.warnings.iter().map(|w| match w.row {
        Some(row) => format!("row {row}: {}", w.message),
        None => w.message.clone(),
    }));
    let dropped = survey.rows - survey.kept;
    let without_fate = (dropped > 0).then(|| {
        format!("{dropped} rows were dropped for missing values; they are those without a class in --classes")
    });
    Private {
        notice: String::from("this file links the published table to the people in it"),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        settings: survey.settings.clone(),
        input_hash: input_hash(read, survey.settings.seed.unwrap_or(0)),
        input_rows: read.rows,
        fates: Vec::new(),
        missing: survey.missing.clone(),
        counterfeits: Vec::new(),
        informed: None,
        statistics: Vec::new(),
        warnings: warnings.chain(without_fate).collect(),
        witnesses: (judged.verdict.checks.iter().flat_map(|c| c.witnesses.iter().cloned()))
            .take(WITNESSES)
            .collect(),
        series: None,
        unpublished_columns: unpublished(read, blocks.header().0.iter().map(String::as_str)),
        sent: None,
    }
}

/// Each attribute that is not the same everywhere is scaled to a total variance of its weight.
fn sst(survey: &Survey) -> f64 {
    let all = survey.quasi.len() as f64;
    let counted = survey.quasi.iter().filter(|seen| !seen.is_constant());
    // A number that is the same wherever it is known still differs from "missing".
    let weights: f64 = counted
        .filter(|seen| seen.spec.reading == Reading::Labels || seen.whole.known > 0)
        .map(|seen| seen.spec.weight * all)
        .sum();
    survey.kept as f64 * weights
}
