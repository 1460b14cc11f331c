//! Reading CSV from a stream.

use std::{fmt, io::Read};

use lookalike_model::dialect::Dialect;

use crate::{
    DuplicateNames, Edits, Error, HeaderRow, Oddity, Quote, Ragged, Skip, Table, Unfit, Warning,
    above::Above,
    batch::Batch,
    below::Below,
    columns::Columns,
    delimiter::sign,
    digest::Tap,
    doubt::Doubt,
    edits::Edited,
    header::Header,
    quotes::Slip,
    ragged::RaggedRows,
    records::{Records, is_blank},
};

/// How to read text in UTF-8.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Field delimiter; comma when `None`.
    pub delimiter: Option<u8>,
    /// What quotes a field; the double quote when `None`.
    pub quote: Option<Quote>,
    /// What the first row is.
    pub header: HeaderRow,
    /// Names of the columns of a file without a header ([`HeaderRow::Absent`]): one for each; generated when `None`. A file with a
    /// header has its own.
    pub names: Option<Vec<String>>,
    /// Names of the columns to keep; all when `None`. The others cost no memory, but count as fields.
    pub columns: Option<Vec<String>>,
    /// Which columns are kept beside those of [`ReadOptions::columns`], by their names; none when `None`.
    pub also: Option<Also>,
    /// What happens to a row with too few fields.
    pub ragged: Ragged,
    /// What happens to columns that have the name of an earlier one.
    pub duplicates: DuplicateNames,
    /// Whether the first line names the delimiter, as Excel has it (`sep=;`), and is no row. It must be one such line.
    pub separator_line: bool,
    /// Columns whose known values are texts in the file, not numbers.
    pub texts: Vec<String>,
    /// The names of all columns of the file, where the text has those alone that are asked for; as in the text when `None`.
    pub all: Option<Vec<String>>,
    /// Lines of the file that stand before and after what is read here: line numbers and advice go by it.
    pub cut: Skip,
    /// What is put in place of cells.
    pub edits: Edits,
}

/// Whether a column of this name is kept, too.
#[derive(Clone, Copy)]
pub struct Also(pub fn(&str) -> bool);

impl fmt::Debug for Also {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Also")
    }
}

impl PartialEq for Also {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::fn_addr_eq(self.0, other.0)
    }
}

impl Eq for Also {}

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
/// dictionaries, and the file is not needed a second time. Whether the first row is the header is known at the end, where that
/// is asked ([`HeaderRow::Ask`]). Memory: 4 bytes a cell of the columns asked for, their
/// different cells once with 8 bytes each, an index of 21 to 43 bytes for each of these while reading, and the longest
/// record.
///
/// # Errors
/// See [`Error`]: an empty file or one without data, text that is not UTF-8 in a column asked for, ragged rows,
/// duplicate or blank column names, a quote that is never closed, a column asked for that is not there, and what
/// `source` says.
pub fn read_from<R: Read>(source: R, options: &ReadOptions) -> Result<Table, Error> {
    let mut whole = Vec::new();
    let read = stream(source, options, usize::MAX, &mut |part| {
        whole = part.columns;
        true
    })?;
    Ok(Table { columns: whole, ..read })
}

/// Reads the same a part at a time: `each` gets the number of rows before the part and a table of the next rows, at least
/// `rows` of them (but for the last part) and at most some thousand more, with dictionaries of its own. It says whether to
/// go on. The answer is the table without its columns: what is odd in all of it, its number of rows and its digest, or
/// those up to where `each` said no.
///
/// Memory does not depend on the number of rows.
///
/// # Errors
/// As [`read_from`]. Parts before the fault are handed over before it is found.
pub fn read_parts<R: Read>(
    source: R,
    options: &ReadOptions,
    rows: usize,
    each: &mut dyn FnMut(usize, Table) -> bool,
) -> Result<Table, Error> {
    let mut before = 0;
    stream(source, options, rows, &mut |part| {
        let first = before;
        before += part.rows;
        each(first, part)
    })
}

/// Reads `rows` rows or a few more, hands them over, and goes on with the next as long as it is told to.
fn stream<R: Read>(
    source: R,
    options: &ReadOptions,
    rows_of_part: usize,
    each: &mut dyn FnMut(Table) -> bool,
) -> Result<Table, Error> {
    let (delimiter, quote) = options.dialect()?;
    options.edits.check()?;
    let mut tap = Tap::new(source);
    let mut records = Records::new(&mut tap, delimiter, quote, options.cut.first);
    let mut warnings = Vec::new();
    if options.separator_line {
        records.pass_line()?;
    }
    let (header, doubt) = header(&mut records, delimiter, options, &mut warnings)
        .map_err(|error| options.cut.nothing_left(error))?;
    let wanted = (options.columns.as_deref(), options.also);
    let mut columns = match Columns::new(&header, wanted, &options.texts) {
        Ok(columns) => columns,
        Err(error) => return Err(titled(&mut records, &header, error)),
    };
    let mut rows = Rows::new(records, &header, options.ragged, doubt);
    rows.pending = options.header == HeaderRow::Absent;
    let (mut ready, mut next) = (columns.batch(), columns.batch());
    let mut filled = rows.fill(&mut ready);
    // Rows that are in no part yet: ragged ones are in none.
    let mut coded = 0;
    // Rows in parts that were handed over, and the cells that were edited there.
    let (mut before, mut edited) = (0, Edited::default());
    let mut part = |columns: Columns, rows: usize| {
        let mut columns = columns.finish();
        options.edits.apply(&mut columns, before, &mut edited)?;
        before += rows;
        Ok::<Table, Error>(Table {
            header: Vec::new(),
            columns,
            rows,
            first_row: options.header,
            renamed: Vec::new(),
            warnings: Vec::new(),
            notes: Vec::new(),
            described: Vec::new(),
            dialect: Dialect::PLAIN,
            digest: [0; 32],
        })
    };
    let mut on = true;
    while on && !ready.is_empty() {
        let after = columns.append(&ready, || filled.is_ok().then(|| rows.fill(&mut next)))?;
        filled = after.unwrap_or(filled);
        coded += ready.len();
        std::mem::swap(&mut ready, &mut next);
        next.clear();
        if coded >= rows_of_part {
            let full = std::mem::replace(&mut columns, Columns::new(&header, wanted, &options.texts)?);
            on = each(part(full, std::mem::take(&mut coded))?);
        }
    }
    if on {
        // What is wrong with a row comes before what is wrong with a later one.
        filled?;
        let unclosed = rows.records.unclosed_quote(rows.count);
        let about = (rows.above.lines(&header), rows.records.lines() + options.cut.last);
        rows.ragged.error(rows.count, &header, unclosed.as_ref(), about)?;
        if rows.count == 0 {
            return Err(Error::HeaderOnly { columns: header.whole().width });
        }
        if let Some(error) = rows.doubt.as_ref().and_then(|doubt| doubt.error(&header.names)) {
            return Err(error);
        }
    }
    if on && options.header != HeaderRow::Keys {
        let lines = rows.records.lines() + options.cut.last;
        warnings.extend(std::mem::take(&mut rows.below).warning(rows.count, lines, &header));
    }
    if rows.records.blank > 0 {
        let Records { blank: lines, first_blank: first, .. } = rows.records;
        warnings.push(Warning::of(Oddity::BlankLines { lines, first, one_column: header.width == 1 }));
    }
    let nameless = rows.nameless()?;
    warnings.extend(rows.ragged.into_warnings());
    let (count, named) = rows.trailing;
    warnings.extend(named);
    if let Some(rows) = count.checked_sub(NAMED).filter(|&more| more > 0) {
        warnings.push(Warning::of(Oddity::MoreTextAfterQuotes { rows }));
    }
    let hint = header.hint.clone();
    warnings.extend(hint.map(|(used, other)| Warning::of(Oddity::OneColumn { used, other })));
    let spaces = rows.spaces.filter(|_| rows.count > 1 && options.header != HeaderRow::Keys);
    warnings.extend(spaces.map(|spaces| Warning::of(Oddity::Spaces { spaces })));
    warnings.extend(nameless);
    drop(rows.records);
    let count = rows.count;
    if on && coded > 0 {
        each(part(columns, coded)?);
    }
    Ok(Table {
        header: header.whole().names.clone(),
        columns: Vec::new(),
        rows: count,
        first_row: options.header,
        renamed: header.whole().renamed.clone(),
        warnings,
        notes: edited.notes(&options.edits),
        described: Vec::new(),
        dialect: Dialect::PLAIN,
        digest: tap.digest(),
    })
}

impl ReadOptions {
    fn dialect(&self) -> Result<(u8, Quote), Error> {
        let delimiter = self.delimiter.unwrap_or(b',');
        let quote = self.quote.unwrap_or_default();
        let impossible = |byte: u8| !byte.is_ascii() || matches!(byte, b'\r' | b'\n' | 0);
        if impossible(delimiter) || delimiter == b'"' || quote == Quote::Mark(delimiter) {
            return Err(Error::Delimiter { sign: sign(delimiter) });
        }
        match quote {
            Quote::Mark(mark) if impossible(mark) => Err(Error::QuoteMark { sign: sign(mark) }),
            _ => Ok((delimiter, quote)),
        }
    }
}

/// The first record that is not blank, or names for the columns that it has; and what to ask of the rows about it.
fn header<R: Read>(
    records: &mut Records<R>,
    delimiter: u8,
    options: &ReadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<(Header, Option<Doubt>), Error> {
    let absent = options.header == HeaderRow::Absent;
    if options.names.is_some() && !absent {
        return Err(Error::Unfit(Unfit::NamesBesideHeader));
    }
    let row = usize::from(absent);
    loop {
        if !records.next(row)? {
            return Err(Error::Empty);
        }
        if !records.pass_blank() {
            break;
        }
    }
    if let Some(unclosed) = records.unclosed_quote(row) {
        return Err(unclosed);
    }
    if absent {
        let width = records.len();
        let Some(names) = options.names.as_deref() else { return Ok((Header::generated(width), None)) };
        let header = Header::given(names, width)?;
        header.is_not(records.fields_from(0))?;
        return Ok((header, None));
    }
    warnings.extend(slip(records, 0)?.map(|column| trailing(None, records.line(), column)));
    let cells: Vec<&[u8]> = records.fields_from(0).collect();
    let header = match &options.all {
        Some(all) => Header::of_some(&cells, delimiter, (all, options.duplicates), warnings)?,
        None => Header::new(&cells, delimiter, options.duplicates, warnings)?,
    };
    let doubt = (options.header == HeaderRow::Ask).then(|| Doubt::new(&cells));
    Ok((header, doubt))
}

/// The error about the header, or that its place is taken by a title.
fn titled<R: Read>(records: &mut Records<R>, header: &Header, error: Error) -> Error {
    match (Above::look(records, header).lines(header), error) {
        (Some(title), Error::BlankNames { columns, .. }) => Error::BlankNames { columns, title },
        (Some(title), Error::BlankFirst) => Error::BlankNames { columns: vec![1], title },
        (Some(title), Error::NoColumn { name, columns }) => Error::Titled { name, columns, title },
        (_, error) => error,
    }
}

/// The rows as they come.
struct Rows<'a, R> {
    records: Records<R>,
    header: &'a Header,
    ragged: RaggedRows,
    /// Whether the header is a title above it.
    above: Above,
    /// Whether the last rows are a footer.
    below: Below,
    /// Rows so far.
    count: usize,
    /// Per nameless column of the header: its field, and whether every cell so far was blank.
    nameless: Vec<(usize, bool)>,
    /// Whether every row had a field for each of them.
    full: bool,
    /// Rows with text after a closing quote: how many, and the first of them.
    trailing: (usize, Vec<Warning>),
    /// Whether the first record, which was read for its width, is a row that is still to be taken.
    pending: bool,
    /// What is to be asked of the rows about the header.
    doubt: Option<Doubt>,
    /// Spaces in the only column's header and in each of its cells so far, if they are as many.
    spaces: Option<usize>,
}

/// Most rows with text after a closing quote that are warned about one by one.
const NAMED: usize = 20;

impl<'a, R: Read> Rows<'a, R> {
    fn new(records: Records<R>, header: &'a Header, ragged: Ragged, doubt: Option<Doubt>) -> Self {
        let nameless = header.names.iter().enumerate().filter(|(_, name)| name.is_empty());
        let nameless = nameless.map(|(field, _)| (field, true)).collect();
        Self {
            records,
            header,
            ragged: RaggedRows::new(ragged),
            above: Above::default(),
            below: Below::default(),
            count: 0,
            nameless,
            full: true,
            trailing: (0, Vec::new()),
            pending: false,
            doubt,
            spaces: match header.names.as_slice() {
                [only] => Some(spaces(only.as_bytes())).filter(|spaces| *spaces > 0),
                _ => None,
            },
        }
    }

    /// Fills an empty batch with the rows that come next; it stays empty at the end.
    fn fill(&mut self, batch: &mut Batch) -> Result<(), Error> {
        while std::mem::take(&mut self.pending) || self.records.next(self.count + 1)? {
            if self.header.width > 1 && self.records.pass_blank() {
                continue;
            }
            self.count += 1;
            if self.count > u32::MAX as usize {
                return Err(Error::TooManyRows);
            }
            self.above.row(&self.records, self.header);
            if self.records.len() != self.header.width
                && !self.ragged.accept(self.count, &self.records, self.header)
            {
                continue;
            }
            // A table of one column has no footer that could be told from its rows.
            if self.header.width > 1 {
                self.below.row(&self.records);
            }
            if let Some(column) = slip(&self.records, self.count)? {
                self.trailing.0 += 1;
                if self.trailing.0 <= NAMED {
                    self.trailing.1.push(trailing(Some(self.count), self.records.line(), column));
                }
            }
            if let Some(doubt) = &mut self.doubt {
                doubt.row(self.count, |field| self.records.field(field));
            }
            self.spaces = self.spaces.filter(|count| spaces(self.records.field(0)) == *count);
            for (field, blank) in &mut self.nameless {
                *blank = *blank && is_blank(self.records.field(*field));
                self.full &= *field < self.records.len();
            }
            if batch.push(self.count, &self.records) {
                break;
            }
        }
        Ok(())
    }

    /// Nameless columns at the end that are blank throughout are left out, with a warning; others are an error.
    fn nameless(&self) -> Result<Option<Warning>, Error> {
        let named = self.nameless.iter().filter(|(field, blank)| *field < self.header.named || !blank);
        let wrong: Vec<usize> = named.map(|(field, _)| field + 1).collect();
        let title = self.above.lines(self.header).unwrap_or_default();
        if self.header.named == 0 {
            return Err(Error::BlankNames { columns: vec![1], title });
        }
        // What stands before a column that cannot be left out cannot be left out either.
        if let Some(&last) = wrong.last() {
            let all = self.nameless.iter().map(|(field, _)| field + 1);
            return Err(self.header.nameless(all.filter(|&at| at <= last).collect(), title));
        }
        if self.nameless.is_empty() {
            return Ok(None);
        }
        let columns = self.nameless.len();
        Ok(Some(Warning::of(if self.full {
            Oddity::BlankColumns { columns }
        } else {
            Oddity::BlankHeaderColumns { columns }
        })))
    }
}

/// Runs of spaces within a cell.
pub(crate) fn spaces(cell: &[u8]) -> usize {
    cell.trim_ascii().split(|byte| *byte == b' ').filter(|word| !word.is_empty()).count().saturating_sub(1)
}

/// The column of the newest record's cell whose closing quote is followed by text; an error where white space keeps a quote from
/// being one.
fn slip<R: Read>(records: &Records<R>, row: usize) -> Result<Option<usize>, Error> {
    match records.slip {
        None => Ok(None),
        Some(Slip::TextAfter(column)) => Ok(Some(column)),
        Some(Slip::SpaceBefore(column)) => Err(Error::SpaceBeforeQuote { place: records.place(row), column }),
    }
}

fn trailing(row: Option<usize>, line: usize, column: usize) -> Warning {
    Warning { row, what: Oddity::TextAfterQuote { line, column } }
}
