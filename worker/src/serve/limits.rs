//! What the worker takes on.

use std::time::Duration;

use clap::Args;

use super::{apart::memory, fault::ServeFault};
use crate::{exit::Failure, flag_values};

/// The flags.
#[derive(Clone, Debug, Args)]
pub(crate) struct LimitArgs {
    /// Jobs that are searched at the same time; the threads are divided among them
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// Jobs of one token that may wait; one more is refused (429)
    #[arg(long, value_name = "N", default_value_t = 256)]
    max_queue: usize,
    /// Megabytes that one job may have, unpacked
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=4096))]
    max_job_mb: u32,
    /// Megabytes that all payloads and results of one token may have together
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..))]
    max_held_mb: u32,
    /// Requests of one token that are answered at a time, streams of events among them; one more is refused (503)
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u16).range(1..))]
    max_requests: u16,
    /// Megabytes a second that bodies and answers of one token may have together; what is more waits
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    max_rate_mb: u32,
    /// Longest search of one job; then its best so far is the answer
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = flag_values::seconds)]
    max_search: f64,
    /// Megabytes of memory that one search may take; then its best so far is the answer [default: 4096]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(32..))]
    max_search_mb: Option<u32>,
    /// Time after its end until a job, its payload and its result are removed
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = flag_values::seconds)]
    keep: f64,
}

/// What the worker takes on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Jobs that are searched at the same time.
    pub(crate) running: usize,
    /// Jobs of one token that wait.
    pub(crate) waiting: usize,
    /// Bytes of payloads and results of one token that are held.
    pub(crate) held: u64,
    /// Requests of one token that are answered at a time.
    pub(crate) requests: usize,
    /// Bytes a second of one token's bodies and answers.
    pub(crate) rate: u64,
    /// Bytes of one payload.
    pub(crate) body: usize,
    /// Time that a finished job is kept.
    pub(crate) keep: Duration,
    /// Time that a job may be searched.
    pub(crate) search: Duration,
    /// Bytes of memory that its search may take; `None` where that cannot be measured.
    pub(crate) memory: Option<u64>,
}

const MEGABYTE: u64 = 1 << 20;

/// Megabytes of a search, unless they are said.
const SEARCH: u32 = 4096;

impl TryFrom<&LimitArgs> for Limits {
    type Error = Failure;

    /// # Errors
    /// If a limit is asked for that this system cannot keep.
    fn try_from(args: &LimitArgs) -> Result<Self, Failure> {
        let measured = memory("self").is_some();
        if args.max_search_mb.is_some() && !measured {
            return Err(Failure::input(ServeFault::NoMeasure));
        }
        let search = u64::from(args.max_search_mb.unwrap_or(SEARCH)) * MEGABYTE;
        Ok(Self {
            running: usize::from(args.jobs),
            waiting: args.max_queue,
            held: u64::from(args.max_held_mb) * MEGABYTE,
            requests: usize::from(args.max_requests),
            rate: u64::from(args.max_rate_mb) * MEGABYTE,
            // At most 4 GB: on a machine of 32 bits the body is limited by its memory anyway.
            body: usize::try_from(u64::from(args.max_job_mb) * MEGABYTE).unwrap_or(usize::MAX),
            keep: Duration::from_secs_f64(args.keep),
            search: Duration::from_secs_f64(args.max_search),
            memory: measured.then_some(search),
        })
    }
}

#[cfg(test)]
impl Default for Limits {
    fn default() -> Self {
        let hour = Duration::from_secs(3600);
        Self {
            running: 1,
            waiting: 256,
            held: 1 << 30,
            requests: 256,
            rate: 1 << 30,
            body: 256 << 20,
            keep: hour,
            search: hour,
            memory: None,
        }
    }
}
