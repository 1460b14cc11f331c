//! A published table as an XLSX workbook.
//!
//! The audit judged the bytes of a CSV. Their cells are written into a workbook, which is then read back by a different library than
//! the one that wrote it and compared with them, cell for cell, as the audit's strict reader reads them: what differs stops the
//! publication. A workbook knows no delimiter and no line ends, and it runs no text as a formula.

#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod compare;
mod write;

use lookalike_audit::Dialect;

lookalike_words::messages! {
    in "workbook";

    /// Why there is no workbook.
    #[derive(Clone, Debug, PartialEq)]
    pub enum WorkbookFault {
        /// The library that writes workbooks refuses.
        Unwritten {
            /// What it says.
            says: String,
        },
        /// The library that reads them refuses.
        Unread {
            /// What it says.
            says: String,
        },
        /// A cell is another one.
        Differs {
            /// Its row, the header being row 1.
            row: usize,
            /// Its column, from 1.
            column: usize,
        },
        /// There are more or fewer rows or columns.
        Size {
            /// Rows of the table, with its header.
            rows: usize,
            /// Columns of the table.
            columns: usize,
        },
    }

    /// What is checked of a workbook.
    #[derive(Clone, Debug, PartialEq)]
    pub enum WorkbookCheck {
        /// Its cells are those that were judged.
        Name,
        /// They are.
        Same {
            /// How many.
            cells: usize,
            /// Rows, with the header.
            rows: usize,
        },
    }
}

/// The published bytes, which have this form, as a workbook; and what was found when it was read back. Its bytes depend on
/// the cells alone.
///
/// # Errors
/// If the cells have no place in a workbook, or are others when they are read back.
pub fn workbook(published: &[u8], dialect: Dialect) -> Result<(Vec<u8>, WorkbookCheck), WorkbookFault> {
    let workbook = write::workbook(published, dialect)?;
    let same = compare::compare(&workbook, published, dialect)?;
    Ok((workbook, same))
}
