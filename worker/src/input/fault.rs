//! Why a table cannot be read.

use lookalike_words::Said;

lookalike_words::messages! {
    in "worker";

    /// Why a table cannot be read so.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum InputFault {
        /// Out of core it is read twice.
        ReadTwice {
            /// What is read.
            source: Source,
        },
        /// Its first row may be its header.
        FirstRow {
            /// The file.
            path: String,
            /// Why.
            why: Said,
            /// The flag that says.
            flag: &'static str,
        },
        /// Perhaps it has no header.
        NoHeader {
            /// Why.
            why: Said,
            /// The flag that says.
            flag: &'static str,
        },
        /// Its first or last lines may be no part of the table.
        Lines {
            /// Why.
            why: Said,
            /// The flag that skips them.
            flag: &'static str,
            /// How many.
            lines: usize,
        },
        /// The same of its first lines, or it has no header.
        LinesOrNoHeader {
            /// Why.
            why: Said,
            /// The flag that skips them.
            skip: &'static str,
            /// How many.
            lines: usize,
            /// The flag that says whether there is a header.
            flag: &'static str,
        },
        /// White space keeps quotes from being such.
        Quotes {
            /// Why.
            why: Said,
        },
        /// A layout is none.
        Layout {
            /// Its file.
            path: String,
            /// Why.
            why: Said,
        },
        /// A line of fixed width ends before a column begins.
        ShortLine {
            /// Why.
            why: Said,
        },
        /// An archive has several files.
        Members {
            /// Why.
            why: Said,
        },
        /// A packed file holds more than it may.
        Unpacked {
            /// The file.
            path: String,
            /// Why.
            why: Said,
            /// Twice the megabytes that it may.
            megabytes: u64,
        },
        /// Two columns have one name.
        Duplicates {
            /// Why.
            why: Said,
            /// The flag that says.
            flag: &'static str,
        },
    }

    /// What a table is read from.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum Source {
        /// Standard input.
        Standard,
        /// A file.
        File {
            /// Its path.
            path: String,
        },
    }
}
