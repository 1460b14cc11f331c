//! The equal records of a class move to another together, or change places with equal records there.
//!
//! One of several equal records that leaves its class makes nothing narrower there and the other class wider: where many
//! records are equal, single moves climb before they gain.

use lookalike_model::loss::Loss;

use crate::local::anneal::{Chain, Chance};

impl<L: Loss> Chain<L> {
    /// False if one record at most would move either way, which other moves do. With colours that must differ, or
    /// counterfeits, nothing is tried.
    pub(in crate::local) fn regroup(
        &mut self,
        i: u32,
        rank: usize,
        pick: u32,
        choice: u8,
        chance: Chance,
    ) -> bool {
        if self.state.distinct() || self.state.any_counterfeit() {
            return false;
        }
        let Some(j) = self.near(i, rank, pick) else { return false };
        let (a, b) = (self.state.class_of(i), self.state.class_of(j));
        if a == b {
            return false;
        }
        let mut sides = std::mem::take(&mut self.sides);
        let (state, points) = (&self.state, &self.shared.neighbours);
        let equal = |class: u32, r: u32| {
            let members = state.members(class).iter().copied();
            members.filter(move |&m| points.point(m) == points.point(r))
        };
        let [leaving, coming] = &mut sides.sure;
        leaving.clear();
        coming.clear();
        leaving.extend(equal(a, i));
        if choice & 1 == 0 {
            coming.extend(equal(b, j));
        }
        let several = leaving.len().max(coming.len()) > 1;
        if several
            && let Some(delta) = self.state.exchange_delta(a, b, &mut sides)
            && self.shared.takes(delta, chance)
            && self.state.keeps_exchange(a, b, &sides)
        {
            self.state.exchange(a, b, &sides);
        }
        self.sides = sides;
        several
    }
}
