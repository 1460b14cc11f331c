//! What the page needs now and then, kept out of the engine so that the page is small: configuration files, and the
//! check of a published table. A wasm module of its own that the engine's Web Worker loads when it is first asked.
//!
//! * [`desk`] — questions and answers in wire types and bytes; knows no browser.
//! * [`bindings`] — the same for JavaScript.

mod bindings;
mod check;
mod configuration;
pub mod desk;
mod series;

pub use bindings::Counter;
