//! Starting partitions. One file a construction; each is a function from instance and rule to a partition.

mod assignment;
mod classic;

pub use assignment::signatures;
pub use classic::classic;
