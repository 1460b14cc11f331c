//! What a file is taken for, before its rows are read.

use std::io::{self, Read, Seek, SeekFrom};

use lookalike_model::{
    described::Described,
    dialect::{Dialect as PublishedDialect, LineEnds, Separator},
};

use crate::{
    Delimiter, DelimiterEvidence, EncodingEvidence, Error, HeaderRow, Note, Packing, Quote, Ragged,
    ReadOptions, Skip, Unfit, Warning, aligned,
    dialect::{self, Dialect},
    json, json_lines,
    layout::{self, Layout},
    markup, separator,
    skip::Cut,
};

/// Bytes by which encoding and dialect are judged first.
pub(crate) const BEGINNING: u64 = 1 << 18;

/// How to open a file. What is `None` is found out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenOptions {
    /// Name of the encoding, as the WHATWG Encoding Standard has it: "utf-8", "windows-1252", "utf-16le".
    pub encoding: Option<String>,
    /// Delimiter, quotation mark, columns, policy for ragged rows.
    pub read: ReadOptions,
    /// Name of a workbook's sheet; the first when `None`. Nothing else has one.
    pub sheet: Option<String>,
    /// Name of a file in a ZIP archive, or of a table in a file that gives its tables names; its only one when `None`. Nothing else has
    /// one.
    pub member: Option<String>,
    /// Where the columns stand in a line of fixed width; nothing else than a text has that.
    pub layout: Option<Layout>,
    /// Whether the file is said to have one JSON object a line; otherwise that is found out.
    pub json_lines: bool,
    /// Lines at the beginning and the end that are no part of the table.
    pub skip: Skip,
    /// Bytes that a packed file may unpack to. When `None`, 4 GiB for a text, 16 GiB for one that is consumed in parts, and 1 GiB for
    /// a workbook and any other file that is in memory as a whole.
    pub unpacked: Option<u64>,
    /// The text is consumed a part at a time, and none of it is kept.
    pub in_parts: bool,
}

/// What a file was taken for. Its text is then read as UTF-8, whatever it was before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Form {
    /// What it is packed by.
    pub packing: Option<Packing>,
    /// All files of the archive that it stands in, or all tables of its file; none if it is the only one.
    pub members: Vec<String>,
    /// Name of its encoding; `None` for a workbook.
    pub encoding: Option<&'static str>,
    /// What separates the fields of the text.
    pub delimiter: u8,
    /// What quotes them.
    pub quote: Quote,
    /// Whether the first line names the delimiter (`sep=;`) and is no row.
    pub separator_line: bool,
    /// Whether it has one JSON object a line. What is read is then a CSV of the same cells.
    pub json_lines: bool,
    /// Where its columns stand, of a text of fixed width. What is read is then a CSV of the same cells.
    pub layout: Option<Layout>,
    /// How many columns are aligned by spaces, of a text that has no delimiter: it is refused when it is read.
    pub aligned: Option<usize>,
    /// Whether its columns have names for certain, as those of JSON lines and of files with types have.
    pub named: bool,
    /// Columns whose known values are all texts: labels, whatever they look like, unless they are dates.
    pub texts: Vec<String>,
    /// The names of all columns of the file, where the text has those alone that are asked for.
    pub all: Option<Vec<String>>,
    /// Lines that were left out before and after the text.
    pub cut: Skip,
    /// The sheet of a workbook that is read.
    pub sheet: Option<String>,
    /// All sheets of cells that the workbook has, those that are shown first.
    pub sheets: Vec<String>,
    /// Its form, as far as a published table can have it.
    pub dialect: PublishedDialect,
    /// How it shows.
    pub notes: Vec<Note>,
    /// The first lines of the text as they stand, cut where they are long; none of a workbook.
    pub beginning: Vec<String>,
}

/// What there is to say of a file once it was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Remarks {
    /// For [`crate::Table::notes`].
    pub notes: Vec<Note>,
    /// For [`crate::Table::described`].
    pub described: Vec<Described>,
    /// For [`crate::Table::dialect`].
    pub dialect: PublishedDialect,
    /// For [`crate::Table::warnings`], beside those about rows.
    pub warnings: Vec<Warning>,
}

/// What reads the text of a file. It may be called a second time, with another form.
pub type Consume<'a, T> = dyn FnMut(&Form, &mut dyn Read) -> Result<T, Error> + 'a;

impl Form {
    /// The options with the dialect of this form.
    #[must_use]
    pub fn read_options(&self, options: &ReadOptions) -> ReadOptions {
        ReadOptions {
            delimiter: Some(self.delimiter),
            quote: Some(self.quote),
            separator_line: self.separator_line,
            cut: self.cut,
            header: if self.named { HeaderRow::Keys } else { options.header },
            texts: self.texts.clone(),
            all: self.all.clone(),
            ..options.clone()
        }
    }

    /// The form of a text in UTF-8. `why` it has this encoding.
    ///
    /// # Errors
    /// If it is JSON of another form than lines of objects.
    pub(crate) fn of_text(
        Start { raw, text, whole }: &Start,
        (encoding, why): (&'static str, EncodingEvidence),
        options: &OpenOptions,
    ) -> Result<Self, Error> {
        let (OpenOptions { read: options, json_lines, layout, .. }, cut) = (options, options.skip);
        let raw = raw.strip_prefix(MARK).unwrap_or(raw);
        let text = text.as_deref().unwrap_or(raw);
        markup::refuse(text)?;
        if let Some(layout) = layout {
            if *json_lines {
                return Err(Error::Unfit(Unfit::DialectOfLayout));
            }
            return Self::of_layout(raw, (encoding, why), layout, options);
        }
        if *json_lines || json::is_lines(text)? {
            return Self::of_json_lines(raw, (encoding, why), options);
        }
        let named = separator::named(raw);
        let separator_line = named.is_some() && cut.first == 0;
        let table = if separator_line { separator::after_line(text) } else { text };
        let Dialect { delimiter, quote, mut evidence } =
            dialect::detect(table, *whole, options.delimiter.or(named), options.quote);
        let is_one = evidence == DelimiterEvidence::OneColumn;
        let aligned = if is_one { aligned::columns(table, *whole) } else { None };
        if named.is_some() {
            let line = String::from_utf8_lossy(&raw[..5]).escape_default().to_string();
            let delimiter = Delimiter::of(delimiter);
            evidence = match options.delimiter {
                None => DelimiterEvidence::FirstLine { delimiter, line },
                Some(_) => DelimiterEvidence::AsChosenWithoutFirstLine { delimiter, line },
            };
        }
        let published = publishable(table, (delimiter, &evidence, quote), &why);
        let mut notes = vec![Note::Encoding { encoding, why }, Note::Delimiter { found: evidence }];
        if quote == Quote::Mark(b'\'') {
            notes.push(Note::SingleQuotes);
        }
        let beginning = first_lines(raw);
        Ok(Self {
            encoding: Some(encoding),
            delimiter,
            quote,
            separator_line,
            cut,
            dialect: published,
            aligned,
            notes,
            beginning,
            ..Self::default()
        })
    }
}

impl Form {
    /// The form of a text of fixed width.
    fn of_layout(
        raw: &[u8],
        (encoding, why): (&'static str, EncodingEvidence),
        layout: &Layout,
        options: &ReadOptions,
    ) -> Result<Self, Error> {
        let chosen = options.delimiter.is_some() || options.quote.is_some() || options.names.is_some();
        if chosen || options.header == HeaderRow::Absent {
            return Err(Error::Unfit(Unfit::DialectOfLayout));
        }
        Ok(Self {
            encoding: Some(encoding),
            delimiter: b',',
            notes: vec![Note::Encoding { encoding, why }],
            beginning: first_lines(raw),
            texts: layout.texts(),
            layout: Some(layout.clone()),
            named: true,
            ..Self::default()
        })
    }

    /// The form of JSON lines, before they are read.
    fn of_json_lines(
        raw: &[u8],
        (encoding, why): (&'static str, EncodingEvidence),
        options: &ReadOptions,
    ) -> Result<Self, Error> {
        let chosen = options.delimiter.is_some() || options.quote.is_some();
        if chosen || options.header == HeaderRow::Absent {
            return Err(Error::Unfit(Unfit::DialectOfJson));
        }
        Ok(Self {
            encoding: Some(encoding),
            delimiter: b',',
            notes: vec![Note::Encoding { encoding, why }],
            beginning: first_lines(raw),
            json_lines: true,
            named: true,
            ..Self::default()
        })
    }
}

/// The beginning of a text in UTF-8.
pub(crate) struct Start {
    /// As it stands in the file.
    raw: Vec<u8>,
    /// The same without the lines that are skipped, if any are.
    text: Option<Vec<u8>>,
    /// Whether that is all of it.
    whole: bool,
}

impl Start {
    /// Reads the beginning of a text.
    pub(crate) fn of(skip: Skip, source: &mut dyn Rewind) -> Result<Self, Error> {
        let (raw, whole) = beginning(source.rewind()?)?;
        if skip.is_none() {
            return Ok(Self { raw, text: None, whole });
        }
        let (text, whole) = beginning(Cut::new(source.rewind()?, skip))?;
        Ok(Self { raw, text: Some(text), whole })
    }
}

/// The form of a published table that is most like the one of this text: one of the usual delimiters, or commas; two kinds of
/// line ends; a byte-order mark where the text has one, in whatever encoding.
fn publishable(
    table: &[u8],
    (delimiter, evidence, quote): (u8, &DelimiterEvidence, Quote),
    why: &EncodingEvidence,
) -> PublishedDialect {
    let known = match evidence {
        // Then it is one that occurs nowhere.
        DelimiterEvidence::OneColumn => None,
        _ => Separator::of(delimiter),
    };
    let mark = match quote {
        Quote::Mark(mark) => Some(mark),
        Quote::Off => None,
    };
    let mut within = false;
    let end = table.iter().position(|byte| {
        within ^= Some(*byte) == mark;
        !within && matches!(byte, b'\r' | b'\n')
    });
    let pair = end.is_some_and(|end| table[end..].starts_with(b"\r\n"));
    PublishedDialect {
        delimiter: known.unwrap_or_default(),
        bom: *why == EncodingEvidence::ByteOrderMark,
        line_ends: if pair { LineEnds::Crlf } else { LineEnds::Lf },
        ..PublishedDialect::PLAIN
    }
}

/// The byte-order mark in UTF-8.
pub(crate) const MARK: &[u8] = b"\xef\xbb\xbf";

fn first_lines(text: &[u8]) -> Vec<String> {
    const LINES: usize = 8;
    const LONGEST: usize = 240;
    let lines = text.split(|byte| matches!(byte, b'\n' | b'\r')).filter(|line| !line.is_empty());
    let shown = |line: &[u8]| {
        let start = &line[..line.len().min(4 * LONGEST)];
        String::from_utf8_lossy(start).chars().take(LONGEST).collect()
    };
    lines.take(LINES).map(shown).collect()
}

/// Lets a text be consumed, and says what there is to say of it.
pub(crate) fn consumed<T>(
    text: &mut dyn Rewind,
    (skip, ragged): (Skip, Ragged),
    mut form: Form,
    consume: &mut Consume<'_, T>,
) -> Result<(T, Remarks), Error> {
    let (done, warnings) = if form.json_lines {
        json_lines::read(text, skip, &mut form, consume)?
    } else if let Some(layout) = form.layout.clone() {
        let cut = Cut::new(text.rewind()?, skip);
        let mut cells = layout::Cells::new(cut, &layout, skip.first, ragged);
        let done = consume(&form, &mut cells).map_err(|error| match error {
            Error::HeaderOnly { .. } => Error::Empty,
            error => error,
        });
        let (short, cut) = cells.finish();
        form.notes.push(Note::FixedWidth { columns: layout.len(), short });
        (done?, cut.skipped().into_warnings())
    } else if let Some(columns) = form.aligned {
        // Whoever consumes it hears what it was taken for, and then that it is not read so.
        (consume(&form, &mut Refused(Error::FixedWidth { columns }))?, Vec::new())
    } else {
        let mut cut = Cut::new(text.rewind()?, skip);
        let done = consume(&form, &mut cut)?;
        (done, cut.skipped().into_warnings())
    };
    Ok((done, Remarks { notes: form.notes, dialect: form.dialect, warnings, ..Remarks::default() }))
}

/// A text that is not read.
struct Refused(Error);

impl Read for Refused {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other(self.0.clone()))
    }
}

/// Bytes that can be read from their beginning, as often as one likes.
pub(crate) trait Rewind {
    fn rewind(&mut self) -> Result<Box<dyn Read + '_>, Error>;
}

/// Bytes as they stand.
pub(crate) struct Plain<R>(pub(crate) R);

impl<R: Read + Seek> Rewind for Plain<R> {
    fn rewind(&mut self) -> Result<Box<dyn Read + '_>, Error> {
        Ok(Box::new(rewound(&mut self.0)?))
    }
}

/// The source at its first byte.
pub(crate) fn rewound<R: Read + Seek>(source: &mut R) -> Result<&mut R, Error> {
    source.seek(SeekFrom::Start(0)).map_err(|error| Error::from_io(&error))?;
    Ok(source)
}

/// The first bytes, and whether they are all.
pub(crate) fn beginning(source: impl Read) -> Result<(Vec<u8>, bool), Error> {
    let mut bytes = Vec::new();
    source.take(BEGINNING).read_to_end(&mut bytes).map_err(|error| Error::from_io(&error))?;
    let whole = (bytes.len() as u64) < BEGINNING;
    Ok((bytes, whole))
}
