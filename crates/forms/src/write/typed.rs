//! The columns of a published table with their types.

use std::sync::Arc;

use arrow_array::{ArrayRef, Date32Array, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, Field, Schema};
use jiff::{SpanRelativeTo, Unit, civil::Date};
use lookalike_table::{Column, Table};

use super::{all, each, spelled, whole};

/// All cells, in one piece.
pub(super) fn batch(table: &Table) -> Result<RecordBatch, ArrowError> {
    let arrays: Vec<ArrayRef> = table.columns.iter().map(|column| array(table, column)).collect();
    let field =
        |(column, array): (&Column, &ArrayRef)| Field::new(&column.name, array.data_type().clone(), true);
    let fields: Vec<Field> = table.columns.iter().zip(&arrays).map(field).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
}

fn array(table: &Table, column: &Column) -> ArrayRef {
    if let Some(numbers) = all(column, whole) {
        return Arc::new(each(table, column, &numbers).copied().collect::<Int64Array>());
    }
    if let Some(numbers) = all(column, spelled) {
        return Arc::new(each(table, column, &numbers).copied().collect::<Float64Array>());
    }
    if let Some(days) = all(column, day) {
        return Arc::new(each(table, column, &days).copied().collect::<Date32Array>());
    }
    let cells = (0..table.rows).map(|row| Some(column.cell(row)).filter(|cell| !cell.is_empty()));
    Arc::new(cells.collect::<StringArray>())
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
