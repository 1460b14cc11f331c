//! Oracles and strategies for the tests. They share no code with what they judge: plain slices in, numbers out.
//!
//! * [`best_partition`], [`best_partition_sse`]: the optimum by brute force.
//! * [`instances`], [`eligible_instances`]: small random problems with many ties.
#![forbid(unsafe_code)]

mod oracle;
mod strategy;

pub use oracle::{MAX_RECORDS, best_partition, best_partition_sse, sse};
pub use strategy::{Instance, eligible_instances, instances};
