//! What is asked of rows and people, and what is wrong with a key.

use lookalike_words::{Name, messages};

messages! {
    in "core";

    /// What is asked before a run. [`lookalike_model::settings::Settings::rows_are`] is the reply.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Question {
        /// Whether rows are people, although this column looks like the key of a person and has a value twice.
        SeveralRows {
            /// The column.
            column: Name,
            /// Different values in it.
            different: u64,
            /// Rows that have one.
            rows: u64,
            /// Whether there may be more of both: a part of the values was counted.
            at_least: bool,
        },
    }

    /// What is wrong with the column that is said to be the key of a person.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum KeyFault {
        /// It has a value twice.
        Repeats {
            /// The column.
            column: Name,
            /// Different values in it.
            different: u64,
            /// Rows that have one.
            rows: u64,
            /// Whether there may be more of both: a part of the values was counted.
            at_least: bool,
        },
        /// It is missing in some rows.
        Missing {
            /// The column.
            column: Name,
            /// In how many rows.
            missing: u64,
            /// Of how many.
            rows: u64,
        },
    }
}

impl std::error::Error for KeyFault {}
