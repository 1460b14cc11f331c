//! A tree of boxes over points, searched outward from a record.
//!
//! Each node keeps the least box around its points. Categories are many coordinates of which one is set: by the planes of the halvings
//! alone nothing is far from anything there, while a box whose points share a category is apart from every record of another.

use std::ops::Range;

use crate::{
    instance::{Instance, LANE, Lane},
    loss::Loss,
};

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

/// A box around points, halved unless they are few.
#[derive(Clone, Debug)]
struct Node {
    /// Its points, in [`PointTree::order`].
    points: Range<usize>,
    /// The node of the upper half; the lower half's is the next. 0 where it is not halved.
    upper: usize,
}

/// A tree of boxes: the points are halved recursively in place, and each half is a node.
#[derive(Clone, Debug)]
pub struct PointTree {
    /// The record that stands for each point.
    heads: Vec<u32>,
    /// Points, those of a node side by side.
    order: Vec<u32>,
    /// The nodes, in the order of the recursion.
    nodes: Vec<Node>,
    /// The least and the largest coordinates of each node, as records have them.
    boxes: Vec<Lane>,
    /// Lanes of a corner of a box.
    lanes: usize,
}

/// A search under way.
struct Walk<'a, L, V> {
    tree: &'a PointTree,
    instance: &'a Instance,
    loss: &'a L,
    of: u32,
    visitor: &'a mut V,
    /// Points that may still be looked at.
    left: usize,
    /// No point that was left out for that is nearer than this.
    left_out: f64,
}

impl PointTree {
    /// The tree of the points of these records. O(g log g) for g of them.
    #[must_use]
    pub fn new(instance: &Instance, loss: &impl Loss, heads: &[u32]) -> Self {
        let (heads, lanes) = (heads.to_vec(), instance.lanes);
        let mut order: Vec<u32> = (0..heads.len() as u32).collect();
        let mut tree = Self { heads, order: Vec::new(), nodes: Vec::new(), boxes: Vec::new(), lanes };
        tree.build(instance, loss, &mut order, 0);
        tree.order = order;
        tree
    }

    /// Adds the node of these points, the first of which is at `from`, and all nodes below it.
    fn build(&mut self, instance: &Instance, loss: &impl Loss, points: &mut [u32], from: usize) {
        let here = self.nodes.len();
        self.nodes.push(Node { points: from..from + points.len(), upper: 0 });
        self.bound(instance, points);
        if points.len() <= LEAF {
            return;
        }
        let axis = self.axis(instance, loss, points, here);
        let middle = self.halve(instance, points, axis);
        let (low, high) = points.split_at_mut(middle);
        self.build(instance, loss, low, from);
        self.nodes[here].upper = self.nodes.len();
        self.build(instance, loss, high, from + middle);
    }

    /// Adds the box around points.
    fn bound(&mut self, instance: &Instance, points: &[u32]) {
        let (mut low, mut high) =
            (vec![[f64::INFINITY; LANE]; self.lanes], vec![[f64::NEG_INFINITY; LANE]; self.lanes]);
        for &g in points {
            let point = instance.point(self.heads[g as usize]);
            for ((low, high), x) in low.iter_mut().zip(&mut high).zip(point) {
                for l in 0..LANE {
                    low[l] = if x[l] < low[l] { x[l] } else { low[l] };
                    high[l] = if x[l] > high[l] { x[l] } else { high[l] };
                }
            }
        }
        self.boxes.append(&mut low);
        self.boxes.append(&mut high);
    }

    /// Both corners of the box of a node.
    fn corners(&self, node: usize) -> (&[Lane], &[Lane]) {
        self.boxes[2 * node * self.lanes..][..2 * self.lanes].split_at(self.lanes)
    }

    /// The attribute along which these points are farthest from their mean, by what the loss takes for its width: a category that
    /// half of them have comes before one that few have.
    fn axis(&self, instance: &Instance, loss: &impl Loss, points: &[u32], node: usize) -> usize {
        let (mut sums, mut squares) = (vec![[0.0; LANE]; self.lanes], vec![[0.0; LANE]; self.lanes]);
        let (low, high) = self.corners(node);
        for &g in points {
            let point = instance.point(self.heads[g as usize]);
            for (lane, x) in point.iter().enumerate() {
                for l in 0..LANE {
                    let from_low = x[l] - low[lane][l];
                    sums[lane][l] += from_low;
                    squares[lane][l] += from_low * from_low;
                }
            }
        }
        let spread = |j: usize| {
            let (lane, l) = instance.layout.slot(j);
            let (low, high) = (low[lane][l], high[lane][l]);
            if low >= high {
                return 0.0;
            }
            let (sum, width, count) = (sums[lane][l], high - low, points.len() as f64);
            loss.gap(instance, j, low, high) * (squares[lane][l] - sum * sum / count) / (width * width)
        };
        (0..instance.dims).map(|j| (j, spread(j))).fold((0, 0.0), |a, b| if b.1 > a.1 { b } else { a }).0
    }

    /// Sorts the lower half before the upper one, and says how many it has. Equal coordinates stay together where there are others.
    fn halve(&self, instance: &Instance, points: &mut [u32], axis: usize) -> usize {
        let x = |g: u32| instance.coordinate(self.heads[g as usize], axis);
        let middle = points.len() / 2;
        points.select_nth_unstable_by(middle, |&a, &b| x(a).total_cmp(&x(b)).then(a.cmp(&b)));
        let value = x(points[middle]);
        let (below, above) = points.split_at_mut(middle);
        let fewer = partition(below, |&g| x(g) < value);
        let more = middle + partition(above, |&g| x(g) <= value);
        match (fewer > 0, more < points.len()) {
            (false, false) => middle,
            (true, true) if middle - fewer <= more - middle => fewer,
            (true, false) => fewer,
            (_, true) => more,
        }
    }

    /// The largest value of the points of each node.
    #[must_use]
    pub fn maxima(&self, value: impl Fn(u32) -> f64) -> Vec<f64> {
        let mut maxima = vec![f64::NEG_INFINITY; self.nodes.len()];
        // Nodes come before those below them.
        for (at, node) in self.nodes.iter().enumerate().rev() {
            maxima[at] = if node.upper == 0 {
                let values = self.order[node.points.clone()].iter().map(|&g| value(g));
                values.fold(f64::NEG_INFINITY, f64::max)
            } else {
                maxima[at + 1].max(maxima[node.upper])
            };
        }
        maxima
    }

    /// Shows the visitor the points of every node that it wants, near ones first.
    pub fn search_nodes<L: Loss, V: NodeVisitor>(
        &self,
        instance: &Instance,
        loss: &L,
        of: u32,
        visitor: &mut V,
    ) {
        let mut walk = NodeWalk { tree: self, instance, loss, of, visitor };
        walk.descend(0, self.apart(instance, loss, of, 0));
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
        let mut walk = Walk { tree: self, instance, loss, of, visitor, left: most, left_out: f64::INFINITY };
        walk.descend(0, self.apart(instance, loss, of, 0));
        walk.left_out
    }

    /// No point of the node is nearer to the record.
    fn apart(&self, instance: &Instance, loss: &impl Loss, of: u32, node: usize) -> f64 {
        let (low, high) = self.corners(node);
        loss.beyond(instance, of, low, high) * SAFE
    }

    /// Both halves of a node with how far they are apart, the nearer one first.
    fn halves(&self, instance: &Instance, loss: &impl Loss, of: u32, node: usize) -> [(usize, f64); 2] {
        let [low, high] =
            [node + 1, self.nodes[node].upper].map(|half| (half, self.apart(instance, loss, of, half)));
        if high.1 < low.1 { [high, low] } else { [low, high] }
    }
}

/// Sorts those for which it holds before the others, and counts them.
fn partition(points: &mut [u32], holds: impl Fn(&u32) -> bool) -> usize {
    let mut count = 0;
    for at in 0..points.len() {
        if holds(&points[at]) {
            points.swap(count, at);
            count += 1;
        }
    }
    count
}

impl<L: Loss, V: Visitor> Walk<'_, L, V> {
    fn descend(&mut self, node: usize, apart: f64) {
        if apart > self.visitor.radius() {
            return;
        }
        if self.left == 0 {
            self.left_out = self.left_out.min(apart);
            return;
        }
        let (tree, Node { points, upper }) = (self.tree, &self.tree.nodes[node]);
        if *upper == 0 {
            self.left = self.left.saturating_sub(points.len());
            for &g in &tree.order[points.clone()] {
                let (head, radius) = (tree.heads[g as usize], self.visitor.radius());
                if let Some(distance) = self.loss.distance_within(self.instance, self.of, head, radius) {
                    self.visitor.visit(g, distance);
                }
            }
            return;
        }
        for (half, apart) in tree.halves(self.instance, self.loss, self.of, node) {
            self.descend(half, apart);
        }
    }
}

/// A search by nodes under way.
struct NodeWalk<'a, L, V> {
    tree: &'a PointTree,
    instance: &'a Instance,
    loss: &'a L,
    of: u32,
    visitor: &'a mut V,
}

impl<L: Loss, V: NodeVisitor> NodeWalk<'_, L, V> {
    fn descend(&mut self, node: usize, apart: f64) {
        if !self.visitor.wants(node, apart) {
            return;
        }
        let (tree, Node { points, upper }) = (self.tree, &self.tree.nodes[node]);
        if *upper == 0 {
            for &g in &tree.order[points.clone()] {
                self.visitor.visit(g);
            }
            return;
        }
        for (half, apart) in tree.halves(self.instance, self.loss, self.of, node) {
            self.descend(half, apart);
        }
    }
}
