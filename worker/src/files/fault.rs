//! Why a file cannot be an output.

lookalike_words::messages! {
    in "worker";

    /// Why a file cannot be an output.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum FileFault {
        /// A hyphen where a file is needed.
        StandardOutput,
        /// It is something else already.
        Taken {
            /// The file.
            path: String,
            /// What it is already.
            by: Taken,
        },
        /// A path without a file's name.
        NoName {
            /// The path.
            path: String,
        },
        /// It cannot be replaced.
        NotWritable {
            /// The file.
            path: String,
            /// Why.
            why: NotWritable,
        },
    }

    /// What a file is already.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Taken {
        /// The input.
        Input,
        /// Another file that is read.
        Read,
        /// Another output.
        Output,
    }

    /// Why a file cannot be replaced.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum NotWritable {
        /// It is a folder.
        Folder,
        /// It is something else than a file.
        NotRegular,
        /// The same, of a ledger.
        Device,
        /// It may not be written.
        ReadOnly,
    }
}
