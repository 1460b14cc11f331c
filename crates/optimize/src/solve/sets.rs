//! The search for classes with groups of sets of attributes, carried out in steps.
//!
//! It solves one job after another, each by the method that was asked for and with an equal share of the budget: all attributes under the
//! job's rule, all attributes under the largest size that a set asks for, and each part of the loss by itself (each set, then the
//! others). Each of these partitions is completed to classes and groups ([`crate::sets`]); the best of them are annealed one after another
//! with the last share, since annealing keeps the number of classes and groups. The second one keeps the sizes of all sets in classes alone, so that what comes out loses no more than it.
//!
//! *Bound.* The groups of a set are a partition into at least so many records, and the loss is a sum over the parts: it is at least the sum
//! of their bounds. Records of one class are alike in all attributes, and groups are unions of classes: a larger class loses
//! no less, so it is at least the bound of the first job, too.

use std::{collections::BTreeMap, sync::Arc};

use lookalike_model::{
    Ctx,
    event::Progress,
    job::{Answer, Bound, BoundOf, Job, Status},
    rule::Rule,
    sets,
    settings::{Budget, Method},
};
use lookalike_words::Said;

use super::{FoundBy, Params, ProvenByRelaxation, Solve, search::Search};
use crate::{
    Error, Phase,
    exact::loss::Priceable,
    sets::{Exchange, Groups, Parts, refine},
};

/// Moves of one step of annealing, and of a start at least: some ten milliseconds.
const MOVES: u64 = 10_000;

/// Starts that are annealed, at most.
const STARTS: usize = 4;

/// A relative difference of loss and bound that rounding can explain.
const CLOSED: f64 = 1e-9;

/// The places of the jobs that are not parts of the loss.
const OF_CLASSES: usize = 0;
const OF_LARGEST: usize = 1;
const FIRST_PART: usize = 2;

/// The search.
pub(super) struct Sets<L: Priceable> {
    job: Job,
    parts: Parts<L>,
    params: Arc<Params>,
    /// What is solved one after another.
    jobs: Vec<Job>,
    running: Option<Solve>,
    answers: Vec<Answer>,
    best: Option<(Groups, f64)>,
    /// What was completed, with its loss.
    found: Vec<(Groups, f64)>,
    /// The starts of annealing that are yet to come, the best one last, once all are completed.
    starts: Option<Vec<Groups>>,
    /// The places of partitions that are not completed yet, once all jobs are solved.
    open: Option<Vec<usize>>,
    exchange: Option<Exchange<L>>,
    /// When annealing from this start has begun, and when it ends, in seconds from the beginning of all.
    slice: [f64; 2],
    moves: u64,
    status: Option<Status>,
}

impl<L: Priceable> Sets<L> {
    pub(super) fn new(job: &Job, loss: L, params: &Arc<Params>) -> Result<Self, Error> {
        job.rule.protects()?;
        let parts = Parts::new(job, loss)?;
        job.rule.feasible(&parts.whole)?;
        let share = (job.sets.len() + FIRST_PART + usize::from(parts.with_rest) + 1) as f64;
        let budget = match job.budget {
            Budget::Effort(effort) => Budget::Effort(effort / share),
            Budget::Seconds(seconds) => Budget::Seconds(seconds / share),
        };
        let largest = job.sets.iter().map(|set| set.least).max().unwrap_or(0);
        let larger = Rule {
            min_size: largest,
            max_size: if job.rule.has_values() { usize::MAX } else { Rule::at_least(largest).max_size },
            ..job.rule.clone()
        };
        larger.feasible(&parts.whole)?;
        let whole = Job { budget, sets: Vec::new(), ..job.clone() };
        let mut each = sets::parts(&Job { budget, ..job.clone() });
        if !parts.with_rest {
            each.pop();
        }
        let mut jobs = vec![whole.clone(), Job { rule: larger, ..whole }];
        jobs.extend(each);
        Ok(Self {
            job: job.clone(),
            parts,
            params: Arc::clone(params),
            jobs,
            running: None,
            answers: Vec::new(),
            best: None,
            found: Vec::new(),
            starts: None,
            open: None,
            exchange: None,
            slice: [0.0; 2],
            moves: 0,
            status: None,
        })
    }

    /// The search of a job. Where its sizes are not for the method, the usual one takes it, but for the classes themselves.
    fn part(&self, at: usize, ctx: &Ctx) -> Result<Solve, Error> {
        let job = &self.jobs[at];
        match Solve::with_params(job, &self.params, ctx) {
            Err(_) if at != OF_CLASSES => {
                Solve::with_params(&Job { method: Method::default(), ..job.clone() }, &self.params, ctx)
            }
            begun => begun,
        }
    }

    /// Takes groups over if they lose less; before annealing they are a start, too.
    fn take(&mut self, groups: Groups) {
        let loss = self.parts.loss(&groups);
        if self.starts.is_none() {
            self.found.push((groups.clone(), loss));
        }
        if self.best.as_ref().is_none_or(|(_, best)| loss < *best) {
            self.best = Some((groups, loss));
        }
    }

    /// Completes the partition of a job to classes and groups.
    fn complete(&mut self, at: usize) {
        let Some(answer) = self.answers.get(at) else { return };
        let labels = answer.labels.clone();
        let finer = |labels: &[u32]| {
            // Parts of a class need not keep conditions on its values.
            if self.job.rule.has_values() {
                return labels.to_vec();
            }
            refine(&self.parts.whole, &self.parts.loss, labels, self.parts.least)
        };
        match at {
            OF_CLASSES => self.take(self.parts.grouped(labels, None)),
            OF_LARGEST => {
                let coarser = vec![labels.clone(); self.parts.sets.len()];
                let classes = finer(&labels);
                let alone = self.parts.grouped(classes.clone(), None);
                self.take(Groups { classes: labels, coarser: coarser.clone() });
                self.take(Groups { classes, coarser });
                self.take(alone);
            }
            // Its classes know no conditions.
            _ if self.job.rule.has_values() => {}
            _ if at - FIRST_PART < self.parts.sets.len() => {
                let groups = self.parts.grouped(finer(&labels), Some((at - FIRST_PART, &labels)));
                self.take(groups);
            }
            _ => {}
        }
    }

    /// One class of all records, which keeps everything that can be kept.
    fn trivial(&self) -> Groups {
        let all = vec![0; self.parts.whole.records()];
        Groups { coarser: vec![all.clone(); self.parts.sets.len()], classes: all }
    }

    /// The best of what was completed, of each number of classes and groups one, the best one last.
    fn choose_starts(&mut self) -> Vec<Groups> {
        // Moves of single records could break a condition on values.
        if self.job.rule.has_values() {
            return Vec::new();
        }
        let count = |labels: &Vec<u32>| labels.iter().max().map_or(0, |&last| last + 1);
        let shape = |groups: &Groups| -> Vec<u32> {
            groups.coarser.iter().chain([&groups.classes]).map(count).collect()
        };
        let mut found = std::mem::take(&mut self.found);
        found.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mut shapes = Vec::new();
        let mut starts: Vec<Groups> = Vec::new();
        for (groups, _) in found {
            if starts.len() < STARTS && !shapes.contains(&shape(&groups)) {
                shapes.push(shape(&groups));
                starts.push(groups);
            }
        }
        starts.reverse();
        starts
    }

    /// Begins to anneal the next start; false if there is none.
    fn begin_exchange(&mut self, seconds: f64) -> bool {
        let mut starts = match self.starts.take() {
            Some(starts) => starts,
            None => self.choose_starts(),
        };
        let left = starts.len().max(1) as f64;
        let moves = match self.jobs[OF_CLASSES].budget {
            Budget::Effort(effort) => {
                let per_record = self.params.local.work.moves_per_effort;
                let moves = effort * per_record * self.parts.whole.records() as f64 / STARTS as f64;
                (moves as u64).max(MOVES)
            }
            Budget::Seconds(_) => u64::MAX,
        };
        let limit = match self.job.budget {
            Budget::Seconds(limit) => limit,
            Budget::Effort(_) => f64::INFINITY,
        };
        self.slice = [seconds, seconds + (limit - seconds) / left];
        let next = starts.pop();
        self.starts = Some(starts);
        self.exchange = next.map(|next| Exchange::new(&self.parts, &next, self.job.seed, moves));
        self.exchange.is_some()
    }

    /// Takes over what annealing has reached, with groups made anew of its classes if these lose less.
    fn end_exchange(&mut self) {
        let Some(exchange) = self.exchange.take() else { return };
        self.moves += exchange.moves();
        let groups = exchange.groups();
        let anew = self.parts.grouped(groups.classes.clone(), None);
        self.take(groups);
        self.take(anew);
    }

    /// What is proven.
    fn bound(&self) -> Option<Bound> {
        let whole =
            |answer: &&Answer| matches!(&answer.bound, Some(bound) if bound.of == BoundOf::WholeProblem);
        let of = |at: usize| {
            self.answers
                .get(at)
                .filter(whole)
                .and_then(|answer| answer.bound.clone())
                .filter(|b| b.value > 0.0)
        };
        let parts: Vec<Bound> = (FIRST_PART..self.jobs.len()).filter_map(of).collect();
        let sum: f64 = parts.iter().map(|bound| bound.value).sum();
        let classes = of(OF_CLASSES);
        if let Some(bound) = classes.filter(|bound| bound.value >= sum) {
            let proof = bound.proven_by;
            return Some(Bound { proven_by: ProvenByRelaxation::Classes { proof }.into(), ..bound });
        }
        let proof = parts.into_iter().next()?.proven_by;
        let proven_by = ProvenByRelaxation::Parts { parts: self.jobs.len() - FIRST_PART, proof }.into();
        Some(Bound { value: sum, proven_by, of: BoundOf::WholeProblem })
    }

    /// What is told while a part is solved: the loss of a part is not that of the answer.
    fn told(&self, progress: &Progress, seconds: f64) -> Progress {
        let incumbent = self.best.as_ref().map(|(_, loss)| *loss);
        Progress { incumbent, bound: None, seconds, ..progress.clone() }
    }
}

impl<L: Priceable> Search for Sets<L> {
    fn step(&mut self, ctx: &Ctx, started: f64) -> Result<bool, Error> {
        let seconds = (ctx.clock)() - started;
        if self.answers.len() < self.jobs.len() {
            let mut running = match self.running.take() {
                Some(running) => running,
                None => self.part(self.answers.len(), ctx)?,
            };
            let progress = |progress: &Progress| (ctx.progress)(&self.told(progress, seconds));
            let done = running.step(&Ctx { progress: &progress, ..*ctx })?;
            if !done {
                self.running = Some(running);
                return Ok(false);
            }
            self.answers.push(running.finish());
            if (ctx.cancelled)() {
                self.status = Some(Status::Cancelled);
                return Ok(true);
            }
            return Ok(false);
        }
        let open = self.open.get_or_insert_with(|| (0..self.jobs.len()).rev().collect());
        if let Some(at) = open.pop() {
            self.complete(at);
            return Ok(false);
        }
        if self.exchange.is_none() && !self.begin_exchange(seconds) {
            return Ok(true);
        }
        let Some(exchange) = &mut self.exchange else { return Ok(true) };
        // A step has one temperature.
        let [begun, ends] = self.slice;
        let fraction = match self.job.budget {
            Budget::Effort(_) => exchange.fraction(),
            Budget::Seconds(_) => (seconds - begun) / (ends - begun).max(f64::MIN_POSITIVE),
        };
        let done = exchange.step(MOVES.min(exchange.portion()), fraction) || fraction >= 1.0;
        let fraction = Some(fraction.min(1.0));
        let phase = Phase::Annealing.into();
        let told = Progress { phase, fraction, moves: Some(self.moves), ..Progress::default() };
        (ctx.progress)(&self.told(&told, seconds));
        self.status = match self.job.budget {
            _ if (ctx.cancelled)() => Some(Status::Cancelled),
            Budget::Seconds(limit) if seconds >= limit => Some(Status::TimeLimit),
            _ => None,
        };
        if self.status.is_some() {
            return Ok(true);
        }
        if done {
            self.end_exchange();
        }
        Ok(false)
    }

    fn finish(&mut self) -> Answer {
        if let Some(running) = self.running.take() {
            self.answers.push(running.finish());
        }
        let open = self.open.take().unwrap_or_else(|| (0..self.answers.len()).rev().collect());
        for at in open.into_iter().rev() {
            self.complete(at);
        }
        self.end_exchange();
        let (groups, loss) = self.best.take().unwrap_or_else(|| {
            let groups = self.trivial();
            let loss = self.parts.loss(&groups);
            (groups, loss)
        });
        let bound = self.bound();
        let limited = self.answers.iter().any(|answer| answer.status == Status::TimeLimit);
        let proven = bound.as_ref().is_some_and(|bound| loss <= bound.value + CLOSED * loss.abs().max(1.0));
        let status = match (self.status.take(), self.job.budget) {
            (Some(Status::Cancelled), _) => Status::Cancelled,
            _ if proven => Status::Optimal,
            (_, Budget::Seconds(_)) => Status::TimeLimit,
            _ if limited => Status::TimeLimit,
            _ => Status::EffortSpent,
        };
        let first: Said = self.answers.first().map(|answer| answer.method.clone()).unwrap_or_default();
        Answer {
            labels: groups.classes,
            coarser: groups.coarser,
            loss,
            status,
            bound,
            claimed: None,
            work: None,
            duals: None,
            parameters: BTreeMap::new(),
            freeform: None,
            full_domain: None,
            method: FoundBy::Sets { sets: self.job.sets.len(), of: first }.into(),
            moves: self.moves + self.answers.iter().map(|answer| answer.moves).sum::<u64>(),
            threads: self.answers.iter().map(|answer| answer.threads).max().unwrap_or(1),
            seconds: 0.0,
        }
    }
}
