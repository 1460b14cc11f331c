//! A published table as a file of Arrow.

use std::io::Cursor;

use arrow_array::{Array, RecordBatch, cast::AsArray as _, types};
use arrow_ipc::{reader::FileReader, writer::FileWriter};
use arrow_schema::{ArrowError, DataType};
use lookalike_table::Table;

use super::{
    WriteCheck, WriteFault,
    compare::{Found, Judged},
    typed,
};

/// The file.
pub(super) fn file(table: &Table) -> Result<Vec<u8>, ArrowError> {
    let batch = typed::batch(table)?;
    let mut writer = FileWriter::try_new(Vec::new(), &batch.schema())?;
    writer.write(&batch)?;
    writer.finish()?;
    writer.into_inner()
}

/// Compares what the decoder reads.
pub(super) fn read_back(file: &[u8], judged: &Judged<'_>) -> Result<WriteCheck, WriteFault> {
    let unread = |why: ArrowError| judged.unread(&why);
    let reader = FileReader::try_new(Cursor::new(file), None).map_err(unread)?;
    let names: Vec<String> = reader.schema().fields().iter().map(|field| field.name().clone()).collect();
    let rows = reader.flat_map(|batch| -> Box<dyn Iterator<Item = Result<Vec<Found>, WriteFault>>> {
        match batch {
            Ok(batch) => Box::new((0..batch.num_rows()).map(move |row| Ok(found(&batch, row)))),
            Err(why) => Box::new(std::iter::once(Err(unread(why)))),
        }
    });
    judged.compare(&names, rows)
}

fn found(batch: &RecordBatch, row: usize) -> Vec<Found> {
    let cell = |column: &dyn Array| match column.data_type() {
        _ if column.is_null(row) => Found::Nothing,
        DataType::Int64 => Found::Whole(column.as_primitive::<types::Int64Type>().value(row)),
        DataType::Float64 => Found::Real(column.as_primitive::<types::Float64Type>().value(row)),
        DataType::Date32 => Found::Day(column.as_primitive::<types::Date32Type>().value(row)),
        DataType::Utf8 => Found::Text(column.as_string::<i32>().value(row).to_owned()),
        _ => Found::Other,
    };
    batch.columns().iter().map(|column| cell(column)).collect()
}
