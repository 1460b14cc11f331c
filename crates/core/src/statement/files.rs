//! The files of a run, as a statement names them, and where the run was made. The core has no clock and no files: dates, names and
//! digests come from the caller.

use std::io::{self, Read};

use lookalike_model::{
    document::{Part, Table},
    report::{Private, Report},
    sent::Searched,
};
use lookalike_words::{AsArg, Said, messages};
use sha2::{Digest as _, Sha256};

use super::StatementColumn;

messages! {
    in "core";

    /// What a statement says of the files of a run.
    enum StatementFile {
        /// What the digests are for.
        Digests,
        /// Date and time.
        MadeOn,
        /// The file that was read.
        Source,
        /// No file: standard input.
        StandardInput,
        /// No file: standard output.
        StandardOutput,
        /// The published table.
        Table,
        /// Its digest.
        TableDigest,
        /// The report.
        Report,
        /// Its digest.
        ReportDigest,
        /// The report was not written.
        NotWritten,
        /// Which release of a series.
        Release,
        /// The mode of the series.
        Mode,
        /// The series.
        Series,
        /// There is no series.
        NoSeries,
        /// The ledger after this release.
        Ledger,
        /// Its digest.
        LedgerDigest,
        /// The digest of what was sealed.
        OpenLedgerDigest,
    }

    /// Where classes were computed.
    enum StatementSearched {
        /// On this machine.
        Here,
        /// Elsewhere, and what was sent there.
        Sent {
            /// Where.
            place: StatementMachines,
            /// Bytes that were sent.
            bytes: u64,
            /// In so many messages.
            messages: u64,
            /// To which address.
            to: String,
            /// When.
            at: String,
        },
    }

    /// Machines other than this one.
    enum StatementMachines {
        /// One worker.
        Worker,
        /// Several, a block each.
        Several,
    }
}

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
pub(super) fn files(report: &Report, made: &Made) -> Vec<Part> {
    let named = |file: &NamedFile| {
        file.name.as_ref().map_or_else(|| StatementFile::StandardOutput.as_arg(), AsArg::as_arg)
    };
    let source = match &made.source {
        Some(name) => name.as_arg(),
        None => StatementFile::StandardInput.as_arg(),
    };
    let mut rows = vec![
        vec![StatementFile::MadeOn.as_arg(), made.at.as_arg()],
        vec![StatementFile::Source.as_arg(), source],
        vec![StatementFile::Table.as_arg(), named(&made.release)],
        vec![StatementFile::TableDigest.as_arg(), made.release.sha256.as_arg()],
    ];
    match &made.report {
        Some(file) => {
            rows.push(vec![StatementFile::Report.as_arg(), named(file)]);
            rows.push(vec![StatementFile::ReportDigest.as_arg(), file.sha256.as_arg()]);
        }
        None => rows.push(vec![StatementFile::Report.as_arg(), StatementFile::NotWritten.as_arg()]),
    }
    match report.series {
        Some(series) => {
            rows.push(vec![StatementFile::Release.as_arg(), series.release.as_arg()]);
            rows.push(vec![StatementFile::Mode.as_arg(), series.mode.name().as_arg()]);
        }
        None => rows.push(vec![StatementFile::Series.as_arg(), StatementFile::NoSeries.as_arg()]),
    }
    if let Some(file) = &made.ledger {
        rows.push(vec![StatementFile::Ledger.as_arg(), named(file)]);
        let digest = if made.sealed { StatementFile::OpenLedgerDigest } else { StatementFile::LedgerDigest };
        rows.push(vec![digest.as_arg(), file.sha256.as_arg()]);
    }
    let mut table = Table::of([StatementColumn::What, StatementColumn::Figure]);
    table.rows = rows;
    vec![Part::Paragraph(StatementFile::Digests.into()), Part::Table(table)]
}

/// Where the classes were computed, and what was sent there.
pub(super) fn searched(report: &Report, private: &Private) -> Option<Said> {
    let place = match report.searched? {
        Searched::Here => return Some(StatementSearched::Here.into()),
        Searched::Worker => StatementMachines::Worker,
        Searched::Machines => StatementMachines::Several,
    };
    Some(match &private.sent {
        Some(sent) => StatementSearched::Sent {
            place,
            bytes: sent.bytes,
            messages: sent.messages,
            to: sent.to.clone(),
            at: sent.at.clone(),
        }
        .into(),
        None => place.into(),
    })
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
