//! The core as a wasm module. It lives in a dedicated Web Worker (`web/static/worker.js`), so that the page stays
//! responsive, and is built twice: with threads for cross-origin isolated pages, and without.
//!
//! * [`session`] — one page's conversation with the core, in wire types and bytes; knows no browser.
//! * [`bindings`] — the same for JavaScript.

mod arrival;
mod bindings;
mod columns;
pub mod session;
mod task;
mod throttle;

pub use bindings::{Engine, report_panics};
#[cfg(feature = "threads")]
pub use wasm_bindgen_rayon::init_thread_pool;
