//! The records of two classes, split anew at the best place of an order.

use super::state::State;
use crate::loss::{Loss, LossTable};

/// Records of two classes in the order in which they are split anew, and room for the values of the parts.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    /// Records that are on the lower side in any case, and on the upper.
    pub sure: [Vec<u32>; 2],
    /// The others, in order: lower ones go to the lower side.
    pub open: Vec<u32>,
    /// Value of the lower side with the first t open records.
    values: Vec<f64>,
    /// Members of a side while it is filled.
    side: Vec<u32>,
}

impl<L: Loss> State<L> {
    /// The best place to cut the open records of a pool, by size admissible, and the change of the loss if classes `a`
    /// and `b`, whose records they are, became the two sides.
    pub fn best_cut(&mut self, a: u32, b: u32, pool: &mut Pool) -> Option<(usize, f64)> {
        // Two slots of the table that belong to no class.
        let scratch = self.slots() as u32;
        let count = pool.open.len();
        self.table.refresh(scratch, &pool.sure[0]);
        pool.values.clear();
        pool.values.push(self.table.value(scratch));
        pool.side.clone_from(&pool.sure[0]);
        for &i in &pool.open {
            pool.side.push(i);
            self.table.apply(scratch, &pool.side, Some(i), None);
            pool.values.push(self.table.value(scratch));
        }
        self.table.refresh(scratch + 1, &pool.sure[1]);
        pool.side.clone_from(&pool.sure[1]);
        let sizes = self.min_size..=self.max_size;
        let mut best: Option<(usize, f64)> = None;
        for at in (0..=count).rev() {
            if at < count {
                pool.side.push(pool.open[at]);
                self.table.apply(scratch + 1, &pool.side, Some(pool.open[at]), None);
            }
            if sizes.contains(&(pool.sure[0].len() + at)) && sizes.contains(&pool.side.len()) {
                let value = pool.values[at] + self.table.value(scratch + 1);
                if best.is_none_or(|(_, v)| value < v) {
                    best = Some((at, value));
                }
            }
        }
        best.map(|(at, value)| (at, value - self.table.value(a) - self.table.value(b)))
    }

    /// Makes the two sides of a cut the classes `a` and `b`.
    pub fn cut(&mut self, a: u32, b: u32, pool: &mut Pool, at: usize) {
        let (low, high) = pool.open.split_at(at);
        // Side 0 becomes the class that has more of it already.
        let mine = |side: &mut dyn Iterator<Item = &u32>| side.filter(|&&i| self.class_of(i) == a).count();
        let keeps = 2 * mine(&mut pool.sure[0].iter().chain(low)) >= pool.sure[0].len() + low.len();
        let (a, b) = if keeps { (a, b) } else { (b, a) };
        let from_b = |i: &&u32| self.class_of(**i) == b;
        let from_a = |i: &&u32| self.class_of(**i) == a;
        pool.side.clear();
        pool.side.extend(pool.sure[0].iter().chain(low).filter(from_b));
        let incoming = pool.side.len();
        pool.side.extend(pool.sure[1].iter().chain(high).filter(from_a));
        let outgoing = pool.side.len() - incoming;
        let pairs = incoming.min(outgoing);
        for p in 0..pairs {
            self.swap(pool.side[p], pool.side[incoming + p]);
        }
        for &i in &pool.side[pairs..incoming] {
            self.relocate(i, a);
        }
        for &i in &pool.side[incoming + pairs..] {
            self.relocate(i, b);
        }
    }
}
