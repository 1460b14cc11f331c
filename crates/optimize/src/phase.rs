//! What a search is doing.

lookalike_words::messages! {
    in "optimize";

    /// What a search is doing, for reports of its progress.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Phase {
        /// It is about to build a first partition.
        Beginning,
        /// It bounds the loss by the nearest neighbours of each record.
        Bounding,
        /// It builds a first partition.
        Building {
            /// By this construction.
            method: &'static str,
        },
        /// It anneals the whole.
        Annealing,
        /// It anneals blocks of whole classes.
        Blocks,
        /// It anneals spatial blocks.
        SpatialBlocks,
        /// It re-partitions neighbouring classes exactly.
        NeighbouringClasses,
        /// It swaps pairs of records.
        TwoSwapping,
        /// It generates columns.
        ColumnGeneration,
        /// It generates columns in blocks.
        ColumnGenerationInBlocks {
            /// The block, from 1.
            block: usize,
            /// Number of blocks.
            blocks: usize,
        },
        /// It looks for the best partition into the classes at hand.
        IntegerProgramme,
        /// It lists the classes that can improve on the best partition.
        Enumerating,
        /// It searches large neighbourhoods of the best partition.
        Neighbourhoods,
        /// It branches over pairs of records.
        Branching,
        /// It solves the general programme.
        GeneralProgramme,
        /// It raises the bound, from the classes that were found.
        RaisingTheBound {
            /// The round, from 1.
            round: usize,
        },
        /// It looks at choices of one level a column.
        Levels,
        /// It is over.
        Done,
        /// It matches records with rows of their own.
        Matching {
            /// By this method.
            method: &'static str,
        },
    }
}
