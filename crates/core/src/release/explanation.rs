//! What a report says of how classes were found, beside what the search says of itself.

use lookalike_words::Said;

lookalike_words::messages! {
    in "core";

    /// How the classes of a release were found.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Explanation {
        /// By a search that proposed moves.
        Moves {
            /// What it says of itself.
            method: Said,
            /// How many.
            moves: u64,
        },
        /// By a search, and some records were suppressed after it.
        Suppressed {
            /// What the search says of itself.
            method: Said,
            /// How many.
            records: usize,
        },
        /// By a search, and some persons were suppressed after it.
        PersonsSuppressed {
            /// What the search says of itself.
            method: Said,
            /// How many.
            persons: usize,
        },
        /// Block by block, of a table larger than memory.
        Blocks {
            /// How many blocks.
            blocks: usize,
            /// Records of the largest.
            largest: usize,
            /// What the search of the largest says of itself.
            method: Said,
            /// Moves proposed in all of them.
            moves: u64,
        },
        /// A proof that is of partitions by groups of linked sensitive values.
        OfLinkedValues {
            /// What it says of itself.
            proof: Said,
        },
        /// Not told, since counterfeits were added.
        NotTold,
    }
}
