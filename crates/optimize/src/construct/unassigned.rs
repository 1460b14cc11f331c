//! Records that are not in a class yet, with the queries that the distance-based constructions ask.
//!
//! Two implementations with the same answers, ties included: a scan, and a k-d tree whose nodes know how many of their
//! records are left. The tree answers in about O(log n) in few attributes; the scan wins in many.

use std::cmp::Ordering;

use lookalike_model::{
    distinct_points::DistinctPoints,
    instance::{Instance, LANE, Lane, distance2},
};

/// Records left, and the nearest and farthest of them. Ties go to the lower record.
pub(super) trait Unassigned {
    /// All of these records.
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
    /// Points that a query looks at, about, while `left` records are left.
    fn query(left: usize) -> usize;
}

/// Looks at every record.
pub(super) struct Scan {
    left: Vec<u32>,
}

impl Unassigned for Scan {
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

    fn query(left: usize) -> usize {
        left
    }
}

/// Points in a leaf of the tree.
const LEAF: usize = 8;

/// A k-d tree over the distinct points in implicit form: node v has the children 2v + 1 and 2v + 2, and each half of its
/// points.
pub(super) struct Tree {
    /// The records, ascending.
    records: Vec<u32>,
    points: DistinctPoints,
    /// Whether the record at each place of `points.order` is left.
    left: Vec<bool>,
    /// Place of the lowest record left of each point; that of the next point if there is none.
    lowest: Vec<u32>,
    count: usize,
    /// Points, permuted so that each node has a run of them.
    order: Vec<u32>,
    /// Where each point stands in `order`.
    place: Vec<u32>,
    /// Points below each node that have a record left.
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
        for &g in &self.order[from..to] {
            for (lane, x) in instance.point(self.points.members(g as usize)[0]).iter().enumerate() {
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
            let (lane, l) = instance.layout.slot(j);
            let at = node * self.lanes + lane;
            self.high[at][l] - self.low[at][l]
        };
        let axis = (0..instance.dims).fold(0, |a, b| if extent(b) > extent(a) { b } else { a });
        let middle = (to - from) / 2;
        let points = &self.points;
        let x = |g: u32| instance.coordinate(points.members(g as usize)[0], axis);
        self.order[from..to].select_nth_unstable_by(middle, |&a, &b| x(a).total_cmp(&x(b)).then(a.cmp(&b)));
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
        lookalike_model::instance::fold(sum)
    }

    /// The record best by `better`, among those left below `node`.
    fn search(&self, query: &Query, node: usize, from: usize, to: usize, best: &mut Option<(f64, u32)>) {
        if to - from <= LEAF {
            for &g in &self.order[from..to] {
                if let Some(i) = self.lowest_left(g as usize, query.but) {
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

    /// The lowest record left of a point, `but` excepted.
    fn lowest_left(&self, point: usize, but: Option<u32>) -> Option<u32> {
        let (from, to) = (self.lowest[point] as usize, self.points.start[point + 1] as usize);
        let mut left = (from..to).filter(|&at| self.left[at]).map(|at| self.points.order[at]);
        left.find(|&i| Some(i) != but)
    }

    /// Place of a record in `points.order`, and its point.
    fn find_record(&self, i: u32) -> Option<(usize, usize)> {
        let point = self.points.group[self.records.binary_search(&i).ok()?] as usize;
        let at = self.points.members(point).binary_search(&i).ok()?;
        Some((self.points.start[point] as usize + at, point))
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

impl Unassigned for Tree {
    fn new(instance: &Instance, mut records: Vec<u32>) -> Self {
        records.sort_unstable();
        let points = DistinctPoints::new(instance, &records);
        let mut tree = Self {
            left: vec![true; records.len()],
            lowest: points.start[..points.len()].to_vec(),
            count: records.len(),
            order: (0..points.len() as u32).collect(),
            place: vec![0; points.len()],
            alive: Vec::new(),
            low: Vec::new(),
            high: Vec::new(),
            lanes: instance.lanes,
            records,
            points,
        };
        if tree.count > 0 {
            tree.build(instance, 0, 0, tree.order.len());
        }
        for (at, &g) in tree.order.iter().enumerate() {
            tree.place[g as usize] = at as u32;
        }
        tree
    }

    fn len(&self) -> usize {
        self.count
    }

    fn remove(&mut self, i: u32) {
        let Some((at, point)) = self.find_record(i) else { return };
        self.left[at] = false;
        self.count -= 1;
        let end = self.points.start[point + 1] as usize;
        let mut lowest = self.lowest[point] as usize;
        while lowest < end && !self.left[lowest] {
            lowest += 1;
        }
        self.lowest[point] = lowest as u32;
        if lowest < end {
            return;
        }
        let place = self.place[point] as usize;
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
        self.find_record(i).is_some_and(|(at, _)| self.left[at])
    }

    fn rest(&self) -> Vec<u32> {
        let all = self.points.order.iter().zip(&self.left);
        let mut rest: Vec<u32> = all.filter(|(_, left)| **left).map(|(&i, _)| i).collect();
        rest.sort_unstable();
        rest
    }

    fn query(left: usize) -> usize {
        // Measured; the tree's way down costs as well.
        left.min(100)
    }
}

/// Whether the tree is worth its building.
pub(super) fn prefers_tree(instance: &Instance) -> bool {
    instance.records() >= 1000 && instance.dims <= 8
}

/// The class of `seed` and the `size - 1` records nearest to it, which are unassigned no longer.
pub(super) fn around(
    instance: &Instance,
    unassigned: &mut impl Unassigned,
    seed: u32,
    size: usize,
) -> Vec<u32> {
    unassigned.remove(seed);
    let mut class = vec![seed];
    while class.len() < size
        && let Some(i) = unassigned.nearest(instance, instance.point(seed), None)
    {
        unassigned.remove(i);
        class.push(i);
    }
    class
}

/// Takes all that is left.
pub(super) fn empty(unassigned: &mut impl Unassigned) -> Vec<u32> {
    let rest = unassigned.rest();
    for &i in &rest {
        unassigned.remove(i);
    }
    rest
}

/// Puts each of these records into the class whose nearest member is nearest.
pub(super) fn to_nearest_class(instance: &Instance, records: Vec<u32>, classes: &mut [Vec<u32>]) {
    let distance = |i: u32, class: &[u32]| {
        class.iter().map(|&j| distance2(instance.point(i), instance.point(j))).fold(f64::INFINITY, f64::min)
    };
    for i in records {
        let nearest = (classes.iter().enumerate().map(|(c, class)| (distance(i, class), c)))
            .reduce(|a, b| if b.0 < a.0 { b } else { a });
        if let Some((_, c)) = nearest {
            classes[c].push(i);
        }
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::fixtures::instance;
    use proptest::prelude::*;

    use super::*;

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
