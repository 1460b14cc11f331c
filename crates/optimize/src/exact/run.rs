//! The state of a run, and its stages.

use std::sync::Arc;

use lookalike_model::{
    Ctx,
    event::Progress,
    instance::Instance,
    job::{Job, Status},
    partition::Partition,
    rule::Rule,
    settings::{Budget, Method, SearchOptions},
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::{
    annealing,
    branch::Tree,
    cuts::{Cuts, SubsetRow},
    measure::Priceable,
    pool::Pool,
    pricing::{Listed, Pricing},
    problem::Problem,
    proof::Proof,
    restricted::{Restricted, Stop},
    snapshots::Snapshots,
    stage::{Counts, Shares, Stage},
};
use crate::{Error, construct};

/// A relative gap below which incumbent and bound are equal but for rounding.
const CLOSED: f64 = 1e-9;

/// Units of work (nodes, boxes, entries of the master) for one unit of effort.
pub(super) const WORK_PER_EFFORT: f64 = 4e6;

/// A running column generation. It advances in steps, so that a host can listen to its user in between.
pub struct ColumnGeneration<L: Priceable> {
    pub(super) problem: Problem,
    pub(super) objective: L,
    pub(super) rule: Rule,
    pub(super) stage: Stage<L>,
    pub(super) pool: Pool,
    pub(super) master: Restricted,
    /// All cuts in the master, with the sigma of the last solution.
    pub(super) cuts: Vec<SubsetRow>,
    /// lambda of the last solution of the master.
    pub(super) duals: Vec<f64>,
    /// The felt ones of `cuts`, indexed.
    pub(super) felt: Cuts,
    /// The last solution of the master: columns of the pool with their values.
    pub(super) solution: Vec<(u32, f64)>,
    /// Value of the last master.
    pub(super) value: f64,
    /// The partition that everything began with.
    pub(super) start: Partition,
    pub(super) best: Partition,
    pub(super) loss: f64,
    pub(super) proof: Option<Arc<Proof>>,
    /// The best proof over all classes: duals that are priced by a list are feasible for its classes only.
    pub(super) whole: Option<Arc<Proof>>,
    /// All classes that can improve on the incumbent, once they are enumerated.
    pub(super) listed: Option<Listed>,
    /// Exact pricing with cuts goes by boxes: the tree has too many nodes.
    pub(super) by_boxes: bool,
    /// How many are too many.
    pub(super) tree_nodes: u64,
    /// The nodes of branching over the list, once it has begun.
    pub(super) tree: Option<Tree>,
    pub(super) shares: Shares,
    /// The best bound by branching; 0 without.
    pub(super) branched: f64,
    /// Proven optimal: no partition into the listed classes is better.
    pub(super) optimal: bool,
    /// The bound of the master without cuts.
    pub(super) root: Option<f64>,
    pub(super) counts: Counts,
    pub(super) long_runs: annealing::LongRuns,
    pub(super) rng: ChaCha8Rng,
    pub(super) cut_rounds: super::close::CutRounds,
    /// Classes of a neighbourhood, about.
    pub(super) window: f64,
    work: f64,
    pub(super) budget: Budget,
    stop_gap: f64,
    /// Whether the answer brings the duals.
    pub(super) duals_asked: bool,
    pub(super) seed: u64,
    pub(super) elapsed: f64,
    pub(super) backend: &'static str,
}

impl<L: Priceable> ColumnGeneration<L> {
    /// Checks the job and builds the starting partition.
    ///
    /// # Errors
    /// [`Error::Input`] for a job that column generation cannot solve, [`Error::Infeasible`] if no admissible
    /// partition exists.
    pub fn new(job: &Job, objective: L, rule: Rule) -> Result<Self, Error> {
        if rule.min_size < 2 {
            return Err(Error::Input(format!("{} protects nobody: it must be at least 2", rule.describe())));
        }
        let instance = Arc::new(Instance::from_job(job)?);
        rule.feasible(&instance)?;
        let start = job.search.start.unwrap_or(Method::Classic);
        let start = construct::build(start, &instance, &objective, &rule, job.seed)?;
        // Classes of old records have no largest size; others above it stay as they are.
        let start = match instance.series {
            Some(_) => start,
            None => construct::cut_large(&instance, &rule, start),
        };
        Self::from(&instance, &start, objective, rule, job.budget, job.search, job.seed)
    }

    /// A run over an instance from an admissible partition.
    ///
    /// # Errors
    /// [`Error::Answer`] for a partition that is not admissible, [`Error::Input`] for too many records.
    pub fn from(
        instance: &Arc<Instance>,
        start: &Partition,
        objective: L,
        rule: Rule,
        budget: Budget,
        options: SearchOptions,
        seed: u64,
    ) -> Result<Self, Error> {
        start.check(instance, &rule)?;
        let problem = Problem::new(instance, &objective, &rule)?;
        let stage = match budget {
            Budget::Effort(0.0) => Stage::Done(Status::EffortSpent),
            Budget::Seconds(0.0) => Stage::Done(Status::TimeLimit),
            _ => {
                let runs = annealing::at_the_start(budget, problem.min);
                Stage::Anneal(Box::new(Snapshots::new(instance, objective, start, &runs, seed)))
            }
        };
        let types = problem.types();
        let loss = start.loss(instance, &objective);
        Ok(Self {
            stage,
            pool: Pool::default(),
            master: Restricted::new(&problem, loss)?,
            cuts: Vec::new(),
            duals: vec![0.0; types],
            felt: Cuts::none(types),
            solution: Vec::new(),
            value: 0.0,
            loss,
            start: start.clone(),
            best: start.clone(),
            proof: None,
            whole: None,
            listed: None,
            by_boxes: false,
            tree_nodes: super::root::TREE_NODES,
            tree: None,
            shares: Shares::default(),
            branched: 0.0,
            optimal: false,
            root: None,
            counts: Counts::default(),
            long_runs: annealing::LongRuns::default(),
            rng: ChaCha8Rng::seed_from_u64(seed),
            cut_rounds: super::close::CutRounds::default(),
            window: super::neighbourhood::WINDOW,
            work: 0.0,
            budget,
            stop_gap: options.stop_gap_percent.unwrap_or(0.0) / 100.0,
            duals_asked: options.duals,
            seed,
            elapsed: 0.0,
            backend: "none",
            problem,
            objective,
            rule,
        })
    }

    /// The proven bound so far.
    #[must_use]
    pub fn bound(&self) -> Option<f64> {
        let proven = self.proof.as_ref().map(|p| p.value.max(self.branched).min(self.loss));
        // No loss is negative.
        if self.optimal || self.loss <= 0.0 { Some(self.loss) } else { proven }
    }

    /// The value of the linear relaxation without cuts, proven from below; `None` until column generation has converged
    /// (or for ever, if the gap was closed before).
    #[must_use]
    pub fn relaxation(&self) -> Option<f64> {
        self.root
    }

    /// Goes one step; true when there is nothing left to do. `started` is by the clock of `ctx`.
    ///
    /// # Errors
    /// If a solver fails; the best so far is still in [`ColumnGeneration::finish`].
    pub fn step(&mut self, ctx: &Ctx, started: f64) -> Result<bool, Error> {
        if let Stage::Done(_) = self.stage {
            return Ok(true);
        }
        self.elapsed = (ctx.clock)() - started;
        let stage = std::mem::replace(&mut self.stage, Stage::Done(Status::Cancelled));
        if (ctx.cancelled)() {
            return Ok(true);
        }
        let (before, spent) = (self.counts.nodes, self.spent());
        let phase = stage.phase();
        let (branches, searches) = (matches!(stage, Stage::Branch), matches!(stage, Stage::Neighbourhood));
        let bounds = stage.bounds() && self.long_runs.begun();
        let budget = self.budget;
        let late = || matches!(budget, Budget::Seconds(limit) if (ctx.clock)() - started >= limit);
        let stop = || (ctx.cancelled)() || late();
        let next = self.advance(stage, &stop)?;
        self.stage = self.solved_first(next);
        self.work += (self.counts.nodes - before) as f64;
        self.elapsed = (ctx.clock)() - started;
        let took = self.spent() - spent;
        if branches {
            self.shares.branching += took;
        } else if searches {
            self.shares.neighbourhoods += took;
        } else if bounds {
            self.shares.cuts += took;
        }
        (ctx.progress)(&Progress {
            phase: phase.to_owned(),
            fraction: Some(self.spent().min(1.0)),
            incumbent: Some(self.loss),
            bound: self.bound(),
            moves: Some(self.counts.moves),
            seconds: self.elapsed,
            ..Progress::default()
        });
        let over = self.over();
        // A solver that was stopped in the middle says so by being done.
        if (ctx.cancelled)() && !matches!(over, Some(Status::Optimal | Status::GapReached)) {
            self.stage = Stage::Done(Status::Cancelled);
        }
        if let Stage::Done(_) = self.stage {
            return Ok(true);
        }
        if let Some(status) = over {
            self.stage = Stage::Done(status);
            return Ok(true);
        }
        Ok(false)
    }

    fn advance(&mut self, stage: Stage<L>, stop: Stop) -> Result<Stage<L>, Error> {
        match stage {
            Stage::Anneal(snapshots) => Ok(self.anneal(snapshots)),
            Stage::Master => self.solve_master(stop),
            Stage::Heuristic(sweep) => self.price_heuristically(sweep),
            Stage::Exact(sweep) => self.price_exactly(sweep),
            Stage::Round => self.round(stop),
            Stage::Integer => self.integer(stop),
            Stage::Separate => self.separate(stop),
            Stage::Enumerate(sweep) => Ok(self.enumerate(sweep)),
            Stage::Neighbourhood => self.neighbourhood(stop),
            Stage::Branch => self.branch(stop),
            Stage::Done(status) => Ok(Stage::Done(status)),
        }
    }

    /// What comes next, but the master first while it holds cuts that its last solution does not know: pricing, rounding and
    /// separation would rely on a solution that is out of date, and such cuts would never raise the bound.
    fn solved_first(&self, next: Stage<L>) -> Stage<L> {
        match next {
            Stage::Anneal(_) | Stage::Master | Stage::Done(_) => next,
            _ if self.master.unsolved_cuts() > 0 => Stage::Master,
            _ => next,
        }
    }

    /// Part of the budget that is spent.
    pub(super) fn spent(&self) -> f64 {
        match self.budget {
            Budget::Effort(e) => self.work / (e * WORK_PER_EFFORT),
            Budget::Seconds(s) => self.elapsed / s.max(1e-9),
        }
    }

    /// Counts work that is not nodes.
    pub(super) fn worked(&mut self, units: f64) {
        self.work += units;
    }

    /// Seconds that a solver may still take; `None` with an effort budget.
    pub(super) fn seconds_left(&self) -> Option<f64> {
        match self.budget {
            Budget::Effort(_) => None,
            Budget::Seconds(s) => Some((s - self.elapsed).max(0.1)),
        }
    }

    fn over(&self) -> Option<Status> {
        let Some(bound) = self.bound() else {
            return (self.spent() >= 1.0).then(|| self.spent_status());
        };
        let gap = self.loss - bound;
        if self.optimal || gap <= CLOSED * self.loss {
            return Some(Status::Optimal);
        }
        if gap <= self.stop_gap * self.loss {
            return Some(Status::GapReached);
        }
        (self.spent() >= 1.0).then(|| self.spent_status())
    }

    fn spent_status(&self) -> Status {
        match self.budget {
            Budget::Effort(_) => Status::EffortSpent,
            Budget::Seconds(_) => Status::TimeLimit,
        }
    }

    /// Status when nothing more can be done within this method.
    pub(super) fn stuck(&self) -> Stage<L> {
        Stage::Done(self.over().unwrap_or_else(|| self.spent_status()))
    }

    /// Takes a partition into the pool, and as incumbent if it is better.
    pub(super) fn offer(&mut self, partition: Partition) -> bool {
        for class in self.problem.classes(&partition) {
            if self.problem.admits(&class) {
                self.pool.insert(&self.problem, &class);
            }
        }
        if partition.check(&self.problem.instance, &self.rule).is_err() {
            return false;
        }
        let loss = partition.loss(&self.problem.instance, &self.objective);
        if loss < self.loss {
            self.loss = loss;
            self.best = partition;
            self.counts.improved += 1;
            return true;
        }
        false
    }

    /// Takes a partition, and what descent makes of it.
    pub(super) fn offer_descended(&mut self, partition: &Partition) {
        let lower = super::snapshots::descend(
            &self.problem.instance,
            self.objective,
            &self.rule,
            partition,
            self.seed,
        );
        self.offer(partition.clone());
        self.offer(lower);
    }

    /// The exact pricing for the cuts that are felt.
    pub(super) fn exact_pricing(&self) -> Box<dyn Pricing> {
        match &self.listed {
            Some(listed) => Box::new(listed.clone()),
            None if self.felt.sets.is_empty() => self.problem.without_cuts(),
            None if self.by_boxes => self.problem.by_boxes().unwrap_or_else(|| self.problem.combinatorial()),
            None => self.problem.combinatorial(),
        }
    }
}
