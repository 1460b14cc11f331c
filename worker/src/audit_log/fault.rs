//! What is wrong with an audit log.

use lookalike_words::Said;

lookalike_words::messages! {
    in "worker";

    /// What is wrong with an audit log.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum LogFault {
        /// A line that is no entry.
        NoEntry {
            /// The line, from 1.
            line: u64,
        },
        /// An entry with another number than the next.
        Number {
            /// The line, from 1.
            line: u64,
            /// Its number.
            found: u64,
            /// The one that it must have.
            expected: u64,
        },
        /// An entry that does not follow from the one before.
        Broken {
            /// The line, from 1.
            line: u64,
        },
        /// Another chain begins.
        Begins {
            /// The line, from 1.
            line: u64,
        },
        /// It ends in the middle of a line.
        Tail {
            /// Bytes.
            bytes: u64,
        },
        /// It ends elsewhere than it should.
        OtherHead {
            /// Its head.
            found: String,
        },
        /// No entry at all.
        Empty,
        /// A file that a worker cannot go on with.
        NotWhole {
            /// The file.
            path: String,
            /// Why.
            why: Said,
        },
        /// Another worker writes to it.
        InUse {
            /// The file.
            path: String,
        },
        /// The system's log is not there.
        NoSystemLog {
            /// Its socket.
            socket: String,
            /// Why.
            why: String,
        },
    }

    /// What is told of a whole log.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(super) enum LogTold {
        /// It is whole.
        Whole {
            /// Entries.
            entries: u64,
            /// When the first was made.
            first: String,
            /// When the last was made.
            last: String,
            /// Its head.
            head: String,
        },
        /// Lines were cut off when the worker was killed.
        Torn {
            /// How many.
            lines: u64,
        },
        /// A clock was set back.
        Back {
            /// Entries.
            entries: u64,
        },
        /// Chains begin anew.
        Begins {
            /// The lines, from 1.
            lines: Vec<u64>,
        },
        /// What the head is for.
        Head,
    }
}
