//! Oracles and strategies for the tests. They share no code with what they judge: plain slices in, numbers out.
//!
//! * [`best_partition`], [`best_partition_sse`]: the optimum by brute force.
//! * [`Wanted`] — conditions on the sensitive values of a class.
//! * [`transport`] — the least work of moving one distribution onto another.
//! * [`judge_series`] — whether a series of releases keeps m-invariance or tau-safety.
//! * [`instances`], [`eligible_instances`]: small random problems with many ties.
#![forbid(unsafe_code)]

mod diversity;
mod oracle;
mod series;
mod strategy;
mod transport;

pub use diversity::{Wanted, branches};
pub use oracle::{MAX_RECORDS, best_partition, best_partition_sse, sse};
pub use series::{Release, judge_series};
pub use strategy::{Instance, eligible_instances, instances};
pub use transport::transport;

/// A figure as reports for people have it: three significant digits, or all of a whole number.
#[must_use]
pub fn three(x: f64) -> f64 {
    let digits = if x.abs() >= 1000.0 { format!("{x:.0}") } else { format!("{x:.2e}") };
    digits.parse().unwrap_or(f64::NAN)
}
