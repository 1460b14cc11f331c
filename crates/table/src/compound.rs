//! Files in the compound form of old Office programmes ([MS-CFB]): `.xls`, and workbooks behind a password.

use std::io::{Read, Seek, SeekFrom};

use crate::{Error, source_form::rewound};

/// How such a file begins.
pub(crate) const MAGIC: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// Bytes of the directory that are looked at: its first entries name what the file holds.
const DIRECTORY: u64 = 4096;

/// What to say of such a file: that it is old, or that it has a password.
pub(crate) fn error<R: Read + Seek>(source: &mut R) -> Result<Error, Error> {
    let mut header = Vec::new();
    rewound(source)?.take(512).read_to_end(&mut header).map_err(|error| Error::from_io(&error))?;
    // The size of a sector as a power of two, and the first sector of the directory; the header comes before sector 0.
    let (Some(&power), Some(first)) = (header.get(30), header.get(48..52)) else {
        return Ok(Error::OldWorkbook);
    };
    let first = first.iter().rev().fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
    let place = (first + 1) << power.min(12);
    let mut directory = Vec::new();
    source.seek(SeekFrom::Start(place)).map_err(|error| Error::from_io(&error))?;
    source.take(DIRECTORY).read_to_end(&mut directory).map_err(|error| Error::from_io(&error))?;
    let locked: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let has_locked = directory.windows(locked.len()).any(|name| name == locked);
    Ok(if has_locked { Error::LockedWorkbook } else { Error::OldWorkbook })
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// Header, one empty sector, and the directory in sector 1 with one name.
    fn file(name: &str) -> Vec<u8> {
        let mut bytes = vec![0; 512 * 3];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[30] = 9;
        bytes[48] = 1;
        for (at, unit) in name.encode_utf16().enumerate() {
            bytes[1024 + 128 + 2 * at..][..2].copy_from_slice(&unit.to_le_bytes());
        }
        bytes
    }

    #[test]
    fn a_password_is_told_from_old_age() {
        let said = |bytes: &[u8]| error(&mut Cursor::new(bytes)).unwrap();
        assert_eq!(said(&file("EncryptedPackage")), Error::LockedWorkbook);
        assert_eq!(said(&file("Workbook")), Error::OldWorkbook);
        assert_eq!(said(MAGIC), Error::OldWorkbook);
        let mut wild = file("Workbook");
        wild[30..52].fill(0xff);
        assert_eq!(said(&wild), Error::OldWorkbook);
    }
}
