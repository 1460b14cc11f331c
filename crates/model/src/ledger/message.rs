//! What does not go with a ledger.

use lookalike_words::{Name, messages};

messages! {
    in "model";

    /// Why a published table is not the last release of a ledger. A sentence without its subject, which is the name of its file.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum NotLast {
        /// It is an earlier one.
        Earlier {
            /// Its number.
            release: usize,
            /// That of the last one.
            last: usize,
        },
        /// It is none of them.
        Unknown {
            /// How many there are.
            last: usize,
        },
    }

    /// What a series has settled otherwise.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Difference {
        /// A setting.
        Setting {
            /// Its name.
            name: String,
            /// As the series has it, as JSON.
            was: String,
            /// As it is asked for.
            now: String,
        },
        /// Which updates are expected.
        Mode {
            /// By the series.
            was: &'static str,
            /// Now.
            now: &'static str,
        },
        /// The column that names individuals.
        Individuals {
            /// Of the series.
            was: Name,
            /// Now.
            now: Name,
        },
    }
}
