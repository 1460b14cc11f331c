//! The core without its search as a wasm module: tables in, jobs out, answers in, releases out. It lives in a dedicated Web
//! Worker (`web/static/worker.js`), so that the page stays responsive.
//!
//! * [`session`] — one page's conversation with the core, in wire types and bytes; knows no browser.
//! * [`extension`] — what an engine may know beyond single tables.
//! * [`bindings`] — the same for JavaScript.

mod arrival;
mod bindings;
mod columns;
pub mod extension;
pub mod session;
mod task;

pub use bindings::{Engine, report_panics};
