//! What can be wrong with a table that is read a part at a time, beside what can be wrong with any.

use lookalike_table::{Noun, hierarchy::HierarchyError};
use lookalike_words::{Name, messages};

messages! {
    in "core";

    /// What is wrong with a table larger than memory. Rows are those of the whole table, counted from 1.
    #[derive(Clone, Debug, PartialEq)]
    pub enum LargeMisfit {
        /// A quasi-identifier is missing in a row.
        QuasiMissing {
            /// The column.
            name: Name,
            /// The row.
            row: usize,
        },
        /// The sensitive value is missing in a row.
        SensitiveMissing {
            /// The column.
            name: Name,
            /// The row.
            row: usize,
        },
        /// A cell is not of the kind that the first part of the table has.
        NotAsFirst {
            /// The column.
            name: Name,
            /// The row.
            row: usize,
            /// The cell.
            cell: Name,
            /// What it is not.
            kind: Noun,
        },
        /// A number would be taken for another one of the column, which has more digits than are told apart.
        Merged {
            /// The column.
            name: Name,
            /// The row.
            row: usize,
            /// The cell.
            cell: Name,
        },
        /// A hierarchy does not fit its column.
        Hierarchy {
            /// The column.
            name: Name,
            /// Rows before the part in which it does not.
            before: usize,
            /// Why.
            why: HierarchyError,
        },
        /// Other rows were read the second time.
        Changed,
        /// Other rows than those of the block came back.
        OtherRows,
        /// What is no result of a kernel, or one of another run or revision.
        NoResult,
    }
}

impl std::error::Error for LargeMisfit {}
