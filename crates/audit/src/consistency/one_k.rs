//! (1,k)-anonymity: every original record is consistent with at least k published rows.

use super::{Worst, graph::Graph};

pub(super) fn worst(graph: &Graph, k: usize) -> Worst {
    let rows = graph.published_of_original();
    below(graph, &rows, k, "published rows consistent with each original row", "consistent with")
}

/// Judges a number of published rows for each original combination.
pub(super) fn below(
    graph: &Graph,
    rows: &[usize],
    k: usize,
    counted: &'static str,
    verb: &'static str,
) -> Worst {
    let side = &graph.original;
    let few = rows.iter().enumerate().filter(|(_, rows)| **rows < k);
    let below = few
        .map(|(o, rows)| (format!("original {}: {verb} {rows} published rows", side.words[o]), side.rows[o]));
    Worst { reached: rows.iter().copied().min().unwrap_or(0), counted, below: below.collect() }
}
