//! The types that cross a thread, a process or the network, and nothing else.
//!
//! Everything here is plain data with public fields that serialises with serde. There is no behaviour beyond
//! constructors and defaults, so that the page, the engine, the worker and the core can share it without sharing
//! anything else.
//!
//! * [`check`] — what the page asks of a published table.
//! * [`config`] — settings as a file: a Frictionless Table Schema with a property of ours.
//! * [`settings`] — what the user asks for; the command line and the page fill in the same struct.
//! * [`job`] — the pseudonymised numeric problem and its answer; all that a worker ever sees.
//! * [`desk`] — messages between the page and its desk, which is loaded on demand.
//! * [`event`] — progress.
//! * [`proof`] — what stands behind a bound.
//! * [`report`] — the publishable `report.json` and the private record.
//! * [`assessment`] — what the report says about risk, disclosure and utility.
//! * [`http`] — states and errors of the job API.
//! * [`ledger`] — what is kept from release to release of a series.
//! * [`look`] — a finished run beside its original.
//! * [`opening`] — how a file is opened, what it was taken for.
//! * [`page`] — messages between the page and its engine.
//! * [`rows`] — rows of a large table, to be placed between cuts.
//! * [`sent`] — where the classes were computed.
//! * [`series`] — messages of the page about releases over time.
//! * [`survey`] — what every m would cost.
#![forbid(unsafe_code)]

pub mod assessment;
pub mod binary;
pub mod block;
mod carry;
pub mod check;
pub mod config;
pub mod desk;
pub mod event;
pub mod freeform;
pub mod http;
pub mod job;
pub mod kept;
pub mod ledger;
pub mod look;
mod method;
mod named;
pub mod opening;
pub mod page;
pub mod proof;
pub mod report;
pub mod rows;
pub mod sent;
pub mod series;
pub mod settings;
pub mod survey;
