//! k-concealment: every original record has at least k matches.
//!
//! A match is an edge of some perfect matching. With one perfect matching at hand, an edge is in another one iff it lies
//! on an alternating cycle: iff its ends are in one strong component of the graph that leads from originals along all
//! edges and back along the matching's.

use super::{Worst, flow::Flow, graph::Graph, one_k, strong};

/// `None` if there is no perfect matching.
pub(super) fn worst(graph: &Graph, k: usize) -> Option<Worst> {
    let originals = graph.original.rows.len();
    let flow = Flow::perfect(&graph.edges, &graph.original.rows, &graph.published.rows)?;
    let mut next: Vec<Vec<u32>> =
        graph.edges.iter().map(|edges| edges.iter().map(|&p| p + originals as u32).collect()).collect();
    next.extend((0..graph.published.rows.len()).map(|p| flow.sources(p)));
    let component = strong::components(&next);
    let matches = |(o, edges): (usize, &Vec<u32>)| {
        let mutual = edges.iter().filter(|&&p| component[originals + p as usize] == component[o]);
        mutual.map(|&p| graph.published.rows[p as usize]).sum()
    };
    let rows: Vec<usize> = graph.edges.iter().enumerate().map(matches).collect();
    Some(one_k::below(graph, &rows, k, "matches for each original row", "matched by"))
}
