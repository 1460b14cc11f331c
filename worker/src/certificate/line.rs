//! What a certificate proves.

use lookalike_words::{Figure, Said};

lookalike_words::messages! {
    in "worker";

    /// What a certificate proves.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) enum Certified {
        /// No more than is known of any loss.
        Nothing {
            /// Why.
            why: NothingProven,
        },
        /// Duals of a worker that were not checked here.
        Unchecked {
            /// The loss.
            loss: Said,
            /// The bound.
            bound: Figure,
        },
        /// A bound.
        Proves {
            /// The loss.
            loss: Said,
            /// The bound.
            bound: Figure,
            /// Whether it is an optimum, which the audit has searched for as well.
            searched: bool,
            /// A better bound, which rests on more.
            better: Option<Figure>,
        },
    }

    /// Why a certificate proves nothing more.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum NothingProven {
        /// A loss of 0 was reached.
        Reached,
        /// The worker sent none.
        NoDuals,
        /// The search was too short.
        TooShort,
    }

    /// A loss, as a thing that a partition has.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum LossNoun {
        /// The sum of squared errors.
        Sse,
        /// The certainty penalty.
        Ncp,
        /// The same with labels that are equal or not.
        NcpBinary,
    }
}
