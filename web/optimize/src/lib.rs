//! The search for classes as a wasm module. The engine's Web Worker (`web/static/worker.js`) loads it once a table is
//! open and hands it the numeric job that a worker elsewhere would get; it knows no table. It is built twice: with threads
//! for cross-origin isolated pages, and without.
//!
//! * [`search`] — one job from its bytes to its answer; knows no browser.
//! * [`bindings`] — the same for JavaScript.

mod bindings;
pub mod search;
mod throttle;

pub use bindings::{Optimizer, report_panics};
#[cfg(feature = "threads")]
pub use wasm_bindgen_rayon::init_thread_pool;
