//! The files of a run, as a statement names them, and where the run was made. The core has no clock and no files: dates, names and
//! digests come from the caller.

use std::io::{self, Read};

use lookalike_model::{
    document::{Part, Table},
    report::{Private, Report},
    sent::{Searched, Sent},
    statement::{Attempts, Program},
};
use lookalike_words::{AsArg, Said, messages};

use crate::{
    code::{Digests, code},
    digest::{salted, sha256, sha256_of},
};

messages! {
    in "core";

    /// What a statement says of the files of a run.
    enum StatementFile {
        /// What was sent before in the same session.
        Before,
        /// What the digests are for.
        Digests {
            /// Whether the source has one, too.
            source: bool,
        },
        /// Date and time.
        MadeOn,
        /// The file that was read.
        Source,
        /// The digest of the source with its salt.
        SourceDigest,
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
        /// By what the run was made.
        Program,
        /// A version of it on the command line.
        OnCommandLine {
            /// The version.
            version: String,
        },
        /// A version of it in a browser.
        InBrowser {
            /// The version.
            version: String,
        },
        /// The short code of the digests.
        Code,
        /// Where the classes were computed.
        Place,
    }

    /// Where classes were computed.
    enum StatementSearched {
        /// Sent before, for another result.
        Before {
            /// Bytes.
            bytes: u64,
            /// In so many messages.
            messages: u64,
            /// Where to.
            to: String,
            /// When.
            at: String,
        },
        /// On this machine, by the command line.
        Here,
        /// In this tab of a browser.
        Tab,
        /// All of it elsewhere, where the table was sent.
        Table {
            /// Bytes that were sent.
            bytes: u64,
            /// To which address.
            to: String,
            /// When.
            at: String,
        },
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

/// When a release was made, and its files.
#[derive(Clone, Debug, Default, PartialEq)]
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
    /// What carried out the run.
    pub program: Program,
    /// The ledger is sealed: its digest is of what was sealed, and not of the file.
    pub sealed: bool,
    /// Attacks that were tried on the published bytes; `None` where none were asked for.
    pub attacks: Option<Attempts>,
}

impl Made {
    /// The short code of the run's digests.
    #[must_use]
    pub fn code(&self, private: &Private) -> String {
        let source = private.source.as_ref().and_then(salted);
        code(Digests {
            release: &self.release.sha256,
            report: self.report.as_ref().map(|file| file.sha256.as_str()),
            source: source.as_deref(),
            ledger: self.ledger.as_ref().map(|file| file.sha256.as_str()),
        })
    }
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
        Self { name, sha256: sha256(bytes) }
    }

    /// A file that is read from its beginning to its end.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(name: Option<String>, source: impl Read) -> io::Result<Self> {
        Ok(Self { name, sha256: sha256_of(source)? })
    }
}

/// Date, files, digests: what ties the paper to the bytes.
pub(super) fn files(report: &Report, private: &Private, made: &Made) -> Vec<Part> {
    let named = |file: &NamedFile| {
        file.name.as_ref().map_or_else(|| StatementFile::StandardOutput.as_arg(), AsArg::as_arg)
    };
    let source = match &made.source {
        Some(name) => name.as_arg(),
        None => StatementFile::StandardInput.as_arg(),
    };
    let version = report.version.clone();
    let program = match made.program {
        Program::CommandLine => StatementFile::OnCommandLine { version },
        Program::Page => StatementFile::InBrowser { version },
    };
    let mut rows = vec![
        vec![StatementFile::MadeOn.as_arg(), made.at.as_arg()],
        vec![StatementFile::Program.as_arg(), program.as_arg()],
    ];
    rows.extend(
        searched(report, private, made).map(|place| vec![StatementFile::Place.as_arg(), place.as_arg()]),
    );
    rows.extend(private.sent_before.iter().map(|sent| {
        let before = StatementSearched::Before {
            bytes: sent.bytes,
            messages: sent.messages,
            to: sent.to.clone(),
            at: sent.at.clone(),
        };
        vec![StatementFile::Before.as_arg(), before.as_arg()]
    }));
    rows.push(vec![StatementFile::Source.as_arg(), source]);
    let digest = private.source.as_ref().and_then(salted);
    let told = StatementFile::Digests { source: digest.is_some() };
    rows.extend(digest.map(|digest| vec![StatementFile::SourceDigest.as_arg(), digest.as_arg()]));
    rows.extend([
        vec![StatementFile::Table.as_arg(), named(&made.release)],
        vec![StatementFile::TableDigest.as_arg(), made.release.sha256.as_arg()],
    ]);
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
    rows.push(vec![StatementFile::Code.as_arg(), made.code(private).as_arg()]);
    let table = Table { head: Vec::new(), rows };
    vec![Part::Table(table), Part::Paragraph(told.into())]
}

/// Where the classes were computed, and what was sent there.
fn searched(report: &Report, private: &Private, made: &Made) -> Option<Said> {
    let place = match (report.searched?, made.program) {
        (Searched::Here, Program::CommandLine) => return Some(StatementSearched::Here.into()),
        (Searched::Here, Program::Page) => return Some(StatementSearched::Tab.into()),
        (Searched::TableOnWorker, _) => {
            let Sent { to, at, bytes, .. } = private.sent.clone().unwrap_or_default();
            return Some(StatementSearched::Table { bytes, to, at }.into());
        }
        (Searched::Worker, _) => StatementMachines::Worker,
        (Searched::Machines, _) => StatementMachines::Several,
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
