//! (k,1)-anonymity: every published row is consistent with at least k original records.

use super::{Worst, graph::Graph};
use crate::{Consistent, Witness};

pub(super) fn worst(graph: &Graph, k: usize) -> Worst {
    let rows = graph.original_of_published();
    let side = &graph.published;
    let few = rows.iter().enumerate().filter(|(_, rows)| **rows < k);
    let below = few.map(|(p, &rows)| (Witness::Published { of: side.cells[p].clone(), rows }, side.rows[p]));
    Worst {
        reached: rows.iter().copied().min().unwrap_or(0),
        counted: Consistent::Original,
        below: below.collect(),
    }
}
