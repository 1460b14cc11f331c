//! Progress.

use lookalike_words::Said;
use serde::{Deserialize, Serialize};

/// One report of a running search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Progress {
    /// What is going on: "annealing", "column generation".
    pub phase: Said,
    /// Part of the phase that is done, 0 to 1, where known.
    pub fraction: Option<f64>,
    /// Loss of the best partition so far.
    pub incumbent: Option<f64>,
    /// Proven lower bound so far.
    pub bound: Option<f64>,
    /// Moves proposed so far, where the phase has moves.
    #[serde(default)]
    pub moves: Option<u64>,
    /// Seconds since the run began.
    pub seconds: f64,
    /// Blocks that other workers solve, where some do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<Elsewhere>,
}

/// Blocks of a search that other workers solve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Elsewhere {
    /// Blocks that came back, of all rounds.
    pub done: u64,
    /// Blocks that are waiting or being solved.
    pub open: u64,
    /// Blocks that all workers together can solve at a time, of the workers that were heard of lately.
    pub workers: u64,
}
