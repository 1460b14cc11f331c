//! Packed files: gzip, and one file of a ZIP archive.
//!
//! They are unpacked as they are read, and again from their beginning when that is needed: nothing is stored.

use std::{
    borrow::Cow,
    io::{self, BufReader, ErrorKind, Read, Seek},
};

use flate2::read::MultiGzDecoder;
use lookalike_words::Name;
use zip::{ZipArchive, result::ZipError};

use crate::{
    Container, Damage, Error, Members, Note, Packing,
    open::Packed,
    source_form::Rewind,
    source_form::{OpenOptions, rewound},
};

/// Bytes that a packed text may hold whose table is kept in memory, unless told otherwise.
const LIMIT: u64 = 4 << 30;

/// The same of one of which only a part is in memory at a time.
const IN_PARTS: u64 = 16 << 30;

/// The same of a file that is in memory as a whole.
pub(crate) const IN_MEMORY: u64 = 1 << 30;

/// Bytes that a packed text may hold.
pub(crate) fn text_limit(options: &OpenOptions) -> u64 {
    options.unpacked.unwrap_or(if options.in_parts { IN_PARTS } else { LIMIT })
}

/// What a packed file holds, as far as it was read last.
pub(crate) struct Unpacked<S> {
    packed: S,
    limit: u64,
    count: u64,
}

/// A file of gzip members, whose contents follow each other.
pub(crate) struct Gzip<R>(R);

/// One file of an archive.
pub(crate) struct Member<R> {
    archive: ZipArchive<BufReader<R>>,
    index: usize,
    /// The names of all files; none if this is the only one.
    all: Vec<String>,
}

/// Packed bytes that can be unpacked from their beginning.
pub(crate) trait Unpack {
    const WHAT: Container;

    fn unpack(&mut self) -> Result<Box<dyn Read + '_>, Error>;

    /// What is unpacked.
    fn packing(&self) -> Packing;

    /// What else there is to unpack.
    fn members(&self) -> Vec<String> {
        Vec::new()
    }
}

impl<R: Read + Seek> Unpack for Gzip<R> {
    const WHAT: Container = Container::Gzip;

    fn unpack(&mut self) -> Result<Box<dyn Read + '_>, Error> {
        Ok(Box::new(MultiGzDecoder::new(rewound(&mut self.0)?)))
    }

    fn packing(&self) -> Packing {
        Packing::Gzip
    }
}

impl<R: Read + Seek> Unpack for Member<R> {
    const WHAT: Container = Container::Zip;

    fn unpack(&mut self) -> Result<Box<dyn Read + '_>, Error> {
        Ok(Box::new(self.archive.by_index(self.index).map_err(|error| from_zip(&error))?))
    }

    fn packing(&self) -> Packing {
        let member = self.archive.name_for_index(self.index).and_then(Result::ok).unwrap_or_default();
        Packing::Zip { member: Name::from(&*member) }
    }

    fn members(&self) -> Vec<String> {
        self.all.clone()
    }
}

impl<S: Unpack> Rewind for Unpacked<S> {
    fn rewind(&mut self) -> Result<Box<dyn Read + '_>, Error> {
        self.count = 0;
        let source = self.packed.unpack()?;
        Ok(Box::new(Limited { source, what: S::WHAT, limit: self.limit, count: &mut self.count }))
    }
}

impl<S: Unpack> Unpacked<S> {
    /// What is unpacked and by what.
    pub(crate) fn packed(&self) -> Packed {
        Packed { by: Some(self.packed.packing()), members: self.packed.members() }
    }

    /// What was unpacked.
    pub(crate) fn note(&self) -> Note {
        Note::Compression { packing: self.packed.packing(), bytes: self.count }
    }
}

impl<R: Read + Seek> Unpacked<Gzip<R>> {
    pub(crate) fn gzip(source: R, limit: u64) -> Self {
        Self { packed: Gzip(source), limit, count: 0 }
    }
}

impl<R: Read + Seek> Unpacked<Member<R>> {
    /// The file of the archive that is asked for, or its only one beside what packers put there of their own.
    pub(crate) fn member(archive: ZipArchive<BufReader<R>>, options: &OpenOptions) -> Result<Self, Error> {
        let mut members = members(&archive)?;
        members.retain(|(_, name)| !(name.ends_with('/') || is_litter(name)));
        let chosen = match (&options.member, &members[..]) {
            (Some(wanted), _) => members.iter().find(|(_, name)| name == wanted),
            (None, [only]) => Some(only),
            (None, _) => None,
        };
        let index = chosen.map(|(index, _)| *index);
        let all: Vec<String> = members.into_iter().map(|(_, name)| name).collect();
        let Some(index) = index else {
            return Err(match options.member.clone() {
                Some(name) => {
                    Error::NoMember { name: Name(name), members: all.into_iter().map(Name).collect() }
                }
                None if all.is_empty() => Error::EmptyArchive,
                None => Error::Members { count: all.len(), members: Members(all) },
            });
        };
        let all = if all.len() > 1 { all } else { Vec::new() };
        let limit = text_limit(options);
        Ok(Self { packed: Member { archive, index, all }, limit, count: 0 })
    }
}

/// The table of contents of an archive.
pub(crate) fn archive<R: Read + Seek>(source: R) -> Result<ZipArchive<BufReader<R>>, Error> {
    ZipArchive::new(BufReader::new(source)).map_err(|error| from_zip(&error))
}

/// Every member's index and name.
pub(crate) fn members<R: Read + Seek>(archive: &ZipArchive<R>) -> Result<Vec<(usize, String)>, Error> {
    let name = |name: Result<Cow<'_, str>, ZipError>| name.map(Cow::into_owned).map_err(|e| from_zip(&e));
    archive.file_names().enumerate().map(|(index, member)| Ok((index, name(member)?))).collect()
}

/// Whether a member is there and begins so.
#[cfg(feature = "xlsx")]
pub(crate) fn begins<R: Read + Seek>(archive: &mut ZipArchive<R>, name: &str, with: &[u8]) -> bool {
    let Ok(member) = archive.by_name(name) else { return false };
    let mut bytes = Vec::new();
    member.take(with.len() as u64).read_to_end(&mut bytes).is_ok() && bytes == with
}

/// Unpacks all members and forgets them: an archive can lie about their sizes.
#[cfg(feature = "xlsx")]
pub(crate) fn check_size<R: Read + Seek>(archive: &mut ZipArchive<R>, limit: u64) -> Result<(), Error> {
    let mut count = 0;
    for index in 0..archive.len() {
        let source = archive.by_index(index).map_err(|error| from_zip(&error))?;
        let mut member = Limited { source, what: Container::Zip, limit, count: &mut count };
        io::copy(&mut member, &mut io::sink()).map_err(|error| Error::from_io(&error))?;
    }
    Ok(())
}

fn is_litter(name: &str) -> bool {
    name.starts_with("__MACOSX/") || name.rsplit('/').next() == Some(".DS_Store")
}

fn from_zip(error: &ZipError) -> Error {
    match error {
        ZipError::Io(error) => judged(Container::Zip, error),
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => Error::LockedArchive,
        other => Error::Damaged { what: Container::Zip, why: Damage::Unpacker { says: other.to_string() } },
    }
}

/// What the unpacker says of the bytes is the file's fault; all else is the system's.
fn judged(what: Container, error: &io::Error) -> Error {
    match error.kind() {
        ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::UnexpectedEof => {
            Error::Damaged { what, why: Damage::Unpacker { says: error.to_string() } }
        }
        _ => Error::from_io(error),
    }
}

/// Counts what passes, and lets no more pass than may.
struct Limited<'a, R> {
    source: R,
    what: Container,
    limit: u64,
    count: &'a mut u64,
}

impl<R: Read> Read for Limited<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer).map_err(|error| match error.kind() {
            ErrorKind::Interrupted => error,
            _ => io::Error::other(judged(self.what, &error)),
        })?;
        *self.count += read as u64;
        if *self.count > self.limit {
            return Err(io::Error::other(Error::Unpacked { limit: self.limit }));
        }
        Ok(read)
    }
}
