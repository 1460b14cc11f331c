//! The cuts as they travel: of a value is told how many cuts of its attribute lie below it.

use lookalike_model::block as tasks;

use super::tree::{Node, Tree};

/// The cuts of each column, and the tree over them.
#[derive(Clone, Debug)]
pub(crate) struct Cuts {
    /// Where each column is cut, ascending, each value once.
    columns: Vec<Vec<f64>>,
    /// The tree, its columns under other numbers.
    nodes: Vec<tasks::Node>,
}

impl Cuts {
    /// The cuts of a tree; the attribute `a` that travels is the column `attributes[a]`, and each column is one.
    pub(crate) fn new(tree: &Tree, attributes: &[usize]) -> Self {
        let mut columns = vec![Vec::new(); attributes.len()];
        for node in tree.nodes() {
            if let Node::Cut { column, at, .. } = *node {
                columns[column].push(at);
            }
        }
        for column in &mut columns {
            column.sort_by(f64::total_cmp);
            column.dedup();
        }
        let mut cuts = Self { columns, nodes: Vec::new() };
        let mut names = vec![0; attributes.len()];
        for (name, &column) in (0..).zip(attributes) {
            names[column] = name;
        }
        let node = |node: &Node| match *node {
            Node::Cut { column, at, .. } => {
                tasks::Node::Cut { attribute: names[column], at: cuts.place(column, at) }
            }
            Node::Leaf(_) => tasks::Node::Leaf,
        };
        cuts.nodes = tree.nodes().iter().map(node).collect();
        cuts
    }

    /// How many cuts of a column lie below a value. It is at most `x` itself if and only if its place is at most that of
    /// the cut at `x`.
    pub(crate) fn place(&self, column: usize, value: f64) -> u32 {
        self.columns[column].partition_point(|&cut| cut < value) as u32
    }

    /// The tree.
    pub(crate) fn nodes(&self) -> &[tasks::Node] {
        &self.nodes
    }
}
