//! Files that are no text.

use crate::{Error, Foreign, encoding::utf16};

/// How files begin that are no tables, or tables of another sort.
const KINDS: [(&[u8], Foreign); 13] = [
    // Before the mark of UTF-16, which it begins with.
    (b"\xff\xfe\0\0", Foreign::Utf32),
    (b"\0\0\xfe\xff", Foreign::Utf32),
    (b"%PDF-", Foreign::Pdf),
    (b"PAR1", Foreign::Parquet),
    (b"ARROW1", Foreign::Arrow),
    (b"SQLite format 3\0", Foreign::Sqlite),
    (b"$FL2", Foreign::Spss),
    (b"<stata_dta>", Foreign::Stata),
    (b"\x89HDF\r\n", Foreign::Hdf5),
    (b"\x89PNG\r\n", Foreign::Picture),
    (b"\xff\xd8\xff", Foreign::Picture),
    (b"\x7fELF", Foreign::Program),
    (b"{\\rtf", Foreign::RichText),
];

/// A text may hold some control characters, and a damaged one a few more; of random bytes one in nine is one.
const CONTROLS: usize = 8;
const CONTROLS_IN: usize = 30;

/// Refuses bytes that are no text in any encoding, by the beginning of the file.
pub(crate) fn refuse(bytes: &[u8]) -> Result<(), Error> {
    if let Some((_, what)) = KINDS.into_iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Err(Error::Foreign { what });
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") || utf16(bytes).is_some() {
        return Ok(());
    }
    let control = |byte: &&u8| matches!(byte, 0..=8 | 11 | 14..=26 | 28 | 29 | 127);
    let controls = bytes.iter().filter(control).count();
    if controls >= CONTROLS && controls * CONTROLS_IN > bytes.len() {
        return Err(Error::Foreign { what: Foreign::Binary });
    }
    Ok(())
}
