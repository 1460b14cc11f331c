//! MDAV, maximum distance to average vector (Domingo-Ferrer and Torra 2005; Castro 2022, section 1).
//!
//! While at least 3k records are left: the record farthest from their centroid and the record farthest from that one
//! each take their k - 1 nearest. Of 2k to 3k - 1 records left, the farthest from the centroid takes k, the others are
//! the last class. O(n^2 / k) by scans, about O(n log n) by the tree; both give the same classes.

use lookalike_model::instance::{Instance, LANE, Lane};

use super::{
    construction::{Construction, Partial},
    unassigned::{Unassigned, around, empty},
};

/// MDAV, two classes at a time.
pub(super) struct Mdav<P: Unassigned> {
    k: usize,
    unassigned: P,
    /// Sum of the points of the records left.
    sum: Vec<Lane>,
    classes: Vec<Vec<u32>>,
}

impl<P: Unassigned> Mdav<P> {
    pub(super) fn new(instance: &Instance, k: usize) -> Self {
        let all: Vec<u32> = (0..instance.records() as u32).collect();
        let mut sum = vec![[0.0; LANE]; instance.lanes];
        for &i in &all {
            shift(&mut sum, instance.point(i), 1.0);
        }
        Self { k, unassigned: P::new(instance, all), sum, classes: Vec::new() }
    }

    fn take(&mut self, instance: &Instance, seed: u32) {
        let class = around(instance, &mut self.unassigned, seed, self.k);
        for &i in &class {
            shift(&mut self.sum, instance.point(i), -1.0);
        }
        self.classes.push(class);
    }
}

impl<P: Unassigned> Construction for Mdav<P> {
    fn advance(&mut self, instance: &Instance) -> Option<usize> {
        if self.unassigned.len() == 0 {
            return None;
        }
        let looked = 2 * self.k * P::query(self.unassigned.len());
        if self.unassigned.len() < 2 * self.k {
            self.classes.push(empty(&mut self.unassigned));
            return Some(looked);
        }
        let count = self.unassigned.len() as f64;
        let centroid: Vec<Lane> = self.sum.iter().map(|s| s.map(|x| x / count)).collect();
        let first = self.unassigned.farthest(instance, &centroid)?;
        if self.unassigned.len() < 3 * self.k {
            self.take(instance, first);
            if self.unassigned.len() > 0 {
                self.classes.push(empty(&mut self.unassigned));
            }
            return Some(looked);
        }
        let second = self.unassigned.farthest(instance, instance.point(first));
        self.take(instance, first);
        // Whether the first class took the second record depends on ties only: then the farthest that is left.
        let point = instance.point(first);
        let second = second
            .filter(|&i| self.unassigned.holds(i))
            .or_else(|| self.unassigned.farthest(instance, point));
        if let Some(second) = second {
            self.take(instance, second);
        }
        Some(looked)
    }

    fn leave(self: Box<Self>) -> Partial {
        Partial::new(self.classes, self.unassigned.rest())
    }
}

fn shift(sum: &mut [Lane], point: &[Lane], by: f64) {
    for (s, x) in sum.iter_mut().zip(point) {
        for l in 0..LANE {
            s[l] += by * x[l];
        }
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::fixtures::instance;
    use proptest::prelude::*;

    use super::*;
    use crate::construct::{
        construction::to_the_end,
        unassigned::{Scan, Tree},
    };

    fn run<P: Unassigned + 'static>(instance: &Instance, k: usize) -> Vec<Vec<u32>> {
        to_the_end(Mdav::<P>::new(instance, k), instance)
    }

    #[test]
    fn by_hand() {
        // Centroid 5: 12 is farthest, 0 is farthest from 12. {12, 11}, {0, 1}; then 6 from 4.67 among 3, 5, 6: too few
        // for two classes, so {3, 5, 6}.
        let instance = instance(1, &[0., 1., 3., 5., 6., 11., 12.], &[0; 7]);
        assert_eq!(run::<Scan>(&instance, 2), [vec![6, 5], vec![0, 1], vec![2, 3, 4]]);
    }

    proptest! {
        #[test]
        fn tree_and_scan_give_the_same_classes(
            rows in prop::collection::vec((-9i8..9, -9i8..9), 6..150), k in 2usize..5,
        ) {
            let points: Vec<f64> = rows.iter().flat_map(|r| [f64::from(r.0), f64::from(r.1)]).collect();
            let instance = instance(2, &points, &vec![0; rows.len()]);
            prop_assert_eq!(run::<Scan>(&instance, k), run::<Tree>(&instance, k));
        }
    }
}
