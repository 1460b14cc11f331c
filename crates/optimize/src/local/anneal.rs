//! Simulated annealing, for every loss and rule.
//!
//! A move draws a record i, then a near record j (rank biased to near), and looks at j's class B: if B holds i's
//! colour, i and that member change places; else i moves to B where sizes allow, or changes places with j or a random
//! member of B, or with the best of many where the loss looks at them quickly. A few moves dissolve a class, found one, split
//! two anew, or take equal records together (`moves/`); where classes may be of any size, some make two classes one, or one two.
//! O(d) a move. Randomness is `ChaCha8`, one stream a chain; no platform-dependent function is called in a move.

use std::sync::Arc;

use lookalike_model::{loss::Loss, neighbours::Neighbours, partition::Partition};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{
    params::{Moves, SpatialMoves},
    state::{State, Step},
    two_sides::TwoSides,
};

/// How often a chain tries what: parameters, as far as the least class size decides over them.
#[derive(Clone, Copy, Debug)]
pub struct Shares {
    /// Of 256 moves, how many dissolve or found a class.
    restructures: u32,
    /// Of 256 moves, how many split two neighbouring classes anew.
    resplits: u32,
    /// Of 256 other moves, how many take along all equal records.
    regroups: u32,
    /// Of ten moves, how many ask for a record at the edge of its class.
    extremes: u32,
    /// Members of a class among which the best is taken for a record to change places with.
    partners: usize,
    /// Near points whose classes are tried for a record of a class that is dissolved.
    pub(super) hosts: usize,
}

impl Shares {
    /// For annealing of the whole.
    #[must_use]
    pub fn whole(params: &Moves) -> Self {
        let &Moves { restructures, resplits, regroups, extremes, partners, hosts } = params;
        Self { restructures, resplits, regroups, extremes, partners, hosts }
    }

    /// For many records, of which many are equal, in classes of at least so many.
    #[must_use]
    pub(crate) fn many_records(min_size: usize, params: &SpatialMoves) -> Self {
        let resplits = min_size / params.size_per_resplit;
        Self {
            restructures: params.restructures,
            resplits: resplits.max(params.least_resplits).min(params.most_resplits) as u32,
            regroups: if min_size < params.regroups_to { params.regroups } else { 0 },
            extremes: if min_size < params.large { params.extremes } else { params.extremes_of_large },
            partners: params.partners,
            hosts: params.hosts,
        }
    }
}

/// Entries of the table of -ln(u).
const STEPS: usize = 1 << 12;

/// Above the largest entry, ln(2 STEPS).
const HIGHEST: f64 = 9.1;

/// Tables that all chains share.
pub struct Shared {
    /// Near records.
    pub neighbours: Neighbours,
    /// -ln(u) for u at the middle of each of [`STEPS`] equal parts of (0, 1): a Metropolis test is one look-up, and
    /// the same on every target.
    neglog: Vec<f64>,
    pub(super) shares: Shares,
}

/// What a Metropolis test goes by.
#[derive(Clone, Copy)]
pub(super) struct Chance {
    temperature: f64,
    /// Which part of (0, 1) was drawn.
    draw: u16,
}

impl Shared {
    /// Builds the tables.
    #[must_use]
    pub fn new(neighbours: Neighbours, shares: Shares) -> Self {
        let neglog = (0..STEPS).map(|s| -libm::log((s as f64 + 0.5) / STEPS as f64)).collect();
        Self { neighbours, neglog, shares }
    }

    /// Rank floor(K u^2) for u = draw / 65536, so that near records are drawn more often.
    #[inline]
    fn rank(&self, draw: u16) -> usize {
        let width = self.neighbours.width().min(256) as u64;
        ((u64::from(draw) * u64::from(draw) * width) >> 32) as usize
    }

    /// Whether a change of the loss is taken. Most are gains or hopeless, which needs no look into the table.
    #[inline]
    pub(super) fn takes(&self, delta: f64, chance: Chance) -> bool {
        delta <= 0.0
            || delta <= HIGHEST * chance.temperature
                && delta <= chance.temperature * self.neglog[usize::from(chance.draw)]
    }
}

/// One annealing run, advanced in slices.
pub struct Chain<L: Loss> {
    pub(super) state: State<L>,
    pub(super) shared: Arc<Shared>,
    pub(super) rng: ChaCha8Rng,
    best: Vec<u32>,
    best_value: f64,
    value: f64,
    pub(super) steps: Vec<Step>,
    pub(super) sides: TwoSides,
    /// Moves proposed so far.
    pub moves: u64,
    /// Which thread ran the last slice (its index in the pool).
    pub thread: usize,
}

impl<L: Loss> Chain<L> {
    /// A chain that starts at `state`.
    #[must_use]
    pub fn new(state: State<L>, shared: &Arc<Shared>, seed: u64, stream: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        let value = state.value();
        Self {
            best: state.labels().to_vec(),
            best_value: value,
            value,
            state,
            shared: Arc::clone(shared),
            rng,
            steps: Vec::new(),
            sides: TwoSides::default(),
            moves: 0,
            thread: 0,
        }
    }

    /// Value of the best partition seen at the end of a slice (its loss less the offset).
    #[must_use]
    pub(crate) fn best_value(&self) -> f64 {
        self.best_value
    }

    /// The best partition seen at the end of a slice.
    #[must_use]
    pub fn best(&self) -> Partition {
        Partition::from_labels(&self.best)
    }

    /// Value of the partition as it stands now.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Goes back to labels that this chain had before.
    pub(crate) fn reload(&mut self, labels: &[u32]) {
        self.state.load(labels);
        self.value = self.state.value();
    }

    /// Class of each record at its best.
    #[must_use]
    pub(crate) fn best_labels(&self) -> &[u32] {
        &self.best
    }

    /// Class of each record as it stands now, not at its best.
    #[must_use]
    pub fn labels(&self) -> &[u32] {
        self.state.labels()
    }

    /// Proposes `moves` moves at one temperature; 0 is descent.
    pub fn run(&mut self, moves: u64, temperature: f64) {
        let Shares { restructures, resplits, regroups, extremes, .. } = self.shared.shares;
        for _ in 0..moves {
            let bits = self.rng.next_u64();
            // One draw pays for a move: 32 bits for the record, 16 for the rank, 12 for the Metropolis test,
            // 4 for the choice among moves. `pick` below reuses the record's bits, turned by a multiplication.
            let n = self.state.instance().records() as u64;
            let i = (((bits & 0xffff_ffff) * n) >> 32) as u32;
            let rank = self.shared.rank((bits >> 32) as u16);
            let chance = Chance { temperature, draw: (bits >> 48 & 0xfff) as u16 };
            let choice = (bits >> 60) as u8;
            let pick = (bits as u32).wrapping_mul(0x9E37_79B1);
            // Where many records are equal, many classes are perfect: a second draw finds work sooner.
            let i = if self.state.costs_nothing(i) { ((u64::from(pick) * n) >> 32) as u32 } else { i };
            let kind = u32::from((bits >> 32) as u8);
            if kind < restructures {
                self.restructure(i, rank, pick, chance);
            } else if kind < restructures + resplits {
                self.resplit(i, rank, pick, choice, chance);
            } else {
                // Under NCP a record at the edge of its class decides over its loss.
                let edge = pick % 10 < extremes;
                let i = if edge { self.state.extreme(i, pick.rotate_left(16)).unwrap_or(i) } else { i };
                let together = u32::from((pick >> 8) as u8) < regroups;
                if !(together && self.regroup(i, rank, pick, choice, chance)) {
                    self.step(i, rank, pick, choice, chance);
                }
            }
        }
        self.moves += moves;
        self.state.refresh();
        self.value = self.state.value();
        if self.value < self.best_value {
            self.best_value = self.value;
            self.best.copy_from_slice(self.state.labels());
        }
    }

    fn step(&mut self, i: u32, rank: usize, pick: u32, choice: u8, chance: Chance) {
        let partners = self.shared.shares.partners;
        let Some(j) = self.near(i, rank, pick) else { return };
        let (a, b) = (self.state.class_of(i), self.state.class_of(j));
        if a == b {
            return;
        }
        if let Some(twin) = self.state.holder(b, self.state.colour(i)) {
            self.try_swap(i, twin, chance);
        } else if choice & 1 == 0 && self.state.can_shrink(a) && self.state.can_grow(b) {
            if self.state.move_delta(i, b).is_some_and(|delta| self.shared.takes(delta, chance))
                && self.state.keeps_move(i, b)
            {
                self.state.relocate(i, b);
            }
        } else if let Some((other, delta)) = self.state.best_swap(i, b, partners, pick.rotate_left(5)) {
            if self.shared.takes(delta, chance) && self.state.keeps_swap(i, other) {
                self.state.swap(i, other);
            }
        } else if choice & 2 == 0 {
            self.try_swap(i, j, chance);
        } else {
            let members = self.state.members(b);
            let other = members[((u64::from(pick) * members.len() as u64) >> 32) as usize];
            self.try_swap(i, other, chance);
        }
    }

    fn try_swap(&mut self, i: u32, j: u32, chance: Chance) {
        if self.state.swap_delta(i, j).is_some_and(|delta| self.shared.takes(delta, chance))
            && self.state.keeps_swap(i, j)
        {
            self.state.swap(i, j);
        }
    }

    /// A record near `i`; a counterfeit has no point and borrows that of a member of its class.
    pub(super) fn near(&self, i: u32, rank: usize, pick: u32) -> Option<u32> {
        let instance = self.state.instance();
        if instance.is_real(i) {
            return self.shared.neighbours.at(i, rank, pick);
        }
        let host =
            self.state.members(self.state.class_of(i)).iter().copied().find(|&h| instance.is_real(h))?;
        self.shared.neighbours.at(host, rank, pick)
    }
}
