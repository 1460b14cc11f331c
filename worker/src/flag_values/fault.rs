//! What is wrong with the value of a flag.

use lookalike_words::Name;

lookalike_words::messages! {
    in "worker";

    /// What is wrong with the value of a flag.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum FlagFault {
        /// A double quote without its other one.
        OpenQuote,
        /// Two items without a comma between them.
        NoComma,
        /// Two items without the sign between them.
        NoSign {
            /// The sign.
            sign: char,
        },
        /// A sign without what it parts.
        NoItem {
            /// The sign.
            sign: char,
        },
        /// Something that rows are not.
        RowsAre {
            /// What is given.
            text: Name,
        },
        /// A pair without its sign.
        NoPair {
            /// What is given.
            text: Name,
        },
        /// An order without its column.
        NoOrder {
            /// What is given.
            text: Name,
        },
        /// An order of one value.
        ShortOrder {
            /// The column.
            column: String,
        },
        /// Labels without their column.
        NoLabels {
            /// What is given.
            text: Name,
        },
        /// A code without its label.
        NoLabel {
            /// The code.
            code: Name,
        },
        /// A name in two pairs.
        Twice {
            /// The name.
            name: Name,
        },
        /// A unit that there is not.
        Unit {
            /// What is given.
            unit: Name,
        },
        /// Not a time.
        NoTime {
            /// What is given.
            text: Name,
        },
        /// A time that no clock counts.
        Time {
            /// Why.
            why: String,
        },
        /// Not a percentage.
        Percent {
            /// What is given.
            text: Name,
        },
        /// Not a probability.
        Probability {
            /// What is given.
            text: Name,
        },
        /// Not a whole number.
        Whole {
            /// What is given.
            text: Name,
        },
        /// A range of m that begins too low.
        LeastM,
        /// A range of m that is none.
        RangeOfM {
            /// How many values.
            most: u64,
        },
        /// Not a size and a number.
        Bubble,
        /// Not a policy.
        Policy {
            /// What is given.
            policy: Name,
            /// The column.
            column: Name,
        },
        /// Not one character.
        Character,
        /// An origin without its scheme.
        OriginScheme,
        /// An origin with more than a host and a port.
        OriginForm,
        /// Not a host's name.
        Host,
    }
}

impl std::error::Error for FlagFault {}
