//! Sum of squared errors (Tobar 2023 and Castro 2022): the sum over a class of |a - centroid|^2.

use std::sync::Arc;

use crate::settings::Loss as Name;

use super::{Loss, LossTable};
use crate::instance::{Instance, LANE, Lane, distance2, distance2_within, fold};

/// Sum of squared errors over the real records.
///
/// With s the sum of the points of a class and r its number of real records, SSE = sum |a|^2 - |s|^2 / r: only the
/// second part depends on the partition, and it changes in O(d) when a record moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sse;

impl Loss for Sse {
    type Table = SseTable;
    type Coarse = Self;

    fn name(&self) -> Name {
        Name::Sse
    }

    fn class(&self, instance: &Instance, members: &[u32]) -> f64 {
        let reals = || members.iter().copied().filter(|&i| instance.is_real(i));
        let count = reals().count();
        let Some(first) = reals().next() else { return 0.0 };
        // The centroid of equal points is theirs but for rounding, and a class without any loss is to have none.
        if instance.hierarchies.is_empty()
            && reals().all(|i| instance.measured(i) == instance.measured(first))
        {
            return 0.0;
        }
        let mut centroid = vec![[0.0; LANE]; instance.layout.measured];
        for i in reals() {
            for (c, x) in centroid.iter_mut().zip(instance.measured(i)) {
                for l in 0..LANE {
                    c[l] += x[l];
                }
            }
        }
        for c in &mut centroid {
            for x in c {
                *x /= count as f64;
            }
        }
        let sum = reals().map(|i| distance2(instance.measured(i), &centroid)).sum();
        instance.hierarchies.iter().fold(sum, |sum: f64, of| {
            let mut leaves: Vec<u32> = reals().map(|i| of.leaf(instance.coordinate(i, of.axis))).collect();
            leaves.sort_unstable();
            sum + of.pairs(&leaves) / count as f64
        })
    }

    fn table(&self, instance: &Arc<Instance>, classes: usize) -> SseTable {
        SseTable {
            instance: Arc::clone(instance),
            sums: vec![[0.0; LANE]; classes * instance.lanes],
            pairs: vec![Pairs::default(); if instance.hierarchies.is_empty() { 0 } else { classes }],
            reals: vec![0.0; classes],
            values: vec![0.0; classes],
        }
    }

    fn record(&self, instance: &Instance, i: u32) -> f64 {
        if !instance.is_real(i) {
            return 0.0;
        }
        let mut square = [0.0; LANE];
        for x in instance.measured(i) {
            for l in 0..LANE {
                square[l] += x[l] * x[l];
            }
        }
        fold(square)
    }

    fn start_temperature(&self, _: usize) -> f64 {
        5.0
    }

    #[inline]
    fn distance(&self, instance: &Instance, i: u32, j: u32) -> f64 {
        distance2(instance.measured(i), instance.measured(j)) + apart(instance, i, j)
    }

    #[inline]
    fn distance_within(&self, instance: &Instance, i: u32, j: u32, most: f64) -> Option<f64> {
        let near = distance2_within(instance.measured(i), instance.measured(j), most)?;
        Some(near + apart(instance, i, j)).filter(|&distance| distance <= most)
    }

    #[inline]
    fn gap(&self, instance: &Instance, axis: usize, from: f64, to: f64) -> f64 {
        match instance.hierarchies.iter().find(|of| of.axis == axis) {
            Some(of) => of.gap(from, to),
            None => (from - to) * (from - to),
        }
    }

    fn beyond(&self, instance: &Instance, of: u32, low: &[Lane], high: &[Lane]) -> f64 {
        let mut sum = [0.0; LANE];
        for ((x, low), high) in instance.measured(of).iter().zip(low).zip(high) {
            for l in 0..LANE {
                // At most one of the two is positive.
                let (under, over) = (low[l] - x[l], x[l] - high[l]);
                let apart = if under > over { under } else { over };
                let apart = if apart > 0.0 { apart } else { 0.0 };
                sum[l] += apart * apart;
            }
        }
        let trees = instance.hierarchies.iter().map(|of_axis| {
            let ((lane, l), at) = (instance.layout.slot(of_axis.axis), instance.coordinate(of, of_axis.axis));
            let nearest = if at < low[lane][l] { low[lane][l] } else { at.min(high[lane][l]) };
            if nearest == at { 0.0 } else { of_axis.gap(at, nearest) }
        });
        fold(sum) + trees.sum::<f64>()
    }
}

/// The squared distance of two records in the categories of many values.
#[inline]
fn apart(instance: &Instance, i: u32, j: u32) -> f64 {
    let trees = instance.hierarchies.iter();
    trees.map(|of| of.between(instance.coordinate(i, of.axis), instance.coordinate(j, of.axis))).sum()
}

/// A class in the categories of many values. It keeps its own members, so that nobody has to look them up who has no such category.
#[derive(Clone, Debug, Default)]
struct Pairs {
    real: Vec<u32>,
    /// Sum of the squared distances of all pairs.
    sum: f64,
}

impl Pairs {
    /// What a record adds to the sum beside the members but `but`.
    fn share(&self, instance: &Instance, i: Option<u32>, but: Option<u32>) -> f64 {
        let Some(i) = i.filter(|&i| instance.is_real(i)) else { return 0.0 };
        let others = self.real.iter().copied().filter(|&j| j != i && Some(j) != but);
        others.map(|j| apart(instance, i, j)).sum()
    }

    /// The sum after `gains` has entered and `loses` has left.
    fn after(&self, instance: &Instance, gains: Option<u32>, loses: Option<u32>) -> f64 {
        self.sum + self.share(instance, gains, loses) - self.share(instance, loses, None)
    }

    fn apply(&mut self, instance: &Instance, gains: Option<u32>, loses: Option<u32>) {
        self.sum = self.after(instance, gains, loses);
        self.real.retain(|&i| Some(i) != loses);
        self.real.extend(gains.filter(|&i| instance.is_real(i)));
    }
}

/// Running sums of the classes.
#[derive(Clone, Debug)]
pub struct SseTable {
    instance: Arc<Instance>,
    sums: Vec<Lane>,
    /// The classes in the categories of many values; empty without such.
    pairs: Vec<Pairs>,
    reals: Vec<f64>,
    values: Vec<f64>,
}

impl SseTable {
    #[inline]
    fn sum(&self, class: u32) -> &[Lane] {
        let at = class as usize * self.instance.lanes;
        &self.sums[at..at + self.instance.lanes]
    }

    #[inline]
    fn real(&self, i: Option<u32>) -> f64 {
        f64::from(u8::from(i.is_some_and(|i| self.instance.is_real(i))))
    }

    #[inline]
    fn compute(&self, class: u32) -> f64 {
        let reals = self.reals[class as usize];
        if reals == 0.0 {
            return 0.0;
        }
        if !self.pairs.is_empty() {
            return self.with_pairs(class, None, None);
        }
        let mut square = [0.0; LANE];
        for s in self.sum(class) {
            for l in 0..LANE {
                square[l] += s[l] * s[l];
            }
        }
        -fold(square) / reals
    }

    /// The value of a class after `gains` has entered and `loses` has left, where there are categories of many values: their
    /// coordinates are in the sums, and none of the loss. Apart, so that the others' path is as short as it can be.
    #[cold]
    fn with_pairs(&self, class: u32, gains: Option<u32>, loses: Option<u32>) -> f64 {
        let reals = self.reals[class as usize] + self.real(gains) - self.real(loses);
        if reals == 0.0 {
            return 0.0;
        }
        let zero = [0.0; LANE];
        let lane = |i: Option<u32>, at: usize| i.map_or(zero, |i| self.instance.point(i)[at]);
        let mut square = zero;
        for (at, s) in self.sum(class).iter().enumerate().take(self.instance.layout.measured) {
            let (a, b) = (lane(gains, at), lane(loses, at));
            for l in 0..LANE {
                let x = s[l] + (a[l] - b[l]);
                square[l] += x * x;
            }
        }
        (self.pairs[class as usize].after(&self.instance, gains, loses) - fold(square)) / reals
    }
}

impl LossTable for SseTable {
    #[inline]
    fn value(&self, class: u32) -> f64 {
        self.values[class as usize]
    }

    #[inline]
    fn value_after(&self, class: u32, _: &[u32], gains: Option<u32>, loses: Option<u32>) -> f64 {
        if !self.pairs.is_empty() {
            return self.with_pairs(class, gains, loses);
        }
        let reals = self.reals[class as usize] + self.real(gains) - self.real(loses);
        if reals == 0.0 {
            return 0.0;
        }
        // Counterfeits have the zero point, so they need no case of their own.
        let mut square = [0.0; LANE];
        let sum = self.sum(class);
        match (gains, loses) {
            (Some(i), Some(o)) => {
                for ((s, a), b) in sum.iter().zip(self.instance.point(i)).zip(self.instance.point(o)) {
                    for l in 0..LANE {
                        let x = s[l] + (a[l] - b[l]);
                        square[l] += x * x;
                    }
                }
            }
            (Some(i), None) => {
                for (s, a) in sum.iter().zip(self.instance.point(i)) {
                    for l in 0..LANE {
                        let x = s[l] + a[l];
                        square[l] += x * x;
                    }
                }
            }
            (None, Some(o)) => {
                for (s, b) in sum.iter().zip(self.instance.point(o)) {
                    for l in 0..LANE {
                        let x = s[l] - b[l];
                        square[l] += x * x;
                    }
                }
            }
            (None, None) => return self.value(class),
        }
        -fold(square) / reals
    }

    #[inline]
    fn apply(&mut self, class: u32, _: &[u32], gains: Option<u32>, loses: Option<u32>) {
        let at = class as usize * self.instance.lanes;
        self.reals[class as usize] += self.real(gains) - self.real(loses);
        let sum = &mut self.sums[at..at + self.instance.lanes];
        if let Some(i) = gains {
            for (s, a) in sum.iter_mut().zip(self.instance.point(i)) {
                for l in 0..LANE {
                    s[l] += a[l];
                }
            }
        }
        if let Some(o) = loses {
            for (s, b) in sum.iter_mut().zip(self.instance.point(o)) {
                for l in 0..LANE {
                    s[l] -= b[l];
                }
            }
        }
        if let Some(pairs) = self.pairs.get_mut(class as usize) {
            pairs.apply(&self.instance, gains, loses);
        }
        self.values[class as usize] = self.compute(class);
    }

    #[inline]
    fn refresh(&mut self, class: u32, members: &[u32]) {
        let at = class as usize * self.instance.lanes;
        self.sums[at..at + self.instance.lanes].fill([0.0; LANE]);
        self.reals[class as usize] = 0.0;
        for &i in members {
            self.reals[class as usize] += self.real(Some(i));
            for (s, a) in self.sums[at..].iter_mut().zip(self.instance.point(i)) {
                for l in 0..LANE {
                    s[l] += a[l];
                }
            }
        }
        if let Some(pairs) = self.pairs.get_mut(class as usize) {
            *pairs = Pairs::default();
            for &i in members {
                pairs.apply(&self.instance, Some(i), None);
            }
        }
        self.values[class as usize] = self.compute(class);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        fixtures::{instance, job},
        job::Attribute,
        rule::Rule,
    };

    /// Six labels under three, these under two; a level is 3 apart.
    const PATHS: [[usize; 3]; 6] = [[0, 0, 0], [1, 0, 0], [2, 1, 0], [3, 1, 0], [4, 2, 1], [5, 2, 1]];
    const JOINS: [f64; 5] = [3.0, 6.0, 3.0, 9.0, 3.0];

    /// The labels as leaves, behind and before a number.
    fn leaves(rows: &[(i8, u8)]) -> Instance {
        let points: Vec<f64> = rows.iter().flat_map(|&(x, label)| [f64::from(label), f64::from(x)]).collect();
        let mut job = job(2, &points, &vec![0; rows.len()], Rule::at_least(2), 1.0);
        let joins = Some(JOINS.to_vec());
        job.attributes = vec![Attribute { joins, ..Attribute::default() }, Attribute::default()];
        Instance::from_job(&job).unwrap()
    }

    /// The labels and all above them by their one-hot codes.
    fn coordinates(rows: &[(i8, u8)]) -> Instance {
        let one_hot = |&(x, label): &(i8, u8)| {
            let mut point = vec![0.0; 12];
            for (level, node) in PATHS[label as usize].into_iter().enumerate() {
                point[[0, 6, 9][level] + node] = 1.5_f64.sqrt();
            }
            point[11] = f64::from(x);
            point
        };
        instance(12, &rows.iter().flat_map(one_hot).collect::<Vec<f64>>(), &vec![0; rows.len()])
    }

    proptest! {
        #[test]
        fn a_distance_that_is_cut_short_is_the_whole_one_or_too_far(
            rows in prop::collection::vec(prop::collection::vec(-1.0..1.0, 43), 2..6), most in 0.0..40.0,
        ) {
            let instance = instance(43, &rows.concat(), &vec![0; rows.len()]);
            let trees = leaves(&rows.iter().map(|row| ((row[0] * 5.0) as i8, (row[1].abs() * 5.9) as u8)).collect::<Vec<_>>());
            for instance in [&instance, &trees] {
                for (i, j) in (0..rows.len() as u32).flat_map(|i| (0..i).map(move |j| (i, j))) {
                    let whole = Sse.distance(instance, i, j);
                    let expected = (whole <= most).then(|| whole.to_bits());
                    prop_assert_eq!(Sse.distance_within(instance, i, j, most).map(f64::to_bits), expected);
                    prop_assert_eq!(Sse.distance_within(instance, i, j, whole), Some(whole));
                }
            }
        }
    }

    proptest! {
        #[test]
        fn leaves_cost_what_their_coordinates_would(rows in prop::collection::vec((-4i8..5, 0u8..6), 1..40), cut in 0usize..40) {
            let (tree, dense) = (leaves(&rows), coordinates(&rows));
            let all: Vec<u32> = (0..rows.len() as u32).collect();
            let part = &all[..cut.min(all.len())];
            for class in [&all[..], part] {
                prop_assert!((Sse.class(&tree, class) - Sse.class(&dense, class)).abs() < 1e-9);
            }
            for &i in &all {
                prop_assert!((Sse.distance(&tree, i, 0) - Sse.distance(&dense, i, 0)).abs() < 1e-9);
            }
            let (tree, dense) = (Arc::new(tree), Arc::new(dense));
            let [mut of_tree, mut of_dense] = [&tree, &dense].map(|of| Sse.table(of, 1));
            for at in 0..part.len() {
                let joined = &part[..=at];
                of_tree.apply(0, joined, Some(part[at]), None);
                of_dense.apply(0, joined, Some(part[at]), None);
                let offset: f64 = joined.iter().map(|&i| Sse.record(&tree, i) - Sse.record(&dense, i)).sum();
                prop_assert!((of_tree.value(0) + offset - of_dense.value(0)).abs() < 1e-9);
            }
        }
    }
}
