//! What a verification may take: nodes of its searches.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::Refusal;

/// So many looks count as a node: at another record, at a cut that a record is in.
const LOOKS: u64 = 256;

/// Looks between two questions whether to stop: well below a second.
const UNASKED: u64 = 1 << 14;

/// What a verification may take. A number is one of nodes, without end in time.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// Nodes, at most.
    pub nodes: u64,
    /// Whether to stop: asked again and again, by any thread.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl From<u64> for Limits<'_> {
    fn from(nodes: u64) -> Self {
        Self { nodes, stop: &|| false }
    }
}

impl fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limits").field("nodes", &self.nodes).finish_non_exhaustive()
    }
}

/// Nodes of all threads. How many there are does not depend on their number, unless there are too many.
pub(super) struct Nodes<'a> {
    limits: Limits<'a>,
    looks: AtomicU64,
}

impl<'a> Nodes<'a> {
    pub(super) fn new(limits: Limits<'a>) -> Self {
        Self { limits, looks: AtomicU64::new(0) }
    }

    /// Nodes so far.
    pub(super) fn spent(&self) -> u64 {
        self.looks.load(Relaxed) / LOOKS
    }

    /// One more.
    pub(super) fn visit(&self) -> Result<(), Refusal> {
        self.looked(LOOKS)
    }

    /// Looks at other records, and at cuts.
    pub(super) fn looked(&self, looks: u64) -> Result<(), Refusal> {
        let before = self.looks.fetch_add(looks, Relaxed);
        let after = before.saturating_add(looks);
        if after / LOOKS > self.limits.nodes {
            return Err(Refusal::Budget(self.limits.nodes));
        }
        let asked = before / UNASKED != after / UNASKED;
        if asked && (self.limits.stop)() { Err(Refusal::Stopped) } else { Ok(()) }
    }
}
