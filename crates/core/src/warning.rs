//! What the reader of a report should know of a release.

use lookalike_words::{Figure, Message as _, Name, Said, messages};

messages! {
    in "core";

    /// What the reader of a report should know of a release.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum ReleaseWarning {
        /// A column has another name than in the file.
        Renamed {
            /// Its name here.
            to: Name,
            /// Its name in the file, which an earlier column has, too.
            from: Name,
            /// Its place in the file, from 1.
            column: usize,
        },
        /// A quasi-identifier that is the same everywhere.
        Constant {
            /// The column.
            name: Name,
        },
        /// Numbers beyond a limit are published as the limit.
        Coded {
            /// The column.
            name: Name,
            /// Its limits.
            limits: Vec<CodedLimit>,
        },
        /// Labels of a hierarchy are published.
        ByHierarchy {
            /// The column.
            name: Name,
        },
        /// Means are published.
        Means {
            /// The columns.
            columns: Vec<Name>,
        },
        /// Groups in which all have one sensitive value.
        OneValue {
            /// How many groups.
            single: usize,
            /// Of how many.
            groups: usize,
            /// The sensitive column.
            sensitive: Name,
        },
        /// The bound of the search is not of this table.
        BoundOfAll,
        /// Rows are published that stand for themselves.
        Freeform {
            /// What is guaranteed.
            guarantee: FreeformGuarantee,
        },
        /// Rows that are not published, of a table larger than memory.
        DroppedRows {
            /// How many.
            rows: u64,
        },
    }

    /// A limit of top and bottom coding.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum CodedLimit {
        /// The least that is told apart.
        Bottom {
            /// The limit.
            limit: Figure,
        },
        /// The most that is told apart.
        Top {
            /// The limit.
            limit: Figure,
        },
    }

    /// What holds where each record has a row of its own.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum FreeformGuarantee {
        /// Concealment, and anonymity of both tables.
        Concealment {
            /// Fewest rows that a record may be.
            k: usize,
        },
    }
}

impl ReleaseWarning {
    /// A column that is the same in all records.
    pub(crate) fn constant(name: &str) -> Said {
        Self::Constant { name: name.into() }.said()
    }
}
