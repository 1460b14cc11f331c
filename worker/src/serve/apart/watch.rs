//! When a search is to end: asked by its user, out of time, or out of memory.

use std::{
    fs,
    process::{Child, ChildStdin},
    sync::{Mutex, mpsc},
    time::{Duration, Instant},
};

use super::{super::store::Task, Apart, lock, say, words::Asked};

/// Time between two looks.
const LOOK: Duration = Duration::from_millis(50);

/// A search is asked to end at its limit of memory; at this multiple it is ended.
const TOO_MUCH: f64 = 1.25;

/// How a search was made to end.
#[derive(Debug, Default)]
pub(super) struct Ending {
    /// Most bytes that were seen.
    pub(super) peak: u64,
    /// Its time was up.
    pub(super) time: bool,
    /// It had too much memory.
    pub(super) memory: bool,
    /// It was ended from outside, and has no answer.
    pub(super) killed: bool,
}

impl Ending {
    /// The limit that ended it, in words.
    pub(super) fn limit(&self, limits: &Apart) -> Option<String> {
        match limits.memory {
            Some(bytes) if self.memory => Some(format!("{} MB of memory", bytes >> 20)),
            _ if self.time => Some(format!("{} seconds", limits.longest.as_secs_f64())),
            _ => None,
        }
    }
}

/// Looks after the process of a search.
pub(super) struct Watch<'a> {
    pub(super) limits: Apart,
    pub(super) task: &'a Task,
    pub(super) child: &'a Mutex<Child>,
    pub(super) input: &'a Mutex<ChildStdin>,
}

impl Watch<'_> {
    /// Looks after it until the other end of `over` is gone.
    pub(super) fn until(&self, over: &mpsc::Receiver<()>) -> Ending {
        let began = Instant::now();
        let id = lock(self.child).id();
        let mut ending = Ending::default();
        let mut asked = false;
        while over.recv_timeout(LOOK) == Err(mpsc::RecvTimeoutError::Timeout) {
            let bytes = memory(&id.to_string()).unwrap_or(0);
            ending.peak = ending.peak.max(bytes);
            let most = self.limits.memory.unwrap_or(u64::MAX);
            if bytes as f64 > TOO_MUCH * most as f64 {
                (ending.memory, ending.killed) = (true, true);
                // If it cannot be killed it has ended.
                let _ = lock(self.child).kill();
                return ending;
            }
            let (late, large) = (began.elapsed() >= self.limits.longest, bytes > most);
            if !asked && (self.task.stopped() || late || large) {
                asked = true;
                if !self.task.stopped() {
                    (ending.time, ending.memory) = (late && !large, large);
                }
                // If it does not hear it has ended.
                let _ = say(self.input, &Asked::Stop);
            }
        }
        ending
    }
}

/// Resident memory of a process in bytes, by its number or "self", as Linux tells it; other systems have no such file.
pub(crate) fn memory(process: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
