//! What column generation cannot solve.

lookalike_words::messages! {
    in "optimize";

    /// What column generation cannot solve.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ExactFault {
        /// There are too many different records.
        TooManyRecords {
            /// How many there are.
            records: usize,
            /// How many it takes.
            most: usize,
        },
        /// Too many records fit the signatures of a series.
        TooManyFit {
            /// Signatures.
            signatures: usize,
        },
    }
}
