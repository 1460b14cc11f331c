//! (k,k)-anonymity: (1,k) and (k,1).

use super::{Worst, graph::Graph, k_one, one_k};

pub(super) fn worst(graph: &Graph, k: usize) -> Worst {
    let (one, other) = (one_k::worst(graph, k), k_one::worst(graph, k));
    Worst {
        reached: one.reached.min(other.reached),
        counted: "consistent rows in the other table for each row of either",
        below: one.below.into_iter().chain(other.below).collect(),
    }
}
