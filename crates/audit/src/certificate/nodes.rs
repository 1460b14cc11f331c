//! What a verification may take: nodes of its searches.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::Refusal;

/// So many looks at another record count as a node.
const LOOKS: u64 = 1024;

/// Nodes of all threads. How many there are does not depend on their number, unless there are too many.
pub(super) struct Nodes {
    budget: u64,
    spent: AtomicU64,
    looks: AtomicU64,
}

impl Nodes {
    pub(super) fn new(budget: u64) -> Self {
        Self { budget, spent: AtomicU64::new(0), looks: AtomicU64::new(0) }
    }

    /// Nodes so far.
    pub(super) fn spent(&self) -> u64 {
        self.spent.load(Relaxed) + self.looks.load(Relaxed) / LOOKS
    }

    /// One more.
    pub(super) fn visit(&self) -> Result<(), Refusal> {
        self.spent.fetch_add(1, Relaxed);
        self.check()
    }

    /// Looks at other records.
    pub(super) fn looked(&self, looks: u64) -> Result<(), Refusal> {
        self.looks.fetch_add(looks, Relaxed);
        self.check()
    }

    fn check(&self) -> Result<(), Refusal> {
        if self.spent() > self.budget { Err(Refusal::Budget(self.budget)) } else { Ok(()) }
    }
}
