//! What a run on a table larger than memory is doing.

lookalike_words::messages! {
    in "worker";

    /// What a run on a table larger than memory is doing.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Phase {
        /// It reads the table for the first time.
        LookingAtRows,
        /// It puts each row into its block.
        PlacingRows,
        /// It searches the classes of the blocks.
        SolvingBlocks,
        /// It audits what is to be published.
        Auditing,
    }
}
