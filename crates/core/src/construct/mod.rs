//! Starting partitions. One file a construction; each is a function from instance and rule to a partition.

mod classic;

pub use classic::classic;
