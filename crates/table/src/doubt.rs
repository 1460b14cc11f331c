//! Whether the first row of a file is its header or its first record: found out while the rows pass, in no memory to speak of.
//!
//! A person taken for a header is published as column names. So a header cell must not be a cell of its column, too: neither
//! one that also occurs as a value, nor a number or date above numbers or dates. Names above names cannot be told apart.

use lookalike_model::missing::is_usually_missing;

use lookalike_words::Cell;

use crate::{Error, date, number_format::is_any};

lookalike_words::messages! {
    in "table";

    /// What speaks for a first row that is a record.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum FirstRowDoubt {
        /// A row of data repeats all of it.
        Repeated {
            /// The row, from 1.
            row: usize,
        },
        /// Cells of it may be values of their columns.
        Cells {
            /// The first of them.
            cells: Vec<DoubtfulCell>,
            /// How many more columns have one.
            more: usize,
        },
    }

    /// A cell of the first row that may be a value of its column.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum DoubtfulCell {
        /// It is a value there.
        Value {
            /// The cell.
            cell: Cell,
            /// Its column, from 1.
            column: usize,
            /// The first row that has it, from 1.
            row: usize,
        },
        /// It is a number above numbers.
        AboveNumbers {
            /// The cell.
            cell: Cell,
            /// Its column, from 1.
            column: usize,
        },
        /// It is a date above dates.
        AboveDates {
            /// The cell.
            cell: Cell,
            /// Its column, from 1.
            column: usize,
        },
    }
}

/// What the first row of a file is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeaderRow {
    /// The names of the columns.
    #[default]
    Present,
    /// The first record: the columns are called `column1`, `column2` and so on.
    Absent,
    /// The names of the columns, since the form of the file says so: the keys of JSON lines.
    Keys,
    /// The names of the columns, unless a cell of it may be a value of its column: then an error shows both readings.
    Ask,
}

/// Cells of a first row that a message shows.
const SHOWN: usize = 12;

/// Columns that a message gives a reason for.
const REASONS: usize = 3;

/// A header cell is one of the numbers or dates of its column if at least so many percent of the known cells are such.
const PERCENT: u64 = 50;

/// The name of a column (by its place from 0) of a file without a header.
pub(crate) fn generated(place: usize) -> String {
    format!("column{}", place + 1)
}

/// What the rows say of the header cells.
pub(crate) struct Doubt {
    watched: Vec<Watched>,
    /// 1-based row of data that has the same cell in every column that is watched; the first one.
    repeated: Option<usize>,
}

/// A header cell that could be a value.
struct Watched {
    field: usize,
    text: String,
    looks: Looks,
    /// 1-based row of data that has the same cell; the first one.
    same: Option<usize>,
    /// Cells of the column that are not missing, and those that look the same way.
    known: u64,
    alike: u64,
}

/// What a text could be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Looks {
    Number,
    Date,
    Text,
}

impl Looks {
    fn of(text: &str) -> Self {
        if is_any(text) {
            Self::Number
        } else if date::is_date(text) {
            Self::Date
        } else {
            Self::Text
        }
    }
}

impl Doubt {
    /// Watches the columns below these cells. Blank cells and generated names are nobody's.
    pub(crate) fn new(cells: &[&[u8]]) -> Self {
        let watched = cells.iter().enumerate().filter_map(|(field, cell)| {
            let text = std::str::from_utf8(cell).ok()?.trim();
            (!text.is_empty() && text != generated(field)).then(|| Watched {
                field,
                text: text.to_owned(),
                looks: Looks::of(text),
                same: None,
                known: 0,
                alike: 0,
            })
        });
        Self { watched: watched.collect(), repeated: None }
    }

    /// Takes the next row: its number, from 1, and its cells.
    pub(crate) fn row<'a>(&mut self, row: usize, cell: impl Fn(usize) -> &'a [u8]) {
        let mut all = self.repeated.is_none() && self.watched.len() > 1;
        for column in &mut self.watched {
            let bytes = trimmed(cell(column.field));
            if (all || column.same.is_none()) && bytes == column.text.as_bytes() {
                column.same.get_or_insert(row);
            } else {
                all = false;
            }
            if column.looks == Looks::Text {
                continue;
            }
            let Ok(text) = std::str::from_utf8(bytes) else { continue };
            if !is_usually_missing(text) {
                column.known += 1;
                column.alike += u64::from(Looks::of(text) == column.looks);
            }
        }
        if all {
            self.repeated = Some(row);
        }
    }

    /// The error, if the first row may be a record. `names` are its cells as names of columns.
    pub(crate) fn error(&self, names: &[String]) -> Option<Error> {
        let mut reasons: Vec<DoubtfulCell> = self.watched.iter().filter_map(Watched::reason).collect();
        if reasons.is_empty() {
            return None;
        }
        let why = if let Some(row) = self.repeated {
            FirstRowDoubt::Repeated { row }
        } else {
            let more = reasons.len().saturating_sub(REASONS);
            reasons.truncate(REASONS);
            FirstRowDoubt::Cells { cells: reasons, more }
        };
        let cells = names.iter().take(SHOWN).map(|name| Cell::from(name.as_str())).collect();
        Some(Error::FirstRow { why, cells, more: names.len().saturating_sub(SHOWN) })
    }
}

/// A cell without white space around it, of any kind: names of columns are compared so.
fn trimmed(cell: &[u8]) -> &[u8] {
    let cell = cell.trim_ascii();
    let beyond = |byte: Option<&u8>| byte.is_some_and(|byte| !byte.is_ascii());
    if beyond(cell.first()) || beyond(cell.last()) {
        std::str::from_utf8(cell).map_or(cell, |text| text.trim().as_bytes())
    } else {
        cell
    }
}

impl Watched {
    fn reason(&self) -> Option<DoubtfulCell> {
        let (cell, column) = (Cell::from(self.text.as_str()), self.field + 1);
        if let Some(row) = self.same {
            return Some(DoubtfulCell::Value { cell, column, row });
        }
        let above = self.known > 0 && self.alike * 100 >= self.known * PERCENT;
        match self.looks {
            Looks::Number if above => Some(DoubtfulCell::AboveNumbers { cell, column }),
            Looks::Date if above => Some(DoubtfulCell::AboveDates { cell, column }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubt(text: &str) -> Option<String> {
        let mut lines = text.lines().map(|line| line.split(',').map(str::as_bytes).collect::<Vec<_>>());
        let first = lines.next().unwrap();
        let mut doubt = Doubt::new(&first);
        for (row, cells) in lines.enumerate() {
            doubt.row(row + 1, |field| cells[field]);
        }
        let names: Vec<String> =
            first.iter().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect();
        doubt.error(&names).map(|error| error.to_string())
    }

    #[test]
    fn a_value_above_its_like_is_asked_about() {
        for (text, why) in [
            ("m,Berlin\nf,Rom\nm,Wien\n", "'m' in column 1 is also a value there (row 2)"),
            ("17,a\n18,b\n", "'17' in column 1 stands above numbers"),
            ("2966,x\n17.5,y\nn/a,z\n", "'2966' in column 1 stands above numbers"),
            ("1.234.567,x\n17,y\n", "stands above numbers"),
            ("04109,x\n10115,y\n", "stands above numbers"),
            ("16.08.1990,x\n01.02.2003,y\n", "'16.08.1990' in column 1 stands above dates"),
            ("2024-01-01,x\n2023-01-01,y\n", "stands above dates"),
            ("?,age\n?,17\n", "'?' in column 1 is also a value there (row 1)"),
            ("NA,age\nNA,17\nx,18\n", "'NA' in column 1 is also a value there (row 1)"),
            ("m\u{a0},Berlin\nf,Rom\nm\u{a0},Wien\n", "'m' in column 1 is also a value there (row 2)"),
            (
                "age,sex\n17,m\nage,sex\n18,f\n",
                "row 2 repeats it in all cells, as where two files were put together",
            ),
            ("name,1990,1991\nRom,3,4\n", "'1990' in column 2 stands above numbers; '1991' in column 3"),
        ] {
            let found = doubt(text).unwrap_or_default();
            assert!(found.contains(why), "{text:?}: {found}");
        }
    }

    #[test]
    fn a_header_is_not_asked_about() {
        for text in [
            "age,sex\n17,m\n18,f\n",
            "Age,M\n17,m\n",
            "age,\n17,\n",
            "column1,column2\ncolumn2,x\n",
            "2020,2021\nyes,no\nno,no\n",
            "?,age\nx,17\n",
            "-,age\n?,17\n",
            "Anna,Rom\nBert,Wien\n",
            "1990\n\n?\nNA\n",
        ] {
            assert_eq!(doubt(text), None, "{text:?}");
        }
    }
}
