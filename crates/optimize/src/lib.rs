//! Partitions records into admissible classes with the least loss: a job of plain numbers comes in, an answer with a proven bound,
//! where there is one, goes out. It knows no table and no name.
//!
//! * [`solve`](mod@solve) — from a job to its answer, step by step; `plan` chooses the search.
//! * [`construct`] — starting partitions, one construction a file.
//! * [`local`] — local search: annealing, moves, neighbourhoods, spatial blocks.
//! * [`exact`] — column generation: bounds and proofs.
//! * [`queue`] — blocks of a search that others solve.
//! * [`checkpoint`] — parts of a long search that are finished.
#![forbid(unsafe_code)]

pub mod checkpoint;
pub mod construct;
mod error;
pub mod exact;
mod freeform;
pub mod local;
pub mod params;
pub mod queue;
pub mod solve;

pub use error::Error;
pub use lookalike_model as model;
