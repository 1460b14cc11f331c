//! The types that cross a thread, a process or the network, and nothing else.
//!
//! Everything here is plain data with public fields that serialises with serde. There is no behaviour beyond
//! constructors and defaults, so that the page, the engine, the worker and the core can share it without sharing
//! anything else.
//!
//! * [`chain`] — the releases of a series, chained, without anything of the people in them.
//! * [`check`] — what the page asks of a published table.
//! * [`config`] — settings as a file: a Frictionless Table Schema with a property of ours.
//! * [`http`] — states and errors of the job API.
//! * [`ledger`] — what is kept from release to release of a series.
//! * [`opening`] — how a file is opened, what it was taken for.
//! * [`page`] — messages between the page and its engine.
//! * [`binary`], [`block`]: jobs and blocks of a search as bytes, in one binary form.
//! * [`series`] — messages of the page about releases over time.

#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]
#![forbid(unsafe_code)]

pub mod binary;
pub mod block;
pub mod chain;
pub mod check;
pub mod config;
mod container;
pub mod http;
pub mod ledger;
pub mod manifest;
pub mod opening;
mod other_form;
pub mod page;
pub mod series;
