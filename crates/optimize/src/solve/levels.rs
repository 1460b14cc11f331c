//! The search for one level a column, carried out in steps.

use std::{collections::BTreeMap, sync::Arc};

use lookalike_model::{
    Ctx, Error as ModelError,
    event::Progress,
    instance::Instance,
    job::{Answer, Job, Status},
    rule::Infeasible,
    settings::Budget,
};

use super::{FoundBy, Unfit, search::Search};
use crate::{Error, Phase, lattice::LevelSearch};

/// Cells that are looked at in one step, about: some ten milliseconds.
const STEP: u64 = 2_000_000;

/// The same for an effort of 1.
const EFFORT: f64 = 2e9;

/// The search over levels.
pub(super) struct Levels {
    job: Job,
    instance: Arc<Instance>,
    search: LevelSearch,
    status: Status,
}

impl Levels {
    pub(super) fn new(job: &Job) -> Result<Self, Error> {
        let instance = Arc::new(Instance::from_job(job)?);
        let most = job.lattice.as_ref().map_or(0, |lattice| lattice.most);
        if most == 0 {
            // With suppression there may be an answer nevertheless.
            job.rule.feasible(&instance)?;
        }
        let search = LevelSearch::new(job, &instance)?;
        // The points are in the instance.
        let job = Job { points: Vec::new(), ..job.clone() };
        Ok(Self { job, instance, search, status: Status::Optimal })
    }
}

impl Levels {
    /// Why no choice of levels is admissible: what the whole table does not keep, and more records than may be would not help it; else
    /// that there is none.
    fn why(&self, most: usize) -> Error {
        let whole = self.job.rule.feasible(&self.instance);
        let sets = self.job.lattice.iter().flat_map(|lattice| &lattice.sets);
        let (k, records) = (sets.map(|set| set.least).max().unwrap_or(0), self.instance.records());
        match whole {
            Err(ModelError::Infeasible(Infeasible::Values { without: Some(fewest), .. }))
                if fewest <= most =>
            {
                Unfit::NoLevelsKeepTheRule { most }.into()
            }
            Err(why) => why.into(),
            Ok(()) if k > records => ModelError::from(Infeasible::TooFewRecords { k, records }).into(),
            Ok(()) => Unfit::NoLevelsKeepTheRule { most }.into(),
        }
    }
}

impl Search for Levels {
    fn step(&mut self, ctx: &Ctx, started: f64) -> Result<bool, Error> {
        let seconds = (ctx.clock)() - started;
        let begun = self.search.work() > 0;
        let limit = match self.job.budget {
            Budget::Effort(effort) => effort * EFFORT,
            Budget::Seconds(_) => f64::INFINITY,
        };
        self.status = match self.job.budget {
            _ if (ctx.cancelled)() && begun => Status::Cancelled,
            Budget::Seconds(limit) if seconds >= limit && begun => Status::TimeLimit,
            _ if self.search.work() as f64 > limit => Status::EffortSpent,
            _ => Status::Optimal,
        };
        let mut done = self.status != Status::Optimal;
        let until = self.search.work() + STEP;
        while !done && self.search.work() < until && self.search.work() as f64 <= limit {
            done = !self.search.step();
        }
        (ctx.progress)(&Progress {
            phase: Phase::Levels.into(),
            fraction: Some(self.search.fraction()),
            incumbent: self.search.cost(),
            seconds,
            ..Progress::default()
        });
        if done && self.search.cost().is_none() {
            let most = self.job.lattice.as_ref().map_or(0, |lattice| lattice.most);
            return Err(match self.status {
                Status::Optimal => self.why(most),
                _ => Unfit::NoLevelsFound { most }.into(),
            });
        }
        Ok(done)
    }

    fn finish(&mut self) -> Answer {
        let levelled = self.search.finish(&self.instance, &self.job);
        let (looked_at, nodes) =
            levelled.found.as_ref().map_or((0, 0), |found| (found.looked_at, found.nodes));
        let (bound, status) = levelled.proven(looked_at, nodes, self.status.clone());
        Answer {
            labels: levelled.labels,
            loss: levelled.cost,
            status,
            bound,
            claimed: None,
            work: None,
            duals: None,
            parameters: BTreeMap::new(),
            freeform: None,
            full_domain: levelled.found,
            coarser: Vec::new(),
            method: FoundBy::Levels { looked_at, nodes, rows: self.search.rows() }.into(),
            moves: 0,
            threads: 1,
            seconds: 0.0,
        }
    }
}
