//! The open table's cells as what is said of them makes them: filled up with zeros, labels in place of codes.

use std::sync::Arc;

use lookalike_core::{
    info,
    table::{Column, Edits, Error, Table},
};
use lookalike_model::{info::ColumnInfo, missing, settings::Settings};
use lookalike_wire::page::{CellsTold, Described};
use lookalike_words::{Message, Said};

use crate::arrival::PREVIEW_ROWS;

/// What was put in place of cells of the open table, and what was there before.
pub(crate) struct Edited {
    edits: Edits,
    /// Cells that mean "missing", as was said last; the usual ones if nothing was said.
    markers: Vec<String>,
    /// Columns as the file has them, by their places.
    before: Vec<(usize, Column)>,
    /// How many of the table's last notes speak of it.
    notes: usize,
}

impl Default for Edited {
    fn default() -> Self {
        Self { edits: Edits::default(), markers: missing::usual(), before: Vec::new(), notes: 0 }
    }
}

/// What settings say of cells.
pub(crate) fn of(settings: &Settings) -> Edits {
    let Settings { pad, labels, missing, .. } = settings;
    Edits { widths: pad.clone(), labels: labels.clone(), markers: missing.markers.clone() }
}

impl Edited {
    /// What stands in place of cells.
    pub(crate) fn edits(&self) -> &Edits {
        &self.edits
    }

    /// Cells that mean "missing".
    pub(crate) fn markers(&self) -> &[String] {
        &self.markers
    }

    /// Makes the table what it had been if its file were read with these edits.
    ///
    /// # Errors
    /// What a reader says; the table stays as it is.
    pub(crate) fn apply(&mut self, table: &mut Arc<Table>, edits: Edits) -> Result<(), Error> {
        if edits == self.edits || edits.is_empty() && self.edits.is_empty() {
            self.markers = edits.markers;
            return Ok(());
        }
        let is_edited = |name: &String| edits.columns().any(|edited| edited == name);
        let (places, mut columns): (Vec<usize>, Vec<Column>) = (table.columns.iter().enumerate())
            .filter(|(_, column)| is_edited(&column.name))
            .map(|(place, column)| {
                let before = self.before.iter().find(|(at, _)| *at == place).map(|(_, before)| before);
                (place, before.unwrap_or(column).clone())
            })
            .unzip();
        let notes = edits.edit(&mut columns)?;
        let table = Arc::make_mut(table);
        for (place, column) in self.before.drain(..) {
            table.columns[place] = column;
        }
        let replaced = places.into_iter().zip(columns);
        self.before = replaced
            .map(|(place, column)| (place, std::mem::replace(&mut table.columns[place], column)))
            .collect();
        table.notes.truncate(table.notes.len() - self.notes);
        self.notes = notes.len();
        table.notes.extend(notes);
        self.markers.clone_from(&edits.markers);
        self.edits = edits;
        Ok(())
    }

    /// What the page shows of the columns.
    fn described(&self, table: &Table, markers: &[String]) -> Described {
        let mut columns = info::columns(table, markers);
        for column in &mut columns {
            self.settle(column);
        }
        let rows = 0..table.rows.min(PREVIEW_ROWS);
        let notes = table.notes.iter().skip(table.notes.len() - self.notes);
        Described {
            columns,
            preview: rows.map(|r| table.columns.iter().map(|c| c.cell(r).to_owned()).collect()).collect(),
            notes: notes.map(Message::said).collect(),
        }
    }

    /// What is said of a column is not asked or proposed again.
    fn settle(&self, column: &mut ColumnInfo) {
        let is_padded = self.edits.widths.contains_key(&column.name);
        if is_padded {
            column.kind = String::from("category");
            (column.question, column.proposal) = (None, None);
        }
        if is_padded || self.edits.labels.contains_key(&column.name) {
            column.unknown = None;
        }
    }
}

/// Edits the table, and says what its columns are then.
pub(crate) fn describe(
    (table, edited): (&mut Arc<Table>, &mut Edited),
    CellsTold { markers, pad, labels }: CellsTold,
) -> Result<Described, Said> {
    let edits = Edits { widths: pad, labels, markers: markers.clone() };
    edited.apply(table, edits).map_err(Said::from)?;
    Ok(edited.described(table, &markers))
}
