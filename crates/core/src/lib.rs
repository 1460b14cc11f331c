//! The method: tables about people, partitioned into admissible classes with the least loss.
//!
//! The data take this way, in [`pipeline::anonymize`]:
//! bytes -> table -> instance -> partition -> release -> verdict -> published CSV and report.
//!
//! ```
//! use lookalike_core::prelude::*;
//!
//! # fn main() -> Result<(), Error> {
//! let table = read(b"age,sex\n34,f\n36,f\n35,m\n61,m\n58,m\n64,f\n", &ReadOptions::default())?;
//! let settings = Settings {
//!     quasi: vec!["age".into(), "sex".into()],
//!     seed: Some(1),
//!     ..Settings::of(Model::KAnonymity { k: 3 })
//! };
//! let outcome = anonymize(&table, &settings, &Ctx::silent())?;
//! assert!(outcome.report.audit.passed);
//! let published = String::from_utf8_lossy(&outcome.published);
//! assert_eq!(published.lines().nth(1), Some("[34-36],\"{f, m}\",1"));
//! # Ok(())
//! # }
//! ```
//!
//! * [`pipeline`] — the whole way, and its two halves for a solver elsewhere.
//! * [`eligibility`] — when a partition exists, and the fewest changes until it does (Tobar 2024).
//! * [`certify`] — certificates of bounds.
//! * `prepare`, `release`: from cells to points, from classes to published cells.
//! * [`hierarchies`] — generalisation hierarchies made from a column.
//! * [`republish`] — later releases of a series.
//! * [`large`] — tables that do not fit into memory.
//! * [`persons`] — whether a person may have several rows.
//! * [`pinned_before`] — settings that read the next delivery as this table.
//! * [`info`] — what a table looks like before anything is decided.
//! * [`check`](mod@check) — whether a published table keeps what is asked of it.
//! * [`browse`] — the rows of a table before any run. [`comparison`] — a finished run beside its original.
//! * [`estimate`] — about what each number costs, before any run.
//! * [`statement`] — a finished run for the files of the person who answers for the data.
//! * [`demo`] — made-up tables, for samples and the demonstration.

#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]
#![forbid(unsafe_code)]

pub mod browse;
pub mod certify;
pub mod check;
pub mod code;
pub mod comparison;
pub mod demo;
pub mod digest;
pub mod disclosure;
pub mod eligibility;
mod error;
pub mod estimate;
pub mod hierarchies;
mod histogram;
pub mod info;
pub mod out_of_core;
pub mod persons;
pub mod pipeline;
mod prepare;
mod refused;
mod release;
pub mod republish;
pub mod statement;
mod suggest;
pub mod unchanged;
mod warning;

/// What most programs need.
pub mod prelude {
    #[cfg(feature = "optimize")]
    pub use crate::pipeline::anonymize;
    pub use crate::{
        Error,
        pipeline::{Need, Outcome, Purpose, Run, finish, prepare},
    };
    pub use lookalike_model::{
        Ctx,
        job::{Answer, Job, Status},
        settings::{Budget, Loss, Method, MethodName, Model, Publish, Repair, Settings},
    };
    pub use lookalike_table::{ReadOptions, Table, read};
}

pub use error::Error;
pub use lookalike_audit as audit;
pub use lookalike_model as model;
pub use lookalike_model::Ctx;
#[cfg(feature = "optimize")]
pub use lookalike_optimize as optimize;
pub use lookalike_table as table;
pub use prepare::pinned_before;
pub use refused::{Impossible, Unusable};
pub use release::{Explanation, FormulaCells, audit_dialect};
pub use suggest::{
    CodesBy, CodesWarning, FormatName, LabelsWarning, NameMeaning, SampleWarning, SuggestedBy, UnknownBy,
    UnknownWarning, first_rows_warnings, reading_warnings,
};
pub use warning::{CodedLimit, DeclaredDomain, FreeformGuarantee, ReleaseWarning};
