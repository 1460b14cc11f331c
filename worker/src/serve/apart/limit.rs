//! The limits of a worker that end a search.

use lookalike_words::{Figure, Said};

lookalike_words::messages! {
    in "worker";

    /// A limit of a worker.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum Limit {
        /// Of memory.
        Memory {
            /// Megabytes.
            megabytes: u64,
        },
        /// Of time.
        Time {
            /// Seconds.
            seconds: Figure,
        },
    }

    /// By whom a search was ended.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum EndedBy {
        /// By the worker, at a limit.
        Limit {
            /// What the search says of itself.
            method: Said,
            /// The limit.
            limit: Limit,
        },
    }
}
