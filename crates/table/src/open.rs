//! Files as people have them: encoding and dialect are found out, and said.

use std::io::{Read, Seek, SeekFrom};

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
}

/// Reads a CSV in any encoding and dialect, and says in [`Table::notes`] what it was taken for and why.
///
/// UTF-8 is read in one pass. If the beginning was UTF-8 but something later is not, the whole file is looked at and
/// read again, so `source` must be able to seek: memory and files are.
///
/// # Errors
/// As [`read_from`]; an encoding that does not exist, or does not have these bytes.
pub fn open<R: Read + Seek>(mut source: R, options: &OpenOptions) -> Result<Table, Error> {
    let guess = if let Some(label) = &options.encoding {
        Guess::chosen(label)?
    } else {
        let (bytes, _) = beginning(rewound(&mut source)?)?;
        refuse_other_formats(&bytes)?;
        match Guess::by_beginning(&bytes) {
            Some(guess) => guess,
            None => Guess::by_all(rewound(&mut source)?)?,
        }
    };
    match attempt(&mut source, &guess, options) {
        Err(Error::NotUtf8 { .. }) if guess.open => {
            let anew = Guess::by_all(rewound(&mut source)?)?;
            attempt(&mut source, &anew, options)
        }
        done => done,
    }
}

fn attempt<R: Read + Seek>(source: &mut R, guess: &Guess, options: &OpenOptions) -> Result<Table, Error> {
    let (text, whole) = beginning(decoded(rewound(source)?, guess))?;
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
    let Dialect { delimiter, quote, evidence } =
        dialect::detect(text, whole, options.read.delimiter, options.read.quote);
    let read = ReadOptions { delimiter: Some(delimiter), quote: Some(quote), ..options.read.clone() };
    let mut table = read_from(decoded(rewound(source)?, guess), &read)?;
    table.notes.push(format!("encoding: {}, {}", guess.encoding.name(), guess.why));
    table.notes.push(format!("delimiter: {evidence}"));
    if quote == crate::Quote::Mark(b'\'') {
        table.notes.push(String::from("fields are quoted by '"));
    }
    Ok(table)
}

fn decoded<'a, R: Read>(source: &'a mut R, guess: &Guess) -> Box<dyn Read + 'a> {
    if guess.encoding == encoding_rs::UTF_8 {
        Box::new(source)
    } else {
        Box::new(Decoded::new(source, guess.encoding))
    }
}

fn rewound<R: Read + Seek>(source: &mut R) -> Result<&mut R, Error> {
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
