//! Records that are not in a class yet, with the queries that the distance-based constructions ask.
//!
//! Two implementations with the same answers, ties included: a scan, and a k-d tree whose nodes know how many of their
//! records are left. The tree answers in about O(log n) in few attributes; the scan wins in many.

use std::cmp::Ordering;

use crate::instance::{Instance, LANE, Lane, distance2};

/// Records left, and the nearest and farthest of them. Ties go to the lower record.
pub(super) trait Pool {
    /// A pool of these records.
    fn new(instance: &Instance, records: Vec<u32>) -> Self;
    /// Number of records left.
    fn len(&self) -> usize;
    /// Takes a record out.
    fn remove(&mut self, i: u32);
    /// The record left that is nearest to `point`, `but` excepted.
    fn nearest(&self, instance: &Instance, point: &[Lane], but: Option<u32>) -> Option<u32>;
    /// The record left that is farthest from `point`.
    fn farthest(&self, instance: &Instance, point: &[Lane]) -> Option<u32>;
    /// Whether a record is left.
    fn holds(&self, i: u32) -> bool;
    /// The records left, ascending.
    fn rest(&self) -> Vec<u32>;
}

/// Looks at every record.
pub(super) struct Scan {
    left: Vec<u32>,
}

impl Pool for Scan {
    fn new(_: &Instance, mut records: Vec<u32>) -> Self {
        records.sort_unstable();
        Self { left: records }
    }

    fn len(&self) -> usize {
        self.left.len()
    }

    fn remove(&mut self, i: u32) {
        if let Ok(at) = self.left.binary_search(&i) {
            self.left.remove(at);
        }
    }

    fn nearest(&self, instance: &Instance, point: &[Lane], but: Option<u32>) -> Option<u32> {
        let key = |i: u32| distance2(instance.point(i), point);
        let others = self.left.iter().copied().filter(|&i| Some(i) != but);
        others.map(|i| (key(i), i)).reduce(|a, b| if b.0 < a.0 { b } else { a }).map(|b| b.1)
    }

    fn farthest(&self, instance: &Instance, point: &[Lane]) -> Option<u32> {
        let key = |i: u32| distance2(instance.point(i), point);
        self.left.iter().map(|&i| (key(i), i)).reduce(|a, b| if b.0 > a.0 { b } else { a }).map(|b| b.1)
    }

    fn holds(&self, i: u32) -> bool {
        self.left.binary_search(&i).is_ok()
    }

    fn rest(&self) -> Vec<u32> {
        self.left.clone()
    }
}

/// Records in a leaf of the tree.
const LEAF: usize = 8;

/// A k-d tree in implicit form: node v has the children 2v + 1 and 2v + 2, and each half of its records.
pub(super) struct Tree {
    /// Records, permuted so that each node has a run of them.
    order: Vec<u32>,
    /// Where each record stands in `order`.
    place: Vec<u32>,
    left: Vec<bool>,
    /// Records left below each node.
    alive: Vec<u32>,
    low: Vec<Lane>,
    high: Vec<Lane>,
    lanes: usize,
}

impl Tree {
    fn build(&mut self, instance: &Instance, node: usize, from: usize, to: usize) {
        let end = (node + 1) * self.lanes;
        if self.low.len() < end {
            self.low.resize(end, [f64::INFINITY; LANE]);
            self.high.resize(end, [f64::NEG_INFINITY; LANE]);
            self.alive.resize(node + 1, 0);
        }
        self.alive[node] = (to - from) as u32;
        for &i in &self.order[from..to] {
            for (lane, x) in instance.point(i).iter().enumerate() {
                let at = node * self.lanes + lane;
                for ((low, high), &x) in self.low[at].iter_mut().zip(&mut self.high[at]).zip(x) {
                    *low = low.min(x);
                    *high = high.max(x);
                }
            }
        }
        if to - from <= LEAF {
            return;
        }
        let extent = |j: usize| {
            let at = node * self.lanes + j / LANE;
            self.high[at][j % LANE] - self.low[at][j % LANE]
        };
        let axis = (0..instance.dims).fold(0, |a, b| if extent(b) > extent(a) { b } else { a });
        let middle = (to - from) / 2;
        self.order[from..to].select_nth_unstable_by(middle, |&a, &b| {
            instance.coordinate(a, axis).total_cmp(&instance.coordinate(b, axis)).then(a.cmp(&b))
        });
        self.build(instance, 2 * node + 1, from, from + middle);
        self.build(instance, 2 * node + 2, from + middle, to);
    }

    /// Squared distance from `point` to the nearest place of a node's box, or to the farthest. It adds up in the order
    /// of `distance2`, so rounding cannot put it on the wrong side of a record's distance.
    fn to_box(&self, node: usize, point: &[Lane], farthest: bool) -> f64 {
        let mut sum = [0.0; LANE];
        let at = node * self.lanes;
        for ((low, high), x) in self.low[at..].iter().zip(&self.high[at..]).zip(point) {
            for l in 0..LANE {
                let (a, b) = (low[l] - x[l], x[l] - high[l]);
                let d = if farthest { a.abs().max(b.abs()) } else { a.max(b).max(0.0) };
                sum[l] += d * d;
            }
        }
        crate::instance::fold(sum)
    }

    /// The record best by `better`, among those left below `node`.
    fn search(&self, query: &Query, node: usize, from: usize, to: usize, best: &mut Option<(f64, u32)>) {
        if to - from <= LEAF {
            for &i in &self.order[from..to] {
                if self.left[i as usize] && Some(i) != query.but {
                    let d = distance2(query.instance.point(i), query.point);
                    if best.is_none_or(|(b, j)| query.better(d, b).then(i.cmp(&j)).is_lt()) {
                        *best = Some((d, i));
                    }
                }
            }
            return;
        }
        let middle = from + (to - from) / 2;
        let bound = |child| self.to_box(child, query.point, query.farthest);
        let mut children =
            [(2 * node + 1, from, middle), (2 * node + 2, middle, to)].map(|c| (bound(c.0), c));
        if query.better(children[1].0, children[0].0).is_lt() {
            children.swap(0, 1);
        }
        for (bound, (child, from, to)) in children {
            // At equal distance a lower record may still be there.
            if self.alive[child] > 0 && best.is_none_or(|(b, _)| query.better(bound, b).is_le()) {
                self.search(query, child, from, to, best);
            }
        }
    }

    fn find(&self, query: &Query) -> Option<u32> {
        let mut best = None;
        if self.alive.first().is_some_and(|&a| a > 0) {
            self.search(query, 0, 0, self.order.len(), &mut best);
        }
        best.map(|b| b.1)
    }
}

struct Query<'a> {
    instance: &'a Instance,
    point: &'a [Lane],
    but: Option<u32>,
    farthest: bool,
}

impl Query<'_> {
    fn better(&self, a: f64, b: f64) -> Ordering {
        if self.farthest { b.total_cmp(&a) } else { a.total_cmp(&b) }
    }
}

impl Pool for Tree {
    fn new(instance: &Instance, records: Vec<u32>) -> Self {
        let n = records.len();
        let highest = records.iter().max().map_or(0, |&i| i as usize + 1);
        let mut left = vec![false; highest];
        for &i in &records {
            left[i as usize] = true;
        }
        let mut tree = Self {
            order: records,
            place: vec![0; highest],
            left,
            alive: Vec::new(),
            low: Vec::new(),
            high: Vec::new(),
            lanes: instance.lanes,
        };
        if n > 0 {
            tree.build(instance, 0, 0, n);
        }
        for (at, &i) in tree.order.iter().enumerate() {
            tree.place[i as usize] = at as u32;
        }
        tree
    }

    fn len(&self) -> usize {
        self.alive.first().map_or(0, |&a| a as usize)
    }

    fn remove(&mut self, i: u32) {
        self.left[i as usize] = false;
        let place = self.place[i as usize] as usize;
        let (mut node, mut from, mut to) = (0, 0, self.order.len());
        loop {
            self.alive[node] -= 1;
            if to - from <= LEAF {
                return;
            }
            let middle = from + (to - from) / 2;
            if place < middle {
                (node, to) = (2 * node + 1, middle);
            } else {
                (node, from) = (2 * node + 2, middle);
            }
        }
    }

    fn nearest(&self, instance: &Instance, point: &[Lane], but: Option<u32>) -> Option<u32> {
        self.find(&Query { instance, point, but, farthest: false })
    }

    fn farthest(&self, instance: &Instance, point: &[Lane]) -> Option<u32> {
        self.find(&Query { instance, point, but: None, farthest: true })
    }

    fn holds(&self, i: u32) -> bool {
        self.left[i as usize]
    }

    fn rest(&self) -> Vec<u32> {
        let mut rest: Vec<u32> = self.order.iter().copied().filter(|&i| self.left[i as usize]).collect();
        rest.sort_unstable();
        rest
    }
}

/// Whether the tree is worth its building.
pub(super) fn prefers_tree(instance: &Instance) -> bool {
    instance.records() >= 1000 && instance.dims <= 8
}

/// The class of `seed` and the `size - 1` records nearest to it, taken out of the pool.
pub(super) fn around(instance: &Instance, pool: &mut impl Pool, seed: u32, size: usize) -> Vec<u32> {
    pool.remove(seed);
    let mut class = vec![seed];
    while class.len() < size
        && let Some(i) = pool.nearest(instance, instance.point(seed), None)
    {
        pool.remove(i);
        class.push(i);
    }
    class
}

/// Puts each record left into the class whose nearest member is nearest.
pub(super) fn to_nearest_class(instance: &Instance, pool: &impl Pool, classes: &mut [Vec<u32>]) {
    let distance = |i: u32, class: &[u32]| {
        class.iter().map(|&j| distance2(instance.point(i), instance.point(j))).fold(f64::INFINITY, f64::min)
    };
    for i in pool.rest() {
        let nearest = (classes.iter().enumerate().map(|(c, class)| (distance(i, class), c)))
            .reduce(|a, b| if b.0 < a.0 { b } else { a });
        if let Some((_, c)) = nearest {
            classes[c].push(i);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::search::tests_support::instance;

    proptest! {
        #[test]
        fn tree_and_scan_agree(
            rows in prop::collection::vec((-4i8..5, -4i8..5), 1..120), picks in prop::collection::vec(any::<u16>(), 1..60),
        ) {
            let points: Vec<f64> = rows.iter().flat_map(|r| [f64::from(r.0), f64::from(r.1)]).collect();
            let instance = instance(2, &points, &vec![0; rows.len()]);
            let all: Vec<u32> = (0..rows.len() as u32).collect();
            let (mut scan, mut tree) = (Scan::new(&instance, all.clone()), Tree::new(&instance, all));
            for pick in picks {
                let at = u32::from(pick) % rows.len() as u32;
                let point = instance.point(at);
                prop_assert_eq!(scan.len(), tree.len());
                prop_assert_eq!(scan.nearest(&instance, point, None), tree.nearest(&instance, point, None));
                prop_assert_eq!(scan.nearest(&instance, point, Some(at)), tree.nearest(&instance, point, Some(at)));
                prop_assert_eq!(scan.farthest(&instance, point), tree.farthest(&instance, point));
                if let Some(i) = scan.nearest(&instance, point, None) {
                    scan.remove(i);
                    tree.remove(i);
                }
                prop_assert_eq!(scan.rest(), tree.rest());
            }
        }
    }
}
