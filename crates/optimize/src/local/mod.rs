//! Local search. One file a method; all are generic over loss and rule.

pub mod anneal;
pub mod blocks;
pub(crate) mod cover;
mod enumerate;
pub(crate) mod improvement;
pub(crate) mod large_neighbourhood;
mod moves;
pub mod params;
pub(crate) mod schedule;
pub(crate) mod spatial;
pub mod state;
mod two_sides;
pub mod two_swap;

pub use improvement::Improvement;
pub use params::Params;
