//! The core without its search as a wasm module: tables in, jobs out, answers in, releases out. It lives in a dedicated Web
//! Worker (`web/static/worker.js`), so that the page stays responsive.
//!
//! * [`session`] — one page's conversation with the core, in wire types and bytes; knows no browser.
//! * `arrival`, `browse`, `columns`, `edits`: the open table. `run`: from its settings to a release. `estimate`: what it
//!   would cost. `series`, `timeline`: releases over time. `check`:
//!   published tables. `configuration`: settings as files. `fault`: what can go wrong with any of them.
//! * [`bindings`] — the same for JavaScript.

mod arrival;
mod bindings;
mod browse;
mod certificate;
mod check;
mod columns;
mod configuration;
mod edits;
mod estimate;
mod fault;
mod run;
mod series;
pub mod session;
mod timeline;

pub use bindings::{Engine, report_panics};
