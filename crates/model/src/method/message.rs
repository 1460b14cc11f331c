//! What does not go together in what is asked of a method.

use lookalike_words::Figure;

use super::{MethodName, MethodOption};

lookalike_words::messages! {
    in "model";

    /// What does not go together in what is asked of a method.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Misplaced {
        /// A search does not start from a search.
        NotAStart {
            /// The name of what it was to start from.
            method: &'static str,
        },
        /// The method does not start from a construction.
        StartsFromNothing {
            /// Its name.
            method: &'static str,
        },
        /// The method has no blocks, and does not swap before them.
        NoBlocks {
            /// Its name.
            method: &'static str,
        },
        /// The number of blocks is 0.
        NoBlock,
        /// The method does not swap before its blocks.
        NoSwapFirst {
            /// Its name.
            method: &'static str,
        },
        /// The method does not swap after column generation in blocks.
        NoFinalSwap {
            /// Its name.
            method: &'static str,
        },
        /// Column generation of the whole swaps nothing.
        SwapOfWhole,
        /// The method has no bound, and with it no gap.
        NoGap {
            /// Its name.
            method: &'static str,
        },
        /// A gap is a share.
        Gap {
            /// The gap, in per cent.
            percent: Figure,
        },
        /// The duals of blocks prove nothing of the whole.
        DualsOfBlocks,
        /// The method has no bound that a certificate can carry.
        NoCertificate {
            /// Its name.
            method: &'static str,
        },
        /// The method goes down no list.
        NoOrder {
            /// Its name.
            method: &'static str,
        },
        /// The method has no sub-problems.
        NoSubProblems {
            /// Its name.
            method: &'static str,
        },
    }
}

impl std::error::Error for Misplaced {}

impl Misplaced {
    /// An option that the method does not take.
    pub(super) const fn of(option: MethodOption, method: MethodName) -> Self {
        let method = method.name();
        match option {
            MethodOption::Start => Self::StartsFromNothing { method },
            MethodOption::Blocks => Self::NoBlocks { method },
            MethodOption::SwapFirst => Self::NoSwapFirst { method },
            MethodOption::NoFinalSwap => Self::NoFinalSwap { method },
            MethodOption::StopGap => Self::NoGap { method },
            MethodOption::Duals => Self::NoCertificate { method },
            MethodOption::Order => Self::NoOrder { method },
            MethodOption::Carry => Self::NoSubProblems { method },
        }
    }
}
