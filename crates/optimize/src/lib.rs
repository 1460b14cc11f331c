//! Partitions records into admissible classes with the least loss: a job of plain numbers comes in, an answer with a proven bound,
//! where there is one, goes out. It knows neither tables nor names.
//!
//! ```
//! use lookalike_optimize::prelude::*;
//!
//! # fn main() -> Result<(), Error> {
//! // Six numbers, in classes of at least three.
//! let method = MethodName::ColumnGeneration.into();
//! let job = Job { method, ..Job::of(1, vec![1.0, 9.0, 2.0, 8.0, 3.0, 7.0], Rule::at_least(3)) };
//! let answer = solve(&job, &Ctx::silent())?;
//! assert_eq!(answer.labels, [0, 1, 0, 1, 0, 1]);
//! assert!((answer.loss - 4.0).abs() < 1e-9);
//! assert_eq!(answer.status, Status::Optimal);
//! # Ok(())
//! # }
//! ```
//!
//! * [`solve`](mod@solve) — from a job to its answer, step by step; `plan` chooses the search.
//! * [`construct`] — starting partitions, one construction a file.
//! * [`local`] — local search: annealing, moves, neighbourhoods, spatial blocks.
//! * [`exact`] — column generation: bounds and proofs.
//! * [`lattice`] — one level for a whole column, proven.
//! * [`bounds`] — lower bounds at any size, whatever searches.
//! * [`queue`] — blocks of a search that others solve.
//! * [`checkpoint`] — parts of a long search that are finished.

#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]
#![forbid(unsafe_code)]

pub mod bounds;
pub mod checkpoint;
pub mod construct;
mod error;
pub mod exact;
mod freeform;
pub mod lattice;
pub mod local;
pub mod params;
mod phase;
pub mod programme;
pub mod queue;
mod sets;
pub mod solve;

/// What most programs need.
pub mod prelude {
    pub use crate::{
        Error,
        solve::{Solve, solve},
    };
    pub use lookalike_model::{
        Ctx,
        job::{Answer, Job, Status},
        rule::Rule,
        settings::{Budget, Loss, Method, MethodName},
    };
}

pub use error::Error;
pub use lookalike_model as model;
pub use phase::Phase;
