//! Columns that have types as columns of a table, coded by their own values: a number that comes again is not written again.

use arrow_array::{Array, OffsetSizeTrait, RecordBatch, cast::AsArray as _, types::ArrowDictionaryKeyType};
use arrow_schema::{DataType, Schema};
use lookalike_table::{CodeCells, Coded, Error, NoText, ReadOptions, Table, read_coded};

use crate::{
    cells::{self, Put},
    columns::Batches,
};

/// Rows that are coded at once.
const ROWS: usize = 1 << 13;

/// Values that a column remembers the codes of: a power of two.
const KNOWN: usize = 1 << 12;

/// Labels of a column that are looked at by their keys: not many more than the rows that are coded at once.
const MOST_LABELS: usize = 4 * ROWS;

/// Reads these columns of batches, each in the short form of its type or not. `None` if the text of them is to be read in place of them.
///
/// # Errors
/// As [`read_coded`].
pub(crate) fn read(
    schema: &Schema,
    columns: &[usize],
    short: &[bool],
    batches: Batches<'_>,
    options: &ReadOptions,
) -> Result<Option<Table>, Error> {
    let names: Vec<&str> = columns.iter().map(|&at| schema.field(at).name().as_str()).collect();
    let coders = short.iter().enumerate().map(|(at, &short)| Cells::new(at, short)).collect();
    read_coded(&names, coders, &mut batches.flat_map(pieces), options)
}

/// A batch a piece at a time: places in the text of a piece are 32 bits wide.
fn pieces(batch: Result<RecordBatch, Error>) -> Box<dyn Iterator<Item = Result<RecordBatch, Error>>> {
    match batch {
        Ok(batch) => {
            let rows = batch.num_rows();
            let starts = (0..rows).step_by(ROWS);
            Box::new(starts.map(move |from| Ok(batch.slice(from, ROWS.min(rows - from)))))
        }
        Err(error) => Box::new(std::iter::once(Err(error))),
    }
}

/// The cells of one column.
struct Cells {
    /// Its place in the batches.
    at: usize,
    short: bool,
    /// The bits of newest values, and their codes + 1; 0 where there is none.
    known: Vec<(u64, u32)>,
    /// The code + 1 of a missing cell; 0 as long as none came.
    missing: u32,
    /// Texts of cells whose codes are not known, and where they stand.
    text: String,
    spans: Vec<(u32, u32)>,
    /// Rows of these, and the bits of their values; nothing for a missing one.
    asked: Vec<(usize, Option<u64>)>,
    codes: Vec<u32>,
}

impl CodeCells for Cells {
    type Batch = RecordBatch;

    fn code(&mut self, batch: &RecordBatch, into: &mut Coded<'_>) -> Result<(), NoText> {
        let column = batch.column(self.at).as_ref();
        match column.data_type() {
            DataType::Utf8 => strings::<i32>(column, into),
            DataType::LargeUtf8 => strings::<i64>(column, into),
            DataType::Dictionary(key, _) => self.labels(column, key, into),
            of => match of.primitive_width() {
                Some(1) => self.numbers::<1>(column, into),
                Some(2) => self.numbers::<2>(column, into),
                Some(4) => self.numbers::<4>(column, into),
                Some(8) => self.numbers::<8>(column, into),
                _ => self.each(column, into),
            },
        }
    }
}

/// Texts, where they stand in memory.
fn strings<O: OffsetSizeTrait>(column: &dyn Array, into: &mut Coded<'_>) -> Result<(), NoText> {
    let cells = column.as_string::<O>();
    let offsets = cells.value_offsets();
    let (first, last) = (offsets[0].as_usize(), offsets[cells.len()].as_usize());
    let text = &cells.value_data()[first..last];
    u32::try_from(text.len()).map_err(|_| NoText)?;
    let place = |at: usize| (offsets[at].as_usize() - first) as u32;
    let all = (0..cells.len()).map(|row| (place(row), place(row + 1)));
    if cells.null_count() == 0 {
        into.texts(text, all)
    } else {
        into.texts(text, all.enumerate().map(|(row, span)| if cells.is_valid(row) { span } else { (0, 0) }))
    }
}

/// The bits of a number of so many bytes.
#[inline]
fn bits<const WIDTH: usize>(bytes: &[u8], row: usize) -> u64 {
    let mut bits = [0; 8];
    bits[..WIDTH].copy_from_slice(&bytes[row * WIDTH..][..WIDTH]);
    u64::from_le_bytes(bits)
}

/// Where a value is remembered.
#[inline]
fn slot(bits: u64) -> usize {
    // 2^64 / golden ratio: values that follow each other are far from each other.
    (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - KNOWN.trailing_zeros())) as usize
}

impl Cells {
    fn new(at: usize, short: bool) -> Self {
        let (text, spans, asked, codes) = Default::default();
        Self { at, short, known: vec![(0, 0); KNOWN], missing: 0, text, spans, asked, codes }
    }

    /// Numbers, dates and moments of so many bytes.
    fn numbers<const WIDTH: usize>(
        &mut self,
        column: &dyn Array,
        into: &mut Coded<'_>,
    ) -> Result<(), NoText> {
        let put = cells::texts(column, self.short).ok_or(NoText)?;
        let (data, start) = (column.to_data(), into.rows().len());
        let Some(bytes) = data.buffers().first() else { return Err(NoText) };
        let bytes = &bytes.as_slice()[data.offset() * WIDTH..];
        into.rows().resize(start + column.len(), 0);
        let nulls = column.nulls();
        for row in 0..column.len() {
            let value = if nulls.is_some_and(|nulls| nulls.is_null(row)) {
                None
            } else {
                Some(bits::<WIDTH>(bytes, row))
            };
            let known = match value {
                None => self.missing,
                Some(bits) => match self.known[slot(bits)] {
                    (same, code) if same == bits => code,
                    _ => 0,
                },
            };
            match known {
                0 => {
                    self.write(&put, row);
                    self.asked.push((row, value));
                }
                code => into.rows()[start + row] = code - 1,
            }
        }
        self.answer(start, into)
    }

    /// Labels, by the codes of those of the batch.
    fn labels(&mut self, column: &dyn Array, key: &DataType, into: &mut Coded<'_>) -> Result<(), NoText> {
        use arrow_array::types as of;
        match key {
            DataType::Int8 => self.by_key::<of::Int8Type>(column, into),
            DataType::Int16 => self.by_key::<of::Int16Type>(column, into),
            DataType::Int32 => self.by_key::<of::Int32Type>(column, into),
            DataType::Int64 => self.by_key::<of::Int64Type>(column, into),
            DataType::UInt8 => self.by_key::<of::UInt8Type>(column, into),
            DataType::UInt16 => self.by_key::<of::UInt16Type>(column, into),
            DataType::UInt32 => self.by_key::<of::UInt32Type>(column, into),
            _ => self.each(column, into),
        }
    }

    fn by_key<K: ArrowDictionaryKeyType>(
        &mut self,
        column: &dyn Array,
        into: &mut Coded<'_>,
    ) -> Result<(), NoText> {
        const NOT_YET: usize = usize::MAX;
        let labels = column.as_dictionary::<K>();
        let count = labels.values().len();
        if count > MOST_LABELS {
            return self.each(column, into);
        }
        let put = cells::texts(column, self.short).ok_or(NoText)?;
        // Which of the texts each label is, and a missing cell.
        let mut places = vec![NOT_YET; count + 1];
        let label = |row: usize| labels.key(row).unwrap_or(count);
        for row in 0..labels.len() {
            let place = &mut places[label(row)];
            if *place == NOT_YET {
                *place = self.spans.len();
                self.write(&put, row);
            }
        }
        u32::try_from(self.text.len()).map_err(|_| NoText)?;
        into.codes(self.text.as_bytes(), self.spans.iter().copied(), &mut self.codes)?;
        into.rows().extend((0..labels.len()).map(|row| self.codes[places[label(row)]]));
        self.clear();
        Ok(())
    }

    /// Cells of any type.
    fn each(&mut self, column: &dyn Array, into: &mut Coded<'_>) -> Result<(), NoText> {
        let put = cells::texts(column, self.short).ok_or(NoText)?;
        (0..column.len()).for_each(|row| self.write(&put, row));
        u32::try_from(self.text.len()).map_err(|_| NoText)?;
        into.texts(self.text.as_bytes(), self.spans.iter().copied())?;
        self.clear();
        Ok(())
    }

    /// Appends the text of a row's cell to those that are to be coded.
    fn write(&mut self, put: &Put<'_>, row: usize) {
        let from = self.text.len() as u32;
        put(row, &mut self.text);
        self.spans.push((from, self.text.len() as u32));
    }

    fn clear(&mut self) {
        self.text.clear();
        self.spans.clear();
        self.asked.clear();
        self.codes.clear();
    }

    /// Finds the codes that were asked for, and remembers them.
    fn answer(&mut self, start: usize, into: &mut Coded<'_>) -> Result<(), NoText> {
        u32::try_from(self.text.len()).map_err(|_| NoText)?;
        into.codes(self.text.as_bytes(), self.spans.iter().copied(), &mut self.codes)?;
        for (&(row, value), &code) in self.asked.iter().zip(&self.codes) {
            into.rows()[start + row] = code;
            match value {
                Some(bits) => self.known[slot(bits)] = (bits, code + 1),
                None => self.missing = code + 1,
            }
        }
        self.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests;
