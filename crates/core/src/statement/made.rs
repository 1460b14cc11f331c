//! What only the caller knows of a run: when it was made, and what its files are called. The core has no clock and no files.

use std::io::{self, Read};

use lookalike_model::{
    report::{Private, Report},
    sent::Searched,
};
use lookalike_table::text::{counted, thousands};
use sha2::{Digest as _, Sha256};

use super::html::{paragraph, table};

/// Bytes that are read at a time.
const PIECE: usize = 1 << 16;

/// When a release was made, and its files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Made {
    /// Date and time of the run: UTC, as in `2026-05-01T14:03:22Z`.
    pub at: String,
    /// Name of the file that the table was read from, without its folder; `None` for standard input.
    pub source: Option<String>,
    /// The published table.
    pub release: NamedFile,
    /// The report; `None` if it is not written.
    pub report: Option<NamedFile>,
    /// The ledger after this release; `None` for a table that is released once.
    pub ledger: Option<NamedFile>,
    /// Largest block of a run out of core, in rows; `None` for one in memory.
    pub block_rows: Option<usize>,
    /// The ledger is sealed with a passphrase: its digest is of what was sealed, and not of the file.
    pub sealed: bool,
}

/// A file that a statement names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedFile {
    /// Its name, without its folder; `None` for standard output.
    pub name: Option<String>,
    /// SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
}

impl NamedFile {
    /// A file of these bytes.
    #[must_use]
    pub fn of(name: Option<String>, bytes: &[u8]) -> Self {
        Self { name, sha256: hexadecimal(Sha256::digest(bytes)) }
    }

    /// A file that is read from its beginning to its end.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(name: Option<String>, mut source: impl Read) -> io::Result<Self> {
        let (mut digest, mut piece) = (Sha256::new(), vec![0; PIECE]);
        loop {
            match source.read(&mut piece) {
                Ok(0) => return Ok(Self { name, sha256: hexadecimal(digest.finalize()) }),
                Ok(count) => digest.update(&piece[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

fn hexadecimal(digest: impl AsRef<[u8]>) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = digest.as_ref().iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

/// Date, files, digests: what ties the paper to the bytes.
pub(super) fn files(report: &Report, made: &Made) -> String {
    let row = |name: &str, value: &str| vec![name.to_owned(), value.to_owned()];
    let named = |file: &NamedFile| file.name.clone().unwrap_or_else(|| String::from("standard output"));
    let mut rows = vec![
        row("Made on (UTC)", &made.at),
        row("Read from", made.source.as_deref().unwrap_or("standard input")),
        row("Published table", &named(&made.release)),
        row("SHA-256 of the published table", &made.release.sha256),
    ];
    match &made.report {
        Some(file) => {
            rows.push(row("Report", &named(file)));
            rows.push(row("SHA-256 of the report", &file.sha256));
        }
        None => rows.push(row("Report", "was not written")),
    }
    let place = match report.series {
        Some(series) => {
            rows.push(row("Release of its series", &series.release.to_string()));
            series.mode.name()
        }
        None => "none: this table is released once",
    };
    rows.push(row(if report.series.is_some() { "Mode of the series" } else { "Series" }, place));
    if let Some(file) = &made.ledger {
        rows.push(row("Ledger after this release", &named(file)));
        let digest =
            if made.sealed { "SHA-256 of the ledger before it was sealed" } else { "SHA-256 of the ledger" };
        rows.push(row(digest, &file.sha256));
    }
    let intro = "Whoever holds a file can compute its SHA-256: if it is the one below, it is the file of this statement, byte for \
                 byte.";
    format!("{}{}", paragraph(intro), table(&["What", "Figure"], &rows))
}

/// Where the classes were computed, and what was sent there.
pub(super) fn searched(report: &Report, private: &Private) -> Option<Vec<String>> {
    let place = match report.searched? {
        Searched::Here => return Some(told("here: nothing was sent to another machine")),
        Searched::Worker => "on a worker",
        Searched::Machines => "on several machines, block by block",
    };
    Some(match &private.sent {
        Some(sent) => told(&format!(
            "{place}: numbers without names, {} in {}, were sent to {} on {} (UTC)",
            bytes(sent.bytes),
            counted(sent.messages as usize, "message", "messages"),
            sent.to,
            sent.at
        )),
        None => told(place),
    })
}

fn told(place: &str) -> Vec<String> {
    vec![String::from("Where the classes were computed"), place.to_owned()]
}

fn bytes(count: u64) -> String {
    if count == 1 { String::from("1 byte") } else { format!("{} bytes", thousands(count as usize)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The digests of the standard's own examples (FIPS 180-2, appendix B).
    #[test]
    fn digests_are_those_of_the_standard() {
        let million = vec![b'a'; 1_000_000];
        for (bytes, digest) in [
            (&b"abc"[..], "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (&million, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ] {
            assert_eq!(NamedFile::of(None, bytes).sha256, digest);
            assert_eq!(NamedFile::read(None, bytes).map(|file| file.sha256).ok().as_deref(), Some(digest));
        }
    }
}
