//! Tables that do not fit into memory: cut into blocks by a look at a sample, and solved block by block.
//!
//! The host reads the table twice, a part at a time, and keeps what the rows of a leaf are; no file is known here.
//!
//! 1. [`Survey`] takes in all parts: kinds by the first part, checked against all others; sums, ranges and counts of the
//!    whole; a sample of the points.
//! 2. [`Routing`] takes in all parts again, and says the leaf of each row.
//! 3. [`Blocks`] are leaves put together until each admits classes. A block is a job like any other, with the points that
//!    its rows have in the whole table.
//! 4. Classes of all blocks are published in one order ([`BlockClass::published_order`]), and [`Totals`] makes the reports.
//!
//! Nothing depends on the order of the rows, nor on how they are cut into parts, but for the kinds that are not declared.
//! No class has rows of two blocks: that is what the loss is higher by than that of the whole.

mod audited;
mod block;
#[cfg(feature = "optimize")]
mod border;
mod bytes;
mod merge;
mod misfit;
mod publish;
mod routing;
mod sample;
mod sketch;
mod solved;
mod stated;
mod sums;
mod survey;
mod tally;
mod totals;
mod tree;

pub use block::{BlockClass, Blocks, Solved};
pub use misfit::LargeMisfit;
pub use publish::{AuditedPart, ClassRows, PublishedPart, RangeText, Ranges};
pub use routing::Routing;
pub use solved::BlockTotals;
pub use stated::Penalties;
pub use survey::Survey;
pub use totals::Totals;
