//! What contradicts itself in a programme of set partitioning.

lookalike_words::messages! {
    in "lp";

    /// What contradicts itself in a programme of set partitioning.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum PartitionFault {
        /// A row is to be covered 0 times.
        Right,
        /// A class has a row that does not exist, or a cost that is not finite.
        Class,
        /// A cut has a class that does not exist, or a number that is not finite.
        Cut,
        /// The known solution has a class that does not exist.
        Start,
    }
}
