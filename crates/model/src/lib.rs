//! The vocabulary that the other crates share.
//!
//! The problem and its answer ([`instance`], [`partition`], [`rule`], [`loss`]), how they are asked for and told, and what a host
//! gives to a long run. Mostly plain data with public fields, which serialises with serde; what a class costs, whether it is
//! admissible and whether an answer is valid is computed here, because everybody must agree on it. It knows nothing else of ours.
//!
//! * [`instance`], [`partition`]: the problem and its answer as a search has them.
//! * [`rule`], [`loss`]: which classes are admissible, and what a class costs.
//! * [`verify`](mod@verify), [`received`](mod@received): whether an answer is valid, and what is believed of another machine's.
//! * [`ctx`], [`checkpoint`]: what a host gives to a long run.
//! * [`neighbours`] — near points.
//! * [`settings`] — what the user asks for; the command line and the page fill in the same struct.
//! * [`cells`] — what is put in place of cells, as people type it.
//! * [`dialect`] — the form of a published table as a file.
//! * [`missing`] — which cells mean "not known".
//! * [`info`] — what a table looks like before anything is decided.
//! * [`survey`] — what every m would cost.
//! * [`job`] — the pseudonymised numeric problem and its answer; all that a worker ever sees.
//! * [`block`], [`kept`]: parts of a search that others solve, and their answers.
//! * [`freeform`] — answers without classes.
//! * [`event`] — progress.
//! * [`proof`] — what stands behind a bound.
//! * [`lines`], [`document`] — an account in lines, and a document.
//! * [`report`] — the publishable `report.json` and the private record.
//! * [`assessment`] — what the report says about risk, disclosure and utility.
//! * [`look`] — a finished run beside its original.
//! * [`ledger`] — what is kept from release to release of a series.
//! * [`sent`] — where the classes were computed.

#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]
#![forbid(unsafe_code)]

pub mod assessment;
pub mod beside;
pub mod block;
pub mod cells;
pub mod checkpoint;
pub mod comparison;
pub mod ctx;
pub mod described;
pub mod dialect;
pub mod distinct_points;
pub mod document;
pub mod domain;
mod error;
pub mod event;
pub mod finding;
#[doc(hidden)]
#[allow(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    reason = "fixed instances for tests"
)]
pub mod fixtures;
pub mod freeform;
pub mod info;
pub mod instance;
pub mod job;
pub mod kept;
mod kind;
pub mod lattice;
pub mod ledger;
pub mod lines;
pub mod loss;
mod method;
pub mod missing;
pub mod neighbours;
pub mod parallel;
pub mod partition;
pub mod proof;
mod reader;
pub mod received;
pub mod report;
pub mod rule;
pub mod sent;
pub mod sets;
pub mod settings;
pub mod statement;
pub mod survey;
pub mod threshold;
pub mod unchanged;
pub mod verify;

pub use ctx::Ctx;
pub use error::{Error, ErrorKind};

/// Revision of the algorithms. As long as it is the same, the same input, settings, seed and effort give the same published
/// bytes, parts of a search that were kept can be gone on with, and machines may share a search. It is raised with every
/// change after which any of this may not be so, whatever the version of the program; `tests/tests/recorded.rs` finds changes that
/// were made without.
pub const REVISION: u32 = 2;
