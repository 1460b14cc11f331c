//! What is wrong with an answer, and what is said of one that another machine computed.

use lookalike_words::{Figure, Said};

use crate::{freeform::MatchingFault, partition::PartitionFault};

lookalike_words::messages! {
    in "model";

    /// What is wrong with an answer.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum AnswerFault {
        /// Its classes are not admissible.
        Partition(PartitionFault),
        /// Its matchings are none.
        Matching(MatchingFault),
        /// The duals that are to prove its bound are not what they claim to be.
        Duals(DualsFault),
        /// Its loss is another one.
        Loss {
            /// The loss it claims.
            claimed: Figure,
            /// The loss of its classes.
            loss: Figure,
        },
        /// It has classes where rows of their own were asked for, or the reverse.
        OtherForm,
        /// Its classes are not the groups of its levels, or are not admissible.
        Levels,
        /// Records with rows of their own share a class.
        NotByThemselves,
        /// A search cannot have taken that long.
        Seconds {
            /// The seconds it claims.
            seconds: Figure,
        },
        /// Its bound is negative or above its loss.
        Bound {
            /// The bound it claims.
            bound: Figure,
            /// The loss of its classes.
            loss: Figure,
        },
        /// It calls its classes the best ones, and there are better ones.
        NotOptimal {
            /// The loss of its classes.
            loss: Figure,
            /// A loss that others have.
            better: Figure,
        },
        /// It has classes, and says that there are none.
        ClassesAndNone,
        /// It says that there are no admissible classes, and nothing here rules them out.
        NothingRulesOut {
            /// Its reason.
            why: Said,
        },
    }

    /// What is wrong with duals.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum DualsFault {
        /// There is not one a record.
        Number,
        /// One is not finite, or the tolerance is negative.
        NotFinite,
        /// A cut names a record that does not exist, or has an impossible sigma or divisor.
        Cut,
        /// A class costs less than they allow.
        False,
    }

    /// What is said of an answer that another machine computed.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Received {
        /// How it was found.
        Method {
            /// In the words of the other machine.
            method: Said,
        },
    }

    /// Why no partition has a loss below the bound.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Proof {
        /// No loss is negative, and the bound is 0.
        NoLossBelowZero,
        /// The duals of another machine, which were checked here.
        CheckedDuals {
            /// Cuts they rest on.
            cuts: usize,
        },
        /// The same, and a search here of all partitions that they leave possible.
        CheckedSearch {
            /// Cuts they rest on.
            cuts: usize,
        },
    }
}

impl From<DualsFault> for AnswerFault {
    fn from(fault: DualsFault) -> Self {
        Self::Duals(fault)
    }
}
