//! MD, maximum distance (Domingo-Ferrer and Mateo-Sanz 2002).
//!
//! While at least 2k records are left: the two records that are farthest from each other each take their k - 1
//! nearest. Then k or more records left are a class; fewer go to the class of their nearest neighbour. Each record's
//! farthest partner is remembered until it is taken: O(n^2) distances to begin with.

use lookalike_model::instance::{Instance, distance2};

use super::{
    construction::{Construction, Partial},
    unassigned::{Unassigned, around, empty, to_nearest_class},
};

/// Records whose partner is looked for in one piece.
const PIECE: usize = 1000;

/// MD, two classes at a time.
pub(super) struct Md<P: Unassigned> {
    k: usize,
    unassigned: P,
    /// The farthest partner of each record, and its squared distance.
    partner: Vec<(f64, u32)>,
    left: Vec<bool>,
    classes: Vec<Vec<u32>>,
}

impl<P: Unassigned> Md<P> {
    pub(super) fn new(instance: &Instance, k: usize) -> Self {
        let n = instance.records();
        let unassigned = P::new(instance, (0..n as u32).collect());
        Self { k, unassigned, partner: Vec::with_capacity(n), left: vec![true; n], classes: Vec::new() }
    }

    fn farthest(&self, instance: &Instance, i: u32) -> (f64, u32) {
        let j = self.unassigned.farthest(instance, instance.point(i)).unwrap_or(i);
        (distance2(instance.point(i), instance.point(j)), j)
    }

    /// The two records left that are farthest from each other.
    fn pair(&mut self, instance: &Instance) -> Option<(u32, u32)> {
        let mut pair: Option<(f64, u32, u32)> = None;
        for i in 0..self.partner.len() as u32 {
            // Distances only shrink: a stale one that is no better cannot win.
            if !self.left[i as usize] || pair.is_some_and(|(d, ..)| self.partner[i as usize].0 <= d) {
                continue;
            }
            if !self.left[self.partner[i as usize].1 as usize] {
                self.partner[i as usize] = self.farthest(instance, i);
            }
            let (d, j) = self.partner[i as usize];
            if pair.is_none_or(|(best, ..)| d > best) {
                pair = Some((d, i, j));
            }
        }
        pair.map(|(_, i, j)| (i, j))
    }
}

impl<P: Unassigned> Construction for Md<P> {
    fn advance(&mut self, instance: &Instance) -> Option<usize> {
        let (n, known) = (self.left.len(), self.partner.len());
        if known < n {
            for i in known..n.min(known + PIECE) {
                let partner = self.farthest(instance, i as u32);
                self.partner.push(partner);
            }
            return Some(PIECE * P::query(n));
        }
        if self.unassigned.len() >= 2 * self.k {
            let (first, second) = self.pair(instance)?;
            for seed in [first, second] {
                // The first class may have taken the second record, if many are equal.
                if self.left[seed as usize] {
                    let class = around(instance, &mut self.unassigned, seed, self.k);
                    for &i in &class {
                        self.left[i as usize] = false;
                    }
                    self.classes.push(class);
                }
            }
        } else if self.unassigned.len() >= self.k {
            self.classes.push(empty(&mut self.unassigned));
        } else if self.unassigned.len() > 0 {
            to_nearest_class(instance, empty(&mut self.unassigned), &mut self.classes);
        } else {
            return None;
        }
        Some(n + 2 * self.k * P::query(n))
    }

    fn leave(self: Box<Self>) -> Partial {
        Partial::new(self.classes, self.unassigned.rest())
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::fixtures::instance;

    use super::*;
    use crate::construct::{
        construction::to_the_end,
        mdav::Mdav,
        unassigned::{Scan, Tree},
    };

    fn run<P: Unassigned + 'static>(instance: &Instance, k: usize) -> Vec<Vec<u32>> {
        to_the_end(Md::<P>::new(instance, k), instance)
    }

    #[test]
    fn by_hand() {
        // (0, 0) and (8, 6) are 10 apart: {0, 1} and {5, 4}. Of the rest (4, 0) and (4, 7) are a class by themselves.
        let points = [0., 0., 1., 0., 4., 0., 4., 7., 8., 5., 8., 6.];
        let instance = instance(2, &points, &[0; 6]);
        assert_eq!(run::<Tree>(&instance, 2), [vec![0, 1], vec![5, 4], vec![2, 3]]);
        assert_eq!(run::<Tree>(&instance, 2), run::<Scan>(&instance, 2));
    }

    #[test]
    fn it_is_not_mdav() {
        // Six left: MD takes 12 and 0 as MDAV does, but one left goes to its neighbour instead of a class of three.
        let instance = instance(1, &[0., 1., 5., 11., 12.], &[0; 5]);
        assert_eq!(run::<Tree>(&instance, 2), [vec![0, 1, 2], vec![4, 3]]);
        assert_eq!(to_the_end(Mdav::<Scan>::new(&instance, 2), &instance), [vec![4, 3], vec![0, 1, 2]]);
        // (0, 10) and (10, 0) are the most distant and both take a partner; (6, 6) is as near to (1, 9) as to (9, 1).
        // MDAV stops with five records, so it makes one class of two and one of three.
        let points = [0., 10., 1., 9., 9., 1., 10., 0., 6., 6.];
        let instance = self::instance(2, &points, &[0; 5]);
        assert_eq!(run::<Tree>(&instance, 2), [vec![0, 1, 4], vec![3, 2]]);
        assert_eq!(to_the_end(Mdav::<Scan>::new(&instance, 2), &instance), [vec![0, 1], vec![2, 3, 4]]);
    }
}
