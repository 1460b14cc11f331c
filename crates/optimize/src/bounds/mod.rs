//! Lower bounds for a table of any size: no partition loses less, whatever search is used.
//!
//! [`NeighbourBound`] is worth something at once and costs O(n log n); its theorem and those of the others are in docs/bounds.md.

mod counterfeits;
mod kinds;
mod nearest;
mod neighbours;

pub use self::neighbours::{NeighbourBound, neighbour_bound};

lookalike_words::messages! {
    in "optimize";

    /// Why no partition has a loss below a bound that does not come from a search.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ProvenByNeighbours {
        /// Every record shares a class with so many others at the least, and none of them is nearer than the nearest.
        Nearest {
            /// Records.
            others: usize,
            /// Whether these must have other sensitive values.
            different: bool,
        },
    }
}
