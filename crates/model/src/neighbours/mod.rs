//! Near points, by a tree of boxes over the *distinct* points.
//!
//! Records with equal points would fill each other's lists and shut the search in; so lists hold distinct points, and
//! a record is then drawn among those that share the point. A tree of our own, because ties must be broken the same
//! way on every target and tables are full of duplicates, which public k-d trees treat badly.
//! O(g log g) to build for g distinct points; queries in few dimensions O(log g) each.

mod tree;

pub use self::tree::{NodeVisitor, PointTree, Visitor};
use crate::{distinct_points::DistinctPoints, instance::Instance, loss::Loss, parallel::prelude::*};

/// For each real record, the records at the nearest distinct points.
#[derive(Clone, Debug)]
pub struct Neighbours {
    points: DistinctPoints,
    /// Nearest groups of each group, nearest first (itself first), `width` each.
    lists: Vec<u32>,
    width: usize,
}

impl Neighbours {
    /// Lists of up to `width` distinct points for each record.
    #[must_use]
    pub fn new(instance: &Instance, loss: &impl Loss, width: usize) -> Self {
        let reals: Vec<u32> = (0..instance.reals as u32).collect();
        let points = DistinctPoints::new(instance, &reals);
        let heads: Vec<u32> = (0..points.len()).map(|g| points.members(g)[0]).collect();
        let width = width.min(heads.len());
        let tree = PointTree::new(instance, loss, &heads);
        let mut lists = vec![0; heads.len() * width];
        lists.par_chunks_mut(width.max(1)).enumerate().for_each(|(g, list)| {
            let mut nearest = Nearest { keep: width, best: Vec::with_capacity(width + 1) };
            tree.search(instance, loss, heads[g], &mut nearest);
            for (slot, (_, g)) in list.iter_mut().zip(&nearest.best) {
                *slot = *g;
            }
        });
        Self { points, lists, width }
    }

    /// Number of points in each list; 1 when all points are equal.
    #[inline]
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of distinct points.
    #[must_use]
    pub fn distinct_points(&self) -> usize {
        self.points.len()
    }

    /// The number of the distinct point of a real record.
    #[inline]
    #[must_use]
    pub fn point(&self, i: u32) -> u32 {
        self.points.group[i as usize]
    }

    /// The records at the `rank`-th nearest distinct point of real record `i`, itself among them for rank 0.
    #[inline]
    #[must_use]
    pub fn members(&self, i: u32, rank: usize) -> &[u32] {
        let g = self.lists[self.points.group[i as usize] as usize * self.width + rank];
        self.points.members(g as usize)
    }

    /// A record at the `rank`-th nearest distinct point of real record `i` (rank 0: its own point), the one that
    /// `pick` falls on; `None` if that is `i` itself.
    #[inline]
    #[must_use]
    pub fn at(&self, i: u32, rank: usize, pick: u32) -> Option<u32> {
        let DistinctPoints { group, start, order } = &self.points;
        let g = self.lists[group[i as usize] as usize * self.width + rank] as usize;
        let (from, to) = (start[g], start[g + 1]);
        // Multiply and shift: an unbiased enough draw without a division.
        let offset = ((u64::from(pick) * u64::from(to - from)) >> 32) as u32;
        let j = order[(from + offset) as usize];
        (j != i).then_some(j)
    }
}

/// The groups nearest to a record, nearest first, ties by group.
struct Nearest {
    keep: usize,
    best: Vec<(f64, u32)>,
}

impl Visitor for Nearest {
    fn radius(&self) -> f64 {
        if self.best.len() < self.keep {
            f64::INFINITY
        } else {
            self.best.last().map_or(f64::INFINITY, |b| b.0)
        }
    }

    fn visit(&mut self, group: u32, distance: f64) {
        let entry = (distance, group);
        let at = self.best.partition_point(|b| b.0.total_cmp(&entry.0).then(b.1.cmp(&entry.1)).is_lt());
        if at < self.keep {
            self.best.insert(at, entry);
            self.best.truncate(self.keep);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{job::Attribute, rule::Rule, settings::Loss as LossName};
    use proptest::prelude::*;

    use super::*;
    use crate::{
        fixtures::{instance, job},
        instance::distance2,
        loss::{Ncp, Sse},
    };

    proptest! {
        #[test]
        fn lists_equal_a_full_scan(
            rows in prop::collection::vec(prop::collection::vec(-3i8..4, 3), 1..80), width in 1usize..12,
        ) {
            let points: Vec<f64> = rows.iter().flatten().map(|&x| f64::from(x)).collect();
            let instance = instance(3, &points, &vec![0; rows.len()]);
            let found = Neighbours::new(&instance, &Sse, width);
            let mut distinct = rows.clone();
            distinct.sort();
            distinct.dedup();
            prop_assert_eq!(found.distinct_points(), distinct.len());
            prop_assert_eq!(found.width(), width.min(distinct.len()));
            for i in 0..rows.len() as u32 {
                let d = |j: u32| distance2(instance.point(i), instance.point(j));
                let mut all: Vec<f64> = (distinct.iter())
                    .map(|p| p.iter().zip(&rows[i as usize]).map(|(a, b)| f64::from(a - b).powi(2)).sum())
                    .collect();
                all.sort_by(f64::total_cmp);
                for (rank, expected) in all.iter().take(found.width()).enumerate() {
                    // Whatever member is drawn, it is at the distance of its rank.
                    for pick in [0, u32::MAX / 2, u32::MAX] {
                        if let Some(j) = found.at(i, rank, pick) {
                            prop_assert_eq!(d(j), *expected);
                        } else {
                            prop_assert_eq!(rank, 0);
                        }
                    }
                }
            }
        }
    }

    proptest! {
        #[test]
        fn leaves_are_apart_by_their_tree(
            rows in prop::collection::vec((-3i8..4, 0u8..9), 20..90), joins in prop::collection::vec(0u8..5, 8),
            width in 2usize..14,
        ) {
            let points: Vec<f64> = rows.iter().flat_map(|r| [f64::from(r.1), f64::from(r.0)]).collect();
            let mut job = job(2, &points, &vec![0; rows.len()], Rule::at_least(2), 1.0);
            let of_tree = Some(joins.iter().copied().map(f64::from).collect());
            job.attributes = vec![Attribute { joins: of_tree, ..Attribute::default() }, Attribute::default()];
            let instance = Instance::from_job(&job).unwrap();
            let found = Neighbours::new(&instance, &Sse, width);
            let mut distinct = rows.clone();
            distinct.sort_unstable();
            distinct.dedup();
            let apart = |a: (i8, u8), b: (i8, u8)| {
                let between = usize::from(a.1.min(b.1))..usize::from(a.1.max(b.1));
                f64::from(a.0 - b.0).powi(2) + f64::from(joins[between].iter().copied().max().unwrap_or(0))
            };
            for i in 0..rows.len() as u32 {
                let mut all: Vec<f64> = distinct.iter().map(|&p| apart(p, rows[i as usize])).collect();
                all.sort_by(f64::total_cmp);
                for (rank, expected) in all.iter().take(found.width()).enumerate() {
                    if let Some(j) = found.at(i, rank, 0) {
                        prop_assert_eq!(apart(rows[i as usize], rows[j as usize]), *expected);
                    }
                }
            }
        }
    }

    proptest! {
        #[test]
        fn categories_are_apart_by_one_step_whatever_their_codes(
            rows in prop::collection::vec((0u8..8, 0u8..9), 20..90), width in 2usize..14,
        ) {
            let points: Vec<f64> = rows.iter().flat_map(|r| [f64::from(r.0) / 8.0, f64::from(r.1)]).collect();
            let mut job = job(2, &points, &vec![0; rows.len()], Rule::at_least(2), 1.0);
            job.loss = LossName::Ncp;
            job.attributes = [(0.6, None), (0.4, Some(9))].map(|(weight, levels)| Attribute { weight, levels, ..Attribute::default() }).to_vec();
            let instance = Instance::from_job(&job).unwrap();
            let found = Neighbours::new(&instance, &Ncp::default(), width);
            let mut distinct = rows.clone();
            distinct.sort_unstable();
            distinct.dedup();
            // By the definition: the width of the range, and one further value of nine.
            let apart = |a: (u8, u8), b: (u8, u8)| {
                0.6 * (f64::from(a.0) - f64::from(b.0)).abs() / 8.0 + if a.1 == b.1 { 0.0 } else { 0.4 / 9.0 }
            };
            for i in 0..rows.len() as u32 {
                let mut all: Vec<f64> = distinct.iter().map(|&p| apart(p, rows[i as usize])).collect();
                all.sort_by(f64::total_cmp);
                for (rank, expected) in all.iter().take(found.width()).enumerate() {
                    if let Some(j) = found.at(i, rank, 0) {
                        prop_assert!((apart(rows[i as usize], rows[j as usize]) - expected).abs() < 1e-12);
                    }
                }
            }
        }
    }
}
