//! What tells these forms of file apart: their first bytes.

use std::io::{Read, Seek, SeekFrom};

use lookalike_table::Error;

use crate::{FormFault, FormName};

/// Bytes that tell.
const MAGIC: u64 = 64;

/// How SAS's files begin.
const SAS: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xc2, 0xea, 0x81, 0x60];

/// How they begin that other programs than SAS have written, long ago.
const SAS_OF_OTHERS: [u8; 32] = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x18, 0x1f, 0x10,
    0x11,
];

/// What a file is, if its columns have types, and leaves it at its beginning.
///
/// # Errors
/// What the system says; a file of Parquet or SPSS that only a key or a password opens.
pub(crate) fn form<R: Read + Seek>(source: &mut R) -> Result<Option<FormName>, Error> {
    let mut magic = Vec::new();
    rewound(source)?.take(MAGIC).read_to_end(&mut magic).map_err(|error| Error::from_io(&error))?;
    rewound(source)?;
    if magic.starts_with(b"PARE") && magic.get(4).is_some_and(u8::is_ascii_control) {
        return Err(FormFault::Encrypted { form: FormName::Parquet }.into());
    }
    if magic.starts_with(b"\x1c\0\0\0\0\0\0\0ENCRYPTEDSAV") {
        return Err(FormFault::Encrypted { form: FormName::Spss }.into());
    }
    Ok(form_of(&magic))
}

/// What a file is that begins so, if its columns have types.
pub(crate) fn form_of(magic: &[u8]) -> Option<FormName> {
    let begins = |with: &[u8]| magic.starts_with(with);
    Some(match magic {
        _ if begins(b"PAR1") => FormName::Parquet,
        _ if begins(b"ARROW1\0\0") => FormName::Arrow,
        // The mark of a message, and its length, which is never so large.
        [0xff, 0xff, 0xff, 0xff, _, _, _, 0, ..] => FormName::ArrowStream,
        _ if begins(b"<stata_dta>") => FormName::Stata,
        // Releases 102 to 115, byte order, and a mark that is always 1.
        [102..=115, 1 | 2, 1, ..] => FormName::Stata,
        _ if begins(b"$FL2@(#)") || begins(b"$FL3@(#)") => FormName::Spss,
        _ if begins(&SAS) || begins(&SAS_OF_OTHERS) => FormName::Sas,
        _ if begins(b"HEADER RECORD*******LIB") => FormName::SasTransport,
        _ => return None,
    })
}

/// The source at its first byte.
pub(crate) fn rewound<R: Read + Seek>(source: &mut R) -> Result<&mut R, Error> {
    source.seek(SeekFrom::Start(0)).map_err(|error| Error::from_io(&error))?;
    Ok(source)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn texts_are_no_form_of_these() {
        for text in ["age,sex\n", "fox,1\n", "ARROW1,b\n", "s\u{1},x\n", "", "<stata>", "PARE,x\n"] {
            assert_eq!(form(&mut Cursor::new(text)).unwrap(), None, "{text}");
        }
        let stata = |bytes: &[u8]| form(&mut Cursor::new(bytes)).unwrap() == Some(FormName::Stata);
        assert!(stata(&[114, 2, 1, 0]) && stata(&[105, 1, 1, 0]) && !stata(&[114, 3, 1, 0]));
        for locked in [&b"PARE\x15\0"[..], b"\x1c\0\0\0\0\0\0\0ENCRYPTEDSAV\x15\0"] {
            assert!(form(&mut Cursor::new(locked)).unwrap_err().to_string().contains("encrypted"));
        }
    }
}
