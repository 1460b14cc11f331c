//! (1,k)-anonymity: every original record is consistent with at least k published rows.

use super::{Worst, graph::Graph};
use crate::{Consistent, Shared, Witness};

pub(super) fn worst(graph: &Graph, k: usize) -> Worst {
    let rows = graph.published_of_original();
    let witness = |of, rows| Witness::Original { of, rows };
    below(graph, &rows, k, Consistent::Published, &witness)
}

/// Judges a number of published rows for each original combination.
pub(super) fn below(
    graph: &Graph,
    rows: &[usize],
    k: usize,
    counted: Consistent,
    witness: &dyn Fn(Vec<Shared>, usize) -> Witness,
) -> Worst {
    let side = &graph.original;
    let few = rows.iter().enumerate().filter(|(_, rows)| **rows < k);
    let below = few.map(|(o, &rows)| (witness(side.cells[o].clone(), rows), side.rows[o]));
    Worst { reached: rows.iter().copied().min().unwrap_or(0), counted, below: below.collect() }
}
