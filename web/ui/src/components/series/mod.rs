//! Releases over time: what the open table is, what changed, the ledger, all releases together.

mod audit;
mod choice;
mod files;
mod release;

pub(super) use audit::audit;
pub(super) use choice::{choice, to_do};
pub(super) use release::{ledger, released, save_ledger};
