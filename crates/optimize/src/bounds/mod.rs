//! Lower bounds for a table of any size: no partition loses less, whatever search is used.
//!
//! [`NeighbourBound`] is worth something at once and costs O(n log n); [`DualAscent`] raises it, from the classes of a search. Their
//! theorems are in docs/bounds.md.

mod counterfeits;
mod duals;
mod kinds;
mod nearest;
mod neighbours;
mod raise;

pub(crate) use self::{
    duals::Allowance,
    raise::{Raise, raise},
};
pub use self::{
    duals::Params,
    neighbours::{NeighbourBound, neighbour_bound, neighbour_bound_of_part},
};

lookalike_words::messages! {
    in "optimize";

    /// Why no partition has a loss below a bound by duals that do not come from column generation.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ProvenByDuals {
        /// Every record shares a class with so many others at the least, and none of them is nearer than the nearest.
        Nearest {
            /// Records.
            others: usize,
            /// Whether these must have other sensitive values.
            different: bool,
        },
        /// Duals of the records that no class exceeds, raised from those of the nearest neighbours.
        Raised {
            /// Rounds of pricing.
            rounds: usize,
            /// Classes that were met.
            classes: usize,
        },
        /// Duals of the records by what the cheapest box of centres costs each.
        Moved {
            /// Boxes.
            boxes: usize,
        },
    }
}
