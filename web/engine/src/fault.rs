//! What can go wrong in the engine, whatever table is open.

lookalike_words::messages! {
    in "engine";

    /// What went wrong between page, engine and search.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum EngineFault {
        /// A request of another version.
        NotUnderstood {
            /// What is wrong with it.
            error: String,
        },
        /// An answer that does not reach the page.
        NotHanded,
        /// No random numbers for a seed.
        NoEntropy {
            /// What the browser says.
            error: String,
        },
        /// A file that cannot be put into bytes.
        Unwritten {
            /// Why.
            error: String,
        },
    }
}
