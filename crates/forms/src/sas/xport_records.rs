//! What stands before the rows of a `.xpt`: records of 80 bytes, by SAS's "TS-140" (version 5) and its sequel (version 8).

use std::io::Read;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use lookalike_table::Error;

use super::{
    moments::Time,
    variable::{Variable, text},
};
use crate::{FormFault, FormName};

/// Bytes of a record, and of what a column is described by.
pub(super) const RECORD: usize = 80;
const NAME: usize = 140;

/// Columns, at most: as many as five digits say.
const COLUMNS: usize = 99_999;

/// What is wrong with the bytes.
pub(super) fn broken(says: &str) -> Error {
    FormFault::Damaged { form: FormName::SasTransport, says: says.to_owned() }.into()
}

/// A source that ends too early, or what the system says.
pub(super) fn short(error: &std::io::Error) -> Error {
    match error.kind() {
        std::io::ErrorKind::UnexpectedEof => broken("it ends before its rows"),
        _ => Error::from_io(error),
    }
}

/// What stands before the rows of a table.
#[derive(Debug)]
pub(super) struct Records {
    /// What the file calls the table; its bytes are a text in the encoding of all others.
    name: Vec<u8>,
    /// Texts are not decoded: a name or a label is one in UTF-8 if its bytes are.
    described: Vec<Described>,
    /// Bytes before the rows, and of a row.
    pub(super) data: u64,
    pub(super) row_length: usize,
    /// Rows, where the file says it.
    pub(super) rows: Option<u64>,
}

/// A column.
#[derive(Debug)]
struct Described {
    name: Vec<u8>,
    label: Vec<u8>,
    format: Vec<u8>,
    is_text: bool,
    at: usize,
    width: usize,
}

/// Reads records, and counts their bytes.
struct Source<R> {
    source: R,
    read: u64,
}

impl<R: Read> Source<R> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut bytes = [0; N];
        self.source.read_exact(&mut bytes).map_err(|why| short(&why))?;
        self.read += N as u64;
        Ok(bytes)
    }

    fn many(&mut self, length: u16) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; usize::from(length)];
        self.source.read_exact(&mut bytes).map_err(|why| short(&why))?;
        self.read += u64::from(length);
        Ok(bytes)
    }

    /// The rest of a record that was begun.
    fn pad(&mut self) -> Result<(), Error> {
        while !self.read.is_multiple_of(RECORD as u64) {
            self.take::<1>()?;
        }
        Ok(())
    }

    /// A record that says what follows, and the digits behind.
    fn header(&mut self, names: &[&str]) -> Result<(usize, [u8; RECORD]), Error> {
        let record = self.take::<RECORD>()?;
        let found = names.iter().position(|name| begins(&record, name));
        found.map(|at| (at, record)).ok_or_else(|| broken("a record is not the one that belongs there"))
    }
}

/// Whether a record begins what has this name.
fn begins(record: &[u8], name: &str) -> bool {
    let start = format!("HEADER RECORD*******{name:<8}HEADER RECORD!!!!!!!");
    record.starts_with(start.as_bytes())
}

/// A number in digits, which blanks may surround.
fn digits(bytes: &[u8]) -> Option<u64> {
    std::str::from_utf8(bytes).ok()?.trim().parse().ok()
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).copied().map_or(0, u16::from_be_bytes)
}

/// Bytes before the first table: what the file is, what wrote it, and when.
pub(super) const LIBRARY: u64 = 3 * RECORD as u64;

/// How the tables of a file begin.
const TABLES: [&str; 2] = ["MEMBER", "MEMBV8"];

/// Whether a table begins with this record.
pub(super) fn begins_table(record: &[u8]) -> bool {
    TABLES.iter().any(|name| begins(record, name))
}

/// Which of the two versions a file has, by what stands before its tables.
pub(super) fn version(source: impl Read) -> Result<usize, Error> {
    let mut source = Source { source, read: 0 };
    let (version, _) = source.header(&["LIBRARY", "LIBV8"])?;
    source.take::<{ 2 * RECORD }>()?;
    Ok(version)
}

impl Records {
    /// Those of the table that begins at this byte of a file of this version; the source stands there.
    pub(super) fn read(source: impl Read, version: usize, at: u64) -> Result<Self, Error> {
        let mut source = Source { source, read: at };
        let of = |names: [&'static str; 2]| [names[version]];
        let (_, member) = source.header(&of(TABLES))?;
        source.header(&of(["DSCRPTR", "DSCPTV8"]))?;
        let about = source.take::<{ 2 * RECORD }>()?;
        let name = about[8..if version == 0 { 16 } else { 40 }].to_vec();
        let (_, names) = source.header(&of(["NAMESTR", "NAMSTV8"]))?;
        let columns = digits(&names[53..58]).and_then(|columns| usize::try_from(columns).ok());
        let Some(columns @ 1..=COLUMNS) = columns else { return Err(broken("it has no columns")) };
        // Once on VAX, 136 bytes described a column.
        let width = digits(&member[74..78]).unwrap_or(NAME as u64);
        if width != NAME as u64 && width != 136 {
            return Err(broken("its columns are described in an unknown way"));
        }
        let mut described = Vec::new();
        let mut row_length = 0;
        for _ in 0..columns {
            let mut bytes = source.take::<136>()?.to_vec();
            if width == NAME as u64 {
                bytes.extend(source.take::<4>()?);
            }
            let column = Described::of(&bytes, version == 1, row_length);
            row_length += column.width;
            described.push(column);
        }
        source.pad()?;
        let mut records = Self { name, described, data: 0, row_length, rows: None };
        let all = ["OBS", "OBSV8", "LABELV8", "LABELV9"];
        let names = if version == 0 { &all[..1] } else { &all[1..] };
        let (found, mut record) = source.header(names)?;
        if version == 1 && found > 0 {
            let labels = digits(&record[48..53]).unwrap_or_default();
            for _ in 0..labels {
                records.label(&mut source, found == 2)?;
            }
            source.pad()?;
            record = source.header(&["OBSV8"])?.1;
        }
        if version == 1 {
            records.rows = digits(&record[48..63]).filter(|rows| *rows > 0);
        }
        records.data = source.read;
        Ok(records)
    }

    /// A name and a label that are longer than where they belong; `formats` says whether formats follow.
    fn label<R: Read>(&mut self, source: &mut Source<R>, formats: bool) -> Result<(), Error> {
        let lengths = source.take::<6>()?;
        let more = if formats { source.take::<4>()? } else { [0; 4] };
        let name = source.many(u16_at(&lengths, 2))?;
        let label = source.many(u16_at(&lengths, 4))?;
        let format = source.many(u16_at(&more, 0))?;
        source.many(u16_at(&more, 2))?;
        let column = usize::from(u16_at(&lengths, 0)).checked_sub(1);
        let Some(column) = column.and_then(|at| self.described.get_mut(at)) else {
            return Err(broken("a label belongs to no column"));
        };
        (column.name, column.label) = (name, label);
        if !format.is_empty() {
            column.format = format;
        }
        Ok(())
    }

    /// The table's name, in UTF-8 where it is, else in Windows-1252: it is asked for before an encoding is found out.
    pub(super) fn name(&self) -> String {
        let of = if std::str::from_utf8(&self.name).is_ok() { UTF_8 } else { WINDOWS_1252 };
        text(&self.name, of).trim().to_owned()
    }

    /// The columns, their texts in this encoding, or each in UTF-8 where it is one.
    pub(super) fn variables(&self, encoding: &'static Encoding) -> Vec<Variable> {
        let said = |bytes: &[u8]| {
            let of = if std::str::from_utf8(bytes).is_ok() { UTF_8 } else { encoding };
            text(bytes, of)
        };
        let variable = |column: &Described| Variable {
            name: said(&column.name),
            label: said(&column.label),
            is_text: column.is_text,
            at: column.at,
            width: column.width,
            time: Time::of(&said(&column.format)).filter(|_| !column.is_text),
        };
        self.described.iter().map(variable).collect()
    }

    /// The first byte and the bytes of each column of texts.
    pub(super) fn texts(&self) -> Vec<std::ops::Range<usize>> {
        let texts = self.described.iter().filter(|column| column.is_text);
        texts.map(|column| column.at..column.at + column.width).collect()
    }
}

impl Described {
    fn of(bytes: &[u8], long: bool, at: usize) -> Self {
        let name = if long { &bytes[88..120] } else { &bytes[8..16] };
        Self {
            name: name.to_vec(),
            label: bytes[16..56].to_vec(),
            format: bytes[56..64].to_vec(),
            is_text: u16_at(bytes, 0) == 2,
            at,
            width: u16_at(bytes, 4).into(),
        }
    }
}
