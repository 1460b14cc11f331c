//! When a search is to end: asked by its user, out of time, or out of memory.

use std::{
    fs,
    process::Child,
    sync::{Mutex, mpsc},
    time::{Duration, Instant},
};

use lookalike_words::Figure;

use super::{super::store::Task, Apart, limit::Limit, lock};

/// Time between two looks.
const LOOK: Duration = Duration::from_millis(50);

/// A search is asked to end at its limit of memory; at this multiple it is ended.
const TOO_MUCH: f64 = 1.25;

/// A search that was asked to end may take this part of its time for that, within these bounds; then it is ended.
const GRACE: f64 = 0.25;
const LEAST_GRACE: Duration = Duration::from_secs(10);
const MOST_GRACE: Duration = Duration::from_secs(60);

/// Time that a search has to end when it is asked to.
pub(super) fn grace(longest: Duration) -> Duration {
    Duration::from_secs_f64((GRACE * longest.as_secs_f64()).min(MOST_GRACE.as_secs_f64())).max(LEAST_GRACE)
}

/// How a search was made to end.
#[derive(Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Ending {
    /// Most bytes that were seen.
    pub(super) peak: u64,
    /// Its time was up.
    pub(super) time: bool,
    /// It had too much memory.
    pub(super) memory: bool,
    /// It was ended from outside, and has no answer.
    pub(super) killed: bool,
    /// It was asked to end and did not.
    pub(super) deaf: bool,
    /// Nobody waits for its answer: its job was deleted, or the worker stops.
    pub(super) unwanted: bool,
}

impl Ending {
    /// The limit that ended it.
    pub(super) fn limit(&self, limits: &Apart) -> Option<Limit> {
        match limits.memory {
            Some(bytes) if self.memory => Some(Limit::Memory { megabytes: bytes >> 20 }),
            _ if self.time => Some(Limit::Time { seconds: Figure::shortest(limits.longest.as_secs_f64()) }),
            _ => None,
        }
    }
}

/// Looks after the process of a search.
pub(super) struct Watch<'a> {
    pub(super) limits: &'a Apart,
    pub(super) task: &'a Task,
    pub(super) child: &'a Mutex<Child>,
    /// Who hears from here has the process end with its best so far.
    pub(super) ask: mpsc::Sender<()>,
    /// When the search began: in this process, or in one before it that was killed.
    pub(super) began: Instant,
}

impl Watch<'_> {
    /// Looks after it until the other end of `over` is gone.
    pub(super) fn until(self, over: &mpsc::Receiver<()>) -> Ending {
        let id = lock(self.child).id().to_string();
        let most = self.limits.memory.unwrap_or(u64::MAX);
        let mut ending = Ending::default();
        let mut asked = None::<Instant>;
        loop {
            let used = Memory::of(&id).unwrap_or_default();
            ending.peak = ending.peak.max(used.peak);
            ending.unwanted = self.task.unwanted();
            let excess = used.now as f64 > TOO_MUCH * most as f64;
            ending.memory |= excess;
            ending.deaf = asked.is_some_and(|asked| asked.elapsed() >= grace(self.limits.longest));
            if ending.unwanted || excess || ending.deaf {
                ending.killed = true;
                // If it cannot be killed it has ended.
                let _ = lock(self.child).kill();
                return ending;
            }
            let (late, large) = (self.began.elapsed() >= self.limits.longest, used.now > most);
            if asked.is_none() && (self.task.stopped() || late || large) {
                asked = Some(Instant::now());
                if !self.task.stopped() {
                    (ending.time, ending.memory) = (late && !large, large);
                }
                // If nobody hears it is over.
                let _ = self.ask.send(());
            }
            if over.recv_timeout(LOOK) != Err(mpsc::RecvTimeoutError::Timeout) {
                return ending;
            }
        }
    }
}

/// Memory of a process in bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Memory {
    /// Resident now.
    now: u64,
    /// Most that was resident.
    peak: u64,
}

impl Memory {
    /// That of a process, by its number or "self", as Linux tells it; other systems have no such file.
    fn of(process: &str) -> Option<Self> {
        let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let bytes = |name: &str| -> Option<u64> {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
            Some(kilobytes * 1024)
        };
        Some(Self { now: bytes("VmRSS:")?, peak: bytes("VmHWM:")? })
    }
}

/// Resident memory of a process in bytes, by its number or "self"; `None` where the system does not tell.
pub(crate) fn memory(process: &str) -> Option<u64> {
    Memory::of(process).map(|memory| memory.now)
}

/// Most bytes that were resident in this process; `None` where the system does not tell.
pub(super) fn own_peak() -> Option<u64> {
    Memory::of("self").map(|memory| memory.peak)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_is_asked_to_end_has_time_for_it_but_not_for_ever() {
        let seconds = |longest| grace(Duration::from_secs(longest)).as_secs();
        assert_eq!([1, 100, 3600].map(seconds), [10, 25, 60]);
        // The longest time that can be said.
        assert_eq!(grace(Duration::MAX), MOST_GRACE);
    }
}
