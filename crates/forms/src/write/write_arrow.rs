//! A published table as a file of Arrow.

use std::io::{Cursor, Read, Seek};

use arrow_array::{Array, RecordBatch, cast::AsArray as _, types};
use arrow_ipc::{reader::FileReader, writer::FileWriter};
use arrow_schema::{ArrowError, DataType};
use lookalike_table::Table;

use super::{
    WriteCheck, WriteFault,
    compare::{Found, Judged, Same},
    typed,
};

/// The file.
pub(super) fn file(table: &Table) -> Result<Vec<u8>, ArrowError> {
    let schema = typed::schema(table);
    let mut writer = FileWriter::try_new(Vec::new(), &schema)?;
    writer.write(&typed::batch(table, &schema)?)?;
    writer.finish()?;
    writer.into_inner()
}

/// Compares what the decoder reads.
pub(super) fn read_back(file: &[u8], judged: &Judged<'_>) -> Result<WriteCheck, WriteFault> {
    read_back_large(Cursor::new(file), judged.published, judged.same())
}

/// The same of a file and of bytes that are not in memory.
pub(super) fn read_back_large(
    file: impl Read + Seek,
    published: impl Read,
    same: Same,
) -> Result<WriteCheck, WriteFault> {
    let unread = |why: ArrowError| same.unread(&why);
    let reader = FileReader::try_new(file, None).map_err(unread)?;
    let names: Vec<String> = reader.schema().fields().iter().map(|field| field.name().clone()).collect();
    let rows = reader.flat_map(|batch| -> Box<dyn Iterator<Item = Result<Vec<Found>, WriteFault>>> {
        match batch {
            Ok(batch) => Box::new((0..batch.num_rows()).map(move |row| Ok(found(&batch, row)))),
            Err(why) => Box::new(std::iter::once(Err(unread(why)))),
        }
    });
    same.compare(published, &names, rows)
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
