//! Files as people have them: encoding and dialect are found out, and said.

use std::io::{Read, Seek};

#[cfg(feature = "compressed")]
use crate::unpack::{self, Unpacked};
use crate::{
    Error, Note, Packing, Table, Unfit, binary, compound,
    encoding::{Charset, Decoded, Guess},
    read_from,
    source_form::{Consume, Form, OpenOptions, Plain, Remarks, Rewind, Start, beginning, consumed, rewound},
};

/// Reads a table in any encoding and dialect, and says in [`Table::notes`] what it was taken for and why.
///
/// UTF-8 is read in one pass. If the beginning was UTF-8 but something later is not, the whole file is looked at and
/// read again, so `source` must be able to seek: memory and files are. With the feature `compressed` the text may be
/// packed by gzip or be the one file of a ZIP archive; with `xlsx` it may be a sheet of a workbook.
///
/// # Errors
/// As [`read_from`]; an encoding that does not exist, or does not have these bytes; a packed file that is damaged, too
/// large or holds several files; a sheet that is not there; a password.
pub fn open<R: Read + Seek>(source: R, options: &OpenOptions) -> Result<Table, Error> {
    let (mut table, told) =
        decode(source, options, &mut |form, text| read_from(text, &form.read_options(&options.read)))?;
    table.notes.splice(0..0, told.notes);
    table.dialect = told.dialect;
    table.warnings.extend(told.warnings);
    Ok(table)
}

/// Finds out what a file is and lets `consume` read its text in UTF-8, as a stream; [`open`] is this with
/// [`read_from`].
///
/// # Errors
/// As [`open`] without what concerns the table, and what `consume` says. If that is [`Error::NotUtf8`] and the encoding
/// was found by the beginning, the whole file is looked at, and `consume` is called once more.
pub fn decode<R: Read + Seek, T>(
    mut source: R,
    options: &OpenOptions,
    consume: &mut Consume<'_, T>,
) -> Result<(T, Remarks), Error> {
    let mut magic = Vec::new();
    let start = rewound(&mut source)?;
    start.take(MAGIC).read_to_end(&mut magic).map_err(|error| Error::from_io(&error))?;
    if magic.starts_with(compound::MAGIC) {
        return Err(compound::error(&mut source)?);
    }
    #[cfg(feature = "compressed")]
    if magic.starts_with(b"\x1f\x8b") {
        refuse_member(options)?;
        return unpacked(&mut Unpacked::gzip(source, unpack::text_limit(options)), options, consume);
    } else if ARCHIVES.iter().any(|archive| magic.starts_with(archive)) {
        rewound(&mut source)?;
        return opened_archive(unpack::archive(source)?, options, consume);
    }
    refuse_member(options)?;
    text(&mut Plain(source), options, &Packed::default(), consume)
}

/// The bytes of a packed file whose beginning is wanted, unpacked, and what is said of it: a file of columns with types is read from any of
/// its bytes, so that it is in memory. `None` for every other file, and where the feature `compressed` is off.
///
/// # Errors
/// A packed file that is damaged, or larger than a workbook may be.
pub fn unpacked_if<R: Read + Seek>(
    source: &mut R,
    options: &OpenOptions,
    is_wanted: &dyn Fn(&[u8]) -> bool,
) -> Result<Option<(Vec<u8>, Note)>, Error> {
    #[cfg(feature = "compressed")]
    {
        let mut magic = Vec::new();
        let start = rewound(source)?;
        start.take(MAGIC).read_to_end(&mut magic).map_err(|error| Error::from_io(&error))?;
        let limit = options.unpacked.unwrap_or(unpack::IN_MEMORY);
        if magic.starts_with(b"\x1f\x8b") && options.member.is_none() {
            return wanted(&mut Unpacked::gzip(source, limit), is_wanted);
        }
        if ARCHIVES.iter().any(|archive| magic.starts_with(archive)) {
            rewound(source)?;
            // What is wrong with an archive, or open about it, is said where its text is read.
            let Ok(archive) = unpack::archive(source) else { return Ok(None) };
            let members = unpack::members(&archive)?;
            let of_workbooks = ["xl/workbook.xml", "[Content_Types].xml", "mimetype"];
            if members.iter().any(|(_, name)| of_workbooks.contains(&name.as_str())) {
                return Ok(None);
            }
            let options = OpenOptions { unpacked: Some(limit), ..options.clone() };
            let Ok(mut member) = Unpacked::member(archive, &options) else { return Ok(None) };
            return wanted(&mut member, is_wanted);
        }
    }
    let _ = (source, options, is_wanted);
    Ok(None)
}

#[cfg(feature = "compressed")]
fn wanted<S: unpack::Unpack>(
    source: &mut Unpacked<S>,
    is_wanted: &dyn Fn(&[u8]) -> bool,
) -> Result<Option<(Vec<u8>, Note)>, Error> {
    const BEGINNING: u64 = 64;
    let mut bytes = Vec::new();
    let begun = source.rewind()?.take(BEGINNING).read_to_end(&mut bytes);
    if begun.is_err() || !is_wanted(&bytes) {
        return Ok(None);
    }
    bytes.clear();
    source.rewind()?.read_to_end(&mut bytes).map_err(|error| Error::from_io(&error))?;
    Ok(Some((bytes, source.note())))
}

/// Bytes of a file that tell its form.
const MAGIC: u64 = 8;

/// How an archive begins that has members, and that has none.
#[cfg(feature = "compressed")]
const ARCHIVES: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// What an ODS workbook says that it is; a template says more.
#[cfg(feature = "xlsx")]
const ODS: &[u8] = b"application/vnd.oasis.opendocument.spreadsheet";

/// A workbook or the one file of an archive.
#[cfg(feature = "compressed")]
fn opened_archive<R: Read + Seek, T>(
    archive: zip::ZipArchive<std::io::BufReader<R>>,
    options: &OpenOptions,
    consume: &mut Consume<'_, T>,
) -> Result<(T, Remarks), Error> {
    let members = unpack::members(&archive)?;
    let has = |wanted: &str| members.iter().any(|(_, name)| name == wanted);

    #[cfg(feature = "xlsx")]
    if has("xl/workbook.xml") {
        refuse_member(options)?;
        return crate::workbook::read(archive, options, consume);
    }
    #[cfg(feature = "xlsx")]
    let mut archive = archive;
    #[cfg(feature = "xlsx")]
    if has("content.xml") && unpack::begins(&mut archive, "mimetype", ODS) {
        refuse_member(options)?;
        return crate::workbook::read_open_document(archive, options, consume);
    }
    // Other files of such makes: Open Packaging, OpenDocument.
    if has("[Content_Types].xml") || has("mimetype") {
        return Err(Error::Workbook);
    }
    unpacked(&mut Unpacked::member(archive, options)?, options, consume)
}

#[cfg(feature = "compressed")]
fn unpacked<S: unpack::Unpack, T>(
    source: &mut Unpacked<S>,
    options: &OpenOptions,
    consume: &mut Consume<'_, T>,
) -> Result<(T, Remarks), Error> {
    let packed = source.packed();
    let (done, mut told) = text(source, options, &packed, consume)?;
    told.notes.insert(0, source.note());
    Ok((done, told))
}

/// Reads text.
fn text<S: Rewind, T>(
    source: &mut S,
    options: &OpenOptions,
    packed: &Packed,
    consume: &mut Consume<'_, T>,
) -> Result<(T, Remarks), Error> {
    if options.sheet.is_some() {
        return Err(Error::Unfit(Unfit::SheetOfText));
    }
    let (bytes, _) = beginning(source.rewind()?)?;
    refuse_other_formats(&bytes)?;
    if options.encoding.is_none() {
        binary::refuse(&bytes)?;
    }
    let guess = match &options.encoding {
        Some(label) => Guess::chosen(label)?,
        None => match Guess::by_beginning(&bytes) {
            Some(guess) => guess,
            None => Guess::by_all(&mut source.rewind()?)?,
        },
    };
    drop(bytes);
    match attempt(source, &guess, options, packed, consume) {
        Err(Error::NotUtf8 { .. }) if guess.open => {
            let anew = Guess::by_all(&mut source.rewind()?)?;
            attempt(source, &anew, options, packed, consume)
        }
        done => done,
    }
}

fn attempt<S: Rewind, T>(
    source: &mut S,
    guess: &Guess,
    options: &OpenOptions,
    packed: &Packed,
    consume: &mut Consume<'_, T>,
) -> Result<(T, Remarks), Error> {
    let mut text = Decoding { source, guess };
    let start = Start::of(options.skip, &mut text)?;
    let mut form = Form::of_text(&start, (guess.encoding.name(), guess.why.clone()), options)?;
    drop(start);
    (form.packing, form.members) = (packed.by.clone(), packed.members.clone());
    consumed(&mut text, (options.skip, options.read.ragged), form, consume)
}

fn decoded<'a>(source: Box<dyn Read + 'a>, guess: &Guess) -> Box<dyn Read + 'a> {
    if guess.encoding == Charset::UTF_8 { source } else { Box::new(Decoded::new(source, guess.encoding)) }
}

/// Bytes of an encoding, as text in UTF-8.
struct Decoding<'a, S> {
    source: &'a mut S,
    guess: &'a Guess,
}

impl<S: Rewind> Rewind for Decoding<'_, S> {
    fn rewind(&mut self) -> Result<Box<dyn Read + '_>, Error> {
        Ok(decoded(self.source.rewind()?, self.guess))
    }
}

/// What a text is packed by, and what else is packed with it.
#[derive(Default)]
pub(crate) struct Packed {
    pub(crate) by: Option<Packing>,
    pub(crate) members: Vec<String>,
}

/// Only an archive has members.
fn refuse_member(options: &OpenOptions) -> Result<(), Error> {
    if options.member.is_some() {
        return Err(Error::Unfit(Unfit::MemberOfText));
    }
    Ok(())
}

/// Files that are no text and that people take for one.
fn refuse_other_formats(bytes: &[u8]) -> Result<(), Error> {
    let packed = [(&b"\x1f\x8b"[..], "gzip"), (b"\x28\xb5\x2f\xfd", "Zstandard"), (b"\xfd7zXZ\0", "xz")];
    if let Some((_, by)) = packed.into_iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Err(Error::Packed { by });
    }
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(compound::MAGIC) {
        return Err(Error::Workbook);
    }
    Ok(())
}
