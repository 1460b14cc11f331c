//! Two-swapping (Tobar 2023, section IV): of all swaps of two records of different classes that keep both classes
//! admissible, the one that lowers the loss most; again until none does.
//!
//! A round of the paper costs O(n^2). Here every record remembers its best partner among the later records; a swap
//! concerns two classes only, so that most of what is remembered stays true: O(n) values a round after the first. The
//! swaps are those of the paper, ties going to the lowest records.

use std::sync::Arc;

use lookalike_model::{
    instance::Instance, job::Status, loss::Loss, partition::Partition, rule::Rule, settings::Budget,
};
use rayon::prelude::*;

use super::{
    improvement::{Improvement, out_of_time},
    params::TwoSwap as Params,
    state::State,
};

/// Swaps looked at in one step, about.
const STEP: u64 = 400_000;

/// A record's best partner.
#[derive(Clone, Copy, Debug)]
struct Partner {
    delta: f64,
    with: u32,
}

const NOBODY: Partner = Partner { delta: f64::INFINITY, with: u32::MAX };

/// A running two-swapping.
pub struct TwoSwap<L: Loss> {
    state: State<L>,
    offset: f64,
    least_gain: f64,
    budget: Budget,
    partners: Vec<Partner>,
    /// Records whose partner has been looked for.
    known: usize,
    moves: u64,
}

impl<L: Loss> TwoSwap<L> {
    /// Prepares the search from an admissible start. With an effort budget it runs to the end whatever the effort.
    pub fn new(instance: &Arc<Instance>, loss: &L, rule: &Rule, start: &Partition, budget: Budget) -> Self {
        Self::with_params(instance, loss, rule, start, budget, &Params::default())
    }

    /// The same with these parameters.
    pub fn with_params(
        instance: &Arc<Instance>,
        loss: &L,
        rule: &Rule,
        start: &Partition,
        budget: Budget,
        params: &Params,
    ) -> Self {
        Self {
            least_gain: params.least_gain,
            state: State::new(instance, loss, rule, start),
            offset: loss.offset(instance),
            budget,
            partners: vec![NOBODY; instance.records()],
            known: 0,
            moves: 0,
        }
    }

    fn partner(
        state: &State<L>,
        i: u32,
        candidates: impl Iterator<Item = u32>,
        mut best: Partner,
    ) -> Partner {
        for j in candidates {
            if let Some(delta) = state.swap_delta(i, j)
                && (delta < best.delta || (delta == best.delta && j < best.with))
                && state.keeps_swap(i, j)
            {
                best = Partner { delta, with: j };
            }
        }
        best
    }

    /// Looks for the partners of the next records.
    fn learn(&mut self) {
        let n = self.partners.len();
        let rows = (STEP as usize / n.max(1)).clamp(1, n - self.known);
        let (state, first) = (&self.state, self.known);
        self.partners[first..first + rows].par_iter_mut().enumerate().for_each(|(at, partner)| {
            let i = (first + at) as u32;
            *partner = Self::partner(state, i, i + 1..n as u32, NOBODY);
        });
        self.known += rows;
        self.moves += (rows * (n - first)) as u64;
    }

    /// The best swap of all, if it lowers the loss; false if none does.
    fn swap(&mut self) -> bool {
        let best = self.partners.iter().enumerate().map(|(i, p)| (p.delta, i as u32, p.with));
        let Some((_, i, j)) =
            best.reduce(|a, b| if b.0 < a.0 { b } else { a }).filter(|b| b.0 < -self.least_gain)
        else {
            return false;
        };
        self.state.swap(i, j);
        let n = self.partners.len() as u32;
        let state = &self.state;
        let (a, b) = (state.class_of(i), state.class_of(j));
        let concerned = |i: u32| state.class_of(i) == a || state.class_of(i) == b;
        let members = [state.members(a), state.members(b)].concat();
        self.partners.par_iter_mut().enumerate().for_each(|(i, partner)| {
            let i = i as u32;
            if concerned(i) || (partner.with != u32::MAX && concerned(partner.with)) {
                *partner = Self::partner(state, i, i + 1..n, NOBODY);
            } else {
                *partner = Self::partner(state, i, members.iter().copied().filter(|&j| j > i), *partner);
            }
        });
        self.moves += u64::from(n) * 3 * members.len() as u64;
        true
    }
}

impl<L: Loss> Improvement for TwoSwap<L> {
    fn phase(&self) -> crate::Phase {
        crate::Phase::TwoSwapping
    }

    fn advance(&mut self, elapsed: f64) -> Option<Status> {
        if out_of_time(self.budget, elapsed) {
            return Some(Status::TimeLimit);
        }
        let until = self.moves + STEP;
        while self.moves < until {
            if self.known < self.partners.len() {
                self.learn();
            } else if !self.swap() {
                return Some(Status::EffortSpent);
            }
        }
        None
    }

    fn fraction(&self) -> Option<f64> {
        None
    }

    fn loss(&self) -> f64 {
        (self.state.value() + self.offset).max(0.0)
    }

    fn best(&self) -> Partition {
        Partition::from_labels(self.state.labels())
    }

    fn moves(&self) -> u64 {
        self.moves
    }

    fn threads(&self) -> usize {
        rayon::current_num_threads()
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::{fixtures::instance, loss::Sse, rule::Rule};
    use proptest::prelude::*;

    use super::*;
    use crate::construct::classic;

    fn run(instance: &Arc<Instance>, rule: &Rule, start: &Partition) -> Partition {
        let mut search = TwoSwap::new(instance, &Sse, rule, start, Budget::Effort(1.0));
        while search.advance(0.0).is_none() {}
        search.best()
    }

    /// The procedure as the paper has it: every pair, every time.
    fn by_the_paper(instance: &Arc<Instance>, rule: &Rule, start: &Partition) -> Partition {
        let mut state = State::new(instance, &Sse, rule, start);
        let n = instance.records() as u32;
        loop {
            let mut best = (-Params::default().least_gain, 0, 0);
            for i in 0..n {
                for j in i + 1..n {
                    if let Some(delta) = state.swap_delta(i, j)
                        && delta < best.0
                    {
                        best = (delta, i, j);
                    }
                }
            }
            if best.1 == best.2 {
                return Partition::from_labels(state.labels());
            }
            state.swap(best.1, best.2);
        }
    }

    #[test]
    fn by_hand() {
        // {0, 10} {1, 11}: swapping 10 and 1 saves 100, the most; then nothing.
        let instance = Arc::new(instance(1, &[0., 10., 1., 11.], &[0; 4]));
        let start = Partition::from_labels(&[0, 0, 1, 1]);
        assert_eq!(run(&instance, &Rule::at_least(2), &start).labels, [0, 1, 0, 1]);
    }

    proptest! {
        #[test]
        fn the_swaps_are_those_of_the_paper(
            rows in prop::collection::vec((-6i8..7, -6i8..7), 8..40), seed: u64,
        ) {
            let points: Vec<f64> = rows.iter().flat_map(|r| [f64::from(r.0), f64::from(r.1)]).collect();
            let colours: Vec<u32> = (0..rows.len() as u32).map(|i| i % 4).collect();
            let instance = Arc::new(instance(2, &points, &colours));
            let start = classic(&instance, &Rule::at_least(3), seed);
            let found = run(&instance, &Rule::at_least(3), &start);
            prop_assert_eq!(found, by_the_paper(&instance, &Rule::at_least(3), &start));
            let rule = Rule::all_different(3);
            let start = classic(&instance, &rule, seed);
            let found = run(&instance, &rule, &start);
            prop_assert!(found.check(&instance, &rule).is_ok());
            prop_assert_eq!(found, by_the_paper(&instance, &rule, &start));
        }
    }
}
