//! Cells that are put in place of others while a file is read, before anything else sees them: because the user says what they are.

use std::collections::{BTreeMap, BTreeSet};

use lookalike_words::{Cell, Name};
use rustc_hash::FxHashMap;

use crate::{
    Column, Dictionary, Error, LabelFault, Note, PadFault, is_missing,
    pad::{WIDEST, code_digits, fill},
};

/// What is put in place of cells, by column name; first widths, then labels. Columns that are not read are passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edits {
    /// Digits to which cells are filled up on the left with zeros, 1 to [`WIDEST`].
    pub widths: BTreeMap<String, u8>,
    /// Labels by the codes that stand for them. Other cells stay as they are. A label that means "not known" makes the cell a
    /// missing one.
    pub labels: BTreeMap<String, BTreeMap<String, String>>,
    /// Cells that mean "not known", which are filled up with nothing. So are empty ones.
    pub markers: Vec<String>,
}

/// How many cells of each column were edited, over all parts of a table.
#[derive(Default)]
pub(crate) struct Edited {
    filled: BTreeMap<String, Filled>,
    labelled: BTreeMap<String, Labelled>,
}

/// Cells of a column with a width that were not of it: those of digits, and those written as decimals.
#[derive(Clone, Copy, Default)]
struct Filled {
    digits: usize,
    decimals: usize,
}

/// What became of a column with labels.
#[derive(Default)]
struct Labelled {
    cells: usize,
    /// Known cells without a label, and how many they are.
    without: BTreeMap<String, usize>,
    /// Codes that occur.
    seen: BTreeSet<String>,
}

/// Most codes and cells that are named.
const NAMED: usize = 3;

impl Edits {
    /// Whether there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.widths.is_empty() && self.labels.is_empty()
    }

    /// The columns that are edited.
    pub fn columns(&self) -> impl Iterator<Item = &String> {
        self.widths.keys().chain(self.labels.keys())
    }

    /// Edits columns that were read without, and says what there is to say of it: as if they had been read with these edits.
    ///
    /// # Errors
    /// If a width or label cannot be one, or a cell cannot be filled up.
    pub fn edit(&self, columns: &mut [Column]) -> Result<Vec<Note>, Error> {
        self.check()?;
        let mut done = Edited::default();
        self.apply(columns, 0, &mut done)?;
        Ok(done.notes(self))
    }

    /// Whether each width is one, and no label is empty or a code of its own column.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let wrong = self.widths.iter().find(|(_, width)| !(1..=WIDEST).contains(&usize::from(**width)));
        if let Some((name, &width)) = wrong {
            return Err(Error::PadWidth { column: name.as_str().into(), width: width.into(), most: WIDEST });
        }
        for (name, labels) in &self.labels {
            let fault = |(code, label): (&String, &String)| {
                let label = label.trim();
                let other = label != code.trim() && labels.keys().any(|code| code.trim() == label);
                match () {
                    () if code.trim().is_empty() => Some(LabelFault::NoCode),
                    () if label.is_empty() => Some(LabelFault::NoLabel),
                    () if other => Some(LabelFault::AlsoACode),
                    () => None,
                }
            };
            if let Some((code, label, why)) =
                labels.iter().find_map(|of| fault(of).map(|why| (of.0, of.1, why)))
            {
                let (code, label) = (Cell::from(code.as_str()), Cell::from(label.as_str()));
                return Err(Error::Label { column: name.as_str().into(), code, label, why });
            }
        }
        Ok(())
    }

    /// Edits the cells of the next rows; `before` is the number of rows before them.
    ///
    /// # Errors
    /// If a cell that is to be filled up is longer than the width or has something else than digits: the first such row, and its
    /// first such column.
    pub(crate) fn apply(
        &self,
        columns: &mut [Column],
        before: usize,
        done: &mut Edited,
    ) -> Result<(), Error> {
        let mut first: Option<(usize, Error)> = None;
        for column in columns {
            if let Some(&width) = self.widths.get(&column.name) {
                match self.fill_up(column, width.into()) {
                    Ok(cells) => {
                        let filled = done.filled.entry(column.name.clone()).or_default();
                        filled.digits += cells.digits;
                        filled.decimals += cells.decimals;
                    }
                    Err((at, why)) => {
                        if first.as_ref().is_none_or(|(row, _)| at < *row) {
                            let (name, row) = (Name::from(column.name.as_str()), before + at + 1);
                            let (cell, width) = (Cell::from(column.cell(at)), usize::from(width));
                            first = Some((at, Error::Pad { column: name, row, cell, width, why }));
                        }
                    }
                }
            }
            if let Some(labels) = self.labels.get(&column.name) {
                let of_column = done.labelled.entry(column.name.clone()).or_default();
                self.label(column, labels, of_column);
            }
        }
        first.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// How many cells were filled up; or the first row, from 0, that cannot be.
    fn fill_up(&self, column: &mut Column, width: usize) -> Result<Filled, (usize, PadFault)> {
        let fill = |value: &str| fill(value, width, &self.markers);
        let faults: Vec<Option<PadFault>> = column.values.iter().map(|value| fill(value).err()).collect();
        let row = |code: u32| faults[code as usize];
        if let Some(at) = column.cells.iter().position(|&code| row(code).is_some()) {
            return Err((at, row(column.cells[at]).unwrap_or(PadFault::NotDigits)));
        }
        let written =
            |value: &str| code_digits(value).is_some_and(|digits| digits.len() < value.trim().len());
        let written: Vec<bool> = column.values.iter().map(written).collect();
        let decimals = column.cells.iter().filter(|&&code| written[code as usize]).count();
        let cells = replace(column, |value| fill(value).ok().flatten());
        Ok(Filled { digits: cells - decimals, decimals })
    }

    /// Puts labels in place of codes.
    fn label(&self, column: &mut Column, labels: &BTreeMap<String, String>, done: &mut Labelled) {
        let labels: BTreeMap<&str, &str> =
            labels.iter().map(|(code, label)| (code.trim(), label.trim())).collect();
        let mut counts = vec![0; column.values.len()];
        for &code in &column.cells {
            counts[code as usize] += 1;
        }
        for (value, &count) in column.values.iter().zip(&counts).filter(|(_, count)| **count > 0) {
            let value = value.trim();
            if labels.contains_key(value) {
                done.seen.insert(value.to_owned());
            } else if !value.is_empty()
                && !is_missing(value, &self.markers)
                && !labels.values().any(|label| *label == value)
            {
                *done.without.entry(value.to_owned()).or_default() += count;
            }
        }
        done.cells += replace(column, |value| labels.get(value.trim()).map(|&label| label.to_owned()));
    }
}

/// Puts other values in place of some; how many cells have another one now.
fn replace(column: &mut Column, by: impl Fn(&str) -> Option<String>) -> usize {
    // Two spellings may become one.
    let mut codes: FxHashMap<String, u32> = FxHashMap::default();
    let mut values = Dictionary::default();
    let mut replaced = Vec::with_capacity(column.values.len());
    let mut new = Vec::with_capacity(column.values.len());
    for value in &column.values {
        let other = by(value);
        replaced.push(other.is_some());
        let value = other.unwrap_or_else(|| value.to_owned());
        let next = u32::try_from(codes.len()).unwrap_or(u32::MAX);
        new.push(*codes.entry(value).or_insert_with_key(|value| {
            values.push(value);
            next
        }));
    }
    let mut cells = 0;
    for code in &mut column.cells {
        cells += usize::from(replaced[*code as usize]);
        *code = new[*code as usize];
    }
    values.shrink();
    column.values = values;
    cells
}

impl Edited {
    /// What there is to say of it.
    pub(crate) fn notes(self, edits: &Edits) -> Vec<Note> {
        let mut notes = Vec::new();
        for (name, Filled { digits, decimals }) in self.filled {
            let width = edits.widths.get(&name).copied().unwrap_or_default().into();
            let column = Name::from(name);
            if decimals > 0 {
                notes.push(Note::WithoutDecimals { column: column.clone(), width, cells: decimals });
            }
            if digits > 0 || decimals == 0 {
                notes.push(Note::Padded { column, width, cells: digits });
            }
        }
        for (name, of) in self.labelled {
            let column = || Name::from(name.as_str());
            notes.push(Note::Labelled { column: column(), cells: of.cells });
            let codes = edits.labels.get(&name).into_iter().flat_map(BTreeMap::keys);
            let unseen: Vec<&str> =
                codes.map(|code| code.trim()).filter(|code| !of.seen.contains(*code)).collect();
            if !unseen.is_empty() {
                let (codes, more) = named(unseen.into_iter());
                notes.push(Note::CodesUnseen { column: column(), codes, more });
            }
            if !of.without.is_empty() {
                let cells = of.without.values().sum();
                let (values, more) = named(of.without.keys().map(String::as_str));
                notes.push(Note::WithoutLabel { column: column(), values, more, cells });
            }
        }
        notes
    }
}

/// The first few, and how many more there are.
fn named<'a>(all: impl ExactSizeIterator<Item = &'a str>) -> (Vec<Cell>, usize) {
    let more = all.len().saturating_sub(NAMED);
    (all.take(NAMED).map(Cell::from).collect(), more)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, read, read_parts};

    fn labels(told: &[(&str, &str)]) -> ReadOptions {
        let of_column = told.iter().map(|&(code, label)| (code.into(), label.into())).collect();
        let labels = [(String::from("sex"), of_column)].into();
        let edits = Edits { labels, markers: vec![String::from("?")], ..Edits::default() };
        ReadOptions { edits, ..ReadOptions::default() }
    }

    #[test]
    fn labels_are_put_in_place_of_their_codes() {
        let text = "sex,n\n1,1\n2,2\n 1 ,3\n9,9\n3,1\n?,2\n,1\nmale,2\n";
        let table = read(text.as_bytes(), &labels(&[("1", "male"), ("2", "female"), ("9", "?"), ("4", "x")]))
            .unwrap();
        let cells: Vec<&str> = (0..table.rows).map(|row| table.columns[0].cell(row)).collect();
        assert_eq!(cells, ["male", "female", "male", "?", "3", "?", "", "male"]);
        assert_eq!(table.columns[0].values.len(), 5, "{:?}", table.columns[0].values);
        assert_eq!(table.columns[1].cell(0), "1", "another column keeps its codes");
        let notes: Vec<String> = table.notes.iter().map(ToString::to_string).collect();
        assert_eq!(
            notes,
            [
                "\"sex\": labels in place of codes, as declared (4 cells)",
                "\"sex\": a code with a label that occurs nowhere: '4'",
                "\"sex\": 1 cell has no label and stays as it is: '3'",
            ]
        );
    }

    #[test]
    fn labels_that_cannot_be_are_refused() {
        for (told, says) in [
            (&[("1", " ")][..], "of code '1': a code has an empty label"),
            (&[(" ", "male")], "label 'male' of code ' ': a label has an empty code"),
            (&[("1", "2"), ("2", "1")], "label '2' of code '1': a label is a code of the column itself"),
        ] {
            let error = read(&b"sex,n\n1,1\n"[..], &labels(told)).unwrap_err().to_string();
            assert!(error.contains(says) && error.contains("\"sex\""), "{error}");
        }
        assert!(read(&b"sex,n\n1,1\n"[..], &labels(&[("1", "1"), ("2", "two")])).is_ok());
    }

    #[test]
    fn parts_are_labelled_alike() {
        let text: String = std::iter::once(String::from("sex,n\n"))
            .chain((0..20_000).map(|at| format!("{},{at}\n", 1 + at % 3)))
            .collect();
        let mut all = Vec::new();
        let read =
            read_parts(text.as_bytes(), &labels(&[("1", "male"), ("3", "?")]), 1000, &mut |_, part| {
                all.extend((0..part.rows).map(|row| part.columns[0].cell(row).to_owned()));
                true
            })
            .unwrap();
        assert!(all.chunks(3).take(6000).all(|three| three == ["male", "2", "?"]));
        let notes: Vec<String> = read.notes.iter().map(ToString::to_string).collect();
        assert_eq!(
            notes,
            [
                "\"sex\": labels in place of codes, as declared (13,333 cells)",
                "\"sex\": 6,667 cells have no label and stay as they are: '2'",
            ]
        );
    }
}
