//! Column generation: the best partition with a proof of how far it can be from the best possible.
//!
//! [`controller`] shows the whole algorithm. Its parts own their state and share what is in [`state`]: the incumbent, the dual
//! bound, the master, the list of classes, the effort. What can be added is a list of implementations of a trait each:
//!
//! * [`pricing`] — pricers, which find columns; exact ones prove a bound. [`pricers`] chooses.
//! * [`separation`] — separators, which find cuts.
//! * [`heuristics`] — what finds better partitions.
//! * [`loss`] — losses that can be priced.
//!
//! Every number that steers it is in [`params`].

mod answer;
pub mod bound;
mod branching;
pub mod column;
mod controller;
pub mod cuts;
mod dual_bound;
mod effort;
mod enumeration;
pub(crate) mod families;
mod first_duals;
mod heuristics;
mod incumbent;
mod list;
pub mod loss;
pub mod master;
mod message;
pub mod params;
pub mod pool;
pub mod pricers;
pub mod pricing;
mod pricing_loop;
pub mod problem;
mod reduced_cost_search;
mod run;
mod separation;
pub mod set_partitioning;
mod stage;
mod start;
mod state;
mod turns;

pub use answer::FoundByColumns;
pub use dual_bound::ProvenBy;
pub use message::ExactFault;
pub use params::Params;
pub use run::{ColumnGeneration, Options};
pub use start::{AllParams, column_generation};
