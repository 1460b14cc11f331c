//! The table that a command reads: file or standard input, and how to read it.

mod fault;

use std::{
    collections::BTreeMap,
    io::{self, BufReader, Read, Seek},
    path::{Path, PathBuf},
};

use clap::Args;
use lookalike_core::table::{
    Also, DuplicateNames, Edits, Error, HeaderRow, Layout, OpenOptions, Quote, Ragged, RaggedHint,
    ReadOptions, Skip, Table, Unfit, read, read_parts,
};
use lookalike_forms::{decode, open};
use lookalike_wire::config::Reading;
use lookalike_words::Said;

use self::fault::{InputFault, Source};
use crate::{
    column_flags::{labels, widths},
    configuration::File,
    exit::{Attempt, Failure, Fault},
    files::{self, is_stdin},
    flag_values::{FlagFault, Labels, LabelsByColumn, List, Pairs},
    progress::say,
    summary,
};

/// Bytes of standard input that are kept in memory; more go to a temporary file without a name.
const IN_MEMORY: usize = 16 << 20;

/// Lines that are skipped at the beginning or the end, at most.
pub(crate) const MOST_SKIPPED: i64 = 1000;

/// The flags.
#[derive(Debug, Args)]
pub(crate) struct TableArgs {
    /// The table: a CSV with a header row or JSON lines, an XLSX or ODS workbook, or a file of Parquet, Arrow, Stata, SPSS or
    /// SAS, also as .gz or .zip; `-` reads standard input
    #[arg(value_name = "IN.csv")]
    pub(crate) input: PathBuf,
    /// Whether the first row is the header; `no`: it is a record, and the columns are called column1, column2 and so on
    /// [default: yes, unless a cell of it may be a value]
    #[arg(long, value_name = "ANSWER", value_parser = ["yes", "no"], help_heading = "Input")]
    header: Option<String>,
    /// Names of the columns of a file without a header row, with `--header no`: as many as there are columns
    /// [default: column1, column2 and so on]
    #[arg(long, value_name = "COLUMNS", help_heading = "Input")]
    names: Option<List>,
    /// Encoding, such as windows-1252 or utf-16le [default: found out and stated]
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    encoding: Option<String>,
    /// What separates fields: one character, or `tab` [default: found out and stated]
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter, help_heading = "Input")]
    delimiter: Option<u8>,
    /// What quotes fields: one character, or `none` [default: found out and stated]
    #[arg(long, value_name = "CHARACTER", value_parser = quote, help_heading = "Input")]
    quote: Option<Quote>,
    /// Sheet of a workbook [default: the first]
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    sheet: Option<String>,
    /// File of a ZIP archive that holds several, or table of a SAS transport file (.xpt) that does
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    member: Option<String>,
    /// Layout of a text of fixed width: a file with a line for each column, its name, its first character and its width, or a
    /// dictionary of Stata
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    layout: Option<PathBuf>,
    /// The file has one JSON object on each line: any other line is an error [default: found out and stated]
    #[arg(long, help_heading = "Input")]
    json_lines: bool,
    /// How many lines above the header are not part of the table, such as a title, counted from the first line of the file (or
    /// row of the sheet) [default: 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(..=MOST_SKIPPED), help_heading = "Input")]
    skip_rows: Option<u16>,
    /// How many lines at the end of the file are not part of the table, such as totals or a source [default: 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(..=MOST_SKIPPED), help_heading = "Input")]
    skip_last_rows: Option<u16>,
    /// Megabytes that a packed file may unpack to, against files that are made to fill the memory [default: 4096 for a text, 16384 out
    /// of core, 1024 for a workbook and any file whose columns have types]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Input")]
    max_unpacked_mb: Option<u32>,
    /// What to do with a row that has too few fields: `pad` takes the missing cells, at its end, as empty; `check` does so with the
    /// tables before, too
    #[arg(long, value_name = "POLICY", default_value = "error", value_parser = ["error", "pad"], help_heading = "Input")]
    ragged: String,
    /// What to do with columns that have the name of an earlier one: `number` calls the second `age` `age_2`; `check` does so with the
    /// tables before, too
    #[arg(long, value_name = "POLICY", default_value = "error", value_parser = ["error", "number"], help_heading = "Input")]
    duplicate_names: String,
    /// How many digits the cells of a column have whose leading zeros were lost, such as postcodes from spreadsheets: zip=5 fills
    /// 1067 up to 01067, and makes the column a category
    #[arg(long, value_name = "COLUMN=WIDTH", help_heading = "Input")]
    pad: Option<Pairs>,
    /// Labels that are read, and published, in place of a column's codes: sex=1:male,2:female,9:? (a missing marker as label
    /// makes the cell missing; codes without a label stay); once for each column
    #[arg(long, value_name = "COLUMN=CODE:LABEL", help_heading = "Input")]
    labels: Vec<Labels>,
}

/// The flags that say how a table is read, as messages name them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flags {
    header: &'static str,
    skip_rows: &'static str,
    skip_last_rows: &'static str,
}

/// Those of the table that a command is about.
const MAIN: Flags =
    Flags { header: "--header", skip_rows: "--skip-rows", skip_last_rows: "--skip-last-rows" };

/// Those of the table that a published one was made of.
pub(crate) const ORIGINAL: Flags = Flags {
    header: "--original-header",
    skip_rows: "--original-skip-rows",
    skip_last_rows: "--original-skip-last-rows",
};

fn skip(reading: &Reading) -> Skip {
    let lines = |given: Option<u16>| given.map_or(0, usize::from);
    Skip { first: lines(reading.skip_rows), last: lines(reading.skip_last_rows) }
}

fn header(answer: Option<&str>) -> HeaderRow {
    match answer {
        Some("yes") => HeaderRow::Present,
        Some(_) => HeaderRow::Absent,
        None => HeaderRow::Ask,
    }
}

/// A table that this program wrote: UTF-8, commas, nothing to be found out.
pub(crate) fn own_table(path: &Path) -> Result<Table, Failure> {
    let bytes = files::read(path)?;
    Ok(read(&bytes, &ReadOptions::default())?)
}

/// Where a table comes from.
pub(crate) enum From<'a> {
    /// A file, or standard input.
    Path(&'a Path),
    /// These bytes.
    Memory(Vec<u8>),
}

impl TableArgs {
    /// The flags that say how the table is read, for a line to paste; one without a value has an empty one.
    pub(crate) fn said(&self) -> Vec<(&'static str, String)> {
        let sign = |byte: u8| if byte == b'\t' { String::from("tab") } else { char::from(byte).to_string() };
        let quote = self.quote.map(|quote| match quote {
            Quote::Off => String::from("none"),
            Quote::Mark(mark) => sign(mark),
        });
        let usual = |policy: &String| (policy != "error").then(|| policy.clone());
        let flags = [
            ("--header", self.header.clone()),
            ("--names", self.names.as_ref().map(|List(names)| listed(names))),
            ("--encoding", self.encoding.clone()),
            ("--delimiter", self.delimiter.map(sign)),
            ("--quote", quote),
            ("--sheet", self.sheet.clone()),
            ("--member", self.member.clone()),
            ("--layout", self.layout.as_ref().map(|path| path.display().to_string())),
            ("--skip-rows", self.skip_rows.map(|rows| rows.to_string())),
            ("--skip-last-rows", self.skip_last_rows.map(|rows| rows.to_string())),
            ("--ragged", usual(&self.ragged)),
            ("--duplicate-names", usual(&self.duplicate_names)),
            ("--pad", self.pad.as_ref().map(|Pairs(pairs)| listed_pairs(pairs))),
        ];
        let named = flags.into_iter().filter_map(|(flag, value)| Some((flag, value?)));
        let labels = self.labels.iter().map(|labels| ("--labels", labels.to_string()));
        named.chain(labels).chain(self.json_lines.then(|| ("--json-lines", String::new()))).collect()
    }

    /// Reads the table, or only these of its columns, and says how it was read and what is odd in it.
    pub(crate) fn read(&self, columns: Option<Vec<String>>, edits: Edits) -> Result<Table, Failure> {
        self.read_from(&self.input, (columns, None), None, edits)
    }

    /// The same of another table, with more columns by their names, and with what a configuration says of its file.
    pub(crate) fn read_from(
        &self,
        path: &Path,
        (columns, also): (Option<Vec<String>>, Option<Also>),
        file: Option<&File>,
        edits: Edits,
    ) -> Result<Table, Failure> {
        self.read_of(From::Path(path), (columns, also), file, edits)
    }

    /// The same of a table that may be in memory.
    pub(crate) fn read_of(
        &self,
        from: From,
        (columns, also): (Option<Vec<String>>, Option<Also>),
        file: Option<&File>,
        edits: Edits,
    ) -> Result<Table, Failure> {
        let options = self.options(columns, also, file, edits)?;
        let path = match from {
            From::Path(path) => path,
            From::Memory(bytes) => {
                let table = opened(io::Cursor::new(bytes), &self.input, &options)?;
                told(&table);
                edited(&table, &options.read.edits)?;
                return Ok(table);
            }
        };
        let table = if is_stdin(path) {
            spooled(io::stdin().lock(), Path::new("standard input"), &options)?
        } else {
            let file = files::open(path)?;
            let regular = file.metadata().is_ok_and(|about| about.is_file());
            if regular { opened(file, path, &options)? } else { spooled(file, path, &options)? }
        };
        told(&table);
        edited(&table, &options.read.edits)?;
        Ok(table)
    }

    /// Reads the table a part at a time (see `lookalike_core::table::read_parts`). It must be a file, since it is read
    /// twice. The answer is the table without its columns.
    pub(crate) fn read_parts(
        &self,
        (columns, also): (Option<Vec<String>>, Option<Also>),
        (told, edits): (Option<&File>, Edits),
        rows: usize,
        each: &mut dyn FnMut(usize, Table) -> bool,
    ) -> Result<Table, Failure> {
        let path = &self.input;
        let twice = || {
            let source = if is_stdin(path) {
                Source::Standard
            } else {
                Source::File { path: path.display().to_string() }
            };
            Failure::input(InputFault::ReadTwice { source })
        };
        if is_stdin(path) {
            return Err(twice());
        }
        let file = files::open(path)?;
        if !file.metadata().is_ok_and(|about| about.is_file()) {
            return Err(twice());
        }
        let options = OpenOptions { in_parts: true, ..self.options(columns, also, told, edits)? };
        let (mut table, told) = decode(file, &options, &mut |form, text| {
            read_parts(text, &form.read_options(&options.read), rows, each)
        })
        .map_err(|error| unreadable(path, error, MAIN))?;
        table.notes.splice(0..0, told.notes);
        table.described = told.described;
        table.dialect = told.dialect;
        table.warnings.extend(told.warnings);
        edited(&table, &options.read.edits)?;
        Ok(table)
    }

    /// Another table, read as its bytes suggest but for what is said of it; rows that are too short and columns of one name are taken
    /// as in this one.
    pub(crate) fn read_beside(
        &self,
        path: &Path,
        flags: Flags,
        answer: Option<&str>,
        (reading, edits): (Reading, Edits),
    ) -> Result<Table, Failure> {
        let file = files::open(path)?;
        // A configuration names the columns of files that have no header.
        let header = if reading.names.is_some() { HeaderRow::Absent } else { header(answer) };
        let cut = skip(&reading);
        let (ragged, duplicates) = (self.ragged(), self.duplicates());
        let read =
            ReadOptions { header, names: reading.names, ragged, duplicates, edits, ..ReadOptions::default() };
        let options =
            OpenOptions { read, skip: cut, unpacked: self.max_unpacked(), ..OpenOptions::default() };
        let table = open(file, &options).map_err(|error| unreadable(path, error, flags))?;
        edited(&table, &options.read.edits)?;
        Ok(table)
    }

    /// Whether the flag is given that says how much a file may unpack to: it is about this machine's memory.
    pub(crate) fn limits_unpacking(&self) -> bool {
        self.max_unpacked_mb.is_some()
    }

    fn max_unpacked(&self) -> Option<u64> {
        self.max_unpacked_mb.map(|megabytes| u64::from(megabytes) << 20)
    }

    fn ragged(&self) -> Ragged {
        if self.ragged == "pad" { Ragged::Pad } else { Ragged::Error }
    }

    fn duplicates(&self) -> DuplicateNames {
        if self.duplicate_names == "number" { DuplicateNames::Number } else { DuplicateNames::Error }
    }

    /// What the flags say of how the file is read, as far as a configuration may say it.
    pub(crate) fn reading(&self) -> Reading {
        let names = match (&self.names, self.header.as_deref()) {
            (Some(List(names)), _) => Some(names.clone()),
            // It has names of its own, whatever a configuration calls its columns.
            (None, Some("yes")) => Some(Vec::new()),
            (None, _) => None,
        };
        Reading { skip_rows: self.skip_rows, skip_last_rows: self.skip_last_rows, names }
    }

    /// The widths to which the flag has columns filled up.
    pub(crate) fn widths(&self) -> Result<BTreeMap<String, u8>, Failure> {
        Ok(self.pad.as_ref().map(widths).transpose()?.unwrap_or_default())
    }

    /// The labels that the flags give to codes.
    pub(crate) fn labels(&self) -> Result<LabelsByColumn, Failure> {
        labels(&self.labels)
    }

    /// What the flags put in place of cells, where these mean "not known".
    pub(crate) fn edits(&self, markers: Vec<String>) -> Result<Edits, Failure> {
        Ok(Edits { widths: self.widths()?, labels: self.labels()?, markers })
    }

    fn options(
        &self,
        columns: Option<Vec<String>>,
        also: Option<Also>,
        file: Option<&File>,
        edits: Edits,
    ) -> Result<OpenOptions, Failure> {
        let reading = self.reading().over(file.map(File::reading).unwrap_or_default()).said();
        // A configuration names the columns of files that have no header.
        let header = match self.header.as_deref() {
            None if self.names.is_none() && reading.names.is_some() => HeaderRow::Absent,
            answer => header(answer),
        };
        Ok(OpenOptions {
            encoding: self.encoding.clone(),
            sheet: self.sheet.clone(),
            member: self.member.clone(),
            skip: skip(&reading),
            json_lines: self.json_lines,
            layout: self.layout.as_deref().map(layout).transpose()?,
            unpacked: self.max_unpacked(),
            in_parts: false,
            read: ReadOptions {
                all: None,
                delimiter: self.delimiter,
                quote: self.quote,
                header,
                names: reading.names,
                columns,
                also,
                ragged: self.ragged(),
                duplicates: self.duplicates(),
                separator_line: false,
                texts: Vec::new(),
                cut: Skip::default(),
                edits,
            },
        })
    }
}

/// A layout of fixed width.
fn layout(path: &Path) -> Result<Layout, Failure> {
    let bytes = files::read(path)?;
    Layout::parse(&String::from_utf8_lossy(&bytes)).map_err(|why| {
        Failure::input(InputFault::Layout { path: path.display().to_string(), why: why.into() })
    })
}

/// The columns that are edited must be there.
fn edited(table: &Table, edits: &Edits) -> Result<(), Failure> {
    match edits.columns().find(|name| !table.header.contains(name)) {
        None => Ok(()),
        Some(name) => {
            let columns = table.header.iter().filter(|name| !name.is_empty());
            let columns = columns.map(|name| name.as_str().into()).collect();
            Err(Error::NoColumn { name: name.as_str().into(), columns }.into())
        }
    }
}

fn listed_pairs(pairs: &[(String, String)]) -> String {
    pairs.iter().map(|(name, value)| format!("{}={value}", List::item(name))).collect::<Vec<_>>().join(",")
}

fn listed(names: &[String]) -> String {
    names.iter().map(|name| List::item(name)).collect::<Vec<_>>().join(",")
}

fn opened<R: Read + Seek + Send + 'static>(
    source: R,
    path: &Path,
    options: &OpenOptions,
) -> Result<Table, Failure> {
    open(source, options).map_err(|error| unreadable(path, error, MAIN))
}

/// What is wrong with a file, with the flags that say how it is read.
fn unreadable(path: &Path, error: Error, flags: Flags) -> Failure {
    let (path, why, flag) = (path.display().to_string(), Said::from(error.clone()), flags.header);
    match error {
        Error::Io { why } => Failure::system(Fault::File { attempt: Attempt::Read, path, why }),
        Error::FirstRow { .. } => Failure::input(InputFault::FirstRow { path, why, flag }),
        Error::Ragged { hint: RaggedHint::Title { lines }, .. } | Error::Titled { title: lines, .. } => {
            Failure::input(InputFault::Lines { why, flag: flags.skip_rows, lines })
        }
        Error::Ragged { hint: RaggedHint::Footer { lines }, .. } => {
            Failure::input(InputFault::Lines { why, flag: flags.skip_last_rows, lines })
        }
        Error::BlankNames { title: lines @ 1.., .. } => {
            Failure::input(InputFault::LinesOrNoHeader { why, skip: flags.skip_rows, lines, flag })
        }
        Error::BlankNames { .. } | Error::Unfit(Unfit::NamesBesideHeader) => {
            Failure::input(InputFault::NoHeader { why, flag })
        }
        Error::SpaceBeforeQuote { .. } => Failure::input(InputFault::Quotes { why }),
        Error::ShortLine { .. } => Failure::input(InputFault::ShortLine { why }),
        Error::Members { .. } | Error::Tables { .. } => Failure::input(InputFault::Members { why }),
        Error::Unpacked { limit } => {
            Failure::input(InputFault::Unpacked { path, why, megabytes: (limit >> 20).saturating_mul(2) })
        }
        Error::DuplicateNames { .. } => Failure::input(InputFault::Duplicates { why, flag }),
        other => other.into(),
    }
}

/// A name as an item of a list, with nothing in it that ends a line, and cut where it is long.
fn one_line(name: &str) -> String {
    const LONGEST: usize = 40;
    let start: String = name.chars().take(LONGEST).collect();
    let more = if start.len() < name.len() { "..." } else { "" };
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    List::item(&start.chars().map(plain).collect::<String>()) + more
}

/// Names of columns that are listed before a run.
const LISTED: usize = 30;

/// Says how a table was read, what its columns are called, and what is odd in it.
pub(crate) fn told(table: &Table) {
    for note in &table.notes {
        say(&format!("read with {note}"));
    }
    let names: Vec<&String> = table.header.iter().filter(|name| !name.is_empty()).collect();
    let mut shown: Vec<String> = names.iter().take(LISTED).map(|name| one_line(name)).collect();
    if let Some(more) = names.len().checked_sub(LISTED).filter(|&more| more > 0) {
        shown.push(format!("and {more} more"));
    }
    say(&format!("columns: {}", shown.join(", ")));
    summary::table_warnings(table);
}

/// What cannot be read twice is kept first.
fn spooled(mut source: impl Read, path: &Path, options: &OpenOptions) -> Result<Table, Failure> {
    let mut spool = tempfile::spooled_tempfile(IN_MEMORY);
    io::copy(&mut source, &mut spool).map_err(|e| Failure::io(Attempt::Read, path, &e))?;
    opened(BufReader::new(spool), path, options)
}

fn delimiter(text: &str) -> Result<u8, FlagFault> {
    match text {
        "tab" | "\\t" => Ok(b'\t'),
        _ => character(text),
    }
}

fn quote(text: &str) -> Result<Quote, FlagFault> {
    if text == "none" { Ok(Quote::Off) } else { character(text).map(Quote::Mark) }
}

fn character(text: &str) -> Result<u8, FlagFault> {
    match text.as_bytes() {
        [byte] if byte.is_ascii() => Ok(*byte),
        _ => Err(FlagFault::Character),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_by_name() {
        assert_eq!(delimiter("tab"), Ok(b'\t'));
        assert_eq!(delimiter(";"), Ok(b';'));
        assert!(delimiter("").is_err() && delimiter("ab").is_err() && delimiter("é").is_err());
        assert_eq!(quote("none"), Ok(Quote::Off));
        assert_eq!(quote("'"), Ok(Quote::Mark(b'\'')));
    }
}
