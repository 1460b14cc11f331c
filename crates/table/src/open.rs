//! Files as people have them: encoding and dialect are found out, and said.

use std::io::{Read, Seek, SeekFrom};

#[cfg(feature = "compressed")]
use crate::unpack::{self, Unpacked};
use crate::{
    Error, ReadOptions, Table,
    dialect::{self, Dialect},
    encoding::{Decoded, Guess},
    read_from,
};

/// Bytes by which encoding and dialect are judged first.
const BEGINNING: u64 = 1 << 18;

/// How to open a file. What is `None` is found out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenOptions {
    /// Name of the encoding, as the WHATWG Encoding Standard has it: "utf-8", "windows-1252", "utf-16le".
    pub encoding: Option<String>,
    /// Delimiter, quotation mark, columns, policy for ragged rows.
    pub read: ReadOptions,
    /// Name of a workbook's sheet; the first when `None`. Nothing else has one.
    pub sheet: Option<String>,
    /// Bytes that a packed file may unpack to; 16 GiB when `None`, 1 GiB for a workbook.
    pub unpacked: Option<u64>,
}

/// Reads a table in any encoding and dialect, and says in [`Table::notes`] what it was taken for and why.
///
/// UTF-8 is read in one pass. If the beginning was UTF-8 but something later is not, the whole file is looked at and
/// read again, so `source` must be able to seek: memory and files are. With the feature `compressed` the text may be
/// packed by gzip or be the one file of a ZIP archive; with `xlsx` it may be a sheet of a workbook.
///
/// # Errors
/// As [`read_from`]; an encoding that does not exist, or does not have these bytes; a packed file that is damaged, too
/// large or holds several files; a sheet that is not there.
pub fn open<R: Read + Seek>(mut source: R, options: &OpenOptions) -> Result<Table, Error> {
    let mut magic = Vec::new();
    let start = rewound(&mut source)?;
    start.take(MAGIC).read_to_end(&mut magic).map_err(|error| Error::from_io(&error))?;
    #[cfg(feature = "compressed")]
    if magic.starts_with(b"\x1f\x8b") {
        return unpacked(&mut Unpacked::gzip(source, options.unpacked), options, Unpacked::note);
    } else if ARCHIVES.iter().any(|archive| magic.starts_with(archive)) {
        rewound(&mut source)?;
        return opened_archive(unpack::archive(source)?, options);
    }
    text(&mut Plain(source), options)
}

/// Bytes of a file that tell its form.
const MAGIC: u64 = 8;

/// How an archive begins that has members, and that has none.
#[cfg(feature = "compressed")]
const ARCHIVES: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// A workbook or the one file of an archive.
#[cfg(feature = "compressed")]
fn opened_archive<R: Read + Seek>(
    archive: zip::ZipArchive<std::io::BufReader<R>>,
    options: &OpenOptions,
) -> Result<Table, Error> {
    let members = unpack::members(&archive)?;
    let has = |wanted: &str| members.iter().any(|(_, name)| name == wanted);
    #[cfg(feature = "xlsx")]
    if has("xl/workbook.xml") {
        return crate::workbook::read(archive, options);
    }
    // Workbooks of other makes: Open Packaging, OpenDocument.
    if has("[Content_Types].xml") || has("mimetype") {
        return Err(Error::Workbook);
    }
    unpacked(&mut Unpacked::only_member(archive, options.unpacked)?, options, Unpacked::note)
}

#[cfg(feature = "compressed")]
fn unpacked<S: Rewind>(
    source: &mut S,
    options: &OpenOptions,
    note: impl Fn(&S) -> String,
) -> Result<Table, Error> {
    let mut table = text(source, options)?;
    table.notes.insert(0, note(source));
    Ok(table)
}

/// Reads text.
fn text<S: Rewind>(source: &mut S, options: &OpenOptions) -> Result<Table, Error> {
    if options.sheet.is_some() {
        return Err(Error::Unfit("a sheet was asked for, but the file is no workbook: leave the sheet out"));
    }
    let (bytes, _) = beginning(source.rewind()?)?;
    refuse_other_formats(&bytes)?;
    let guess = match &options.encoding {
        Some(label) => Guess::chosen(label)?,
        None => match Guess::by_beginning(&bytes) {
            Some(guess) => guess,
            None => Guess::by_all(&mut source.rewind()?)?,
        },
    };
    drop(bytes);
    match attempt(source, &guess, options) {
        Err(Error::NotUtf8 { .. }) if guess.open => {
            let anew = Guess::by_all(&mut source.rewind()?)?;
            attempt(source, &anew, options)
        }
        done => done,
    }
}

fn attempt<S: Rewind>(source: &mut S, guess: &Guess, options: &OpenOptions) -> Result<Table, Error> {
    let (text, whole) = beginning(decoded(source.rewind()?, guess))?;
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
    let Dialect { delimiter, quote, evidence } =
        dialect::detect(text, whole, options.read.delimiter, options.read.quote);
    let read = ReadOptions { delimiter: Some(delimiter), quote: Some(quote), ..options.read.clone() };
    let mut table = read_from(decoded(source.rewind()?, guess), &read)?;
    table.notes.push(format!("encoding: {}, {}", guess.encoding.name(), guess.why));
    table.notes.push(format!("delimiter: {evidence}"));
    if quote == crate::Quote::Mark(b'\'') {
        table.notes.push(String::from("fields are quoted by '"));
    }
    Ok(table)
}

fn decoded<'a>(source: Box<dyn Read + 'a>, guess: &Guess) -> Box<dyn Read + 'a> {
    if guess.encoding == encoding_rs::UTF_8 { source } else { Box::new(Decoded::new(source, guess.encoding)) }
}

/// Bytes that can be read from their beginning, as often as one likes.
pub(crate) trait Rewind {
    fn rewind(&mut self) -> Result<Box<dyn Read + '_>, Error>;
}

struct Plain<R>(R);

impl<R: Read + Seek> Rewind for Plain<R> {
    fn rewind(&mut self) -> Result<Box<dyn Read + '_>, Error> {
        Ok(Box::new(rewound(&mut self.0)?))
    }
}

pub(crate) fn rewound<R: Read + Seek>(source: &mut R) -> Result<&mut R, Error> {
    source.seek(SeekFrom::Start(0)).map_err(|error| Error::from_io(&error))?;
    Ok(source)
}

/// The first bytes, and whether they are all.
fn beginning(source: impl Read) -> Result<(Vec<u8>, bool), Error> {
    let mut bytes = Vec::new();
    source.take(BEGINNING).read_to_end(&mut bytes).map_err(|error| Error::from_io(&error))?;
    let whole = (bytes.len() as u64) < BEGINNING;
    Ok((bytes, whole))
}

/// Files that are no text and that people take for one.
fn refuse_other_formats(bytes: &[u8]) -> Result<(), Error> {
    let packed = [(&b"\x1f\x8b"[..], "gzip"), (b"\x28\xb5\x2f\xfd", "Zstandard"), (b"\xfd7zXZ\0", "xz")];
    if let Some((_, by)) = packed.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Err(Error::Packed(by));
    }
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") {
        return Err(Error::Workbook);
    }
    Ok(())
}
