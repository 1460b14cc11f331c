//! Reading CSV.

use csv::StringRecord;

use crate::{
    Column, Error, RaggedRow, Table, Warning, dictionary::Dictionary, header, records::Records, text,
};

/// How many ragged rows an error lists.
const RAGGED_LISTED: usize = 5;

/// How to read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Field delimiter; comma when `None`.
    pub delimiter: Option<u8>,
}

/// Reads a CSV with one header row.
///
/// Blank lines are skipped, column names trimmed, and columns that are blank throughout at the end of every line left
/// out, each with a warning. Cells are kept as they are.
///
/// # Errors
/// See [`Error`]: an empty file or one without data, another encoding than UTF-8, ragged rows, duplicate or blank
/// column names, a quote that is never closed.
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Table, Error> {
    let delimiter = options.delimiter.unwrap_or(b',');
    if !delimiter.is_ascii() || matches!(delimiter, b'"' | b'\r' | b'\n' | 0) {
        return Err(Error::Delimiter(delimiter));
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(Error::Utf16);
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let table = read_text(text, delimiter);
    if matches!(table, Err(Error::NotUtf8 { .. })) && bytes.starts_with(b"PK\x03\x04") {
        return Err(Error::Workbook);
    }
    table
}

fn read_text(bytes: &[u8], delimiter: u8) -> Result<Table, Error> {
    let mut records = Records::new(bytes, delimiter);
    let mut warnings = Vec::new();
    let mut record = StringRecord::new();
    loop {
        if !records.next(&mut record, 0)? {
            return Err(Error::Empty);
        }
        if !records.pass_blank(&record) {
            break;
        }
    }
    if let Some(unclosed) = records.unclosed_quote(0) {
        return Err(unclosed);
    }
    let names = header::names(&record, &mut warnings)?;
    let width = names.len();
    let hint = delimiter_hint(&record, delimiter);

    let mut columns: Vec<(Dictionary, Vec<u32>)> = names.iter().map(|_| Default::default()).collect();
    let mut ragged = Ragged::default();
    let mut rows = 0;
    while records.next(&mut record, rows + 1)? {
        if width > 1 && records.pass_blank(&record) {
            continue;
        }
        rows += 1;
        if rows > u32::MAX as usize {
            return Err(Error::TooManyRows);
        }
        if record.len() != width {
            ragged.push(rows, &records, record.len());
            continue;
        }
        for ((dictionary, cells), cell) in columns.iter_mut().zip(&record) {
            cells.push(dictionary.code(cell));
        }
    }
    let unclosed = records.unclosed_quote(rows);
    // A quote left open somewhere swallows rows up to the next quote: then the first row that does not fit tells
    // more than the end of the file.
    if ragged.first.first().is_none_or(|first| first.row == rows)
        && let Some(unclosed) = unclosed
    {
        return Err(unclosed);
    }
    if ragged.total > 0 {
        let hint = match (unclosed, hint) {
            (Some(_), _) => String::from("a quote in or before the first of these rows is never closed"),
            (_, Some(hint)) => hint,
            _ => String::from(
                "every row needs as many fields as the header; quote a cell that contains the delimiter",
            ),
        };
        return Err(Error::Ragged { expected: width, first: ragged.first, total: ragged.total, hint });
    }
    if rows == 0 {
        return Err(Error::HeaderOnly { columns: width });
    }
    if records.blank > 0 {
        warnings.push(blank_lines(&records, width));
    }
    warnings.extend(
        hint.map(|hint| Warning { row: None, message: format!("the table has one column only: {hint}") }),
    );
    let columns = names
        .into_iter()
        .zip(columns)
        .map(|(name, (dictionary, cells))| Column { name, values: dictionary.into_values(), cells })
        .collect();
    let mut table = Table { columns, rows, warnings };
    header::drop_blank_columns(&mut table)?;
    Ok(table)
}

/// Rows that do not fit the header.
#[derive(Default)]
struct Ragged {
    first: Vec<RaggedRow>,
    total: usize,
}

impl Ragged {
    fn push(&mut self, row: usize, records: &Records, found: usize) {
        if self.first.len() < RAGGED_LISTED {
            self.first.push(RaggedRow { row, line: records.line(), found });
        }
        self.total += 1;
    }
}

fn blank_lines(records: &Records, width: usize) -> Warning {
    let lines = text::counted(records.blank, "blank line was", "blank lines were");
    let first = text::thousands(records.first_blank);
    let cell = if width == 1 { "; an empty cell must be written as \"\"" } else { "" };
    Warning { row: None, message: format!("{lines} skipped, the first is line {first} of the file{cell}") }
}

/// If the header has one field only but contains another usual delimiter: what to do.
fn delimiter_hint(header: &StringRecord, delimiter: u8) -> Option<String> {
    let usual = [(b',', "comma"), (b';', "semicolon"), (b'\t', "tab"), (b'|', "vertical bar")];
    let name = |byte| usual.iter().find(|(other, _)| *other == byte).map_or("delimiter", |(_, name)| *name);
    let (other, _) =
        usual.into_iter().find(|&(other, _)| other != delimiter && header[0].contains(char::from(other)))?;
    if header.len() > 1 {
        return None;
    }
    let (used, other) = (name(delimiter), name(other));
    Some(format!(
        "the header has no {used} but a {other}; if a {other} separates the columns, choose it as the delimiter"
    ))
}
