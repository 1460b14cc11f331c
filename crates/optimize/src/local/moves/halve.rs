//! A class becomes two, or two neighbouring classes one: for rules under which classes may be of any size, since a part of a class
//! need not keep what the class keeps.

use lookalike_model::loss::Loss;

use crate::local::anneal::{Chain, Chance};

impl<L: Loss> Chain<L> {
    /// Splits the class of `i` at the best place of a random order.
    pub(in crate::local) fn halve(&mut self, i: u32, pick: u32, choice: u8, chance: Chance) {
        let a = self.state.class_of(i);
        if self.state.members(a).len() < 2 * self.state.min_size() {
            return;
        }
        if let Some(b) = self.state.vacancy() {
            self.recut(a, b, pick, choice, chance);
        }
    }

    /// Makes the class of `i` one with a near class: a union of admissible classes is admissible.
    pub(in crate::local) fn join(&mut self, i: u32, rank: usize, pick: u32, chance: Chance) {
        let Some(j) = self.near(i, rank, pick) else { return };
        let (a, b) = (self.state.class_of(i), self.state.class_of(j));
        if a == b {
            return;
        }
        let mut sides = std::mem::take(&mut self.sides);
        sides.sure[0].clear();
        sides.sure[0].extend_from_slice(self.state.members(a));
        sides.sure[1].clear();
        if let Some(delta) = self.state.join_delta(a, b, &mut sides)
            && self.shared.takes(delta, chance)
        {
            self.state.exchange(a, b, &sides);
        }
        self.sides = sides;
    }
}
