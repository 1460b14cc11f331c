//! What a reader of the report should know of the changes that make a table m-eligible.

use lookalike_table::Near;
use lookalike_words::{Name, messages};

messages! {
    in "core";

    /// What a reader of the report should know of changes for eligibility, and of the values that they are about.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum RepairWarning {
        /// Counterfeits of rare values were added.
        FakedRarest {
            /// How many.
            counterfeits: usize,
        },
        /// Counterfeits of frequent values were added.
        FakedFrequent {
            /// How many.
            counterfeits: usize,
        },
        /// Records of frequent values were deleted, drawn at random.
        DeletedAtRandom {
            /// How many.
            deletions: usize,
        },
        /// Records of frequent values were deleted, those far from the others.
        DeletedFarthest {
            /// How many.
            deletions: usize,
        },
        /// The penalty does not count that counterfeits widen ranges.
        PenaltyOfReal,
        /// Sensitive values that people read as one.
        Alike {
            /// Their column.
            column: Name,
            /// The values.
            near: Near,
        },
    }
}
