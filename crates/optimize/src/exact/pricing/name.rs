//! What the pricers are called.

lookalike_words::messages! {
    in "optimize";

    /// What a pricer is called in a proof.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum PricerName {
        /// Branch and bound over boxes of points, whose duals are repaired.
        Boxes,
        /// Branch and bound over boxes of points, with cuts.
        BoxTree,
        /// Branch and bound over ranges.
        Ranges,
        /// Branch and bound over records.
        Tree,
        /// Every class.
        Enumeration,
        /// Every class of a list.
        Listed,
        /// A pricer for each signature, and one for new records.
        ByFamily,
        /// The programme of Castro 2022.
        Programme,
        /// The least mean reduced costs of the classes of each record.
        LeastMeans,
        /// What the cheapest box of centres costs each record.
        Transport,
        /// A heuristic: assignment and centroids in turns.
        Alternation,
        /// A heuristic: classes that grow record by record.
        Growth,
        /// A pricer that is not of this crate.
        Other {
            /// What it calls itself.
            name: &'static str,
        },
    }
}
