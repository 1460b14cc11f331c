//! What is found of persons who may have several rows.

use super::Grouping;

lookalike_words::messages! {
    in "audit";

    /// What a check found of persons.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum PersonsObservation {
        /// All classes or groups have enough persons.
        Enough {
            /// Of classes or groups.
            grouping: Grouping,
            /// How many there are.
            all: usize,
            /// Persons of the one with the fewest.
            fewest: usize,
            /// Persons that are needed.
            least: usize,
        },
        /// Some have too few.
        TooFew {
            /// Of classes or groups.
            grouping: Grouping,
            /// How many there are.
            all: usize,
            /// Persons of the one with the fewest.
            fewest: usize,
            /// Persons that are needed.
            least: usize,
            /// How many have fewer.
            short: usize,
        },
        /// All rows of each person are in one class.
        OneClass {
            /// Number of persons.
            persons: usize,
        },
        /// Some persons have rows in several.
        Split {
            /// Number of persons.
            persons: usize,
            /// Number of those.
            split: usize,
        },
        /// The linking key is that of the published rows.
        Linked {
            /// Number of classes.
            classes: usize,
            /// Number of rows.
            rows: usize,
        },
        /// It is not.
        Unlinked {
            /// Number of classes.
            classes: usize,
            /// Number of those whose rows are not the ones that the key puts there.
            odd: usize,
            /// Lines and rows that belong to nothing.
            astray: usize,
        },
    }
}
