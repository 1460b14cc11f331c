//! Certificates of lower bounds on a loss, and their verification.
//!
//! A partition of the records into classes of at least `m` records (of different colours each, under
//! [`Rule::Distinct`]) costs `sum_C w(C)`, w(C) being the sum of squared distances to the class's mean, or its
//! certainty penalty ([`Loss`]). With any numbers `lambda_i`, and any sets S of records with numbers `sigma_S >= 0` and `p_S >= 2`, such that every admissible class of `m` to
//! `2 m - 1` records has
//!
//! ```text
//! w(C) - sum_{i in C} lambda_i + sum_S sigma_S floor(|C n S| / p_S) >= -tolerance,
//! ```
//!
//! no partition costs less than `sum lambda - sum sigma_S floor(|S| / p_S) - tolerance floor(n / m)`. For: larger classes
//! can be split without cost; the classes of a partition add up; and `sum_C floor(|C n S| / p_S) <= floor(|S| / p_S)`. Under
//! [`Rule::Distinct`] no class is larger than n - (c - 1) m, c being the number of records of the most frequent colour: they
//! lie in c classes, and the c - 1 others have m records each at least.
//!
//! [`verify`] proves the condition by an exhaustive search that has nothing in common with the method that found the
//! numbers, in arithmetic rounded towards refusal: a class that is too cheap is near the record of it that has the largest dual, so
//! that there is one local search for each record, in all within a budget of nodes.

mod chosen;
mod cover;
mod errors;
mod extent;
mod file;
mod kinds;
mod least;
mod listed;
mod low;
mod nearest;
mod nodes;
mod penalty;
mod pending;
mod points;
mod refusal;
mod roots;
mod tree;
mod verify;
mod widths;

pub use file::{Certificate, Loss, Rule, SubsetRow};
pub use nodes::Limits;
pub use points::{Attribute, Meaning, Points, points};
pub use refusal::{Misfit, Misread, Refusal};
pub use verify::{Data, Verified, verify, verify_penalty};
pub use widths::{Width, WidthKind, Widths, widths};
