//! Boxes around kinds, to find those that are near a kind without looking at all of them.

/// Kinds of a leaf, at most.
const LEAF: usize = 8;

/// Where kinds are, and how far from each other. The distance of two kinds is no less than the sum over the axes of what they are apart
/// along each.
pub(super) trait Space: Sync {
    /// The number of axes.
    fn axes(&self) -> usize;

    /// Where a kind is on an axis.
    fn at(&self, kind: u32, axis: usize) -> f64;

    /// What a place on an axis is apart from all between two places, at least, but for rounding.
    fn gap(&self, axis: usize, place: f64, low: f64, high: f64) -> f64;

    /// At most the exact value of what was computed as a sum of gaps.
    fn lowered(&self, gaps: f64) -> f64;

    /// At most the distance of two kinds.
    fn distance(&self, a: u32, b: u32) -> f64;
}

/// What a search of the tree looks for.
pub(super) trait Visitor {
    /// Whether the kinds below a node may matter, none of which is nearer than `apart`.
    fn wants(&mut self, node: usize, apart: f64) -> bool;

    /// A kind that may matter.
    fn visit(&mut self, kind: u32);
}

/// A k-d tree.
pub(super) struct Tree {
    /// The kinds, those of a leaf together.
    order: Vec<u32>,
    nodes: Vec<Node>,
    /// The lowest and the highest place below each node along each axis.
    ends: Vec<(f64, f64)>,
}

struct Node {
    from: usize,
    to: usize,
    /// The first of its two children, which are neighbours; none for a leaf.
    children: Option<usize>,
}

impl Tree {
    /// A tree of so many kinds. O(n log n).
    pub(super) fn new<S: Space>(space: &S, kinds: usize) -> Self {
        let root = Node { from: 0, to: kinds, children: None };
        let order = (0..kinds as u32).collect();
        let mut tree = Self { order, nodes: vec![root], ends: Vec::new() };
        let mut next = 0;
        // Children come after their parents.
        while next < tree.nodes.len() {
            tree.split(space, next);
            next += 1;
        }
        tree
    }

    fn split<S: Space>(&mut self, space: &S, node: usize) {
        let (from, to) = (self.nodes[node].from, self.nodes[node].to);
        let below = &mut self.order[from..to];
        let mut widest = (0.0, None);
        for axis in 0..space.axes() {
            let places = below.iter().map(|&kind| space.at(kind, axis));
            let nothing = (f64::INFINITY, f64::NEG_INFINITY);
            let (low, high) = places.fold(nothing, |(low, high), x| (low.min(x), high.max(x)));
            self.ends.push((low, high));
            let width = if low < high { space.gap(axis, low, high, high) } else { 0.0 };
            if width > widest.0 {
                widest = (width, Some(axis));
            }
        }
        let Some(axis) = widest.1.filter(|_| to - from > LEAF) else { return };
        let middle = below.len() / 2;
        below.select_nth_unstable_by(middle, |&a, &b| space.at(a, axis).total_cmp(&space.at(b, axis)));
        let middle = from + middle;
        self.nodes[node].children = Some(self.nodes.len());
        self.nodes.push(Node { from, to: middle, children: None });
        self.nodes.push(Node { from: middle, to, children: None });
    }

    /// The least of `value` below each node.
    pub(super) fn least(&self, value: impl Fn(u32) -> f64) -> Vec<f64> {
        let mut least = vec![f64::INFINITY; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let number = |x: f64| if x.is_nan() { f64::NEG_INFINITY } else { x };
            let below = self.order[node.from..node.to].iter();
            least[at] = node.children.map_or_else(
                // What is no number must not hide what is one.
                || below.map(|&kind| number(value(kind))).fold(f64::INFINITY, f64::min),
                |first| least[first].min(least[first + 1]),
            );
        }
        least
    }

    /// Shows the visitor what it wants, near a kind first.
    pub(super) fn search<S: Space>(&self, space: &S, of: u32, visitor: &mut impl Visitor) {
        let apart = self.apart(space, of, 0);
        self.descend(space, of, (0, apart), visitor);
    }

    fn descend<S: Space>(&self, space: &S, of: u32, (at, apart): (usize, f64), visitor: &mut impl Visitor) {
        if !visitor.wants(at, apart) {
            return;
        }
        let node = &self.nodes[at];
        let Some(first) = node.children else {
            self.order[node.from..node.to].iter().for_each(|&kind| visitor.visit(kind));
            return;
        };
        let [near, far] = [first, first + 1].map(|child| (child, self.apart(space, of, child)));
        let (near, far) = if far.1 < near.1 { (far, near) } else { (near, far) };
        self.descend(space, of, near, visitor);
        self.descend(space, of, far, visitor);
    }

    fn apart<S: Space>(&self, space: &S, of: u32, node: usize) -> f64 {
        let axes = space.axes();
        let ends = &self.ends[node * axes..][..axes];
        let gaps = ends.iter().enumerate().map(|(axis, &(low, high))| {
            let place = space.at(of, axis);
            if place < low || place > high { space.gap(axis, place, low, high) } else { 0.0 }
        });
        space.lowered(gaps.sum())
    }
}
