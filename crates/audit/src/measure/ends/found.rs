//! Ranges in two columns of a table of which nobody says that it has such.

use lookalike_table::{Column, Reading as Compared, Table};

use super::{EndCells, Ends, joined};
use crate::measure::{ColumnReading, Reading};

impl Reading {
    /// The same, knowing that a table has the ranges of this column in columns named as ours are, if it has, and each of its rows is a
    /// range there; the middles too, if there is a column of them and each is one.
    #[must_use]
    pub fn with_ends(&self, table: &Table, name: &str) -> Option<Self> {
        let ends = Ends::named(name, true);
        let column = |name: &String| table.column(name);
        let (min, max) = (column(&ends.min)?, column(&ends.max)?);
        let both: Vec<&str> = min.values.iter().chain(&max.values).collect();
        let both = Column {
            name: name.to_owned(),
            texts: min.texts,
            cells: (0..both.len() as u32).collect(),
            values: both.into_iter().collect(),
        };
        let compared = self.published(&both).ok().filter(|compared| *compared != Compared::Labels)?;
        let mut known = self.clone();
        let is_middle = |mid: &Column| {
            (0..table.rows).all(|row| {
                let form = known.form(&compared);
                EndCells::of((min.cell(row), max.cell(row)), form)
                    .is_some_and(|cells| cells.is_middle(mid.cell(row), form))
            })
        };
        let mid = ends.mid.filter(|mid| column(mid).is_some_and(is_middle));
        known.columns.insert(name.to_owned(), ColumnReading::As(compared));
        known.ends.insert(name.to_owned(), Ends { mid, ..ends });
        joined(table, &known).is_ok().then_some(known)
    }
}
