//! m-eligibility (Tobar 2024): when a partition into classes of at least `m` records with different sensitive values
//! exists, and the fewest changes until it does.
//!
//! Everything here works on `counts`, the number of records of each sensitive value, one entry a value of the domain
//! and 0 for a value that does not occur. Entries are in sorted order of the values, and that order decides every
//! tie: among equally rare values the first one is faked first. Results depend on nothing else, so a permuted table
//! gets the same answer; [`Wanted::order`] sets another order.
//!
//! * [`column_counts`], [`count`]: from a column to its counts.
//! * [`is_eligible`], [`largest_m`]: what a table allows without changes.
//! * [`additions`] (Algorithm 1), [`deletions`] (Algorithm 2), [`hybrid_greedy`] (Algorithm 3), [`hybrid_exact`]
//!   (optimal, which Algorithm 3 is not), [`least_cost`] (with costs per value that may grow): the changes.
//! * [`hold`]: what must wait for the next release instead.
//! * [`repair`]: the changes that were asked for, confirmed by the integer programme.
//! * [`rows_to_delete`], [`farthest_rows`]: which records go, at random or for the least loss.
//! * [`random_counterfeits`], [`cach_table`]: what the literature does; [`published`]: its methods beside the optimum.
//! * [`survey`], [`survey_column`], [`nearest`], [`explain`]: the choices, for people.
//!
//! Proofs and limits: `docs/eligibility.md`.

mod additions;
mod column;
mod comparators;
mod cost;
mod counting;
mod counts;
mod deletions;
mod farthest;
mod greedy;
mod hold;
mod hybrid;
mod least_cost;
mod limits;
mod message;
mod nearest;
mod published;
mod repair;
mod rows;
mod survey;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_more;
#[cfg(test)]
mod tests_properties;

pub use additions::additions;
pub use column::{ColumnCounts, SHOWN, column_counts, survey_column, survey_counts};
pub use comparators::{cach_table, random_counterfeits};
pub use cost::{Rate, Rates};
pub use counting::count;
use counts::{check_domain, distinct, largest, total};
pub use counts::{is_eligible, largest_m};
pub use deletions::deletions;
pub use farthest::farthest_rows;
pub use greedy::hybrid_greedy;
pub use hold::{Held, hold};
pub use hybrid::hybrid_exact;
pub use least_cost::{Among, least_cost};
pub use limits::Limits;
pub use lookalike_lp::{
    Backend,
    eligibility::{Allowed, Changes, Costs},
};
pub use message::{Mixed, NotEligible, RepairFault, ValuesWarning, WantedFault};
pub use nearest::{Ineligible, explain, nearest};
pub use published::published;
pub use repair::{Plan, Wanted, classes_hold_real_records, repair};
pub use rows::rows_to_delete;
pub use survey::{Hybrid, SurveyRow, survey};
