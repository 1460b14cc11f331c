//! Conditions on sensitive values, as they are told.

use lookalike_words::Figure;

lookalike_words::messages! {
    in "audit";

    /// A condition on the sensitive values of each class or group.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Wanted {
        /// Enough different values.
        DistinctDiversity {
            /// So many.
            l: usize,
        },
        /// Values of enough entropy.
        EntropyDiversity {
            /// At least log l.
            l: Figure,
        },
        /// No value much more frequent than the rarer ones together.
        RecursiveDiversity {
            /// Less than c times as frequent.
            c: Figure,
            /// As the l-th and all rarer ones.
            l: usize,
        },
        /// No value too frequent.
        Frequency {
            /// The largest share.
            alpha: Figure,
        },
        /// Values that are far enough apart.
        Spread {
            /// As a part of the table's range.
            least: Figure,
        },
        /// Values distributed as in the whole table.
        TCloseness {
            /// The largest distance.
            t: Figure,
            /// By ranks, instead of equally distant values.
            ordered: bool,
        },
        /// The same by the values' hierarchy.
        HierarchicalCloseness {
            /// The largest distance.
            t: Figure,
        },
        /// No value much more frequent than in the whole table.
        BetaLikeness {
            /// The largest relative gain.
            beta: Figure,
            /// Whether frequent values are bounded more tightly.
            enhanced: bool,
        },
        /// No value much more or less frequent than in the whole table.
        DeltaDisclosure {
            /// The largest difference of logarithms.
            delta: Figure,
        },
    }
}
