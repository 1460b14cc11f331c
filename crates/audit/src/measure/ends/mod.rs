//! Ranges that are published as two columns: the least and the greatest value, and the middle beside them or not.
//!
//! Two things are made of them. For whoever measures, the columns become one again, with cells such as `[18-20]`
//! ([`joined`]). And they are checked ([`ends`]): from the bytes, by the strict reader, that the cells of each row are the ends
//! of a range and its middle; and against the original, class by class, that these are the least and the greatest value.

mod cells;
mod check;
mod found;
mod source;

use std::collections::BTreeMap;

use lookalike_table::{Column, Dictionary, Reading as Compared, Table};
use lookalike_words::{Cell, Name};

pub(super) use self::cells::EndCells;
pub use self::{check::ends, source::EndsSource};
use super::{Reading, cell::Form};
use crate::Error;

/// The columns in which the ranges of one column are published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ends {
    /// The column with the least values.
    pub min: String,
    /// The column with the greatest values.
    pub max: String,
    /// The column with the middles, if there is one.
    pub mid: Option<String>,
}

impl Ends {
    /// As ours are named: `age_min`, `age_max`, `age_mid`.
    #[must_use]
    pub fn named(column: &str, with_mid: bool) -> Self {
        let of = |end: &str| format!("{column}_{end}");
        Self { min: of("min"), max: of("max"), mid: with_mid.then(|| of("mid")) }
    }

    /// Their names, in the order in which they are published.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        [&self.min, &self.max].into_iter().chain(&self.mid)
    }
}

impl Reading {
    /// How a cell of a column is read that is compared so.
    pub(super) fn form<'a>(&'a self, compared: &'a Compared) -> Form<'a> {
        Form { compared, sure: true, suppressed: &self.suppressed, missing: &self.missing }
    }
}

/// The table with each of these columns as one again, in the place of its first, by the name that `reading` has.
///
/// # Errors
/// If a column is missing, or two cells are not the ends of a range.
pub fn joined(table: &Table, reading: &Reading) -> Result<Table, Error> {
    let mut table = table.clone();
    for (name, ends) in &reading.ends {
        let place = |name: &String| table.columns.iter().position(|column| column.name == *name);
        let needed =
            |name: &String| place(name).ok_or_else(|| Error::NoColumn { column: Name::from(name.as_str()) });
        let (min, max) = (needed(&ends.min)?, needed(&ends.max)?);
        let mid = ends.mid.as_ref().map(needed).transpose()?;
        let column = one(name, &table.columns[min], &table.columns[max], reading)?;
        table.columns[min] = column;
        let mut gone: Vec<usize> = [max].into_iter().chain(mid).collect();
        gone.sort_unstable();
        for at in gone.into_iter().rev() {
            table.columns.remove(at);
        }
    }
    Ok(table)
}

fn one(name: &str, min: &Column, max: &Column, reading: &Reading) -> Result<Column, Error> {
    let compared = reading.known(name);
    let (mut of_pair, mut of_text) = (BTreeMap::new(), BTreeMap::new());
    let (mut values, mut cells) = (Dictionary::default(), Vec::with_capacity(min.cells.len()));
    for both in min.cells.iter().zip(&max.cells) {
        if let Some(&code) = of_pair.get(&both) {
            cells.push(code);
            continue;
        }
        let texts = (&min.values[*both.0 as usize], &max.values[*both.1 as usize]);
        let pair = compared.as_ref().and_then(|by| Some((EndCells::of(texts, reading.form(by))?, by)));
        let Some((pair, by)) = pair else {
            let (min, max) = (Cell::from(texts.0), Cell::from(texts.1));
            return Err(Error::NotEnds { column: Name::from(name), min, max });
        };
        let (text, next) = (pair.joined(by), values.len() as u32);
        // Two spellings may be one cell.
        let code = *of_text.entry(text.clone()).or_insert(next);
        if code == next {
            values.push(&text);
        }
        of_pair.insert(both, code);
        cells.push(code);
    }
    Ok(Column { name: name.to_owned(), texts: min.texts, values, cells })
}
