//! Cuts through space, fixed from a sample: each row of the table belongs to one leaf.
//!
//! A box is cut where its sample is spread the widest, in units of the whole table's spread and weighted like the loss,
//! between two neighbouring values near the weighted median (the k-d tree of Bentley, 1975, and Mondrian's cut).

use super::sample::Weighed;

/// A place of the tree.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// Rows whose value in `column` is at most `at` go to `low`, the others to `high`.
    Cut { column: usize, at: f64, low: usize, high: usize },
    /// The number of a leaf.
    Leaf(u32),
}

/// The cuts. Leaves are numbered from low to high.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    /// The root is the last.
    nodes: Vec<Node>,
    leaves: u32,
}

/// How the spread of a column counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    /// Weight of the column in the loss.
    pub(crate) weight: f64,
    /// Whether its values are codes of labels.
    pub(crate) labels: bool,
}

impl Tree {
    /// Cuts until each leaf is expected to have at most `most` of `rows` rows.
    pub(crate) fn grow(mut sample: Vec<Weighed>, scales: &[Scale], rows: u64, most: u64) -> Self {
        let all: u64 = sample.iter().map(|s| s.rows).sum();
        let whole: Vec<f64> = (0..scales.len()).map(|c| spread(&sample, c, scales[c])).collect();
        let mut growing = Growing {
            tree: Self { nodes: Vec::new(), leaves: 0 },
            scales,
            whole,
            // Weight of the sample that stands for `most` rows.
            most: most as f64 * all as f64 / rows.max(1) as f64,
        };
        growing.branch(&mut sample);
        growing.tree
    }

    /// A tree of these nodes, the root last.
    pub(super) fn new(nodes: Vec<Node>, leaves: u32) -> Self {
        Self { nodes, leaves }
    }

    /// Number of leaves.
    pub(crate) fn leaves(&self) -> usize {
        self.leaves as usize
    }

    /// The leaf of a row by its value in each column.
    pub(crate) fn leaf(&self, value: impl Fn(usize) -> f64) -> u32 {
        let mut node = self.nodes.len() - 1;
        loop {
            match self.nodes[node] {
                Node::Leaf(leaf) => return leaf,
                Node::Cut { column, at, low, high } => node = if value(column) <= at { low } else { high },
            }
        }
    }

    /// Nodes, the root last; those below a node stand before it, first all of its low side.
    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }
}

struct Growing<'a> {
    tree: Tree,
    scales: &'a [Scale],
    /// Spread of each column in the whole sample.
    whole: Vec<f64>,
    most: f64,
}

impl Growing<'_> {
    /// Adds the tree of these points; the place of its root.
    fn branch(&mut self, sample: &mut [Weighed]) -> usize {
        let weight: u64 = sample.iter().map(|s| s.rows).sum();
        let node = match self.cut(sample).filter(|_| weight as f64 > self.most) {
            None => {
                self.tree.leaves += 1;
                Node::Leaf(self.tree.leaves - 1)
            }
            Some((column, at, split)) => {
                let (below, above) = sample.split_at_mut(split);
                let (low, high) = (self.branch(below), self.branch(above));
                Node::Cut { column, at, low, high }
            }
        };
        self.tree.nodes.push(node);
        self.tree.nodes.len() - 1
    }

    /// Sorts the points by the column to cut; that column, the value to cut at, and the number of points up to there.
    /// `None` if all points are one.
    fn cut(&self, sample: &mut [Weighed]) -> Option<(usize, f64, usize)> {
        let varies = |c: &usize| sample.iter().any(|s| s.point[*c] != sample[0].point[*c]);
        let width = |c: usize| {
            let whole = self.whole[c];
            if whole > 0.0 { self.scales[c].weight * spread(sample, c, self.scales[c]) / whole } else { 0.0 }
        };
        let widest = (0..self.scales.len()).filter(varies).map(|c| (c, width(c)));
        let (column, _) = widest.reduce(|a, b| if b.1 > a.1 { b } else { a })?;
        sample.sort_by(|a, b| a.point[column].total_cmp(&b.point[column]));
        let half: u64 = sample.iter().map(|s| s.rows).sum::<u64>() / 2;
        let (mut below, mut best) = (0, None);
        for (split, pair) in (1..).zip(sample.windows(2)) {
            below += pair[0].rows;
            let off = below.abs_diff(half);
            if pair[0].point[column] < pair[1].point[column] && best.is_none_or(|(least, _)| off < least) {
                best = Some((off, split));
            }
        }
        best.map(|(_, split)| (column, sample[split - 1].point[column], split))
    }
}

/// Variance of known numbers; for labels the sum of p(1 - p).
fn spread(sample: &[Weighed], column: usize, scale: Scale) -> f64 {
    let known = || {
        let values = sample.iter().map(|s| (s.point[column], s.rows as f64));
        values.filter(|(x, _)| x.is_finite())
    };
    let all: f64 = known().map(|(_, rows)| rows).sum();
    if all == 0.0 {
        return 0.0;
    }
    if scale.labels {
        let mut counts: Vec<(f64, f64)> = known().collect();
        counts.sort_by(|a, b| a.0.total_cmp(&b.0));
        let shares = counts.chunk_by(|a, b| a.0 == b.0).map(|of| of.iter().map(|c| c.1).sum::<f64>() / all);
        return shares.map(|p| p * (1.0 - p)).sum();
    }
    let mean = known().map(|(x, rows)| x * rows).sum::<f64>() / all;
    known().map(|(x, rows)| (x - mean) * (x - mean) * rows).sum::<f64>() / all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(rows: &[(u64, [f64; 2])]) -> Vec<Weighed> {
        rows.iter().map(|&(rows, point)| Weighed { rows, point: Box::new(point) }).collect()
    }

    const NUMBERS: [Scale; 2] = [Scale { weight: 0.5, labels: false }; 2];

    #[test]
    fn halves_by_rows_not_by_points() {
        // Nine rows at 1, one each at 2, 3, 4: half of twelve lies after the first point.
        let sample = points(&[(9, [1.0, 0.0]), (1, [2.0, 0.0]), (1, [3.0, 0.0]), (1, [4.0, 0.0])]);
        let tree = Tree::grow(sample, &NUMBERS, 12, 9);
        assert_eq!(tree.leaves(), 2);
        let leaf = |x: f64| tree.leaf(|column| [x, 0.0][column]);
        assert_eq!([leaf(0.0), leaf(1.0), leaf(1.5), leaf(4.0)], [0, 0, 1, 1]);
    }

    #[test]
    fn cuts_the_wider_column_and_stops_at_one_point() {
        let sample = points(&[(5, [0.0, 0.0]), (5, [0.0, 1.0]), (5, [0.1, 0.0]), (5, [0.1, 1.0])]);
        // Both spread alike in the whole; the second weighs more.
        let scales = [Scale { weight: 0.2, labels: false }, Scale { weight: 0.8, labels: false }];
        let tree = Tree::grow(sample.clone(), &scales, 20, 10);
        assert_eq!(tree.leaves(), 2);
        assert_ne!(tree.leaf(|c| [0.0, 0.0][c]), tree.leaf(|c| [0.0, 1.0][c]));
        assert_eq!(tree.leaf(|c| [0.0, 0.0][c]), tree.leaf(|c| [0.1, 0.0][c]));
        assert_eq!(Tree::grow(sample, &scales, 20, 1).leaves(), 4, "no point is cut");
    }

    #[test]
    fn missing_numbers_lie_low() {
        let sample = points(&[(1, [f64::NEG_INFINITY, 0.0]), (1, [5.0, 0.0])]);
        let tree = Tree::grow(sample, &NUMBERS, 2, 1);
        assert_eq!(tree.leaf(|c| [f64::NEG_INFINITY, 0.0][c]), 0);
        assert_eq!(tree.leaf(|c| [5.0, 0.0][c]), 1);
    }
}
