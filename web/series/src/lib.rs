//! The engine with releases over time, kept out of the plain engine so that the page is small. A wasm module of its own
//! that the Web Worker loads when the first series comes; it then takes the place of the plain engine.
//!
//! * [`series`] — ledger, updates, releases; knows no browser.
//! * [`bindings`] — the engine for JavaScript.

mod bindings;
pub mod series;

pub use bindings::engine;
pub use lookalike_engine::{Engine, report_panics};
