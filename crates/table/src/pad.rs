//! Leading zeros that a spreadsheet has eaten: cells of digits are filled up again to a width that the user declares.
//!
//! This happens while the file is read, before anything else sees the cells. Zeros are put on the left only: 1067 of five digits
//! is 01067, and never 10670, which would be another place.

use std::collections::BTreeMap;

use lookalike_words::{Cell, Name};
use rustc_hash::FxHashMap;

use crate::{Column, Dictionary, Error, Note, PadFault, is_missing};

/// Most digits that a column is filled up to.
pub const WIDEST: usize = 64;

/// Columns whose cells are filled up on the left with zeros. Those that are not read are passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pad {
    /// The width by column name, 1 to [`WIDEST`].
    pub widths: BTreeMap<String, u8>,
    /// Cells that mean "not known", which are left alone. So are empty ones.
    pub markers: Vec<String>,
}

/// How many cells of each column were filled up, over all parts of a table.
#[derive(Default)]
pub(crate) struct Padded(BTreeMap<String, usize>);

impl Pad {
    /// Whether each width is one.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let wrong = self.widths.iter().find(|(_, width)| !(1..=WIDEST).contains(&usize::from(**width)));
        wrong.map_or(Ok(()), |(name, &width)| {
            Err(Error::PadWidth { column: name.as_str().into(), width: width.into(), most: WIDEST })
        })
    }

    /// Fills up the cells of the next rows; `before` is the number of rows before them.
    ///
    /// # Errors
    /// If a cell is longer than the width or has something else than digits: the first such row, and its first such column.
    pub(crate) fn apply(
        &self,
        columns: &mut [Column],
        before: usize,
        done: &mut Padded,
    ) -> Result<(), Error> {
        if self.widths.is_empty() {
            return Ok(());
        }
        let mut first: Option<(usize, Error)> = None;
        for column in columns {
            let Some(&width) = self.widths.get(&column.name) else { continue };
            match self.column(column, width.into()) {
                Ok(cells) => *done.0.entry(column.name.clone()).or_default() += cells,
                Err((at, why)) => {
                    if first.as_ref().is_none_or(|(row, _)| at < *row) {
                        let (name, row) = (Name::from(column.name.as_str()), before + at + 1);
                        let (cell, width) = (Cell::from(column.cell(at)), usize::from(width));
                        first = Some((at, Error::Pad { column: name, row, cell, width, why }));
                    }
                }
            }
        }
        first.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// How many cells were filled up; or the first row, from 0, that cannot be.
    fn column(&self, column: &mut Column, width: usize) -> Result<usize, (usize, PadFault)> {
        let fill = |value: &str| fill(value, width, &self.markers);
        let faults: Vec<Option<PadFault>> = column.values.iter().map(|value| fill(value).err()).collect();
        let row = |code: u32| faults[code as usize];
        if let Some(at) = column.cells.iter().position(|&code| row(code).is_some()) {
            return Err((at, row(column.cells[at]).unwrap_or(PadFault::NotDigits)));
        }
        // Two spellings may become one.
        let mut codes: FxHashMap<String, u32> = FxHashMap::default();
        let mut values = Dictionary::default();
        let mut filled = Vec::with_capacity(column.values.len());
        let mut new = Vec::with_capacity(column.values.len());
        for value in &column.values {
            let longer = fill(value).ok().flatten();
            filled.push(longer.is_some());
            let value = longer.unwrap_or_else(|| value.to_owned());
            let next = u32::try_from(codes.len()).unwrap_or(u32::MAX);
            new.push(*codes.entry(value).or_insert_with_key(|value| {
                values.push(value);
                next
            }));
        }
        let mut cells = 0;
        for code in &mut column.cells {
            cells += usize::from(filled[*code as usize]);
            *code = new[*code as usize];
        }
        values.shrink();
        column.values = values;
        Ok(cells)
    }
}

/// A value with its zeros; `None` if it has its width, or is missing.
fn fill(value: &str, width: usize, markers: &[String]) -> Result<Option<String>, PadFault> {
    let digits = value.trim();
    if digits.is_empty() || is_missing(value, markers) {
        return Ok(None);
    }
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(PadFault::NotDigits);
    }
    match width.checked_sub(digits.len()) {
        None => Err(PadFault::TooLong { digits: digits.len() }),
        Some(0) => Ok(None),
        Some(zeros) => Ok(Some("0".repeat(zeros) + digits)),
    }
}

impl Padded {
    /// What there is to say of it.
    pub(crate) fn notes(self, pad: &Pad) -> Vec<Note> {
        let note = |(name, cells): (String, usize)| {
            let width = pad.widths.get(&name).copied().unwrap_or_default().into();
            Note::Padded { column: name.into(), width, cells }
        };
        self.0.into_iter().map(note).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, Table, read, read_parts};

    fn pad(width: u8) -> ReadOptions {
        let widths = [(String::from("zip"), width)].into();
        ReadOptions { pad: Pad { widths, markers: vec![String::from("k.A.")] }, ..ReadOptions::default() }
    }

    fn cells(table: &Table) -> Vec<&str> {
        (0..table.rows).map(|row| table.columns[0].cell(row)).collect()
    }

    #[test]
    fn zeros_are_put_on_the_left() {
        let text = "zip,n\n1067,1\n10115,2\n01067,3\n 99 ,4\nk.a.,5\n,6\n0,7\n1067,8\n";
        let table = read(text.as_bytes(), &pad(5)).unwrap();
        let expected = ["01067", "10115", "01067", "00099", "k.a.", "", "00000", "01067"];
        assert_eq!(cells(&table), expected);
        // One value has one code, however it was spelled.
        assert_eq!(table.columns[0].values.len(), 6, "{:?}", table.columns[0].values);
        assert_eq!(table.columns[1].cell(3), "4");
        let notes: Vec<String> = table.notes.iter().map(ToString::to_string).collect();
        assert_eq!(notes, ["\"zip\" filled up on the left with zeros to 5 digits, as asked (4 cells)"]);
    }

    #[test]
    fn what_cannot_be_filled_up_is_named() {
        for (text, width, says) in [
            ("zip\n1067\n101155\n10115\n", 5, "row 2: '101155' has 6 digits"),
            ("zip\n1067\nA-1010\n", 5, "row 2: 'A-1010' is not made of digits only"),
            ("zip\n-1\n", 5, "row 1: '-1' is not made of digits only"),
            ("zip\n1,067\n", 5, "row 1: '1"),
            ("zip\n1067\n", 0, "1 to 64"),
            ("zip\n1067\n", 65, "1 to 64"),
        ] {
            let text = text.replace("1,067", "\"1,067\"");
            let error = read(text.as_bytes(), &pad(width)).unwrap_err().to_string();
            assert!(error.contains(says) && error.contains("\"zip\""), "{error}");
        }
    }

    /// In parts, rows and cells are counted over all of them.
    #[test]
    fn parts_are_filled_up_alike() {
        let rows: Vec<String> = (0..20_000).map(|at| (1000 + at % 90_000).to_string()).collect();
        let text = |rows: &[String]| format!("zip\n{}\n", rows.join("\n"));
        let mut all = Vec::new();
        let mut parts = 0;
        let read = read_parts(text(&rows).as_bytes(), &pad(5), 1000, &mut |_, part| {
            parts += 1;
            all.extend(cells(&part).into_iter().map(String::from));
            true
        })
        .unwrap();
        let expected: Vec<String> = rows.iter().map(|cell| format!("{cell:0>5}")).collect();
        assert!(parts > 1 && all == expected);
        assert!(read.notes[0].to_string().contains("9,000 cells"), "{}", read.notes[0]);
        let mut rows = rows;
        rows[17_000] = String::from("x");
        let error = read_parts(text(&rows).as_bytes(), &pad(5), 1000, &mut |_, _| true).unwrap_err();
        assert!(error.to_string().contains("row 17,001"), "{error}");
    }
}
