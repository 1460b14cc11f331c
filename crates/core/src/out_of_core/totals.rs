//! The records of a run over all blocks.

use std::collections::BTreeMap;

use lookalike_audit::{Attacker, Judged, WITNESSES, risks_of_sizes};
use lookalike_model::{
    assessment::Utility,
    job::{BoundOf, Status},
    report::{
        Changes, Classes, InputSize, MethodUsed, MissingReport, Objective, Private, REPORT_VERSION, Report,
        ReportBound, ReportClaim, Risk, Seconds,
    },
    sent::Searched,
    settings::{Model, Settings},
};
use lookalike_table::{Reading, Table, Warning};
use lookalike_words::{Message, Said};

use super::{block::Blocks, block::Solved, solved::BlockTotals, stated::Penalties, survey::Survey};
use crate::{
    Error, ReleaseWarning,
    release::{
        Explanation, Released, Stated, against, audit, exposure, header, input_hash, mean_of, percent,
        reproducible, single_valued, source, unpublished,
    },
};

/// Sums over the blocks that are solved.
#[derive(Debug, Default)]
pub struct Totals {
    blocks: usize,
    largest: usize,
    records: usize,
    value: f64,
    sse: f64,
    ncp: f64,
    /// Whether a block has more labels than squared errors are computed with.
    unsquared: bool,
    /// Blocks whose penalty is not that of what is published.
    otherwise: usize,
    /// Sum of the blocks' bounds, as long as each has one.
    bound: Option<(f64, Said)>,
    unbounded: bool,
    /// What all records lose at least in any classes of the whole table, as far as blocks have said it.
    whole: Option<(f64, Said)>,
    /// Whether other machines solved blocks, and the sum of the bounds that they claim or that are proven, while each block
    /// has one.
    elsewhere: bool,
    claimed: Option<f64>,
    sizes: BTreeMap<usize, usize>,
    missing: Vec<usize>,
    moves: u64,
    /// What was done with the largest block.
    method: Said,
    parameters: BTreeMap<String, String>,
    /// What ended a block before its effort was spent: a person, or a time limit of one of its parts.
    ended: Option<Status>,
}

impl Totals {
    /// Takes in a block. Sums are made in the order of the calls: go by the blocks' numbers.
    pub fn add(&mut self, solved: &Solved) {
        self.add_block(&solved.totals);
    }

    /// Takes in a block that was solved elsewhere.
    pub fn add_block(&mut self, solved: &BlockTotals) {
        let records: usize = solved.sizes.iter().map(|(size, count)| size * count).sum();
        self.blocks += 1;
        self.records += records;
        if records > self.largest {
            (self.largest, self.method) = (records, solved.answer.method.clone());
            self.parameters = solved.answer.parameters.clone();
        }
        let Objective { value, sse, ncp_total, .. } = solved.objective;
        self.value += value;
        self.sse += sse.unwrap_or_default();
        self.unsquared |= sse.is_none();
        self.ncp += ncp_total.unwrap_or_default();
        self.otherwise += usize::from(ncp_total.is_none());
        match &solved.answer.bound {
            Some(bound) => {
                let so_far = self.bound.get_or_insert_with(|| (0.0, bound.proven_by.clone()));
                so_far.0 += bound.value;
            }
            None => self.unbounded = true,
        }
        // A block that says nothing loses nothing at the least.
        if let Some(bound) = &solved.whole {
            self.whole.get_or_insert_with(|| (0.0, bound.proven_by.clone())).0 += bound.value;
        }
        let proven = solved.answer.bound.as_ref().map(|bound| bound.value);
        let claimed = proven.or(solved.answer.claimed.and_then(|claimed| claimed.bound));
        let before = if self.blocks == 1 { Some(0.0) } else { self.claimed };
        self.claimed = before.zip(claimed).map(|(sum, more)| sum + more);
        self.elsewhere |= solved.answer.claimed.is_some();
        for (&size, &count) in &solved.sizes {
            *self.sizes.entry(size).or_insert(0) += count;
        }
        self.missing.resize(solved.missing.len(), 0);
        for (all, more) in self.missing.iter_mut().zip(&solved.missing) {
            *all += more;
        }
        self.moves += solved.answer.moves;
        match solved.answer.status {
            Status::Cancelled => self.ended = Some(Status::Cancelled),
            Status::TimeLimit if self.ended.is_none() => self.ended = Some(Status::TimeLimit),
            _ => {}
        }
    }

    /// Class size and number of classes of that size, ascending.
    #[must_use]
    pub fn sizes(&self) -> Vec<(usize, usize)> {
        self.sizes.iter().map(|(&size, &count)| (size, count)).collect()
    }

    /// The records of the run. `read` is what the reader said of the input, `judged` and `penalties` are what the audit says of the
    /// published bytes.
    ///
    /// # Errors
    /// If the threshold of risk is no probability.
    pub fn reports(
        &self,
        blocks: &Blocks,
        read: &Table,
        (judged, penalties): (&Judged, &Penalties),
        (threads, seconds): (usize, Seconds),
    ) -> Result<(Report, Private), Error> {
        let survey = &blocks.survey;
        let report = self.report(survey, blocks, (judged, penalties), (threads, seconds))?;
        Ok((report, private(survey, blocks, read, judged)))
    }

    /// The loss that was reached.
    pub(super) fn objective(&self, survey: &Survey) -> Objective {
        let sst = (!self.unsquared).then(|| sst(survey));
        let ncp_total = (self.otherwise == 0).then_some(self.ncp);
        Objective {
            loss: survey.settings.loss,
            value: self.value,
            sse: sst.map(|_| self.sse),
            sst,
            information_loss_percent: sst.map(|sst| percent(self.sse, sst)),
            ncp_total,
            gcp_mean: ncp_total.map(|ncp| ncp / self.records.max(1) as f64),
        }
    }

    fn report(
        &self,
        survey: &Survey,
        blocks: &Blocks,
        (judged, penalties): (&Judged, &Penalties),
        (threads, seconds): (usize, Seconds),
    ) -> Result<Report, Error> {
        let settings = &survey.settings;
        let (Model::MInvariance { m: least } | Model::KAnonymity { k: least }) = settings.model;
        let risk = &judged.verdict.risk;
        let threshold = settings.threshold();
        let attacker = Attacker { threshold, ..Attacker::default() };
        let risks = risks_of_sizes(&judged.groups, &attacker)?;
        let exposed = exposure(risks.prosecutor);
        let objective = self.objective(survey);
        let columns = blocks.utility(penalties);
        let gcp_mean = mean_of(&columns);
        let status = self.status();
        let average = judged.rows as f64 / judged.risks.groups.max(1) as f64;
        Ok(Report {
            schema_version: REPORT_VERSION,
            input: InputSize { rows: self.records, columns: blocks.header().0.len() },
            model: settings.model,
            conditions: Vec::new(),
            further: Vec::new(),
            sets: Vec::new(),
            sample: None,
            against: against(settings.model, Released::default()).into(),
            loss: settings.loss,
            method: MethodUsed {
                name: settings.method.name(),
                explanation: self.explanation(),
                parameters: self.parameters.clone(),
            },
            publish: settings.publish,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            revision: lookalike_model::REVISION,
            threads,
            lp_backend: None,
            bound: self.bound(settings, &objective),
            claimed: self.elsewhere.then(|| ReportClaim {
                bound: self.claimed.filter(|_| self.unbounded && settings.method.name().seeks_bound()),
                of: BoundOf::DecomposedProblem,
            }),
            objective,
            classes: self.classes(),
            persons: None,
            changes: Changes { suppressed: (survey.rows - survey.kept) as usize, ..Changes::default() },
            missing: MissingReport {
                markers: survey.schema.markers.clone(),
                columns: blocks.missing_columns(&self.missing),
            },
            audit: audit(&judged.verdict),
            risk: Risk {
                smallest_group: risk.smallest_group,
                highest_reidentification: risk.highest_reidentification,
                mean_reidentification: risk.mean_reidentification,
                highest_attribute_disclosure: risk.highest_attribute_disclosure,
                highest_known_disclosure: judged.known_share,
                // Values of a table larger than memory are not compared with each other.
                highest_alike_disclosure: None,
                uniques: judged.risks.uniques,
                prosecutor: exposed,
                journalist: exposure(risks.journalist),
                marketer: judged.risks.marketer,
                sample_fraction: judged.risks.sample_fraction,
                threshold: risks.threshold,
            },
            unchanged: None,
            disclosure: None,
            utility: Utility {
                average_class_size: average,
                c_avg: average / least as f64,
                discernibility: judged.discernibility,
                classification_metric: judged.classification_metric,
                ncp_total: gcp_mean.map(|mean| mean * judged.rows as f64),
                gcp_mean,
                queries: None,
                columns,
            },
            seconds,
            reproducible: reproducible(settings.budget, &status),
            status: Some(status),
            warnings: (survey.warnings.iter().cloned())
                .chain(single_valued(settings, risk.single_valued))
                .collect(),
            searched: Some(Searched::Here),
            table_sha256: None,
            series: None,
            freeform: None,
            full_domain: None,
        })
    }

    /// How well the blocks are solved, where a method seeks that; else the bound on the whole.
    fn bound(&self, settings: &Settings, objective: &Objective) -> Option<ReportBound> {
        let sought = self.bound.as_ref().filter(|_| !self.unbounded && settings.method.name().seeks_bound());
        let of_blocks = sought.map(|bound| (bound, BoundOf::DecomposedProblem));
        let of_whole = self.whole.as_ref().map(|bound| (bound, BoundOf::WholeProblem));
        let ((value, by), of) = of_blocks.or(of_whole)?;
        Some(Stated::new(*value, objective)?.bound(by.clone(), of, None))
    }

    /// No search of the whole has ended, whatever those of the blocks have.
    fn status(&self) -> Status {
        self.ended.clone().unwrap_or(Status::EffortSpent)
    }

    fn explanation(&self) -> Said {
        let Self { blocks, largest, moves, .. } = *self;
        Explanation::Blocks { blocks, largest, method: self.method.clone(), moves }.into()
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
            min_real: Some(smallest),
            single_real: Some(self.sizes.get(&1).copied().unwrap_or(0)),
        }
    }
}

/// What the data holder keeps.
fn private(survey: &Survey, blocks: &Blocks, read: &Table, judged: &Judged) -> Private {
    let notes = read.notes.iter().map(Message::said);
    let warnings = notes.chain(read.warnings.iter().map(Warning::said));
    let dropped = survey.rows - survey.kept;
    let without_fate = (dropped > 0).then(|| ReleaseWarning::DroppedRows { rows: dropped }.into());
    Private {
        notice: String::from("this file links the published table to the people in it"),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        settings: survey.settings.clone(),
        input_hash: input_hash(read, survey.settings.seed.unwrap_or(0)),
        input_rows: read.rows,
        fates: Vec::new(),
        missing: survey.missing.clone(),
        counterfeits: Vec::new(),
        exact: None,
        informed: None,
        statistics: Vec::new(),
        source_risk: None,
        warnings: warnings.chain(survey.reading_warnings().iter().cloned()).chain(without_fate).collect(),
        witnesses: (judged.verdict.checks.iter().flat_map(|c| c.witnesses.iter().map(Message::said)))
            .take(WITNESSES)
            .collect(),
        header: header(read),
        series: None,
        ledger_before: None,
        ledger_after: None,
        chain: None,
        unpublished_columns: unpublished(read, blocks.header().0.iter().map(String::as_str)),
        sent: None,
        sent_before: Vec::new(),
        source: Some(source(read)),
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
