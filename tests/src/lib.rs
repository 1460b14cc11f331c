//! Helpers of the whole-system suites: they run the built program from outside, as a user does.
//!
//! * [`program`] — the binary, run with flags in a folder of its own.
//! * [`server`] — `lookalike serve` as long as it is needed.
//! * [`fake`] — a worker that lies.
//! * [`certificate`] — certificates for localhost.
//! * [`nats`] — a NATS server, and workers that solve blocks.
//! * [`http`] — raw requests, so that a test can also send what no client would.
//! * [`series`] — releases one after another.
//! * [`recorded`] — runs whose bytes and figures are recorded.
//! * [`tables`] — inputs, and an independent reader of outputs.
//! * [`bytes`] — what reads bytes from outside, for the fuzz targets.
//! * [`data`] — data that is not in the repository.
//! * [`disk`] — a file system that is soon full.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    reason = "helpers of tests: a failure here is a failed test"
)]

pub mod bytes;
pub mod certificate;
pub mod data;
pub mod disk;
pub mod fake;
pub mod http;
pub mod nats;
pub mod program;
pub mod recorded;
pub mod series;
pub mod server;
pub mod tables;
