//! Why a column has no hierarchy.

use lookalike_table::hierarchy::HierarchyError;
use lookalike_words::{Cell, Name};

lookalike_words::messages! {
    in "core";

    /// Why a column has no hierarchy.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum HierarchyRefused {
        /// It cannot be made, or does not fit the column.
        Column {
            /// The column.
            column: Name,
            /// What is wrong.
            why: HierarchyError,
        },
        /// Prefixes of codes that are written as decimals.
        Decimals {
            /// The column.
            column: Name,
            /// One of the shortest values.
            short: Cell,
            /// Digits of the longest.
            width: usize,
        },
        /// Prefixes of codes of different lengths, which may have lost leading zeros.
        Lengths {
            /// The column.
            column: Name,
            /// A value that is shorter than others.
            short: Cell,
            /// Digits of it.
            digits: usize,
            /// One of the longest.
            long: Cell,
            /// Digits of these.
            width: usize,
        },
    }
}

impl std::error::Error for HierarchyRefused {}
