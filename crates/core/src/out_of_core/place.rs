//! Row groups placed: the leaf of each row, and how often each colour occurs in each leaf. What it depends on is numbers
//! alone, so that it can be done elsewhere (see [`Queue`](lookalike_model::checkpoint::Queue)).

use lookalike_model::{
    block::{self as tasks, Rows},
    kept::Placed,
};

use super::{
    misfit::{LargeMisfit, RowGroupFault},
    tree::{Node, Tree},
};
use crate::Error;

/// Most rows of a group: what a worker has to have room for.
const MOST: usize = 1 << 20;

/// Rows between two looks whether it is still wanted.
const LOOK: usize = 1 << 12;

/// Solves a block, or places its rows. `None` if it was cancelled: half a block is of no use.
///
/// # Errors
/// As [`lookalike_optimize::solve::solve_block`]; [`Error::Large`] for numbers that are no row group.
#[cfg(feature = "optimize")]
pub fn solve_block(
    block: &tasks::Block,
    ctx: &lookalike_model::Ctx,
) -> Result<Option<lookalike_model::kept::Kept>, Error> {
    match block {
        tasks::Block::Rows(rows) => Ok(place(rows, ctx.cancelled)?.map(lookalike_model::kept::Kept::Placed)),
        block => Ok(lookalike_optimize::solve::solve_block(block, ctx)?),
    }
}

/// Places the rows of a group; `None` if it was cancelled. Takes O(n (h + log n)) for n rows and a tree of height h.
///
/// # Errors
/// [`Error::Large`] for numbers that are no row group.
pub(crate) fn place(rows: &Rows, cancelled: &dyn Fn() -> bool) -> Result<Option<Placed>, Error> {
    let tree = check(rows)?;
    let mut leaves = Vec::with_capacity(rows.colours.len());
    for some in rows.places.chunks(LOOK * rows.dims) {
        if cancelled() {
            return Ok(None);
        }
        leaves.extend(some.chunks_exact(rows.dims).map(|row| tree.leaf(|attribute| row[attribute].into())));
    }
    let counts = counts(&leaves, &rows.colours);
    Ok(Some(Placed { leaves, counts }))
}

/// Rows of each leaf and colour, ascending.
fn counts(leaves: &[u32], colours: &[u32]) -> Vec<(u32, u32, u64)> {
    let mut pairs: Vec<(u32, u32)> = leaves.iter().copied().zip(colours.iter().copied()).collect();
    pairs.sort_unstable();
    pairs.chunk_by(|a, b| a == b).map(|same| (same[0].0, same[0].1, same.len() as u64)).collect()
}

/// Whether an answer can be that of a group. Not asked is whether each row is in its leaf: that costs what placing it does,
/// and a row in another leaf is in another block, no more.
pub(crate) fn fits(placed: &Placed, rows: &Rows, leaves: usize) -> bool {
    let mut left = vec![0_u64; leaves];
    for &leaf in &placed.leaves {
        match left.get_mut(leaf as usize) {
            Some(rows) => *rows += 1,
            None => return false,
        }
    }
    for &(leaf, _, rows) in &placed.counts {
        match left.get_mut(leaf as usize).and_then(|all| Some((all.checked_sub(rows)?, all))) {
            Some((less, all)) => *all = less,
            None => return false,
        }
    }
    let ascending = placed.counts.is_sorted_by(|a, b| (a.0, a.1) < (b.0, b.1));
    let there = placed.counts.iter().all(|count| count.2 > 0);
    ascending && there && placed.leaves.len() == rows.colours.len() && left.iter().all(|&rows| rows == 0)
}

/// The cuts of a group, after looking at all its numbers.
fn check(rows: &Rows) -> Result<Tree, Error> {
    let bad = |why| Err(LargeMisfit::RowGroup { why }.into());
    let n = rows.colours.len();
    if n > MOST {
        return bad(RowGroupFault::TooMany { most: MOST });
    }
    if rows.dims == 0 || rows.dims.checked_mul(n) != Some(rows.places.len()) {
        return bad(RowGroupFault::Shape);
    }
    // Nodes that no other one has below it yet.
    let (mut tops, mut leaves) = (Vec::new(), 0);
    let mut nodes = Vec::with_capacity(rows.nodes.len());
    for (place, node) in rows.nodes.iter().enumerate() {
        nodes.push(match *node {
            tasks::Node::Leaf => {
                leaves += 1;
                Node::Leaf(leaves - 1)
            }
            tasks::Node::Cut { attribute, .. } if attribute as usize >= rows.dims => {
                return bad(RowGroupFault::Attribute);
            }
            tasks::Node::Cut { attribute, at } => {
                let (Some(high), Some(low)) = (tops.pop(), tops.pop()) else {
                    return bad(RowGroupFault::Sides);
                };
                Node::Cut { column: attribute as usize, at: at.into(), low, high }
            }
        });
        tops.push(place);
    }
    if tops.len() != 1 {
        return bad(RowGroupFault::Tree);
    }
    Ok(Tree::new(nodes, leaves))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::out_of_core::{cuts::Cuts, sample::Weighed, tree::Scale};

    fn wanted() -> bool {
        false
    }

    /// Two attributes; leaves 0, 1 | 2 as `x <= 1`, `y <= 0`.
    fn group() -> Rows {
        let cut = |attribute, at| tasks::Node::Cut { attribute, at };
        Rows {
            number: 0,
            dims: 2,
            nodes: vec![tasks::Node::Leaf, tasks::Node::Leaf, cut(1, 0), tasks::Node::Leaf, cut(0, 1)],
            places: vec![1, 0, 1, 1, 2, 0, 0, 0],
            colours: vec![5, 0, 5, 5],
        }
    }

    #[test]
    fn a_small_group() {
        let placed = place(&group(), &wanted).unwrap().unwrap();
        assert_eq!(placed.leaves, [0, 1, 2, 0]);
        assert_eq!(placed.counts, [(0, 5, 2), (1, 0, 1), (2, 5, 1)]);
        assert_eq!(place(&group(), &|| true).unwrap(), None);
        let one_leaf = Rows { nodes: vec![tasks::Node::Leaf], ..group() };
        assert_eq!(place(&one_leaf, &wanted).unwrap().unwrap().leaves, [0; 4]);
    }

    #[test]
    fn what_is_no_group_is_refused() {
        let cut = |attribute, at| tasks::Node::Cut { attribute, at };
        let leaf = tasks::Node::Leaf;
        for (wrong, words) in [
            (Rows { dims: 0, places: Vec::new(), ..group() }, "no attribute"),
            (Rows { dims: 3, ..group() }, "do not fit"),
            (Rows { dims: usize::MAX, ..group() }, "do not fit"),
            (Rows { places: vec![0; 7], ..group() }, "do not fit"),
            (Rows { colours: vec![0; 5], ..group() }, "do not fit"),
            (Rows { nodes: Vec::new(), ..group() }, "a tree"),
            (Rows { nodes: vec![leaf, leaf], ..group() }, "a tree"),
            (Rows { nodes: vec![cut(0, 0)], ..group() }, "two sides"),
            (Rows { nodes: vec![leaf, cut(0, 0)], ..group() }, "two sides"),
            (Rows { nodes: vec![cut(0, 0), leaf, leaf], ..group() }, "two sides"),
            (Rows { nodes: vec![leaf, leaf, cut(2, 0)], ..group() }, "does not have"),
            (Rows { nodes: vec![leaf, leaf, cut(u32::MAX - 1, 0)], ..group() }, "does not have"),
            (Rows { dims: 1, places: vec![0; MOST + 1], colours: vec![0; MOST + 1], ..group() }, "more than"),
        ] {
            let said = place(&wrong, &wanted).unwrap_err().to_string();
            assert!(said.contains(words), "{said}: {words}");
        }
    }

    #[test]
    fn an_answer_that_is_none_is_not_taken() {
        let (group, right) = (group(), place(&group(), &wanted).unwrap().unwrap());
        assert!(fits(&right, &group, 3));
        let with = |change: &dyn Fn(&mut Placed)| {
            let mut wrong = right.clone();
            change(&mut wrong);
            fits(&wrong, &group, 3)
        };
        assert!(!with(&|p| p.leaves[1] = 3), "no such leaf");
        assert!(!with(&|p| p.leaves[1] = 2), "counts of another leaf");
        assert!(!with(&|p| p.leaves.truncate(3)), "a row is missing");
        assert!(!with(&|p| p.counts[0].2 = 3), "too many");
        assert!(!with(&|p| p.counts[0].2 = 1), "too few");
        assert!(!with(&|p| p.counts[0].0 = 7), "counts of no leaf");
        assert!(!with(&|p| p.counts[0].2 = u64::MAX), "no number of rows");
        assert!(!with(&|p| p.counts.swap(0, 1)), "not ascending");
        assert!(!with(&|p| p.counts.push((2, 6, 0))), "a colour that is not there");
    }

    /// What is asked of the rows of each leaf: an attribute, where it is cut, and whether they lie on the low side.
    type Asked = Vec<(usize, f64, bool)>;

    fn leaves(tree: &Tree, node: usize, asked: Asked, found: &mut Vec<(u32, Asked)>) {
        match tree.nodes()[node] {
            Node::Leaf(leaf) => found.push((leaf, asked)),
            Node::Cut { column, at, low, high } => {
                leaves(tree, low, [&asked[..], &[(column, at, true)]].concat(), found);
                leaves(tree, high, [&asked[..], &[(column, at, false)]].concat(), found);
            }
        }
    }

    proptest! {
        /// Each row is in the one leaf that asks for its values as they are in the table, missing ones among them.
        #[test]
        fn each_row_is_where_its_values_belong(
            sample in prop::collection::vec(prop::collection::vec(-4..5_i32, 3), 1..60),
            table in prop::collection::vec((prop::collection::vec(-5..6_i32, 3), 0..4_u32), 0..60),
            most in 1..20_u64,
            attributes in Just([0, 1, 2]).prop_shuffle(),
        ) {
            // Minus infinity stands for missing numbers.
            let value = |x: i32| if x <= -4 { f64::NEG_INFINITY } else { f64::from(x) / 3.0 };
            let point = |p: &Vec<i32>| Weighed { rows: 1, point: p.iter().map(|&x| value(x)).collect() };
            let scales = [Scale { weight: 1.0, labels: false }; 3];
            let tree = Tree::grow(sample.iter().map(point).collect(), &scales, sample.len() as u64, most);
            let cuts = Cuts::new(&tree, &attributes);
            let places = table.iter().flat_map(|(p, _)| attributes.map(|c| cuts.place(c, value(p[c]))));
            let group = Rows {
                number: 1,
                dims: 3,
                nodes: cuts.nodes().to_vec(),
                places: places.collect(),
                colours: table.iter().map(|row| row.1).collect(),
            };
            let placed = place(&group, &wanted).unwrap().unwrap();
            prop_assert!(fits(&placed, &group, tree.leaves()));

            let mut found = Vec::new();
            leaves(&tree, tree.nodes().len() - 1, Vec::new(), &mut found);
            let mut counts = std::collections::BTreeMap::new();
            for ((point, colour), &leaf) in table.iter().zip(&placed.leaves) {
                let holds = |asked: &Asked| asked.iter().all(|&(c, at, low)| (value(point[c]) <= at) == low);
                let homes: Vec<u32> = found.iter().filter(|(_, a)| holds(a)).map(|(leaf, _)| *leaf).collect();
                prop_assert_eq!(homes, [leaf]);
                *counts.entry((leaf, *colour)).or_insert(0_u64) += 1;
            }
            let told = placed.counts.iter().map(|&(leaf, colour, rows)| ((leaf, colour), rows));
            prop_assert!(counts.into_iter().eq(told));
        }
    }
}
