//! The method: tables about people, partitioned into admissible classes with the least loss.
//!
//! One line tells the way of the data; [`pipeline::anonymize`] is that line:
//! bytes -> table -> instance -> partition -> release -> verdict -> published CSV and report.
//!
//! * [`pipeline`] — the whole way, and its two halves for a solver elsewhere.
//! * [`ctx`] — progress, cancelling and time, handed in from outside.
//! * [`instance`], [`partition`]: the problem and its answer.
//! * [`loss`], [`rule`]: what a class costs and which classes are admissible.
//! * [`eligibility`] — when a partition exists, and the fewest changes until it does (paper 2).
//! * [`construct`], [`search`], [`solve`]: starting partitions, local search, and the choice between them.
//! * [`elsewhere`] — blocks of a search that others solve.
//! * [`certify`] — certificates of bounds.
//! * [`received`] — answers that another machine computed, and what of them is checked.
//! * `prepare`, `release`: from cells to points, from classes to published cells.
//! * [`hierarchies`] — generalisation hierarchies made from a column.
//! * [`republish`] — later releases of a series.
//! * [`large`] — tables that do not fit into memory.
//! * [`persons`] — whether a person may have several rows.
//! * [`info`] — what a table looks like before anything is decided.
//! * [`check`](mod@check) — what a published table keeps of what is asked of it.
//! * [`look`] — a finished run beside its original.
//! * [`statement`] — a finished run for the files of whoever answers for the data.
//! * [`demo`] — made-up tables, for samples and the demonstration.
#![forbid(unsafe_code)]

pub mod certify;
pub mod check;
pub mod checkpoint;
pub mod colgen;
pub mod construct;
pub mod ctx;
pub mod demo;
pub mod disclosure;
mod distinct_points;
pub mod eligibility;
pub mod elsewhere;
mod error;
#[cfg(feature = "freeform")]
mod freeform;
pub mod hierarchies;
mod histogram;
pub mod info;
pub mod instance;
pub mod large;
pub mod look;
pub mod loss;
mod parallel;
pub mod partition;
pub mod persons;
pub mod pipeline;
mod prepare;
pub mod received;
mod release;
pub mod republish;
pub mod rule;
pub mod search;
pub mod solve;
pub mod statement;
mod suggest;

pub use ctx::Ctx;
pub use error::Error;
pub use lookalike_audit as audit;
pub use lookalike_table as table;
