//! Column generation: the best partition with a proof of how far it can be from the best possible.

mod annealing;
pub mod bound;
mod branch;
mod close;
pub mod cuts;
pub mod faithful;
pub mod families;
mod integer;
pub mod measure;
mod neighbourhood;
pub mod pool;
pub mod pricing;
pub mod problem;
mod proof;
mod restricted;
mod root;
pub mod rounding;
mod run;
mod separate;
mod settle;
pub mod snapshots;
mod stage;
mod thirds;

pub use run::ColumnGeneration;
