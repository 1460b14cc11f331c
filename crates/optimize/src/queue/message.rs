//! Why numbers are no block of a search.

lookalike_words::messages! {
    in "optimize";

    /// Why numbers are no block of a search.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum BlockFault {
        /// There is no attribute, no real record, or half a point.
        Points,
        /// There are more points than records, or more records than indices.
        Records,
        /// A coordinate is not a moderate finite number.
        Coordinate,
        /// A colour below the largest occurs nowhere.
        ColourGap,
        /// What is said of the table's sensitive values does not fit the records.
        Values,
        /// What is said of the attributes does not fit them.
        Attributes,
        /// The effort, a temperature or the least size of a class is of no use.
        Work,
        /// The classes do not fit the records.
        Classes,
    }
}
