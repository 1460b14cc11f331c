//! Annealing in spatial blocks, for many records.
//!
//! Each round cuts space into blocks of some thousand records, by a tree over the centroids of the classes, so that a
//! block holds whole classes and is feasible by itself; anneals the blocks side by side, each in the caches of its
//! thread; and puts them together. The next round cuts along other boundaries and goes on a little colder. All rounds
//! together are one annealing of the whole. Time O(n log n) a round, memory O(n).

mod cut;
mod round;
pub(crate) mod work;

use std::{rc::Rc, sync::Arc};

use lookalike_model::{
    instance::Instance, job::Status, kept::Rounds, loss::Loss, partition::Partition, rule::Rule,
    settings::Budget,
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use self::round::Round;
use super::{
    improvement::{Improvement, out_of_time, spent},
    params::Params,
};
use crate::{
    checkpoint::StageParts,
    queue::in_process::{AT_ONCE, Here},
};

/// A running annealing in blocks.
pub(crate) struct Spatial<L: Loss> {
    instance: Arc<Instance>,
    loss: L,
    rule: Rule,
    budget: Budget,
    seed: u64,
    params: Arc<Params>,
    /// Rounds that are done; round 0 is the descent.
    round: usize,
    /// Rounds of cooling; known after the descent.
    rounds: usize,
    /// Moves a record of this round.
    moves_per_record: f64,
    /// Loss per record after the descent.
    unit: f64,
    /// Start temperature in parts of annealing's; known after the descent.
    start: f64,
    /// Blocks of this round that are being annealed, and those that have been.
    under_way: Round,
    /// Who anneals them, where nobody else does.
    here: Rc<Here<L>>,
    /// Temperatures of this round, hot to cold.
    temperatures: Vec<f64>,
    /// Blocks of this round, each a list of classes; empty once they are under way.
    open: Vec<Vec<Vec<u32>>>,
    /// Blocks of this round.
    blocks: usize,
    /// Classes of the blocks that are done.
    classes: Vec<Vec<u32>>,
    /// Loss of `classes`.
    value: f64,
    best: Vec<u32>,
    best_loss: f64,
    moves: u64,
    round_began: f64,
}

impl<L: Loss> Spatial<L> {
    /// Prepares the search from an admissible start.
    pub(crate) fn new(
        instance: &Arc<Instance>,
        loss: L,
        rule: Rule,
        start: &Partition,
        (budget, seed): (Budget, u64),
        params: &Arc<Params>,
    ) -> Self {
        let mut search = Self {
            instance: Arc::clone(instance),
            loss,
            rule: rule.clone(),
            budget,
            seed,
            round: 0,
            rounds: 0,
            moves_per_record: params.spatial.descent,
            params: Arc::clone(params),
            unit: 0.0,
            start: 0.0,
            under_way: Round::default(),
            here: Rc::new(Here::new(loss, rule, params)),
            temperatures: Vec::new(),
            open: Vec::new(),
            blocks: 0,
            classes: start.members(),
            value: start.loss(instance, &loss),
            best: start.labels.clone(),
            best_loss: start.loss(instance, &loss),
            moves: 0,
            round_began: f64::NAN,
        };
        search.cut();
        search
    }

    /// Cuts the classes into the blocks of this round.
    fn cut(&mut self) {
        let classes = std::mem::take(&mut self.classes);
        // Blocks have the streams below.
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream((1 << 63) + self.round as u64);
        let params = &self.params.spatial;
        let cuts = &params.cuts;
        let part = cuts.get(self.round % cuts.len().max(1)).copied().unwrap_or(0.5);
        self.open.extend(cut::blocks(&self.instance, classes, part, params.block, &mut rng));
        self.blocks = self.open.len();
        self.temperatures = self.temperatures();
        self.value = 0.0;
    }

    /// Temperature after a part of the cooling.
    fn temperature(&self, fraction: f64) -> f64 {
        let start = self.start * self.loss.start_temperature(self.rule.min_size);
        self.unit * start * libm::pow(self.params.spatial.end / start, fraction)
    }

    /// Temperatures of this round, hot to cold.
    fn temperatures(&self) -> Vec<f64> {
        if self.round == 0 || self.round > self.rounds {
            return vec![0.0];
        }
        let levels = self.params.spatial.levels;
        let all = self.rounds * levels;
        (0..levels)
            .map(|l| self.temperature(((self.round - 1) * levels + l) as f64 / (all - 1) as f64))
            .collect()
    }

    /// Moves at each temperature in a block of so many records.
    fn block_moves(&self, records: usize) -> u64 {
        (self.moves_per_record * records as f64 / self.temperatures.len() as f64) as u64
    }

    /// The stream of random numbers of one block of this round.
    fn stream(&self, block: u64) -> u64 {
        ((self.round as u64) << 32) + block + 1
    }

    /// Keeps the partition of the round if it is the best.
    fn keep(&mut self) {
        if self.value < self.best_loss {
            self.best_loss = self.value;
            for (label, class) in self.classes.iter().enumerate() {
                for &i in class {
                    self.best[i as usize] = label as u32;
                }
            }
        }
    }

    /// What is worth keeping when a round is over.
    fn state(&self) -> Rounds {
        let labels = Partition::from_classes(self.instance.records(), &self.classes).labels;
        Rounds {
            done: self.round as u32,
            unit: self.unit,
            best: (self.best_loss < self.value).then(|| self.best.clone()),
            labels,
            value: self.value,
            best_loss: self.best_loss,
            moves: self.moves,
        }
    }

    /// Goes on behind rounds that are done.
    fn restore(&mut self, kept: Rounds) {
        let classes = kept.labels.iter().max().map_or(0, |&label| label as usize + 1);
        let mut members = vec![Vec::new(); classes];
        for (i, &label) in kept.labels.iter().enumerate() {
            members[label as usize].push(i as u32);
        }
        (self.classes, self.value, self.moves) = (members, kept.value, kept.moves);
        (self.best, self.best_loss) = (kept.best.unwrap_or(kept.labels), kept.best_loss);
        (self.round, self.unit) = (kept.done as usize, kept.unit);
        self.open.clear();
        if let Budget::Effort(effort) = self.budget {
            self.plan(effort * self.params.work.moves_per_effort);
        }
    }

    /// Plans the cooling for so many moves a record.
    fn plan(&mut self, moves: f64) {
        let params = &self.params.spatial;
        self.rounds = ((moves / params.round) as usize).max(params.least_rounds).min(params.most_rounds);
        self.start = (moves / params.as_hot).max(0.0).sqrt().max(params.coolest).min(params.hottest);
    }

    /// Plans the next round; false if there is none.
    fn next_round(&mut self, elapsed: f64) -> bool {
        let n = self.instance.records() as f64;
        // Moves a record and second of the round that is over, its overhead included.
        let rate = self.moves_per_record / (elapsed - self.round_began).max(1e-6);
        if self.round == 0 {
            self.unit = self.best_loss / n;
        }
        match self.budget {
            Budget::Effort(effort) => {
                if self.round == 0 {
                    self.plan(effort * self.params.work.moves_per_effort);
                }
                self.moves_per_record = effort * self.params.work.moves_per_effort / self.rounds as f64;
            }
            Budget::Seconds(limit) => {
                let left = (limit - elapsed).max(0.0);
                if self.round == 0 {
                    self.plan(rate * left);
                }
                // The descent at the end is a round, too, but never a longer one than it needs; unless there is time left.
                let (left, rounds) = (
                    rate * left * self.params.spatial.time_share,
                    self.rounds.saturating_sub(self.round) as f64,
                );
                let descent = self.params.spatial.descent.min(left / (rounds + 1.0));
                self.moves_per_record = if rounds > 0.0 { (left - descent) / rounds } else { left }.max(1.0);
            }
        }
        self.round += 1;
        self.round_began = elapsed;
        if self.round > self.rounds && matches!(self.budget, Budget::Effort(_)) {
            self.moves_per_record = self.params.spatial.descent;
        }
        self.round <= self.rounds + 1
    }
}

impl<L: Loss> Improvement for Spatial<L> {
    fn phase(&self) -> crate::Phase {
        crate::Phase::SpatialBlocks
    }

    fn advance(&mut self, elapsed: f64) -> Option<Status> {
        self.resume(elapsed, None)
    }

    fn resume(&mut self, elapsed: f64, parts: Option<StageParts<'_>>) -> Option<Status> {
        // With a time limit the rounds follow the clock: those of another run are of no use.
        let parts = parts.filter(|_| matches!(self.budget, Budget::Effort(_)));
        if self.round_began.is_nan() {
            self.round_began = elapsed;
            if let Some(rounds) = parts.and_then(|parts| parts.rounds(self.instance.records())) {
                self.restore(rounds);
            }
        }
        if out_of_time(self.budget, elapsed) {
            self.break_off();
            self.keep();
            return Some(Status::TimeLimit);
        }
        if self.open.is_empty() {
            self.keep();
            if let Some(parts) = parts {
                parts.keep_rounds(self.state());
            }
            if !self.next_round(elapsed) {
                return Some(spent(self.budget));
            }
            self.cut();
        }
        let here = Rc::clone(&self.here);
        let others = parts.and_then(|parts| parts.others(&self.instance, self.budget));
        match &others {
            Some(others) => self.hand_on(others),
            None => self.hand_on(&*here),
        }
        None
    }

    fn fraction(&self) -> Option<f64> {
        let open = self.open.len() - self.under_way.done();
        let done = 1.0 - open as f64 / self.blocks.max(1) as f64;
        let rounds = if self.rounds == 0 { self.params.spatial.most_rounds } else { self.rounds };
        Some(((self.round as f64 + done) / (rounds + 2) as f64).min(1.0))
    }

    fn loss(&self) -> f64 {
        self.best_loss
    }

    fn best(&self) -> Partition {
        Partition::from_labels(&self.best)
    }

    fn moves(&self) -> u64 {
        self.moves + self.under_way.moves() + self.here.moves()
    }

    fn threads(&self) -> usize {
        rayon::current_num_threads().min(AT_ONCE)
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::{fixtures::instance, loss::Sse, rule::Rule};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::{construct, local::params};

    #[test]
    fn blocks_make_one_annealing_for_any_number_of_threads() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let n = 15_000;
        let points: Vec<f64> = (0..2 * n).map(|_| f64::from(rng.random_range(0..1000u32)) / 100.0).collect();
        let colours: Vec<u32> = (0..n as u32).map(|i| i % 7).collect();
        let instance = Arc::new(instance(2, &points, &colours));
        let rule = Rule::all_different(3);
        let start = construct::classic(&instance, &rule, 1);
        let run = |threads| {
            let sides = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            sides.install(|| {
                let mut search = Spatial::new(
                    &instance,
                    Sse,
                    rule.clone(),
                    &start,
                    (Budget::Effort(0.5), 1),
                    &Arc::default(),
                );
                let mut after_descent = None;
                let mut moves = 0;
                while search.advance(0.0).is_none() {
                    // A host listens in between.
                    assert!(search.moves() - moves <= params::Spatial::default().slice * AT_ONCE as u64);
                    moves = search.moves();
                    if search.round == 1 {
                        after_descent = after_descent.or(Some(search.loss()));
                    }
                }
                assert!(search.best().check(&instance, &rule).is_ok());
                assert!((search.best().loss(&instance, &Sse) - search.loss()).abs() < 1e-6);
                (search.best(), search.loss(), after_descent.unwrap())
            })
        };
        let (one, loss, after_descent) = run(1);
        assert_eq!(one, run(3).0);
        assert!(loss < 0.9 * after_descent, "{loss} {after_descent}");
        // A block cannot hold everything, so more than one was solved.
        assert!(n > 2 * params::Spatial::default().block);
    }
}
