//! The audit log of a worker: who asked it for what, from where, and what came of it; and `lookalike log verify`.
//!
//! * [`entry`]: one entry, a line of JSON; [`chain`]: each entry holds the digest of the one before, so that nothing can be
//!   changed, put in or taken out without a trace; [`sink`]: a file or the system's log.
//! * [`verify`]: the command.
//!
//! It holds names of tokens, addresses and ids of jobs; no payload, no number of a job and no token.

pub(crate) mod chain;
pub(crate) mod entry;
mod fault;
mod sink;
pub(crate) mod verify;

use std::{
    io,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

pub(crate) use self::entry::{Event, What};
use self::{
    chain::Head,
    sink::{Sink, Target},
};
use crate::exit::Failure;

/// Requests without a valid token that are written down in [`MINUTE`]; more are counted. Whoever has no token must not be
/// able to fill a disk.
const STRANGERS: u32 = 60;

/// The time for them.
const MINUTE: Duration = Duration::from_secs(60);

/// Where entries go; by default nowhere.
#[derive(Default)]
pub(crate) struct AuditLog(Option<Mutex<Open>>);

struct Open {
    sink: Sink,
    head: Head,
    strangers: Strangers,
}

impl AuditLog {
    /// Goes on with the log at `target`, or begins it.
    ///
    /// # Errors
    /// If it cannot be written, another worker writes to it, or what is there already is no whole log.
    pub(crate) fn open(target: &str) -> Result<Self, Failure> {
        let (sink, head) = Target::of(target).open()?;
        Ok(Self(Some(Mutex::new(Open { sink, head, strangers: Strangers::default() }))))
    }

    /// Whether anything is written down.
    pub(crate) fn is_kept(&self) -> bool {
        self.0.is_some()
    }

    /// Writes an event down, and returns when it is on the disk.
    ///
    /// # Errors
    /// If it cannot be written. What was asked for must not be answered then.
    pub(crate) fn record(&self, event: Event) -> io::Result<()> {
        let Some(open) = &self.0 else { return Ok(()) };
        let mut open = lock(open);
        let Some(left_out) = open.strangers.admit(&event) else { return Ok(()) };
        let unrecorded = Some(left_out).filter(|count| *count > 0);
        let (line, head) = open.head.next(Event { unrecorded, ..event })?;
        let written = open.sink.write(&line);
        if written.is_ok() {
            open.head = head;
        } else {
            open.strangers.unrecorded += left_out;
        }
        written
    }

    /// The same where nothing is answered: that it cannot be written is said in the other log.
    pub(crate) fn note(&self, event: Event) {
        if let Err(error) = self.record(event) {
            tracing::error!(%error, "the audit log cannot be written");
        }
    }
}

/// Requests without a valid token.
#[derive(Default)]
struct Strangers {
    since: Option<Instant>,
    recorded: u32,
    unrecorded: u64,
}

impl Strangers {
    /// How many were left out since the last entry, if this event is to be written down.
    fn admit(&mut self, event: &Event) -> Option<u64> {
        if event.is_strangers() {
            let now = Instant::now();
            if self.since.is_none_or(|since| now.duration_since(since) >= MINUTE) {
                (self.since, self.recorded) = (Some(now), 0);
            }
            if self.recorded >= STRANGERS {
                self.unrecorded += 1;
                return None;
            }
            self.recorded += 1;
        }
        Some(std::mem::take(&mut self.unrecorded))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Head and sink are only changed by what has succeeded.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_strangers_is_counted_and_others_are_not_left_out() {
        let stranger = || Event { status: Some(401), ..Event::of(What::Read) };
        let mut strangers = Strangers::default();
        let written = (0..200).filter(|_| strangers.admit(&stranger()).is_some()).count();
        assert_eq!(written, STRANGERS as usize);
        let known = Event { status: Some(202), who: Some(String::from("a")), ..Event::of(What::Submit) };
        assert_eq!(strangers.admit(&known), Some(200 - u64::from(STRANGERS)));
        assert_eq!(strangers.admit(&known), Some(0), "they are counted once");
    }
}
