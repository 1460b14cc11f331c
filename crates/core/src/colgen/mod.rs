//! Column generation: the best partition with a proof of how far it can be from the best possible.

pub mod bound;
pub mod cuts;
pub mod pool;
pub mod pricing;
pub mod problem;
pub mod rounding;
pub mod separate;
pub mod snapshots;
