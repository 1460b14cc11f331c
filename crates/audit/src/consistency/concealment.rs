//! k-concealment: every original record has at least k matches.
//!
//! A match is an edge of some perfect matching. With one perfect matching at hand, an edge is in another one iff it lies
//! on an alternating cycle: iff its ends are in one strong component of the graph that leads from originals along all
//! edges and back along the matching's.

use super::{Worst, flow::Flow, graph::Graph, one_k, strong};
use crate::{Consistent, Witness};

/// `None` if there is no perfect matching.
pub(super) fn worst(graph: &Graph, k: usize) -> Option<Worst> {
    let matches = matches(&graph.edges, &graph.original.rows, &graph.published.rows)?;
    let of_rows = |edges: &Vec<u32>| edges.iter().map(|&p| graph.published.rows[p as usize]).sum();
    let rows: Vec<usize> = matches.iter().map(of_rows).collect();
    let witness = |of, rows| Witness::Matched { of, rows };
    Some(one_k::below(graph, &rows, k, Consistent::Matches, &witness))
}

/// Per original combination the published ones that some perfect matching of all rows gives it; `None` if there is no
/// perfect matching.
pub(crate) fn matches(edges: &[Vec<u32>], original: &[usize], published: &[usize]) -> Option<Vec<Vec<u32>>> {
    let originals = original.len();
    let flow = Flow::perfect(edges, original, published)?;
    let mut next: Vec<Vec<u32>> =
        edges.iter().map(|edges| edges.iter().map(|&p| p + originals as u32).collect()).collect();
    next.extend((0..published.len()).map(|p| flow.sources(p)));
    let component = strong::components(&next);
    let mutual = |(o, edges): (usize, &Vec<u32>)| {
        let same = edges.iter().filter(|&&p| component[originals + p as usize] == component[o]);
        same.copied().collect()
    };
    Some(edges.iter().enumerate().map(mutual).collect())
}
