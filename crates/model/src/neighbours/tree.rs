//! A k-d tree over points, searched outward from a record.

use std::ops::Range;

use crate::{instance::Instance, loss::Loss};

/// Points in a leaf of the tree.
const LEAF: usize = 12;

/// The part of a lower bound that rounding cannot take away: what is just as near as the farthest that is wanted is looked at.
const SAFE: f64 = 1.0 - 1e-9;

/// Who is shown the points around a record.
pub trait Visitor {
    /// Points farther away than this do not matter any more.
    fn radius(&self) -> f64;

    /// A point by its place among the heads, and its distance.
    fn visit(&mut self, group: u32, distance: f64);
}

/// Who is shown points by more than their distance: by what is known of the points of a node.
pub trait NodeVisitor {
    /// Whether points of this node may matter, none of which is nearer than this.
    fn wants(&self, node: usize, distance: f64) -> bool;

    /// A point by its place among the heads.
    fn visit(&mut self, group: u32);
}

/// One halving: points of the lower half are at most `value` in attribute `axis`.
#[derive(Clone, Copy, Debug)]
struct Split {
    axis: usize,
    value: f64,
    /// The split of the upper half, and its node.
    upper: usize,
    upper_node: usize,
}

/// A k-d tree in implicit form: `nodes` holds groups, halved recursively in place.
#[derive(Clone, Debug)]
pub struct PointTree {
    /// The record that stands for each group.
    heads: Vec<u32>,
    nodes: Vec<u32>,
    /// The halvings, in the order of the recursion: the lower half's split follows, the upper half's is named.
    splits: Vec<Split>,
    /// How many nodes it has, leaves included, in the order of the recursion.
    count: usize,
}

/// A search under way: how far the box at hand is from the record along each attribute, and in all.
struct Walk<'a, L, V> {
    tree: &'a PointTree,
    instance: &'a Instance,
    loss: &'a L,
    of: u32,
    apart: Vec<f64>,
    visitor: &'a mut V,
    /// Points that may still be looked at.
    left: usize,
    /// No point that was left out for that is nearer than this.
    left_out: f64,
}

impl PointTree {
    /// The tree of the points of these records. O(g log g) for g of them.
    #[must_use]
    pub fn new(instance: &Instance, heads: &[u32]) -> Self {
        let nodes = (0..heads.len() as u32).collect();
        let mut tree = Self { heads: heads.to_vec(), nodes, splits: Vec::new(), count: 0 };
        let mut nodes = std::mem::take(&mut tree.nodes);
        tree.build(instance, &mut nodes);
        tree.nodes = nodes;
        tree
    }

    fn build(&mut self, instance: &Instance, nodes: &mut [u32]) {
        self.count += 1;
        if nodes.len() <= LEAF {
            return;
        }
        let heads = &self.heads;
        let x = |g: u32, j: usize| instance.coordinate(heads[g as usize], j);
        let extent = |j: usize| {
            let (low, high) = nodes.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &g| {
                let x = x(g, j);
                (a.min(x), b.max(x))
            });
            high - low
        };
        let axis = (0..instance.dims)
            .map(|j| (j, extent(j)))
            .fold((0, -1.0), |a, b| if b.1 > a.1 { b } else { a })
            .0;
        let middle = nodes.len() / 2;
        nodes.select_nth_unstable_by(middle, |&a, &b| x(a, axis).total_cmp(&x(b, axis)).then(a.cmp(&b)));
        let here = self.splits.len();
        let value = x(nodes[middle], axis);
        self.splits.push(Split { axis, value, upper: 0, upper_node: 0 });
        let (low, high) = nodes.split_at_mut(middle);
        self.build(instance, low);
        (self.splits[here].upper, self.splits[here].upper_node) = (self.splits.len(), self.count);
        self.build(instance, high);
    }

    /// The largest value of the points of each node.
    #[must_use]
    pub fn maxima(&self, value: impl Fn(u32) -> f64) -> Vec<f64> {
        let mut maxima = Vec::with_capacity(self.count);
        self.maximum(0..self.nodes.len(), 0, &value, &mut maxima);
        maxima
    }

    fn maximum(
        &self,
        nodes: Range<usize>,
        split: usize,
        value: &impl Fn(u32) -> f64,
        maxima: &mut Vec<f64>,
    ) -> f64 {
        let here = maxima.len();
        maxima.push(f64::NEG_INFINITY);
        maxima[here] = if nodes.len() <= LEAF {
            self.nodes[nodes].iter().map(|&g| value(g)).fold(f64::NEG_INFINITY, f64::max)
        } else {
            let (middle, upper) = (nodes.start + nodes.len() / 2, self.splits[split].upper);
            let low = self.maximum(nodes.start..middle, split + 1, value, maxima);
            low.max(self.maximum(middle..nodes.end, upper, value, maxima))
        };
        maxima[here]
    }

    /// Shows the visitor the points of every node that it wants, near ones first.
    pub fn search_nodes<L: Loss, V: NodeVisitor>(
        &self,
        instance: &Instance,
        loss: &L,
        of: u32,
        apart: &mut Vec<f64>,
        visitor: &mut V,
    ) {
        apart.clear();
        apart.resize(instance.dims, 0.0);
        let mut walk = NodeWalk { tree: self, instance, loss, of, apart, visitor };
        walk.descend(0..self.nodes.len(), (0, 0), 0.0);
    }

    /// Shows the visitor every point within its radius of record `of`, itself among them; the radius may shrink on the way.
    pub fn search<L: Loss, V: Visitor>(&self, instance: &Instance, loss: &L, of: u32, visitor: &mut V) {
        self.search_some(instance, loss, of, visitor, usize::MAX);
    }

    /// The same, but looks at about so many points at the most; returns a distance that no point is nearer at that was left out for
    /// that, infinity if none was. In many attributes all boxes are near, and a whole search would look at every point.
    pub fn search_some<L: Loss, V: Visitor>(
        &self,
        instance: &Instance,
        loss: &L,
        of: u32,
        visitor: &mut V,
        most: usize,
    ) -> f64 {
        let apart = vec![0.0; instance.dims];
        let (left, left_out) = (most, f64::INFINITY);
        let mut walk = Walk { tree: self, instance, loss, of, apart, visitor, left, left_out };
        walk.descend(0..self.nodes.len(), 0, 0.0);
        walk.left_out
    }
}

impl<L: Loss, V: Visitor> Walk<'_, L, V> {
    fn descend(&mut self, nodes: Range<usize>, split: usize, beyond: f64) {
        let tree = self.tree;
        if self.left == 0 {
            self.left_out = self.left_out.min(beyond * SAFE);
            return;
        }
        if nodes.len() <= LEAF {
            self.left = self.left.saturating_sub(nodes.len());
            for &g in &tree.nodes[nodes] {
                let (head, radius) = (tree.heads[g as usize], self.visitor.radius());
                if let Some(distance) = self.loss.distance_within(self.instance, self.of, head, radius) {
                    self.visitor.visit(g, distance);
                }
            }
            return;
        }
        let Split { axis, value, upper, .. } = tree.splits[split];
        let at = self.instance.coordinate(self.of, axis);
        let gap = self.loss.gap(self.instance, axis, at, value);
        let middle = nodes.start + nodes.len() / 2;
        let low = (nodes.start..middle, split + 1);
        let high = (middle..nodes.end, upper);
        let (near, far) = if at < value { (low, high) } else { (high, low) };
        self.descend(near.0, near.1, beyond);
        // Distances are sums over the attributes, and along one the far half is at least as far away as the box of both.
        let before = self.apart[axis];
        let further = (beyond - before).max(0.0) + gap.max(before);
        if further * SAFE <= self.visitor.radius() {
            self.apart[axis] = gap.max(before);
            self.descend(far.0, far.1, further);
            self.apart[axis] = before;
        }
    }
}

/// A search by nodes under way.
struct NodeWalk<'a, L, V> {
    tree: &'a PointTree,
    instance: &'a Instance,
    loss: &'a L,
    of: u32,
    apart: &'a mut [f64],
    visitor: &'a mut V,
}

impl<L: Loss, V: NodeVisitor> NodeWalk<'_, L, V> {
    fn descend(&mut self, nodes: Range<usize>, (split, node): (usize, usize), beyond: f64) {
        if !self.visitor.wants(node, beyond * SAFE) {
            return;
        }
        let tree = self.tree;
        if nodes.len() <= LEAF {
            for &g in &tree.nodes[nodes] {
                self.visitor.visit(g);
            }
            return;
        }
        let Split { axis, value, upper, upper_node } = tree.splits[split];
        let at = self.instance.coordinate(self.of, axis);
        let gap = self.loss.gap(self.instance, axis, at, value);
        let middle = nodes.start + nodes.len() / 2;
        let low = (nodes.start..middle, (split + 1, node + 1));
        let high = (middle..nodes.end, (upper, upper_node));
        let (near, far) = if at < value { (low, high) } else { (high, low) };
        self.descend(near.0, near.1, beyond);
        let before = self.apart[axis];
        let further = (beyond - before).max(0.0) + gap.max(before);
        self.apart[axis] = gap.max(before);
        self.descend(far.0, far.1, further);
        self.apart[axis] = before;
    }
}
