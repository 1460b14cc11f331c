//! What is found of persons who may have several rows.

use lookalike_words::Cell;

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
        /// No class has fewer rows than the linking key says.
        AsMany {
            /// Classes.
            classes: usize,
            /// Their rows.
            rows: usize,
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
        /// Each sensitive value of a class is one person's.
        OwnValues {
            /// Number of classes.
            classes: usize,
        },
        /// Some are those of several.
        SharedValues {
            /// Classes with such a value.
            broken: usize,
            /// Number of classes.
            classes: usize,
            /// Most persons of a class who hold one value.
            worst: usize,
        },
        /// No sensitive value is held by too many persons of a group.
        Within {
            /// Persons who hold the most frequent value of a group.
            count: usize,
            /// Persons of that group.
            of: usize,
            /// At most 1/m is allowed.
            m: usize,
        },
        /// Some are.
        Above {
            /// Persons who hold the most frequent value of a group.
            count: usize,
            /// Persons of that group.
            of: usize,
            /// At most 1/m is allowed.
            m: usize,
            /// Groups with such a value.
            broken: usize,
            /// Number of groups.
            groups: usize,
        },
        /// Persons of whom a sensitive value is known.
        Known {
            /// Fewest persons of a class.
            least: usize,
            /// Fewest of a class who hold a known value.
            known: usize,
            /// Values that mean "not known".
            missing: Vec<Cell>,
        },
        /// Each sensitive value is held by two persons of the table or more.
        NoRareValue {
            /// Number of values.
            values: usize,
        },
        /// Some are held by one.
        RareValues {
            /// Number of those.
            rare: usize,
            /// Number of values.
            values: usize,
        },
    }
}
