//! Leaves put together until each block can be partitioned by itself.

use std::collections::BTreeMap;

use lookalike_model::rule::Rule;

use super::tree::{Node, Tree};

/// Rows of a leaf or of several, and how often each colour occurs among them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Group {
    /// Ascending.
    pub(crate) leaves: Vec<u32>,
    pub(crate) rows: u64,
    pub(crate) colours: BTreeMap<u32, u64>,
}

impl Group {
    /// Rows of the most frequent colour.
    fn most(&self) -> u64 {
        self.colours.values().max().copied().unwrap_or(0)
    }

    /// Whether classes exist that hold all rows (Tobar 2024: no colour above 1/m of them).
    pub(crate) fn admits(&self, rule: &Rule) -> bool {
        admits(rule, self.rows, self.most())
    }

    fn most_with(&self, other: &Self) -> u64 {
        let both = self.colours.iter().map(|(colour, n)| n + other.colours.get(colour).unwrap_or(&0));
        both.chain(other.colours.values().copied()).max().unwrap_or(0)
    }

    fn join(&mut self, other: Self) {
        self.leaves.extend(other.leaves);
        self.leaves.sort_unstable();
        self.rows += other.rows;
        for (colour, rows) in other.colours {
            *self.colours.entry(colour).or_insert(0) += rows;
        }
    }
}

fn admits(rule: &Rule, rows: u64, most: u64) -> bool {
    if rule.distinct() {
        rows > 0 && u128::from(most) * rule.min_size as u128 <= u128::from(rows)
    } else {
        rows >= rule.min_size as u64
    }
}

/// The blocks, by their first leaf. A leaf that admits no classes is put together with one beside it under the same node
/// of the tree: with the smallest block that mends it, or, where none does alone, with that which comes nearest, again and
/// again, and at last with what is left under the next node. Leaves without rows are in no block.
///
/// Every block admits classes if the whole table does.
pub(crate) fn blocks(tree: &Tree, leaves: &[Group], rule: &Rule) -> Vec<Group> {
    /// Blocks under a node, and what is left.
    type Under = (Vec<Group>, Option<Group>);
    let mut under: Vec<Under> = Vec::with_capacity(tree.nodes().len());
    for node in tree.nodes() {
        let settled = match *node {
            Node::Leaf(leaf) => match leaves[leaf as usize].clone() {
                group if group.rows == 0 => (Vec::new(), None),
                group if group.admits(rule) => (vec![group], None),
                group => (Vec::new(), Some(group)),
            },
            Node::Cut { low, high, .. } => {
                let (mut good, one) = std::mem::take(&mut under[low]);
                let (more, other) = std::mem::take(&mut under[high]);
                good.extend(more);
                let left = match (one, other) {
                    (Some(mut one), Some(other)) => {
                        one.join(other);
                        Some(one)
                    }
                    (one, other) => one.or(other),
                };
                match left {
                    Some(left) => mend(left, good, rule),
                    None => (good, None),
                }
            }
        };
        under.push(settled);
    }
    let (mut blocks, left) = under.pop().unwrap_or_default();
    blocks.extend(left);
    blocks.sort_by_key(|group| group.leaves.first().copied());
    blocks
}

/// Puts what is left together with blocks until it is one itself.
fn mend(mut left: Group, mut good: Vec<Group>, rule: &Rule) -> (Vec<Group>, Option<Group>) {
    while !left.admits(rule) && !good.is_empty() {
        // First those that mend it, the smallest before others; then by how many rows of other colours are lacking.
        let key = |at: usize| {
            let (rows, most) = (left.rows + good[at].rows, left.most_with(&good[at]));
            let lacking = if admits(rule, rows, most) {
                0
            } else if rule.distinct() {
                (u128::from(most) * rule.min_size as u128).saturating_sub(rows.into())
            } else {
                (rule.min_size as u64).saturating_sub(rows).into()
            };
            (lacking, good[at].rows, at)
        };
        let Some(best) = (0..good.len()).min_by_key(|&at| key(at)) else { break };
        left.join(good.remove(best));
    }
    if left.admits(rule) {
        good.push(left);
        return (good, None);
    }
    (good, Some(left))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::out_of_core::{
        sample::Weighed,
        tree::{Scale, Tree},
    };

    /// A tree over the points 0, 1, 2, ... of so many leaves, and those with these colours.
    fn table(colours: &[Vec<u64>]) -> (Tree, Vec<Group>) {
        let sample = (0..colours.len())
            .map(|at| Weighed { rows: 1, point: Box::new([at as f64]) })
            .collect::<Vec<_>>();
        let scale = [Scale { weight: 1.0, labels: false }];
        let tree = Tree::grow(sample, &scale, colours.len() as u64, 1);
        let groups = (0..).zip(colours).map(|(leaf, counts)| Group {
            leaves: vec![leaf],
            rows: counts.iter().sum(),
            colours: (0..).zip(counts.iter().copied()).filter(|(_, n)| *n > 0).collect(),
        });
        let groups = groups.collect();
        (tree, groups)
    }

    #[test]
    fn two_that_mend_each_other() {
        // Leaf 0 has too much of colour 0, its sibling of colour 1; 2 and 3 stay alone.
        let (tree, leaves) = table(&[vec![4, 2], vec![3, 5], vec![3, 3], vec![9, 9]]);
        let found = blocks(&tree, &leaves, &Rule::all_different(2));
        let members: Vec<_> = found.iter().map(|g| g.leaves.clone()).collect();
        // 7 of 14 rows of leaves 0 and 1 hold colour 1, and 7 colour 0.
        assert_eq!(members, [vec![0, 1], vec![2], vec![3]]);
        assert_eq!(found[0].colours, BTreeMap::from([(0, 7), (1, 7)]));
    }

    #[test]
    fn an_empty_leaf_is_in_no_block() {
        let (tree, leaves) = table(&[vec![], vec![2], vec![3]]);
        let found = blocks(&tree, &leaves, &Rule::at_least(3));
        assert_eq!(found.iter().map(|g| g.leaves.clone()).collect::<Vec<_>>(), [vec![1, 2]]);
    }

    proptest! {
        /// Every row is in one block, and each block admits classes if the whole does.
        #[test]
        fn all_blocks_admit_classes(
            colours in prop::collection::vec(prop::collection::vec(0..6_u64, 3), 1..20),
            m in 2..4_usize,
            distinct in any::<bool>(),
        ) {
            let rule = if distinct { Rule::all_different(m) } else { Rule::at_least(4 * m) };
            let (tree, leaves) = table(&colours);
            let mut whole = Group::default();
            for leaf in leaves.iter().cloned() {
                whole.join(leaf);
            }
            let found = blocks(&tree, &leaves, &rule);
            let mut members: Vec<u32> = found.iter().flat_map(|g| g.leaves.clone()).collect();
            members.sort_unstable();
            let filled: Vec<u32> = leaves.iter().filter(|g| g.rows > 0).flat_map(|g| g.leaves.clone()).collect();
            prop_assert_eq!(members, filled);
            if whole.admits(&rule) {
                prop_assert!(found.iter().all(|block| block.admits(&rule)), "{:?}", found);
            }
            for block in &found {
                let rows: u64 = block.leaves.iter().map(|&leaf| leaves[leaf as usize].rows).sum();
                prop_assert_eq!(block.rows, rows);
                prop_assert_eq!(block.colours.values().sum::<u64>(), rows);
            }
        }
    }
}
