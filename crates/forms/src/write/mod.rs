//! A published table as a file whose columns have types, read back and compared with the bytes that were judged.

mod compare;
mod json_lines;
#[cfg(all(feature = "arrow", feature = "parquet"))]
mod large;
#[cfg(feature = "cells")]
pub(crate) mod typed;
#[cfg(feature = "arrow")]
mod write_arrow;
#[cfg(feature = "parquet")]
mod write_parquet;
#[cfg(feature = "stata")]
mod write_stata;
#[cfg(feature = "sas")]
mod write_xport;

#[cfg(all(feature = "arrow", feature = "parquet"))]
pub use large::{read_back_large, write_large};
use lookalike_audit::Dialect;
use lookalike_model::described::Described;
use lookalike_table::{Column, ReadOptions, Table, read, undefused};

lookalike_words::messages! {
    in "forms";

    /// A form that a published table is written in.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Target {
        /// Parquet.
        Parquet,
        /// A file of Arrow.
        Arrow,
        /// A JSON object a line.
        JsonLines,
        /// Stata.
        Stata,
        /// SAS's form for transport.
        Xport,
    }

    /// Why there is no such file.
    #[derive(Clone, Debug, PartialEq)]
    pub enum WriteFault {
        /// The library that writes it refuses.
        Unwritten {
            /// What was to be written.
            form: Target,
            /// What it says.
            says: String,
        },
        /// The library that reads it refuses.
        Unread {
            /// What was written.
            form: Target,
            /// What it says.
            says: String,
        },
        /// A cell is another one.
        Differs {
            /// What was written.
            form: Target,
            /// Its row, the names of the columns being row 1.
            row: usize,
            /// Its column, from 1.
            column: usize,
        },
        /// There are more or fewer rows or columns.
        Size {
            /// What was written.
            form: Target,
            /// Rows of the table, with its header.
            rows: usize,
            /// Columns of the table.
            columns: usize,
        },
        /// This program was built without it.
        NotBuilt {
            /// What was to be written.
            form: Target,
        },
    }

    /// What is checked of such a file.
    #[derive(Clone, Debug, PartialEq)]
    pub enum WriteCheck {
        /// Its cells are those that were judged.
        Name {
            /// What was written.
            form: Target,
        },
        /// They are.
        Same {
            /// How many.
            cells: usize,
            /// Rows, with the names of the columns.
            rows: usize,
        },
        /// They are, as a reader of our own reads it, where there is no public one.
        SameByOwn {
            /// How many.
            cells: usize,
            /// Rows, with the names of the columns.
            rows: usize,
        },
    }
}

impl Target {
    /// Whether such a file is written a part at a time.
    #[must_use]
    pub fn is_of_parts(self) -> bool {
        matches!(self, Self::Parquet | Self::Arrow)
    }

    /// The one for files whose names end so, in any case.
    #[must_use]
    pub fn of_ending(ending: &str) -> Option<Self> {
        Some(match ending.to_ascii_lowercase().as_str() {
            "parquet" => Self::Parquet,
            "arrow" | "feather" => Self::Arrow,
            "jsonl" | "ndjson" => Self::JsonLines,
            "dta" => Self::Stata,
            "xpt" => Self::Xport,
            _ => return None,
        })
    }
}

/// The published bytes, which have this form, as such a file; and what was found when it was read back. Its bytes depend on
/// the cells alone.
///
/// A column is one of whole numbers, numbers or dates if each of its cells is spelled as these are, or empty; else all its cells are
/// text, so that leading zeros and long digits stay. An empty cell is a null. What the source said of columns of these names stays
/// with them where the form has a place for it: descriptions in Stata and SAS; in Stata labels of codes, which are new ones then.
///
/// # Errors
/// If the cells have no place in such a file, or are others when they are read back.
pub fn write(
    target: Target,
    published: &[u8],
    dialect: Dialect,
    described: &[Described],
) -> Result<(Vec<u8>, WriteCheck), WriteFault> {
    let unwritten = |says: String| WriteFault::Unwritten { form: target, says };
    let options = ReadOptions { delimiter: Some(dialect.delimiter), ..ReadOptions::default() };
    let table = read(published, &options)
        .map_err(|why| unwritten(why.to_string().trim_end_matches('.').to_owned()))?;
    let table = if dialect.defused { undefused(table) } else { table };
    let judged = compare::Judged { published, dialect, form: target, described };
    match target {
        #[cfg(feature = "parquet")]
        Target::Parquet => {
            let file = write_parquet::file(&table).map_err(|why| unwritten(why.to_string()))?;
            let check = write_parquet::read_back(&file, &judged)?;
            Ok((file, check))
        }
        #[cfg(feature = "arrow")]
        Target::Arrow => {
            let file = write_arrow::file(&table).map_err(|why| unwritten(why.to_string()))?;
            let check = write_arrow::read_back(&file, &judged)?;
            Ok((file, check))
        }
        Target::JsonLines => {
            let file = json_lines::file(&table).map_err(|why| unwritten(why.to_string()))?;
            let check = json_lines::read_back(&file, &judged)?;
            Ok((file, check))
        }
        #[cfg(feature = "stata")]
        Target::Stata => {
            let file = write_stata::file(&table, described).map_err(unwritten)?;
            let check = write_stata::read_back(&file, &judged)?;
            Ok((file, check))
        }
        #[cfg(feature = "sas")]
        Target::Xport => {
            let file = write_xport::file(&table, described).map_err(unwritten)?;
            let check = write_xport::read_back(&file, &judged)?;
            Ok((file, check))
        }
        #[cfg(not(all(feature = "arrow", feature = "parquet", feature = "sas", feature = "stata")))]
        form => {
            let _ = (table, judged, described);
            Err(WriteFault::NotBuilt { form })
        }
    }
}

/// The description of a column of this name, as many characters as there is room for; none if there is none.
fn description(described: &[Described], column: &str, room: usize) -> String {
    let label = described.iter().find(|said| said.column == column).map_or("", |said| said.label.as_str());
    label.chars().take(room).collect::<String>().trim_end().to_owned()
}

/// The number that is spelled so by every program that has the same number.
fn spelled(cell: &str) -> Option<f64> {
    let number: f64 = cell.parse().ok()?;
    (number.is_finite() && number.to_string() == cell).then_some(number)
}

/// The whole number that is spelled so.
fn whole(cell: &str) -> Option<i64> {
    let number: i64 = cell.parse().ok()?;
    (number.to_string() == cell).then_some(number)
}

/// What the different cells of a column are, nothing for an empty one; `None` if one of them is something else, or none is there.
fn all<T>(column: &Column, value: impl Fn(&str) -> Option<T>) -> Option<Vec<Option<T>>> {
    let mut known = false;
    let cell = |cell: &str| {
        known |= !cell.is_empty();
        if cell.is_empty() { Some(None) } else { value(cell).map(Some) }
    };
    let values: Option<Vec<_>> = column.values.iter().map(cell).collect();
    values.filter(|_| known)
}

/// Each cell of a column, by what its different cells are.
fn each<'a, T>(table: &'a Table, column: &'a Column, of: &'a [T]) -> impl Iterator<Item = &'a T> {
    (0..table.rows).map(move |row| &of[column.cells[row] as usize])
}

#[cfg(all(test, feature = "arrow", feature = "parquet", feature = "sas", feature = "stata"))]
mod tests {
    use super::*;

    const ALL: [Target; 5] =
        [Target::Parquet, Target::Arrow, Target::JsonLines, Target::Stata, Target::Xport];

    const CSV: &[u8] = b"age_min,zip,born,note,weight,class\n18,01067,2001-02-03,=1+1,0.5,1\n18,01067,2001-02-03,=1+1,0.5,1\n20,10115,1969-12-31,\"a\nb, <&> \"\"x\"\"\",2,2\n-4,10115,,,1e3,2\n";

    #[test]
    fn what_was_judged_is_read_back() {
        for target in ALL {
            let (file, check) = write(target, CSV, Dialect::PLAIN, &[]).unwrap();
            let (cells, rows) = (30, 5);
            let wanted = match target {
                Target::Xport => WriteCheck::SameByOwn { cells, rows },
                _ => WriteCheck::Same { cells, rows },
            };
            assert_eq!(check, wanted, "{target}");
            assert_eq!(
                file,
                write(target, CSV, Dialect::PLAIN, &[]).unwrap().0,
                "{target}: the same every time"
            );
        }
    }

    #[test]
    fn a_file_that_differs_is_refused() {
        let other = String::from_utf8(CSV.to_vec()).unwrap();
        for (from, to) in
            [("-4", "-5"), ("01067,2001", "1067,2001"), ("zip", "ZIP"), ("1969-12-31", "1970-01-01")]
        {
            let other = other.replacen(from, to, 1);
            for target in ALL {
                let (file, _) = write(target, other.as_bytes(), Dialect::PLAIN, &[]).unwrap();
                let asked = judged(CSV, target);
                let found = read_back(target, &file, &asked);
                assert!(matches!(found, Err(WriteFault::Differs { .. })), "{target} {to}: {found:?}");
                let fewer = judged(&CSV[..79], target);
                let found = read_back(target, &file, &fewer);
                assert!(found.is_err(), "{target}: {found:?}");
            }
        }
    }

    fn judged(published: &[u8], form: Target) -> compare::Judged<'_> {
        compare::Judged { published, dialect: Dialect::PLAIN, form, described: &[] }
    }

    fn read_back(
        target: Target,
        file: &[u8],
        judged: &compare::Judged<'_>,
    ) -> Result<WriteCheck, WriteFault> {
        match target {
            Target::Parquet => write_parquet::read_back(file, judged),
            Target::Arrow => write_arrow::read_back(file, judged),
            Target::JsonLines => json_lines::read_back(file, judged),
            Target::Stata => write_stata::read_back(file, judged),
            Target::Xport => write_xport::read_back(file, judged),
        }
    }

    #[test]
    fn numbers_are_those_that_stay_as_they_are_spelled() {
        for cell in ["0", "-3", "20.5", "1000000000000000000000"] {
            assert!(spelled(cell).is_some(), "{cell}");
        }
        for cell in ["01", "1.50", "+1", "1e3", "NaN", "inf", " 1", ""] {
            assert!(spelled(cell).is_none() && whole(cell).is_none(), "{cell}");
        }
        assert_eq!((whole("-0"), whole("9223372036854775807")), (None, Some(i64::MAX)));
    }
}
