//! Why published tables are not checked.

use lookalike_words::Said;

lookalike_words::messages! {
    in "engine";

    /// Why published tables are not checked.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum CheckRefused {
        /// There is no table.
        NoPublished,
        /// What is asked of the original needs it.
        NoOriginal,
        /// A file of a series cannot be read.
        File {
            /// Its name.
            name: String,
            /// Why.
            why: Said,
        },
        /// Nothing says who is in which release.
        NoEvidence,
        /// A file in another encoding.
        NotUtf8,
        /// The ledger is of a series without m.
        NoM,
        /// The ledger names no sensitive column.
        NoSensitive,
        /// A file that the ledger does not know.
        NoRelease {
            /// Its name.
            name: String,
            /// Releases of the ledger.
            releases: u32,
        },
        /// Releases that were not chosen.
        Missing {
            /// Their numbers.
            missing: Vec<usize>,
            /// Releases of the ledger.
            releases: u32,
        },
    }
}
