//! Parquet files, read a row group at a time.

use std::{
    io::{Read, Seek},
    sync::Arc,
};

use arrow_schema::SchemaRef;
use lookalike_table::Error;
use lookalike_words::Name;
use parquet::{
    arrow::{
        ProjectionMask,
        arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader},
        parquet_to_arrow_field_levels,
    },
    basic::Compression,
    errors::ParquetError,
    file::metadata::ParquetMetaData,
};

use crate::{
    FormFault, FormName,
    columns::{Batches, Columns, damaged, guarded},
    pages::{Group, Source},
};

/// Rows that are read in one go.
const ROWS: usize = 4096;

/// A Parquet file.
pub(crate) struct ParquetFile<R> {
    source: Arc<Source<R>>,
    metadata: Arc<ParquetMetaData>,
    schema: SchemaRef,
}

impl<R: Read + Seek + Send + 'static> ParquetFile<R> {
    pub(crate) fn open(source: R) -> Result<Self, Error> {
        let source = Arc::new(Source::new(source).map_err(|error| Error::from_io(&error))?);
        let about = guarded(FormName::Parquet, || {
            ArrowReaderMetadata::load(&*source, ArrowReaderOptions::new()).map_err(|error| told(&error))
        })?;
        Ok(Self { source, metadata: Arc::clone(about.metadata()), schema: Arc::clone(about.schema()) })
    }

    /// Refuses columns that are packed in a way that is not read.
    fn unpackable(&self, columns: &[usize]) -> Result<(), Error> {
        let about = self.metadata.file_metadata().schema_descr();
        for leaf in 0..about.num_columns() {
            let root = about.get_column_root_idx(leaf);
            if !columns.contains(&root) {
                continue;
            }
            for group in self.metadata.row_groups() {
                let packed = group.column(leaf).compression();
                if matches!(packed, Compression::BROTLI(_) | Compression::LZO) {
                    let codec = if packed == Compression::LZO { "LZO" } else { "Brotli" };
                    let column = Name::from(self.schema.field(root).name().as_str());
                    let codec = codec.to_owned();
                    return Err(FormFault::Codec { form: FormName::Parquet, codec, column }.into());
                }
            }
        }
        Ok(())
    }
}

impl<R: Read + Seek + Send + 'static> Columns for ParquetFile<R> {
    fn form(&self) -> FormName {
        FormName::Parquet
    }

    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn batches(&mut self, columns: &[usize]) -> Result<Batches<'_>, Error> {
        self.unpackable(columns)?;
        let about = self.metadata.file_metadata().schema_descr();
        let mask = ProjectionMask::roots(about, columns.iter().copied());
        let levels = parquet_to_arrow_field_levels(about, mask, Some(self.schema.fields()))
            .map_err(|error| told(&error))?;
        let columns = columns.len();
        let groups = (0..self.metadata.num_row_groups()).map(move |index| {
            let (source, metadata) = (Arc::clone(&self.source), Arc::clone(&self.metadata));
            let group = Group { source, metadata, index, columns };
            ParquetRecordBatchReader::try_new_with_row_groups(&levels, &group, ROWS, None)
        });
        Ok(Box::new(groups.flat_map(|group| -> Batches<'_> {
            match group {
                Ok(rows) => {
                    Box::new(rows.map(|batch| batch.map_err(|error| damaged(FormName::Parquet, &error))))
                }
                Err(error) => Box::new(std::iter::once(Err(told(&error)))),
            }
        })))
    }
}

fn told(error: &ParquetError) -> Error {
    damaged(FormName::Parquet, error)
}
