//! Why there are no admissible classes, and what they were to be.

lookalike_words::messages! {
    in "model";

    /// The parameter of a rule.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Least {
        /// At least k records.
        K {
            /// Least class size.
            k: usize,
        },
        /// At least m records with different sensitive values.
        M {
            /// Least class size.
            m: usize,
        },
    }

    /// Why there are no admissible classes.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Infeasible {
        /// There are fewer than k records.
        TooFewRecords {
            /// Least class size.
            k: usize,
            /// Records there are: the largest possible k.
            records: usize,
        },
        /// There are fewer than m different sensitive values.
        TooFewValues {
            /// Least class size.
            m: usize,
            /// Values there are: the largest possible m.
            values: usize,
        },
        /// One sensitive value is held by more records than there can be classes.
        TooFrequent {
            /// Records that hold it.
            held: usize,
            /// All records.
            records: usize,
            /// Least class size.
            m: usize,
            /// Records that may hold a value.
            allowed: usize,
            /// The largest m that is possible without changes.
            largest: usize,
        },
        /// The same among the records that no class of old records needs.
        LeftTooFrequent {
            /// The records that are left.
            records: usize,
            /// Records of them that hold one value.
            held: usize,
            /// Least class size.
            m: usize,
            /// Records that may hold a value.
            allowed: usize,
        },
        /// Too few records have a value that classes of records published before need.
        SignaturesLack {
            /// How many are needed.
            missing: usize,
            /// How many there are.
            there: usize,
        },
    }
}
