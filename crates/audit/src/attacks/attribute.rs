//! A column of the published table beside the same column of the exact ones, and distances between their cells.

use lookalike_table::{Column, Table};
use lookalike_words::Name;

use crate::{
    Error, TableName, Unmeasurable,
    measure::{Entries, Numbers, Reading},
};

/// The original among the exact tables.
pub(super) const ORIGINAL: usize = 0;

/// The control among them, if there is one.
pub(super) const CONTROL: usize = 1;

/// The tables of an attack.
#[derive(Clone, Copy)]
pub(super) struct Tables<'a> {
    pub(super) published: &'a Table,
    pub(super) original: &'a Table,
    pub(super) control: Option<&'a Table>,
}

impl<'a> Tables<'a> {
    /// The exact ones: original, control.
    pub(super) fn exact(self) -> impl Iterator<Item = &'a Table> {
        std::iter::once(self.original).chain(self.control)
    }

    /// The column of this name in all of them, read; the inner error says why it cannot be compared.
    pub(super) fn attribute(
        self,
        name: &str,
        reading: &Reading,
    ) -> Result<Result<Attribute<'a>, Unmeasurable>, Error> {
        let lacks = |table: TableName| Error::AttackedColumn { table, column: Name::from(name) };
        let column = |table: &'a Table, which| table.column(name).ok_or_else(|| lacks(which));
        let published = column(self.published, TableName::Published)?;
        let mut exact = vec![column(self.original, TableName::Original)?];
        if let Some(control) = self.control {
            exact.push(column(control, TableName::Control)?);
        }
        let entries = match Entries::new(published, &exact, reading) {
            Ok(entries) => entries,
            Err(why) => return Ok(Err(why)),
        };
        let width = width(&entries);
        Ok(Ok(Attribute { name: name.to_owned(), entries, published, exact, width }))
    }
}

/// A column, read in all tables.
pub(super) struct Attribute<'a> {
    pub(super) name: String,
    pub(super) entries: Entries,
    pub(super) published: &'a Column,
    /// In the original and the control.
    pub(super) exact: Vec<&'a Column>,
    /// Between the least and the greatest number of all tables; 1 if there is one number at most.
    width: f64,
}

impl Attribute<'_> {
    /// The distance of a row of an exact table to each entry of the published dictionary, 0 to 1.
    pub(super) fn distances(&self, table: usize, row: usize) -> Vec<f64> {
        let code = self.exact[table].cells[row] as usize;
        match &self.entries {
            Entries::Numbers { published, exact } => {
                let own = exact[table][code];
                published.iter().map(|cell| self.of_numbers(own, cell)).collect()
            }
            Entries::Labels { published, exact, .. } => {
                let own = exact[table][code];
                let is =
                    |set: &Option<Vec<u32>>| set.as_ref().is_none_or(|set| set.binary_search(&own).is_ok());
                published.iter().map(|set| if is(set) { 0.0 } else { 1.0 }).collect()
            }
        }
    }

    /// 0 if the cell may be the number; else the way to the nearest number that it may be, as a part of the column's width.
    fn of_numbers(&self, own: Option<f64>, cell: &Numbers) -> f64 {
        let Some(x) = own else { return if cell.covers(None) { 0.0 } else { 1.0 } };
        match cell {
            Numbers::Suppressed => 0.0,
            Numbers::Missing => 1.0,
            Numbers::Known { parts, .. } => {
                let to = |&(low, high): &(f64, f64)| (low - x).max(x - high).max(0.0);
                parts.iter().map(to).fold(f64::INFINITY, f64::min).min(self.width) / self.width
            }
        }
    }

    /// Published rows whose label no exact table has.
    pub(super) fn foreign_rows(&self) -> usize {
        let Entries::Labels { foreign, .. } = &self.entries else { return 0 };
        self.published.cells.iter().filter(|&&code| foreign[code as usize]).count()
    }
}

fn width(entries: &Entries) -> f64 {
    let Entries::Numbers { published, exact } = entries else { return 1.0 };
    let spans = published.iter().filter_map(Numbers::finite_span);
    let values = exact.iter().flatten().flatten().map(|&x| (x, x));
    let whole = spans.chain(values).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    whole.map(|(low, high)| high - low).filter(|width| *width > 0.0 && width.is_finite()).unwrap_or(1.0)
}
