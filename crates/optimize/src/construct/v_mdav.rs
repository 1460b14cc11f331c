//! V-MDAV, MDAV with classes of variable size (Solanas and Martinez-Balleste 2006; Castro 2022, section 1).
//!
//! The record farthest from the centroid of the whole table takes its k - 1 nearest; the class then takes the nearest
//! record left, up to 2k - 1, as long as that record is nearer to the class than gamma times its distance to the
//! nearest other record left. Fewer than k records left go to the class of their nearest neighbour.

use lookalike_model::instance::{Instance, LANE, Lane, distance2};

use super::{
    construction::{Construction, Partial},
    unassigned::{Unassigned, around, empty, to_nearest_class},
};

/// V-MDAV, a class at a time.
pub(super) struct VMdav<P: Unassigned> {
    k: usize,
    gamma: f64,
    unassigned: P,
    centroid: Vec<Lane>,
    classes: Vec<Vec<u32>>,
}

impl<P: Unassigned> VMdav<P> {
    pub(super) fn new(instance: &Instance, k: usize, gamma: f64) -> Self {
        let n = instance.records();
        let mut centroid = vec![[0.0; LANE]; instance.lanes];
        for i in 0..n as u32 {
            for (c, x) in centroid.iter_mut().zip(instance.point(i)) {
                for l in 0..LANE {
                    c[l] += x[l];
                }
            }
        }
        for c in &mut centroid {
            *c = c.map(|x| x / n as f64);
        }
        Self {
            k,
            gamma,
            unassigned: P::new(instance, (0..n as u32).collect()),
            centroid,
            classes: Vec::new(),
        }
    }
}

impl<P: Unassigned> Construction for VMdav<P> {
    fn advance(&mut self, instance: &Instance) -> Option<usize> {
        let left = self.unassigned.len();
        if left == 0 {
            return None;
        }
        if left < self.k {
            to_nearest_class(instance, empty(&mut self.unassigned), &mut self.classes);
        } else {
            let seed = self.unassigned.farthest(instance, &self.centroid)?;
            let mut class = around(instance, &mut self.unassigned, seed, self.k);
            extend(instance, &mut self.unassigned, &mut class, self.k, self.gamma);
            self.classes.push(class);
        }
        Some(3 * self.k * P::query(left))
    }

    fn leave(self: Box<Self>) -> Partial {
        Partial::new(self.classes, self.unassigned.rest())
    }
}

fn extend(instance: &Instance, unassigned: &mut impl Unassigned, class: &mut Vec<u32>, k: usize, gamma: f64) {
    let point = |i: u32| -> &[Lane] { instance.point(i) };
    while class.len() < 2 * k - 1 && unassigned.len() > 1 {
        let near = class.iter().filter_map(|&j| {
            let i = unassigned.nearest(instance, point(j), None)?;
            Some((distance2(point(i), point(j)), i))
        });
        let Some((inside, i)) =
            near.reduce(|a, b| if b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)).is_lt() { b } else { a })
        else {
            return;
        };
        let Some(other) = unassigned.nearest(instance, point(i), Some(i)) else { return };
        if inside.sqrt() >= gamma * distance2(point(i), point(other)).sqrt() {
            return;
        }
        unassigned.remove(i);
        class.push(i);
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
        to_the_end(VMdav::<P>::new(instance, k, 0.2), instance)
    }

    #[test]
    fn by_hand() {
        // Centroid 8.27: 0 is farthest and takes 1; 5 is 4 away from the class and 1 from 6, so it stays. 16 takes 15;
        // 14.9 is 0.1 away from the class and 8.9 from 6, so it joins. {5, 6} is the last.
        let instance = instance(1, &[0., 1., 5., 6., 14.9, 15., 16.], &[0; 7]);
        assert_eq!(run::<Scan>(&instance, 2), [vec![0, 1], vec![6, 5, 4], vec![2, 3]]);
        assert_eq!(run::<Tree>(&instance, 2), run::<Scan>(&instance, 2));
        // MDAV cannot take three: 0 takes 1, 16 takes 15, and three remain.
        assert_eq!(
            to_the_end(Mdav::<Scan>::new(&instance, 2), &instance),
            [vec![0, 1], vec![6, 5], vec![2, 3, 4]]
        );
    }

    #[test]
    fn a_lone_record_joins_its_nearest_neighbour() {
        let instance = instance(1, &[0., 1., 4., 9., 10.], &[0; 5]);
        // Centroid 4.8: 10 takes 9, 0 is farthest and takes 1 (4 is 5 from 9 and 3 from 1: no other left).
        assert_eq!(run::<Scan>(&instance, 2), [vec![4, 3], vec![0, 1, 2]]);
    }
}
