//! Published tables that are not held in memory: written a part at a time, read back and compared row by row.

use std::io::{Read, Seek, SeekFrom, Write};

use arrow_array::RecordBatch;
use arrow_ipc::writer::FileWriter;
use arrow_schema::SchemaRef;
use lookalike_audit::Dialect;
use lookalike_table::{Error, ReadOptions, Table, read_parts, undefused};

use super::{Target, WriteCheck, WriteFault, compare::Same, typed, write_arrow, write_parquet};

/// Rows that are in memory at a time.
const ROWS: usize = 1 << 15;

/// Writes the published bytes, which have this form, as such a file: the same cells and types as by [`super::write()`]. The bytes are
/// read twice, since types are known at their end.
///
/// # Errors
/// If the form is not written a part at a time, if the cells have no place in it, and what the streams say.
pub fn write_large(
    form: Target,
    published: &mut (impl Read + Seek),
    dialect: Dialect,
    out: impl Write + Send,
) -> Result<(), WriteFault> {
    let unwritten = |says: String| WriteFault::Unwritten { form, says };
    let mut kinds = Vec::new();
    let mut schema = None;
    parts((form, dialect), published, &mut |part| {
        kinds.resize(part.columns.len(), typed::Kinds::default());
        for (kinds, column) in kinds.iter_mut().zip(&part.columns) {
            kinds.add(column);
        }
        schema = Some(typed::schema_of(part, &kinds));
        Ok(())
    })?;
    let schema = schema.ok_or_else(|| unwritten(Error::Empty.to_string()))?;
    let mut writer = match form {
        Target::Parquet => {
            Writer::Parquet(write_parquet::writer(out, &schema).map_err(|why| unwritten(why.to_string()))?)
        }
        Target::Arrow => {
            Writer::Arrow(FileWriter::try_new(out, &schema).map_err(|why| unwritten(why.to_string()))?)
        }
        _ => return Err(WriteFault::NotBuilt { form }),
    };
    parts((form, dialect), published, &mut |part| writer.write(&batch(part, &schema)?))?;
    writer.finish().map_err(unwritten)
}

/// Reads such a file and compares it with the published bytes, from their beginning.
///
/// # Errors
/// As [`super::write()`].
pub fn read_back_large<R: Read + Seek + Send + 'static>(
    form: Target,
    file: R,
    published: impl Read,
    dialect: Dialect,
) -> Result<WriteCheck, WriteFault> {
    let same = Same { dialect, form };
    match form {
        Target::Parquet => write_parquet::read_back_large(file, published, same),
        Target::Arrow => write_arrow::read_back_large(file, published, same),
        _ => Err(WriteFault::NotBuilt { form }),
    }
}

/// The rows of the published bytes, some at a time.
fn parts(
    (form, dialect): (Target, Dialect),
    published: &mut (impl Read + Seek),
    each: &mut dyn FnMut(&Table) -> Result<(), String>,
) -> Result<(), WriteFault> {
    let unwritten = |says: String| WriteFault::Unwritten { form, says };
    published.seek(SeekFrom::Start(0)).map_err(|why| unwritten(why.to_string()))?;
    let options = ReadOptions { delimiter: Some(dialect.delimiter), ..ReadOptions::default() };
    let mut done = Ok(());
    let read = read_parts(published, &options, ROWS, &mut |_, part| {
        done = each(&if dialect.defused { undefused(part) } else { part });
        done.is_ok()
    });
    done.map_err(unwritten)?;
    read.map_err(|why| unwritten(why.to_string().trim_end_matches('.').to_owned())).map(drop)
}

fn batch(part: &Table, schema: &SchemaRef) -> Result<RecordBatch, String> {
    typed::batch(part, schema).map_err(|why| why.to_string())
}

enum Writer<W: Write + Send> {
    Parquet(parquet::arrow::ArrowWriter<W>),
    Arrow(FileWriter<W>),
}

impl<W: Write + Send> Writer<W> {
    fn write(&mut self, batch: &RecordBatch) -> Result<(), String> {
        match self {
            Self::Parquet(writer) => writer.write(batch).map_err(|why| why.to_string()),
            Self::Arrow(writer) => writer.write(batch).map_err(|why| why.to_string()),
        }
    }

    fn finish(self) -> Result<(), String> {
        match self {
            Self::Parquet(writer) => writer.close().map(drop).map_err(|why| why.to_string()),
            Self::Arrow(mut writer) => writer.finish().map_err(|why| why.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::write;

    /// More rows than a part; a column whose first part looks like numbers, one that is empty at first.
    fn published() -> String {
        let rows = (0..70_000).map(|row| {
            let late = if row < 60_000 { String::new() } else { format!("2001-02-{:02}", row % 28 + 1) };
            let code = if row == 69_999 { String::from("x") } else { (row % 90).to_string() };
            format!("{},{code},{late},{}\n", row % 50, f64::from(row) / 4.0)
        });
        String::from("age,code,born,weight\n") + &rows.collect::<String>()
    }

    #[test]
    fn parts_make_the_file_that_the_whole_makes() {
        let csv = published();
        for form in [Target::Parquet, Target::Arrow] {
            let mut file = Vec::new();
            write_large(form, &mut Cursor::new(csv.as_bytes()), Dialect::PLAIN, &mut file).unwrap();
            let check = read_back_large(form, Cursor::new(file.clone()), csv.as_bytes(), Dialect::PLAIN);
            assert_eq!(check.unwrap(), WriteCheck::Same { cells: 4 * 70_001, rows: 70_001 });
            let (whole, _) = write(form, csv.as_bytes(), Dialect::PLAIN, &[]).unwrap();
            assert_eq!(types(form, file.clone()), types(form, whole), "{form}");
            assert_eq!(types(form, file.clone()), ["Int64", "Utf8", "Date32", "Float64"], "{form}");
            // A file of other bytes is found out.
            let other = csv.replacen("\n49,", "\n48,", 1);
            let found = read_back_large(form, Cursor::new(file), other.as_bytes(), Dialect::PLAIN);
            assert_eq!(found, Err(WriteFault::Differs { form, row: 51, column: 1 }));
        }
    }

    fn types(form: Target, file: Vec<u8>) -> Vec<String> {
        let schema = if form == Target::Arrow {
            arrow_ipc::reader::FileReader::try_new(Cursor::new(file), None).unwrap().schema()
        } else {
            let file = bytes::Bytes::from(file);
            let reader = parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(file);
            SchemaRef::clone(reader.unwrap().schema())
        };
        schema.fields().iter().map(|field| field.data_type().to_string()).collect()
    }

    #[test]
    fn forms_that_are_made_in_one_piece_are_refused() {
        let done = write_large(Target::Stata, &mut Cursor::new(b"a\n1\n"), Dialect::PLAIN, Vec::new());
        assert_eq!(done, Err(WriteFault::NotBuilt { form: Target::Stata }));
    }
}
