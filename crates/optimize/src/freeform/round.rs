//! A round of matching.

use lookalike_model::loss::Loss;

use super::{partial::Partial, rows::Rows};

/// A round being matched.
pub(super) trait Round<L: Loss> {
    /// The next piece. The pairs it looked at, about; `None` once the algorithm has nothing left to do. Records that it
    /// leaves unmatched are settled after it.
    fn advance(&mut self, rows: &Rows<L>, matched: &mut Partial) -> Option<usize>;
}
