//! Reading CSV from a stream.

use std::io::Read;

use crate::{
    Column, Error, Quote, Ragged, Table, Warning,
    batch::Batch,
    coder::{Coder, Fault},
    digest::Tap,
    header::Header,
    ragged::RaggedRows,
    records::{Records, is_blank, place},
    text,
};

/// How to read text in UTF-8.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Field delimiter; comma when `None`.
    pub delimiter: Option<u8>,
    /// What quotes a field; the double quote when `None`.
    pub quote: Option<Quote>,
    /// Names of the columns to keep; all when `None`. The others cost no memory, but count as fields.
    pub columns: Option<Vec<String>>,
    /// What happens to a row with too few fields.
    pub ragged: Ragged,
}

/// Reads a CSV with one header row from memory; otherwise as [`read_from`].
///
/// # Errors
/// As [`read_from`].
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Table, Error> {
    let table = read_from(bytes, options);
    let foreign = matches!(table, Err(Error::NotUtf8 { .. } | Error::Utf16 | Error::Nul { .. }));
    if foreign && bytes.starts_with(b"PK\x03\x04") {
        return Err(Error::Workbook);
    }
    table
}

/// Reads a CSV with one header row, UTF-8, in one pass. Nothing is guessed: for that see [`crate::open`].
///
/// Blank lines are skipped, column names trimmed, and columns that are blank throughout at the end of every line left
/// out, each with a warning. Cells are kept as they are, byte for byte: what is published unchanged comes from the
/// dictionaries, and the file is not needed a second time. Memory: 4 bytes a cell of the columns asked for, their
/// different cells once with 8 bytes each, an index of 21 to 43 bytes for each of these while reading, and the longest
/// record.
///
/// # Errors
/// See [`Error`]: an empty file or one without data, text that is not UTF-8 in a column asked for, ragged rows,
/// duplicate or blank column names, a quote that is never closed, a column asked for that is not there, and what
/// `source` says.
pub fn read_from<R: Read>(source: R, options: &ReadOptions) -> Result<Table, Error> {
    let (delimiter, quote) = options.dialect()?;
    let mut tap = Tap::new(source);
    let mut records = Records::new(&mut tap, delimiter, quote);
    let mut warnings = Vec::new();
    let header = header(&mut records, delimiter, &mut warnings)?;
    let mut columns = Columns::new(&header, options.columns.as_deref())?;
    let mut ragged = RaggedRows::new(options.ragged);
    let mut rows = 0;
    let read = loop {
        match records.next(rows + 1) {
            Ok(true) => {}
            Ok(false) => break Ok(()),
            Err(error) => break Err(error),
        }
        if header.width > 1 && records.pass_blank() {
            continue;
        }
        rows += 1;
        if rows > u32::MAX as usize {
            break Err(Error::TooManyRows);
        }
        if records.len() == header.width || ragged.accept(rows, &records, &header) {
            columns.push(rows, &records)?;
        }
    };
    // What is wrong with a row comes before what is wrong with a later one.
    columns.flush()?;
    read?;
    let unclosed = records.unclosed_quote(rows);
    let ragged = ragged.error(rows, &header, unclosed.as_ref())?;
    if rows == 0 {
        return Err(Error::HeaderOnly { columns: header.width });
    }
    if records.blank > 0 {
        warnings.push(blank_lines(&records, header.width));
    }
    warnings.extend(ragged.into_warnings());
    warnings.extend(
        header
            .hint
            .as_ref()
            .map(|hint| Warning { row: None, message: format!("the table has one column only: {hint}") }),
    );
    warnings.extend(columns.nameless(&header)?);
    let columns = columns.finish();
    Ok(Table { columns, rows, warnings, notes: Vec::new(), digest: tap.digest() })
}

impl ReadOptions {
    fn dialect(&self) -> Result<(u8, Quote), Error> {
        let delimiter = self.delimiter.unwrap_or(b',');
        let quote = self.quote.unwrap_or_default();
        let impossible = |byte: u8| !byte.is_ascii() || matches!(byte, b'\r' | b'\n' | 0);
        if impossible(delimiter) || delimiter == b'"' || quote == Quote::Mark(delimiter) {
            return Err(Error::Delimiter(delimiter));
        }
        match quote {
            Quote::Mark(mark) if impossible(mark) => Err(Error::QuoteMark(mark)),
            _ => Ok((delimiter, quote)),
        }
    }
}

/// The first record that is not blank.
fn header<R: Read>(
    records: &mut Records<R>,
    delimiter: u8,
    warnings: &mut Vec<Warning>,
) -> Result<Header, Error> {
    loop {
        if !records.next(0)? {
            return Err(Error::Empty);
        }
        if !records.pass_blank() {
            break;
        }
    }
    if let Some(unclosed) = records.unclosed_quote(0) {
        return Err(unclosed);
    }
    let cells: Vec<&[u8]> = records.fields_from(0).collect();
    Header::new(&cells, delimiter, warnings)
}

/// The columns as they grow.
struct Columns {
    kept: Vec<Growing>,
    /// Rows that are not in the columns yet.
    batch: Batch,
    /// Per nameless column of the header: its field, and whether every cell so far was blank.
    nameless: Vec<(usize, bool)>,
    /// Whether every row had a field for each of them.
    full: bool,
}

struct Growing {
    field: usize,
    name: String,
    coder: Coder,
    cells: Vec<u32>,
}

impl Columns {
    fn new(header: &Header, wanted: Option<&[String]>) -> Result<Self, Error> {
        if let Some(name) = wanted.unwrap_or_default().iter().find(|name| !header.names.contains(name)) {
            // The column may be there, without its name.
            let inner = (1..=header.named).filter(|&at| header.names[at - 1].is_empty());
            let blank: Vec<usize> = inner.collect();
            if !blank.is_empty() {
                return Err(Error::BlankNames(blank));
            }
            let columns = header.names.iter().filter(|name| !name.is_empty()).cloned().collect();
            return Err(Error::NoColumn { name: name.clone(), columns });
        }
        let (mut kept, mut nameless) = (Vec::new(), Vec::new());
        for (field, name) in header.names.iter().enumerate() {
            if name.is_empty() {
                nameless.push((field, true));
            } else if wanted.is_none_or(|wanted| wanted.contains(name)) {
                let (coder, cells) = Default::default();
                kept.push(Growing { field, name: name.clone(), coder, cells });
            }
        }
        let batch = Batch::new(kept.iter().map(|column| column.field).collect());
        Ok(Self { kept, batch, nameless, full: true })
    }

    fn push<R: Read>(&mut self, row: usize, records: &Records<R>) -> Result<(), Error> {
        for (field, blank) in &mut self.nameless {
            *blank = *blank && is_blank(records.field(*field));
            self.full &= *field < records.len();
        }
        if self.batch.push(row, records) { self.flush() } else { Ok(()) }
    }

    /// Codes the rows of the batch. If cells are no text, the error is of the first row that has one, and of the first
    /// column in it.
    fn flush(&mut self) -> Result<(), Error> {
        let mut rows = self.batch.len();
        let mut wrong = None;
        for (kept, column) in self.kept.iter_mut().enumerate() {
            let cells = self.batch.cells(kept).take(rows);
            let coded = column.coder.append(self.batch.text(), cells, &mut column.cells);
            if let Err((at, fault)) = coded {
                rows = at;
                let (row, line) = self.batch.place(at);
                let (place, column) = (place(row, line), column.field + 1);
                wrong = Some(match fault {
                    Fault::NotUtf8 => Error::NotUtf8 { place, column },
                    Fault::Nul => Error::Nul { place, column },
                });
            }
        }
        self.batch.clear();
        wrong.map_or(Ok(()), Err)
    }

    /// Nameless columns at the end that are blank throughout are left out, with a warning; others are an error.
    fn nameless(&self, header: &Header) -> Result<Option<Warning>, Error> {
        let named = self.nameless.iter().filter(|(field, blank)| *field < header.named || !blank);
        let wrong: Vec<usize> = named.map(|(field, _)| field + 1).collect();
        if header.named == 0 {
            return Err(Error::BlankNames(vec![1]));
        }
        // What stands before a column that cannot be left out cannot be left out either.
        if let Some(&last) = wrong.last() {
            let all = self.nameless.iter().map(|(field, _)| field + 1);
            return Err(Error::BlankNames(all.filter(|&at| at <= last).collect()));
        }
        if self.nameless.is_empty() {
            return Ok(None);
        }
        let count = text::counted(self.nameless.len(), "column was", "columns were");
        let message = if self.full {
            format!(
                "every line ends in a delimiter: {count} blank in the header and in every row, and left out"
            )
        } else {
            format!("the header ends in a delimiter: {count} blank, and left out")
        };
        Ok(Some(Warning { row: None, message }))
    }

    fn finish(self) -> Vec<Column> {
        let column = |mut growing: Growing| {
            growing.cells.shrink_to_fit();
            Column { name: growing.name, values: growing.coder.into_values(), cells: growing.cells }
        };
        self.kept.into_iter().map(column).collect()
    }
}

fn blank_lines<R: Read>(records: &Records<R>, width: usize) -> Warning {
    let lines = text::counted(records.blank, "blank line was", "blank lines were");
    let first = text::thousands(records.first_blank);
    let cell = if width == 1 { "; an empty cell must be written as \"\"" } else { "" };
    Warning { row: None, message: format!("{lines} skipped, the first is line {first} of the file{cell}") }
}
