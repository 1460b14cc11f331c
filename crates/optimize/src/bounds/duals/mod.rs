//! Duals that are feasible and better than those of the nearest neighbours, for a table of any size.
//!
//! Whatever the duals, adding to each the least mean reduced cost of a class with its record makes them feasible (theorem 4 of
//! docs/bounds.md). So one round of pricing repairs them, raises them, and finds the classes that the pool lacks; between rounds
//! the pool says which duals are best for the classes that are known. A round prices on the way from the best feasible duals to
//! those (Wentges 1997): the pool's alone leap from one end of the table to the other.

mod candidates;
mod centres;
mod heights;
mod least_mean;
mod measure;
mod near;
mod pace;
mod params;
mod pool;
mod prices;
mod transport;

use std::sync::Arc;

use lookalike_model::{
    instance::Instance,
    job::{Bound, BoundOf},
    partition::Partition,
    proof::Duals,
    rule::Rule,
};
use rayon::prelude::*;

pub use self::params::Params;
use self::{
    centres::{Flat, Sweep},
    least_mean::{Found, Limit, Scratch, search},
    near::Near,
    pace::{ATTEMPTS, Pace},
    pool::{Ascent, Pool},
    prices::Prices,
    transport::{Question, Transport},
};
pub(crate) use self::{measure::Measure, pace::Allowance};
use super::ProvenByDuals;

/// Kinds that are sorted in before the host can listen to its user again.
const BATCH: usize = 256;

/// Looks before it can while pricing, about, and kinds at the least and the most.
const SLICE: f64 = 2e6;
const SLICE_KINDS: (f64, f64) = (16.0, 4096.0);

/// Kinds that are tried before the first round: in many attributes every record is near every other, and a round would never end.
const TRIED: usize = 64;

/// What is left of a sum after all that rounding may have added to it.
const ROUNDING: f64 = 1e-9;

/// Feasible duals being raised. The bound is one at any moment.
pub(crate) struct DualAscent<L: Measure> {
    near: Near<L>,
    /// The points of the kinds and their colours, where centres are searched instead of records.
    flat: Option<(Flat, Vec<u32>)>,
    /// Whether a search around single records looks at too many.
    by_centres: bool,
    params: Params,
    /// Records of each kind.
    records: Vec<f64>,
    /// The classes that are known.
    pool: Pool,
    /// The best duals that are known to be feasible.
    best: Vec<f64>,
    /// The best duals for the pool.
    target: Vec<f64>,
    /// Where the next round prices on the way from the one to the other.
    way: f64,
    bound: f64,
    /// The boxes that the bound is by, unless a round has raised it since.
    boxes: Option<usize>,
    /// Rounds that have ended, and the last ones of them that have not raised the bound.
    rounds: usize,
    idle: usize,
    pace: Pace,
    /// What it has looked at in the last round.
    last_round: f64,
    /// Kinds that are priced at a time.
    batch: usize,
    /// The classes that it begins with.
    partition: Option<Partition>,
    stage: Stage,
}

/// What it is doing.
enum Stage {
    /// It looks for the nearest partners of each kind.
    Sorting,
    /// It moves records to boxes.
    Moving(Box<Transport>),
    Pricing(Box<Round>),
    Sweeping(Box<Round>, Box<Sweep>),
    Ascending(Ascent),
    Done,
}

/// A round of pricing.
struct Round {
    prices: Prices,
    /// The least mean reduced cost of each kind in the pool.
    known: Vec<f64>,
    /// What was found for the first kinds.
    found: Vec<Found>,
}

impl<L: Measure> DualAscent<L> {
    /// Begins with the classes of a partition, to look at no more than is allowed; `None` where it has no theorem: for counterfeits,
    /// records that keep a signature, and more distances than its parameters allow.
    #[must_use]
    pub(crate) fn new(
        instance: &Arc<Instance>,
        loss: L,
        rule: &Rule,
        partition: Partition,
        (allowance, params): (Allowance, &Params),
    ) -> Option<Self> {
        let whole = instance.records() == instance.reals && instance.series.is_none();
        let distances = instance.reals as f64 * (2 * rule.min_size) as f64;
        if !whole || rule.min_size < 2 || distances > params.distances {
            return None;
        }
        let near = Near::new(instance, loss, rule);
        let flat = if L::WIDE || !rule.distinct() { None } else { Flat::new(instance, &near.kinds) };
        let colour = |kind| near.colour(kind).unwrap_or(0);
        let flat = flat.map(|flat| (flat, (0..near.kinds.all.len() as u32).map(colour).collect()));
        let records: Vec<f64> = near.kinds.all.iter().map(|kind| kind.records as f64).collect();
        let none = vec![0.0; records.len()];
        Some(Self {
            near,
            flat,
            by_centres: false,
            params: params.clone(),
            records,
            pool: Pool::default(),
            best: none.clone(),
            target: none,
            way: params.first,
            bound: 0.0,
            boxes: None,
            rounds: 0,
            idle: 0,
            pace: Pace::new(allowance, L::PRICE, params.part),
            last_round: 0.0,
            batch: BATCH,
            partition: Some(partition),
            stage: Stage::Sorting,
        })
    }

    /// Goes one step of some ten milliseconds or more; true when there is nothing left to do.
    pub(crate) fn advance(&mut self) -> bool {
        self.stage = match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Sorting => self.sort(),
            Stage::Moving(transport) => self.transport(transport),
            Stage::Pricing(round) => self.price(round),
            Stage::Sweeping(round, sweep) => self.sweep(round, sweep),
            Stage::Ascending(ascent) => self.ascend(ascent),
            Stage::Done => Stage::Done,
        };
        matches!(self.stage, Stage::Done)
    }

    /// Part of the round at hand that is done.
    #[must_use]
    pub(crate) fn fraction(&self) -> f64 {
        match &self.stage {
            Stage::Pricing(round) => round.found.len() as f64 / self.records.len().max(1) as f64,
            Stage::Sweeping(_, sweep) => sweep.fraction(),
            Stage::Moving(transport) => transport.boxes() as f64 / self.params.boxes.max(1) as f64,
            Stage::Sorting | Stage::Ascending(_) => 0.0,
            Stage::Done => 1.0,
        }
    }

    /// Rounds that have ended.
    #[must_use]
    pub(crate) fn rounds(&self) -> usize {
        self.rounds
    }

    /// The bound so far; `None` if nothing is known.
    #[must_use]
    pub(crate) fn bound(&self) -> Option<Bound> {
        let proven_by = match self.boxes {
            Some(boxes) => ProvenByDuals::Moved { boxes },
            None => ProvenByDuals::Raised { rounds: self.rounds, classes: self.pool.len() },
        };
        let found = (self.rounds > 0 || self.boxes.is_some()) && self.bound > 0.0;
        let value = self.bound;
        found.then(|| Bound { value, proven_by: proven_by.into(), of: BoundOf::WholeProblem })
    }

    /// Whether the bound is by boxes of centres.
    #[must_use]
    pub(crate) fn is_by_boxes(&self) -> bool {
        self.boxes.is_some()
    }

    /// The duals behind the bound.
    #[must_use]
    pub(crate) fn duals(&self) -> Option<Duals> {
        self.bound().map(|_| self.near.kinds.by_record(&self.near.instance, &self.best))
    }

    /// What it has looked at.
    #[must_use]
    pub(crate) fn looks(&self) -> f64 {
        self.pace.looks()
    }

    /// So many classes of the pool, by records: those of least mean reduced cost at the best duals, the least one last.
    #[must_use]
    pub(crate) fn classes(&self, most: usize) -> Vec<Vec<u32>> {
        let means = self.pool.means_by_class(&self.best);
        let mut order: Vec<usize> = (0..means.len()).collect();
        order.sort_by(|&a, &b| means[b].total_cmp(&means[a]).then(a.cmp(&b)));
        let kept = order.len().saturating_sub(most);
        order[kept..].iter().map(|&class| self.records_of(self.pool.members(class))).collect()
    }

    /// Different records of these kinds, ascending.
    fn records_of(&self, kinds: &[u32]) -> Vec<u32> {
        let kinds_of = &self.near.kinds;
        let some = |alike: &[u32]| {
            let kind = kinds_of.all[alike[0] as usize];
            match alike.len() {
                1 => vec![kind.head],
                many => kinds_of.points.members(kind.point as usize)[..many].to_vec(),
            }
        };
        let mut records: Vec<u32> = kinds.chunk_by(|a, b| a == b).flat_map(some).collect();
        records.sort_unstable();
        records
    }

    fn sort(&mut self) -> Stage {
        if !self.near.advance(BATCH) {
            return Stage::Sorting;
        }
        let near = &self.near;
        let least = near.sizes.start;
        // The duals of the neighbour bound; a kind without enough partners is in no class.
        let dual = |kind: u32| near.loss.key(0.0, near.of(kind), 0, least);
        self.best =
            (0..self.records.len() as u32).map(dual).map(|x| if x.is_finite() { x } else { 0.0 }).collect();
        self.bound = self.value(&self.best);
        if let Some(partition) = self.partition.take() {
            self.take_classes(&partition);
        }
        self.moving().map_or_else(|| self.begin_round(), |transport| Stage::Moving(Box::new(transport)))
    }

    /// Where values must differ, records are moved to boxes of centres first.
    fn moving(&self) -> Option<Transport> {
        let (flat, colours) = self.flat.as_ref()?;
        let question = Question { flat, colours, records: &self.records };
        let (scale, params) = (self.mean_dual(), &self.params);
        Transport::new(&question, self.near.sizes.start, scale, (params.boxes, params.cheapest))
    }

    /// One step of that; what it has found is taken if it is better.
    fn transport(&mut self, mut transport: Box<Transport>) -> Stage {
        let before = transport.looks();
        let evaluated = transport.advance();
        self.pace.pay(transport.looks() - before);
        if evaluated.is_some() {
            let duals = transport.duals();
            let value = self.value(&duals);
            if value > self.bound {
                (self.bound, self.best, self.boxes) = (value, duals, Some(transport.boxes()));
            }
        }
        let spent = self.pace.is_past(self.params.moving);
        if spent || evaluated == Some(false) { self.begin_round() } else { Stage::Moving(transport) }
    }

    /// Begins with the classes of a partition and the duals that share out their costs.
    fn take_classes(&mut self, partition: &Partition) {
        let near = &self.near;
        let mut kinds = vec![0; near.instance.reals];
        near.kinds.each(&near.instance, |kind, record| kinds[record as usize] = kind);
        let mut classes: Vec<Vec<u32>> = vec![Vec::new(); partition.classes];
        for (record, &class) in partition.labels.iter().enumerate() {
            classes[class as usize].push(record as u32);
        }
        self.target = vec![0.0; self.records.len()];
        for class in &classes {
            let cost = near.loss.class(&near.instance, class);
            let mut members: Vec<u32> = class.iter().map(|&i| kinds[i as usize]).collect();
            for (&record, &kind) in class.iter().zip(&members) {
                let share = near.loss.share(&near.instance, class, cost, record);
                self.target[kind as usize] += share / self.records[kind as usize];
            }
            members.sort_unstable();
            self.pool.add(&members, cost, 1.0);
        }
    }

    /// Begins a round, unless it would take more than is left.
    fn begin_round(&mut self) -> Stage {
        let near_enough =
            self.rounds > 0 && self.value(&self.target) <= self.bound * (1.0 + self.params.near);
        let too_long = !self.pace.kept && self.pace.lacks(self.last_round);
        if near_enough || too_long || self.pace.is_spent() || self.idle >= self.params.idle {
            return Stage::Done;
        }
        let Some(round) = self.paced() else { return Stage::Done };
        if let Some((flat, colours)) = self.flat.as_ref().filter(|_| self.by_centres) {
            let gap = (1.0 - self.bound / self.value(&self.target)).clamp(0.0, 1.0);
            let slack = self.params.slack.max(self.params.rough * gap) * self.mean_dual();
            let sweep = Sweep::new(flat, colours, round.known.clone(), slack);
            return Stage::Sweeping(Box::new(round), Box::new(sweep));
        }
        self.last_round = 0.0;
        Stage::Pricing(Box::new(round))
    }

    /// A round that goes as far as what is left allows; `None` where none does.
    fn paced(&mut self) -> Option<Round> {
        let mut round = self.round();
        let first = self.rounds == 0;
        if !first && (self.by_centres || !self.pace.is_tight()) {
            return Some(round);
        }
        let mut looks = self.try_some(&round);
        if first {
            self.by_centres = looks > self.params.lost * self.records.len() as f64;
        }
        if self.by_centres && self.flat.is_some() {
            return Some(round);
        }
        for _ in 0..ATTEMPTS {
            if !self.pace.is_long(looks) {
                break;
            }
            self.way *= self.params.shorter * self.params.shorter;
            round = self.round();
            looks = self.try_some(&round);
        }
        // Where rounds are as long as they are, the first one counts alone.
        let before = if self.pace.kept { 0.0 } else { self.pace.looks() };
        (!self.pace.lacks(looks - before)).then_some(round)
    }

    /// A round on the way from the best feasible duals to those that are best for the pool.
    fn round(&self) -> Round {
        let way = |(best, target): (&f64, &f64)| best + self.way * (target - best);
        let duals: Vec<f64> = self.best.iter().zip(&self.target).map(way).collect();
        let known = self.pool.means(&duals);
        Round { prices: Prices::new(&self.near, duals), known, found: Vec::new() }
    }

    /// What a round looks at, about, from some of its kinds.
    fn try_some(&mut self, round: &Round) -> f64 {
        let kinds = self.records.len();
        let some = if self.rounds == 0 { TRIED } else { (kinds / TRIED).clamp(TRIED / 4, TRIED) };
        let tried: Vec<usize> = (0..some.min(kinds)).map(|at| at * kinds / some.min(kinds)).collect();
        let limit = self.pace.trial(tried.len(), self.params.each);
        let found = self.search(round, &tried, limit);
        let looks: u64 = found.iter().map(|found| found.looks).sum();
        if self.pace.kept {
            self.pace.pay(looks as f64);
        }
        let each = looks as f64 / tried.len().max(1) as f64;
        self.batch = (SLICE / each.max(1.0)).clamp(SLICE_KINDS.0, SLICE_KINDS.1) as usize;
        each * kinds as f64
    }

    /// Prices these kinds.
    fn search(&self, round: &Round, kinds: &[usize], limit: Limit) -> Vec<Found> {
        let (near, params, prices, known) = (&self.near, &self.params, &round.prices, &round.known);
        let one = |scratch: &mut Scratch, &kind: &usize| {
            search(near, prices, (kind as u32, known[kind]), params, limit, scratch)
        };
        kinds.par_iter().map_init(Scratch::default, one).collect()
    }

    fn price(&mut self, mut round: Box<Round>) -> Stage {
        let (from, kinds) = (round.found.len(), self.records.len());
        let to = (from + self.batch).min(kinds);
        let limit = self.pace.limit(to - from, kinds - from, self.params.each);
        let found = self.search(&round, &(from..to).collect::<Vec<usize>>(), limit);
        round.found.extend(found);
        let looks: f64 = round.found[from..].iter().map(|found| found.looks as f64).sum();
        self.pace.pay(looks);
        self.last_round += looks;
        if to == kinds {
            return self.end_round(*round);
        }
        // Every search looks at some records, whatever its limit.
        if self.pace.is_tight() && self.pace.is_spent() { Stage::Done } else { Stage::Pricing(round) }
    }

    /// All kinds at once, by centres. What is left open when the work is spent counts by its bounds.
    fn sweep(&mut self, mut round: Box<Round>, mut sweep: Box<Sweep>) -> Stage {
        let Some((flat, colours)) = &self.flat else { return Stage::Done };
        let before = sweep.looks();
        let done = sweep.advance(flat, (colours, &round.prices.duals), &self.near.sizes);
        self.pace.pay(sweep.looks() - before);
        if !done && !self.pace.is_spent() {
            return Stage::Sweeping(round, sweep);
        }
        self.last_round = sweep.looks();
        for (kind, others) in sweep.met(self.params.met * self.records.len()) {
            let (class, cost) = self.class_of(kind, others);
            self.pool.add(&class, cost, 0.0);
        }
        let best = sweep.end(flat).into_iter().enumerate();
        let found = best.map(|(kind, (mean, others))| {
            let class = (!others.is_empty()).then(|| self.class_of(kind as u32, others));
            Found { mean, classes: class.into_iter().collect(), looks: 0 }
        });
        round.found = found.collect();
        self.end_round(*round)
    }

    /// A class by its kinds, ascending, and what it costs.
    fn class_of(&self, kind: u32, mut others: Vec<u32>) -> (Vec<u32>, f64) {
        others.push(kind);
        others.sort_unstable();
        let heads: Vec<u32> = others.iter().map(|&kind| self.near.head(kind)).collect();
        let cost = self.near.loss.class(&self.near.instance, &heads);
        (others, cost)
    }

    /// The mean of what the duals are that are best for the pool.
    fn mean_dual(&self) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for (dual, records) in self.target.iter().zip(&self.records) {
            sum += dual.abs() * records;
            count += records;
        }
        sum / count
    }

    fn end_round(&mut self, round: Round) -> Stage {
        let mut duals = round.prices.duals;
        for (dual, found) in duals.iter_mut().zip(&round.found) {
            // A kind that is in no class at all has no reduced cost.
            *dual += if found.mean.is_finite() { found.mean } else { 0.0 };
        }
        let value = self.value(&duals);
        if value > self.bound {
            (self.bound, self.best, self.boxes) = (value, duals, None);
            self.way = (self.way * self.params.longer).min(1.0);
            self.idle = 0;
        } else {
            self.way *= self.nearer(value);
            self.idle += 1;
        }
        for (class, cost) in round.found.iter().flat_map(|found| &found.classes) {
            self.pool.add(class, *cost, 0.0);
        }
        self.rounds += 1;
        let scale = self.params.step * self.mean_dual();
        if !(scale.is_finite() && scale > 0.0) {
            return Stage::Done;
        }
        Stage::Ascending(self.pool.begin(&self.target, self.params.steps, scale))
    }

    /// How much less far the next round goes after one that has come out at this value. What duals are worth once repaired is a concave
    /// function along the way: it begins at the bound, rises at first by no more than the pool says, and has this value where the round
    /// was. The parabola through all three is highest where the next round goes.
    fn nearer(&self, value: f64) -> f64 {
        let rise = (self.value(&self.target) - self.bound).max(0.0) * self.way;
        let fall = self.bound + rise - value;
        let highest = if fall > 0.0 { rise / (2.0 * fall) } else { 0.0 };
        highest.clamp(self.params.nearest, self.params.shorter)
    }

    fn ascend(&mut self, mut ascent: Ascent) -> Stage {
        if !self.pool.advance(&mut ascent, &self.records) {
            return Stage::Ascending(ascent);
        }
        self.target = ascent.mean();
        self.begin_round()
    }

    /// What duals are worth, rounding paid for.
    fn value(&self, duals: &[f64]) -> f64 {
        let (mut sum, mut size) = (0.0, 0.0);
        for (dual, records) in duals.iter().zip(&self.records) {
            sum += dual * records;
            size += dual.abs() * records;
        }
        sum - ROUNDING * size
    }
}
