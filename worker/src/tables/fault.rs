//! What is wrong with a table that is sent to a worker, or with what comes back.

use lookalike_words::Said;

lookalike_words::messages! {
    in "worker";

    /// What is wrong with a table that is sent to a worker, or with what comes back.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum TableFault {
        /// A part of the request that nobody knows.
        Part {
            /// Its name.
            name: String,
        },
        /// A part is missing.
        Missing {
            /// Its name.
            name: &'static str,
        },
        /// A part that is not what it must be.
        Malformed {
            /// Its name.
            name: &'static str,
            /// Why.
            why: String,
        },
        /// A flag that does not say how a table is read.
        Reading {
            /// The flag.
            name: String,
        },
        /// A part that may be there once.
        Twice {
            /// Its name.
            name: &'static str,
        },
        /// Two files of one name.
        SameName {
            /// The name.
            name: String,
        },
        /// A file that a run does not write.
        File {
            /// What is asked for.
            what: String,
        },
        /// A schema of a release that has its types in itself.
        SchemaOfTypes {
            /// What the release is to be.
            form: Said,
        },
        /// A name that leads elsewhere.
        Name {
            /// The name.
            name: String,
        },
        /// A hierarchy that the configuration names and nobody sent.
        Hierarchy {
            /// Its file.
            file: String,
        },
        /// Flags that a run elsewhere has no use for.
        NotSent {
            /// The flag.
            flag: &'static str,
        },
        /// The worker's files are none.
        Bundle {
            /// The worker.
            worker: String,
            /// Why.
            why: String,
        },
        /// A file that was asked for did not come.
        NotCome {
            /// The worker.
            worker: String,
            /// The file.
            name: String,
        },
        /// The table that came is not what the report says.
        NotReported {
            /// The worker.
            worker: String,
        },
        /// The table that came does not keep what was asked.
        NotKept {
            /// The worker.
            worker: String,
            /// Why.
            why: Said,
        },
    }
}
