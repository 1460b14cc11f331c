//! Two neighbouring classes are pooled and split anew, at the best place of a random order: along the line through two
//! far members, or by distance from one. It moves many records at once, which single moves cannot when classes are large
//! or an outlier holds a whole class in place.
//!
//! Of two members with one colour each side gets one.

use lookalike_model::{
    instance::{LANE, Lane, distance2, fold},
    loss::Loss,
};

use crate::local::anneal::{Chain, Chance};

impl<L: Loss> Chain<L> {
    pub(in crate::local) fn resplit(&mut self, i: u32, rank: usize, pick: u32, choice: u8, chance: Chance) {
        // With counterfeits each side would need a real record; they are rare enough to do without this move.
        if self.state.any_counterfeit() {
            return;
        }
        let Some(j) = self.near(i, rank, pick) else { return };
        let (a, b) = (self.state.class_of(i), self.state.class_of(j));
        if a == b || !self.state.alike(a, b) {
            return;
        }
        self.recut(a, b, pick, choice, chance);
    }

    /// Splits the records of two classes anew, of which one may be empty.
    pub(super) fn recut(&mut self, a: u32, b: u32, pick: u32, choice: u8, chance: Chance) {
        let mut sides = std::mem::take(&mut self.sides);
        sides.open.clear();
        sides.open.extend_from_slice(self.state.members(a));
        sides.open.extend_from_slice(self.state.members(b));
        let instance = self.state.instance();
        let from = sides.open[((u64::from(pick.rotate_left(8)) * sides.open.len() as u64) >> 32) as usize];
        let origin = instance.point(from);
        let far = sides.open.iter().copied().map(|r| (distance2(origin, instance.point(r)), r));
        let Some((_, far)) = far.reduce(|x, y| if y.0 > x.0 { y } else { x }) else { return };
        let line = instance.point(far);
        let key = |r: u32| {
            let point = instance.point(r);
            if choice & 1 == 0 { distance2(origin, point) } else { along(origin, line, point) }
        };
        sides.sure[0].clear();
        sides.sure[1].clear();
        sides.sort_by_key(key);
        if self.state.distinct() {
            // The first of two members with one colour is on the lower side, the second on the upper.
            for &r in &sides.open {
                let other = if self.state.class_of(r) == a { b } else { a };
                if let Some(twin) = self.state.holder(other, self.state.colour(r)) {
                    let first = !sides.sure[0].contains(&twin);
                    sides.sure[usize::from(!first)].push(r);
                }
            }
            let (low, high) = (&sides.sure[0], &sides.sure[1]);
            sides.open.retain(|r| !low.contains(r) && !high.contains(r));
        }
        if let Some((at, delta)) = self.state.best_cut(a, b, &mut sides)
            && self.shared.takes(delta, chance)
        {
            self.state.cut(a, b, &mut sides, at);
        }
        self.sides = sides;
    }
}

/// Place of `point` along the line from `a` to `b`, in any unit.
fn along(a: &[Lane], b: &[Lane], point: &[Lane]) -> f64 {
    let mut sum = [0.0; LANE];
    for ((a, b), x) in a.iter().zip(b).zip(point) {
        for l in 0..LANE {
            sum[l] += (b[l] - a[l]) * x[l];
        }
    }
    fold(sum)
}
