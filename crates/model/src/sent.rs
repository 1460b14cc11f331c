//! Where the classes of a release were computed, and what was sent there for it.

use serde::{Deserialize, Serialize};

/// Where the classes were computed. It names no machine, so that it may be published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Searched {
    /// By the program that holds the table: nothing was sent.
    Here,
    /// On a worker, which was sent numbers without names.
    Worker,
    /// On a worker, which was sent the table itself, and did all of the rest, too.
    TableOnWorker,
    /// On several machines, which were sent numbers without names, block by block, through a server between them.
    Machines,
}

/// Numbers without names, or a table, that were sent elsewhere, so that the classes are computed there. Private: it names a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    /// Address that they were sent to, without a password.
    pub to: String,
    /// When the first of them was sent: UTC, as in `2026-05-01T14:03:22Z`.
    pub at: String,
    /// Messages that carried them; each attempt counts, also one that was refused or got no answer.
    pub messages: u64,
    /// Bytes of all of these messages, without what the connection adds.
    pub bytes: u64,
}

impl Sent {
    /// A message of so many bytes goes to an address, at a time as [`Sent::at`] has it.
    #[must_use]
    pub fn one(to: String, at: String, bytes: u64) -> Self {
        Self { to, at, messages: 1, bytes }
    }

    /// Another message of so many bytes goes to the same address.
    pub fn again(&mut self, bytes: u64) {
        self.messages += 1;
        self.bytes = self.bytes.saturating_add(bytes);
    }
}
