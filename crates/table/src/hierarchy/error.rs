//! What can be wrong with a hierarchy.

use super::MOST_LEVELS;
use crate::text::{counted, list, quoted, thousands};

/// What can be wrong with a hierarchy, its file, or its making. Rows are lines of the file, columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HierarchyError {
    /// No row.
    #[error("the hierarchy is empty: it needs a line 'value;level 1;level 2;...' for every value")]
    Empty,
    /// Values alone.
    #[error(
        "the hierarchy has one column only: after each value its generalisations must stand, separated by semicolons \
         or commas"
    )]
    NoLevel,
    /// More levels than any use has.
    #[error("the hierarchy has {levels} levels, at most {MOST_LEVELS} are allowed")]
    TooDeep {
        /// Levels above the values.
        levels: usize,
    },
    /// A row with more or fewer cells than the first.
    #[error(
        "row {} of the hierarchy, value {}: it has {}, but the first row has {}: every value needs a label at every \
         level",
        thousands(*row), quoted(value), counted(*found, "column", "columns"), thousands(*expected)
    )]
    Width {
        /// The row.
        row: usize,
        /// Its first cell.
        value: String,
        /// Cells of the first row.
        expected: usize,
        /// Cells of this row.
        found: usize,
    },
    /// A value that stands twice.
    #[error(
        "row {} of the hierarchy, column 1: the value {} stands in row {} already: leave one of them out",
        thousands(*row), quoted(value), thousands(*first)
    )]
    Twice {
        /// The second row.
        row: usize,
        /// The first row.
        first: usize,
        /// The value.
        value: String,
    },
    /// A label with two different coarser ones.
    #[error(
        "row {} of the hierarchy, column {column}: {} is generalised to {} here, but to {} in row {}: one label can \
         have one generalisation only",
        thousands(*row), quoted(label), quoted(coarser), quoted(other), thousands(*first)
    )]
    NotNested {
        /// The row.
        row: usize,
        /// Column of the coarser label.
        column: usize,
        /// The label that both rows share.
        label: String,
        /// What it leads to here.
        coarser: String,
        /// The first row with the label.
        first: usize,
        /// What it leads to there.
        other: String,
    },
    /// A value of the column that the hierarchy lacks.
    #[error("{}", uncovered(value, rows, *more_rows, *more_values))]
    Uncovered {
        /// The first such value.
        value: String,
        /// Its first rows, counted from 1.
        rows: Vec<usize>,
        /// How many rows more it has.
        more_rows: usize,
        /// How many values more are lacking.
        more_values: usize,
    },
    /// The file is not UTF-8.
    #[error("row {} of the hierarchy, column {column}: the text is not UTF-8: save the file as UTF-8", thousands(*row))]
    NotUtf8 {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
    },
    /// The file is no CSV.
    #[error("the hierarchy cannot be read as CSV: {0}")]
    Malformed(String),
    /// A value that the generator cannot place.
    #[error("no {kind} hierarchy can be made: {} is {not}", quoted(value))]
    Value {
        /// "interval", "date", ...
        kind: &'static str,
        /// The value.
        value: String,
        /// What it is not, and what to do.
        not: &'static str,
    },
    /// Parameters that make no hierarchy.
    #[error("no {kind} hierarchy can be made: {why}")]
    Parameters {
        /// "interval", "date", ...
        kind: &'static str,
        /// What is wrong and what to do.
        why: String,
    },
}

fn uncovered(value: &str, rows: &[usize], more_rows: usize, more_values: usize) -> String {
    let named: Vec<String> = rows.iter().map(|&row| thousands(row)).collect();
    let rows = match (rows.len(), more_rows) {
        (1, 0) => format!("row {}", named[0]),
        (_, 0) => format!("rows {}", list(&named)),
        (_, more) => format!("rows {} and {} more", named.join(", "), thousands(more)),
    };
    let others = match more_values {
        0 => String::new(),
        more => format!(", and {} of the column", counted(more, "other value", "other values")),
    };
    format!("the hierarchy lacks the value {} ({rows}){others}: add a line for each", quoted(value))
}
