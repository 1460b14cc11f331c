//! Moves that change the number of classes: one is dissolved among its neighbours, or a new one is founded.

use lookalike_model::loss::Loss;
use rand::Rng;

use crate::local::{
    anneal::{Chain, Chance},
    state::Step,
};

impl<L: Loss> Chain<L> {
    /// Dissolves the class of `i` among its neighbours, or founds a class around `i`; all or nothing.
    ///
    /// Where classes may be of any size, half of these moves make one class two, or two one.
    pub(in crate::local) fn restructure(&mut self, i: u32, rank: usize, pick: u32, chance: Chance) {
        let draw = self.rng.next_u32();
        let found = draw & 1 == 0;
        if self.state.has_values() && draw & 2 == 0 {
            if found {
                self.halve(i, pick, (draw >> 2) as u8, chance);
            } else {
                self.join(i, rank, pick, chance);
            }
            return;
        }
        let mut steps = std::mem::take(&mut self.steps);
        steps.clear();
        let delta = if found { self.found(i, &mut steps) } else { self.dissolve(i, &mut steps) };
        if !delta.is_some_and(|d| self.shared.takes(d, chance)) {
            self.state.undo(&steps);
        }
        self.steps = steps;
    }

    fn dissolve(&mut self, i: u32, steps: &mut Vec<Step>) -> Option<f64> {
        let class = self.state.class_of(i);
        let (width, hosts) = (self.shared.neighbours.width(), self.shared.shares.hosts);
        let mut delta = 0.0;
        // The last real record must go too, which `move_delta` forbids while counterfeits stay; so they go first.
        // With more than one asked for, the class would have to stand below that on the way: it is not dissolved.
        if !self.state.can_dissolve() {
            return None;
        }
        let mut leaving = self.state.members(class).to_vec();
        leaving.sort_unstable_by(|a, b| b.cmp(a));
        for r in leaving {
            let mut best: Option<(f64, u32)> = None;
            for rank in 0..width.min(hosts) {
                let pick = self.rng.next_u32();
                let Some(j) = self.near(r, rank, pick) else { continue };
                let to = self.state.class_of(j);
                if to == class || !self.state.can_grow(to) {
                    continue;
                }
                let alone = self.state.members(class).len() == 1;
                let change =
                    if alone { self.state.emptying_delta(r, to) } else { self.state.move_delta(r, to) };
                if let Some(d) = change
                    && best.is_none_or(|(b, _)| d < b)
                    && self.state.keeps_with(to, r)
                {
                    best = Some((d, to));
                }
            }
            let (d, to) = best?;
            delta += d;
            steps.push(self.state.relocate(r, to));
        }
        Some(delta)
    }

    fn found(&mut self, i: u32, steps: &mut Vec<Step>) -> Option<f64> {
        let class = self.state.vacancy()?;
        let width = self.shared.neighbours.width();
        let mut delta = 0.0;
        let mut join = |chain: &mut Self, r: u32| {
            if !chain.state.can_shrink(chain.state.class_of(r)) || chain.state.class_of(r) == class {
                return false;
            }
            let Some(d) = chain.state.move_delta(r, class) else { return false };
            if !chain.state.keeps_without(chain.state.class_of(r), r) {
                return false;
            }
            delta += d;
            steps.push(chain.state.relocate(r, class));
            true
        };
        if !self.state.instance().is_real(i) || !join(self, i) {
            return None;
        }
        let needed = self.state.min_size();
        let done = |chain: &Self| {
            let state = &chain.state;
            state.members(class).len() >= needed && state.has_real(class) && state.keeps(class)
        };
        for rank in 0..width {
            if done(self) {
                break;
            }
            // A few draws a rank, since many records may share a point.
            for _ in 0..2 {
                let pick = self.rng.next_u32();
                if let Some(j) = self.shared.neighbours.at(i, rank, pick)
                    && !done(self)
                {
                    join(self, j);
                }
            }
        }
        done(self).then_some(delta)
    }
}
