//! `lookalike read-apart`: unpacks and reads one job for a worker that has started it.

use std::io::{self, Read as _, Write as _};

use clap::Args;
use lookalike_wire::{binary, http::Problem};

use super::{
    super::{
        apart::contained,
        fault::ServeFault,
        log,
        problem::{self, Detail},
    },
    Told,
    job::{Format, Packing},
};
use crate::{exit::Failure, progress::say};

/// The flags.
#[derive(Debug, Args)]
pub(crate) struct ReadApart {
    /// How the job is written
    format: Format,
    /// How it is packed
    packing: Packing,
    /// Bytes that a job may have
    largest: usize,
}

/// Reads a job from standard input, and writes it to standard output in the form that is stored, or what is wrong with it.
///
/// # Errors
/// If the worker is gone.
pub(crate) fn run(args: &ReadApart) -> Result<(), Failure> {
    let lost = |e: io::Error| Failure::system(ServeFault::NotHeard { why: e.to_string() });
    log::name_places_only(|place| say(&format!("reading a job broke down at {place}")));
    contained::expendable();
    contained::limit();
    contained::contain();
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).map_err(lost)?;
    let (told, payload) = match payload(args, bytes) {
        Ok(payload) => (Told::Job(payload.len() as u64), payload),
        Err(problem) => (Told::Wrong(Box::new(problem)), Vec::new()),
    };
    let mut line = serde_json::to_vec(&told).map_err(|e| lost(e.into()))?;
    line.push(b'\n');
    let mut output = io::stdout().lock();
    output.write_all(&line).map_err(lost)?;
    output.write_all(&payload).map_err(lost)?;
    output.flush().map_err(lost)
}

fn payload(args: &ReadApart, bytes: Vec<u8>) -> Result<Vec<u8>, Problem> {
    let unpacked = args.packing.open(bytes, args.largest)?;
    let job = args.format.parse(&unpacked, args.largest)?;
    drop(unpacked);
    binary::encode(job).map_err(|e| problem::INVALID.because(Detail::Unwritten { why: e.to_string() }))
}
