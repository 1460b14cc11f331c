//! (k,k)-anonymity: (1,k) and (k,1).

use super::{Worst, graph::Graph, k_one, one_k};
use crate::Consistent;

pub(super) fn worst(graph: &Graph, k: usize) -> Worst {
    let (one, other) = (one_k::worst(graph, k), k_one::worst(graph, k));
    Worst {
        reached: one.reached.min(other.reached),
        counted: Consistent::Either,
        below: one.below.into_iter().chain(other.below).collect(),
    }
}
