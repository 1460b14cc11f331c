//! A published table as a Parquet file, read back row by row without Arrow.

use bytes::Bytes;
use lookalike_table::Table;
use parquet::{
    arrow::ArrowWriter,
    basic::Compression,
    errors::ParquetError,
    file::{properties::WriterProperties, reader::FileReader as _, serialized_reader::SerializedFileReader},
    record::{Field, Row},
};

use super::{
    WriteCheck, WriteFault,
    compare::{Found, Judged},
    typed,
};

/// The file.
pub(super) fn file(table: &Table) -> Result<Vec<u8>, ParquetError> {
    let batch = typed::batch(table)?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        // Else the library's version.
        .set_created_by(String::from("Lookalike"))
        .build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties))?;
    writer.write(&batch)?;
    writer.into_inner()
}

/// Compares what the decoder of rows reads.
pub(super) fn read_back(file: &[u8], judged: &Judged<'_>) -> Result<WriteCheck, WriteFault> {
    let unread = |why: ParquetError| judged.unread(&why);
    let reader = SerializedFileReader::new(Bytes::copy_from_slice(file)).map_err(unread)?;
    let about = reader.metadata().file_metadata().schema_descr();
    let names: Vec<String> = about.columns().iter().map(|column| column.name().to_owned()).collect();
    let rows = reader.get_row_iter(None).map_err(unread)?;
    judged.compare(&names, rows.map(|row| row.map(|row| found(&row)).map_err(unread)))
}

fn found(row: &Row) -> Vec<Found> {
    let cell = |(_, field): (&String, &Field)| match field {
        Field::Null => Found::Nothing,
        Field::Long(number) => Found::Whole(*number),
        Field::Double(number) => Found::Real(*number),
        Field::Date(day) => Found::Day(*day),
        Field::Str(text) => Found::Text(text.clone()),
        _ => Found::Other,
    };
    row.get_column_iter().map(cell).collect()
}
