//! The columns of a published table with their types.

use std::sync::Arc;

use arrow_array::{ArrayRef, Date32Array, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use jiff::{SpanRelativeTo, Unit, civil::Date};
use lookalike_table::{Column, Table};

use super::{each, spelled, whole};

/// What all cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Whole numbers.
    Whole,
    /// Numbers.
    Real,
    /// Days.
    Day,
    /// Texts.
    Text,
}

/// What the cells of a column may be, as far as they were seen.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a type that is still possible")]
pub(crate) struct Kinds {
    /// Whether one of them is not empty.
    known: bool,
    whole: bool,
    real: bool,
    day: bool,
}

impl Default for Kinds {
    fn default() -> Self {
        Self { known: false, whole: true, real: true, day: true }
    }
}

impl Kinds {
    /// Those of a column.
    pub(crate) fn of(column: &Column) -> Self {
        let mut kinds = Self::default();
        kinds.add(column);
        kinds
    }

    /// Takes in more cells.
    pub(super) fn add(&mut self, column: &Column) {
        for cell in column.values.iter().filter(|cell| !cell.is_empty()) {
            self.known = true;
            self.whole = self.whole && whole(cell).is_some();
            self.real = self.real && spelled(cell).is_some();
            self.day = self.day && day(cell).is_some();
        }
    }

    /// What they are.
    pub(crate) fn kind(self) -> Kind {
        match self {
            Self { known: false, .. } => Kind::Text,
            Self { whole: true, .. } => Kind::Whole,
            Self { real: true, .. } => Kind::Real,
            Self { day: true, .. } => Kind::Day,
            _ => Kind::Text,
        }
    }

    fn data_type(self) -> DataType {
        match self.kind() {
            Kind::Whole => DataType::Int64,
            Kind::Real => DataType::Float64,
            Kind::Day => DataType::Date32,
            Kind::Text => DataType::Utf8,
        }
    }
}

/// The columns of a table, of all its cells.
pub(super) fn schema(table: &Table) -> SchemaRef {
    schema_of(table, &table.columns.iter().map(Kinds::of).collect::<Vec<_>>())
}

/// The columns of a table, whose cells may be these.
pub(super) fn schema_of(table: &Table, kinds: &[Kinds]) -> SchemaRef {
    let field = |(column, kinds): (&Column, &Kinds)| Field::new(&column.name, kinds.data_type(), true);
    Arc::new(Schema::new(table.columns.iter().zip(kinds).map(field).collect::<Vec<_>>()))
}

/// Cells, in one piece.
pub(super) fn batch(table: &Table, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    let columns = table.columns.iter().zip(schema.fields());
    let arrays = columns.map(|(column, field)| array(table, column, field.data_type())).collect();
    RecordBatch::try_new(Arc::clone(schema), arrays)
}

fn array(table: &Table, column: &Column, of: &DataType) -> ArrayRef {
    match of {
        DataType::Int64 => {
            let numbers: Vec<Option<i64>> = column.values.iter().map(whole).collect();
            Arc::new(each(table, column, &numbers).copied().collect::<Int64Array>())
        }
        DataType::Float64 => {
            let numbers: Vec<Option<f64>> = column.values.iter().map(spelled).collect();
            Arc::new(each(table, column, &numbers).copied().collect::<Float64Array>())
        }
        DataType::Date32 => {
            let days: Vec<Option<i32>> = column.values.iter().map(day).collect();
            Arc::new(each(table, column, &days).copied().collect::<Date32Array>())
        }
        _ => {
            let cells = (0..table.rows).map(|row| Some(column.cell(row)).filter(|cell| !cell.is_empty()));
            Arc::new(cells.collect::<StringArray>())
        }
    }
}

/// The day since 1970-01-01 that is spelled as in ISO 8601.
pub(super) fn day(cell: &str) -> Option<i32> {
    let date: Date = cell.parse().ok()?;
    if date.to_string() != cell {
        return None;
    }
    let span = date.since(Date::constant(1970, 1, 1)).ok()?;
    let days = span.total((Unit::Day, SpanRelativeTo::days_are_24_hours())).ok()?;
    Some(days as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_dates_spelled_as_in_iso_8601() {
        assert_eq!(
            (day("1970-01-01"), day("1969-12-31"), day("2000-02-29")),
            (Some(0), Some(-1), Some(11_016))
        );
        for cell in ["1970-1-1", "19700101", "1970-01-01T00:00", "[1970-01-01]", "", "2001-02-29"] {
            assert_eq!(day(cell), None, "{cell}");
        }
    }
}
