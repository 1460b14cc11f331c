//! What changes of a table disclose.

use lookalike_words::Figure;

lookalike_words::messages! {
    in "worker";

    /// What changes of a table disclose.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) enum Disclosed {
        /// All of it.
        Line {
            /// What.
            parts: Vec<Part>,
        },
        /// What an attacker would tell who knows how often each value was changed.
        ForYou {
            /// Of a person in a class.
            present: Figure,
            /// Of a person who was deleted.
            absent: Option<Figure>,
        },
    }

    /// A part of what is disclosed.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) enum Part {
        /// Values that may be told with a probability above 1/m.
        Above {
            /// Records of such classes.
            records: usize,
            /// 1/m.
            promised: Figure,
            /// The probability in the worst case.
            worst: Figure,
            /// Records of a class that are certainly real.
            real: usize,
        },
        /// Deleted people had one value.
        OneValue,
        /// Deleted people had one of some values.
        Values {
            /// How many.
            values: usize,
        },
    }
}
