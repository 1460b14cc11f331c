//! Why a run out of core cannot be, and what such runs leave.

lookalike_words::messages! {
    in "worker";

    /// Why a run out of core cannot be.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum LargeFault {
        /// A hierarchy of the table's values.
        GeneratedHierarchy,
        /// No file for the release.
        NoOutput,
        /// A table without rows.
        NoRows,
        /// The input changed between the two looks.
        Changed {
            /// The file.
            path: String,
        },
        /// The run's own files changed.
        SpillChanged {
            /// The folder.
            folder: String,
        },
    }

    /// What runs that were killed have left.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum Left {
        /// Perhaps something.
        Perhaps {
            /// Where.
            path: String,
        },
        /// It was removed.
        Removed {
            /// Where.
            path: String,
        },
        /// It is gone on with.
        TakenOver {
            /// Blocks that were finished.
            blocks: usize,
            /// Blocks of the run.
            of: usize,
        },
        /// It cannot be removed.
        Stays {
            /// Where.
            path: String,
            /// Why.
            why: String,
        },
    }
}
