//! Files that are no text.

use crate::{Error, encoding::utf16};

/// How files begin that are no tables, or tables of another sort.
const KINDS: [(&[u8], &str); 10] = [
    (b"%PDF-", "a PDF"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow file"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"$FL2", "an SPSS file"),
    (b"<stata_dta>", "a Stata file"),
    (b"\x89HDF\r\n", "an HDF5 file"),
    (b"\x89PNG\r\n", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"\x7fELF", "a program"),
];

/// A text may hold some control characters, and a damaged one a few more; of random bytes one in nine is one.
const CONTROLS: usize = 8;
const CONTROLS_IN: usize = 30;

/// Refuses bytes that are no text in any encoding, by the beginning of the file.
pub(crate) fn refuse(bytes: &[u8]) -> Result<(), Error> {
    if let Some((_, what)) = KINDS.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Err(Error::Foreign(what));
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") || utf16(bytes).is_some() {
        return Ok(());
    }
    let control = |byte: &&u8| matches!(byte, 0..=8 | 11 | 14..=26 | 28 | 29 | 127);
    let controls = bytes.iter().filter(control).count();
    if controls >= CONTROLS && controls * CONTROLS_IN > bytes.len() {
        return Err(Error::Foreign("binary data, not text"));
    }
    Ok(())
}
