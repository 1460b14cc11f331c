//! What constructions are not defined for.

use lookalike_words::Figure;

lookalike_words::messages! {
    in "optimize";

    /// What a construction is not defined for.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum ConstructionFault {
        /// It does not look at sensitive values, which must differ.
        IgnoresSensitiveValues {
            /// Its name.
            method: &'static str,
        },
        /// It needs sensitive values that differ.
        NeedsSensitiveValues {
            /// Its name.
            method: &'static str,
        },
        /// It cannot place counterfeits.
        NoCounterfeits {
            /// Its name.
            method: &'static str,
        },
        /// It measures distances to centroids, which categories do not have.
        NoCategories {
            /// Its name.
            method: &'static str,
        },
        /// It is for one numeric attribute.
        OneAttribute {
            /// Its name.
            method: &'static str,
            /// Attributes there are.
            attributes: usize,
        },
        /// The general programme is about widths of ranges.
        ProgrammeNeedsNcp,
        /// The general programme knows no generalisation hierarchies.
        ProgrammeHasNoHierarchies,
        /// What Split & Carry is told contradicts itself.
        SplitAndCarry {
            /// How.
            fault: CarryFault,
        },
    }

    /// How what Split & Carry is told contradicts itself.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum CarryFault {
        /// Sub-problems of one size are too small, or keep no class.
        Bubble {
            /// Records of a sub-problem.
            size: usize,
            /// Classes that are kept.
            keep: usize,
            /// Fewest records.
            least: usize,
        },
        /// A sub-problem of too few sets, or with no boundary.
        Sets,
        /// Set partitioning has no early termination.
        EarlyTermination,
        /// The time of a sub-problem is not above 0.
        Seconds {
            /// The seconds.
            seconds: Figure,
        },
    }
}
