//! What is wrong with the value of a flag.

use lookalike_model::{
    cells::{ItemFault, LabelsFault},
    rule::ParameterFault,
};
use lookalike_words::Name;

lookalike_words::messages! {
    in "worker";

    /// What is wrong with the value of a flag.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum FlagFault {
        /// Items between signs.
        Item(ItemFault),
        /// Labels of codes.
        Labels(LabelsFault),
        /// A number that is none of a condition.
        Parameter(ParameterFault),
        /// Not the two numbers of recursive diversity.
        Recursive {
            /// What is given.
            text: Name,
        },
        /// Not a number.
        NotANumber {
            /// What is given.
            text: Name,
        },
        /// Two items without a comma between them.
        NoComma,
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
        /// No k with columns.
        Set {
            /// What is given.
            text: String,
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

impl From<ItemFault> for FlagFault {
    fn from(why: ItemFault) -> Self {
        Self::Item(why)
    }
}

impl From<ParameterFault> for FlagFault {
    fn from(why: ParameterFault) -> Self {
        Self::Parameter(why)
    }
}

impl From<LabelsFault> for FlagFault {
    fn from(why: LabelsFault) -> Self {
        Self::Labels(why)
    }
}
