//! What contradicts itself in the programme of eligibility.

lookalike_words::messages! {
    in "lp";

    /// What contradicts itself in the programme of eligibility.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum EligibilityFault {
        /// m is 0.
        NoM,
        /// A count is too large to be solved exactly.
        Count {
            /// The sensitive value, from 0.
            value: usize,
            /// Its records.
            count: u64,
            /// The largest count there may be.
            most: u64,
        },
        /// All counts together are too large.
        Total,
        /// The costs are those of other values.
        Costs {
            /// Counts.
            counts: usize,
            /// Costs of additions.
            additions: usize,
            /// Costs of deletions.
            deletions: usize,
        },
        /// A cost is 0 or too large.
        Cost {
            /// The cost.
            cost: u64,
            /// The largest there may be.
            most: u64,
        },
    }
}
