//! A published table as a Parquet file, read back row by row without Arrow.

use std::io::{Read, Seek, Write};

use arrow_schema::SchemaRef;
use bytes::Bytes;
use lookalike_table::Table;
use parquet::{
    arrow::ArrowWriter,
    basic::Compression,
    errors::ParquetError,
    file::{
        properties::WriterProperties,
        reader::{ChunkReader, FileReader as _},
        serialized_reader::SerializedFileReader,
    },
    record::{Field, Row},
};

use super::{
    WriteCheck, WriteFault,
    compare::{Found, Judged, Same},
    typed,
};
use crate::pages::Source;

/// Rows of a group: what is in memory while one is written.
const GROUP: usize = 1 << 18;

/// The file.
pub(super) fn file(table: &Table) -> Result<Vec<u8>, ParquetError> {
    let schema = typed::schema(table);
    let mut writer = writer(Vec::new(), &schema)?;
    writer.write(&typed::batch(table, &schema)?)?;
    writer.into_inner()
}

/// What makes one of batches.
pub(super) fn writer<W: Write + Send>(out: W, schema: &SchemaRef) -> Result<ArrowWriter<W>, ParquetError> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_max_row_group_row_count(Some(GROUP))
        // Else the library's version.
        .set_created_by(String::from("Lookalike"))
        .build();
    ArrowWriter::try_new(out, SchemaRef::clone(schema), Some(properties))
}

/// Compares what the decoder of rows reads.
pub(super) fn read_back(file: &[u8], judged: &Judged<'_>) -> Result<WriteCheck, WriteFault> {
    compared(Bytes::copy_from_slice(file), judged.published, judged.same())
}

/// The same of a file and of bytes that are not in memory.
pub(super) fn read_back_large<R: Read + Seek + Send + 'static>(
    file: R,
    published: impl Read,
    same: Same,
) -> Result<WriteCheck, WriteFault> {
    let source = Source::new(file).map_err(|why| same.unread(&why))?;
    compared(source, published, same)
}

fn compared(
    file: impl ChunkReader + 'static,
    published: impl Read,
    same: Same,
) -> Result<WriteCheck, WriteFault> {
    let unread = |why: ParquetError| same.unread(&why);
    let reader = SerializedFileReader::new(file).map_err(unread)?;
    let about = reader.metadata().file_metadata().schema_descr();
    let names: Vec<String> = about.columns().iter().map(|column| column.name().to_owned()).collect();
    let rows = reader.get_row_iter(None).map_err(unread)?;
    same.compare(published, &names, rows.map(|row| row.map(|row| found(&row)).map_err(unread)))
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
