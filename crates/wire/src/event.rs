//! Progress.

use serde::{Deserialize, Serialize};

/// One report of a running search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Progress {
    /// What is going on, for people: "reading", "annealing".
    pub phase: String,
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
}
