//! Which option belongs to which method.

use super::MethodName;

/// An option that some methods take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MethodOption {
    /// The construction to start from.
    Start,
    /// The number of blocks.
    Blocks,
    /// Whether two-swapping comes before the blocks, too.
    SwapFirst,
    /// Whether two-swapping after the blocks is left out.
    NoFinalSwap,
    /// The gap at which the search may stop.
    StopGap,
    /// The duals that prove the bound.
    Duals,
    /// The order of the sorted list.
    Order,
    /// How Split & Carry makes its sub-problems.
    Carry,
}

impl MethodName {
    /// The options that it takes by itself. Those of a construction are also taken by a method that starts from it.
    #[must_use]
    pub const fn options(self) -> &'static [MethodOption] {
        use MethodOption::{Blocks, Carry, Duals, NoFinalSwap, Order, Start, StopGap, SwapFirst};
        match self {
            Self::Auto | Self::Annealing | Self::Spatial | Self::LargeNeighbourhood | Self::TwoSwap => {
                &[Start]
            }
            Self::Decompose => &[Start, Blocks, SwapFirst],
            Self::ColumnGeneration => &[Start, Blocks, SwapFirst, NoFinalSwap, StopGap, Duals],
            Self::VarianceSort | Self::GreedySearch => &[Order],
            Self::SplitAndCarry => &[Order, Carry],
            Self::Md
            | Self::Mdav
            | Self::VMdav
            | Self::HansenMukherjee
            | Self::Classic
            | Self::Tau
            | Self::KMember
            | Self::Mondrian
            | Self::MondrianRelaxed
            | Self::Random
            | Self::Programme
            | Self::DokaGreedy
            | Self::DokaSortGreedy
            | Self::DokaHungarian => &[],
        }
    }

    /// Whether it takes an option by itself.
    #[must_use]
    pub fn takes(self, option: MethodOption) -> bool {
        self.options().contains(&option)
    }
}
