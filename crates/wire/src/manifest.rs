//! The manifest of a run: what it was, and the digests of its files. `lookalike verify` holds files against it.
//!
//! JSON, signed as the bytes that it is by whoever answers for the run (`ssh-keygen -Y sign -n lookalike-manifest`). It names no
//! value of the table: its source is there by a digest with a salt that only the private record has.

use lookalike_model::{
    REVISION,
    report::{Private, Report},
    sent::{Searched, Sent},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of this form.
pub const VERSION: u32 = 1;

/// The namespace of a signature: one for something else is none of a manifest.
pub const NAMESPACE: &str = "lookalike-manifest";

/// The manifest of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// [`VERSION`].
    pub manifest: u32,
    /// When the run was made: UTC, as in `2026-05-01T14:03:22Z`.
    pub made: String,
    /// Version of the program.
    pub version: String,
    /// Revision of its algorithms.
    pub revision: u32,
    /// SHA-256 of the salt and the digest of the source, as the statement has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The settings, as a configuration without a seed.
    pub configuration: Value,
    /// Where the classes were computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub searched: Option<Searched>,
    /// What was sent elsewhere for that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sent: Vec<Sent>,
    /// The files of the run.
    pub files: Vec<Listed>,
    /// The short code of release, report, source and ledger, as the statement prints it.
    pub code: String,
}

/// A file of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listed {
    /// What it is.
    pub what: Paper,
    /// Its name without its folder; `None` for standard output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
    /// It is sealed, and the digest is that of what was sealed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sealed: bool,
}

/// What a file of a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Paper {
    /// The published table.
    Release,
    /// The report.
    Report,
    /// The statement.
    Statement,
    /// The statement as data.
    StatementJson,
    /// The duals that prove the bound.
    Certificate,
    /// The private record.
    Private,
    /// Which row is in which class.
    Classes,
    /// The configuration.
    Configuration,
    /// Counterfeits of each class.
    Counterfeits,
    /// The ledger after the release.
    Ledger,
    /// What the columns of the published table are.
    Schema,
}

/// What only whoever carries out a run knows of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Around {
    /// When it was made: UTC.
    pub made: String,
    /// The salted digest of the source.
    pub source: Option<String>,
    /// The settings, as a configuration without a seed.
    pub configuration: Value,
    /// The short code of its digests.
    pub code: String,
}

impl Manifest {
    /// The manifest of a run with these files.
    #[must_use]
    pub fn of(around: Around, report: &Report, private: &Private, mut files: Vec<Listed>) -> Self {
        let Around { made, source, configuration, code } = around;
        files.sort_by_key(|file| file.what);
        Self {
            manifest: VERSION,
            made,
            version: report.version.clone(),
            revision: REVISION,
            source,
            configuration,
            searched: report.searched,
            sent: private.sent.iter().chain(&private.sent_before).cloned().collect(),
            files,
            code,
        }
    }

    /// The file of this kind.
    #[must_use]
    pub fn file(&self, what: Paper) -> Option<&Listed> {
        self.files.iter().find(|file| file.what == what)
    }

    /// As it is written.
    ///
    /// # Errors
    /// Never: it is text and numbers.
    pub fn write(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// Reads it.
    ///
    /// # Errors
    /// If it is no manifest, or one of another version: that is said of a version first.
    pub fn read(bytes: &[u8]) -> Result<Self, ManifestFault> {
        #[derive(Deserialize)]
        struct Head {
            manifest: u32,
        }
        let malformed = |e: serde_json::Error| ManifestFault::Malformed { why: e.to_string() };
        let Head { manifest } = serde_json::from_slice(bytes).map_err(malformed)?;
        if manifest != VERSION {
            return Err(ManifestFault::Version { found: manifest, known: VERSION });
        }
        serde_json::from_slice(bytes).map_err(malformed)
    }
}

lookalike_words::messages! {
    in "wire";

    /// Why a manifest cannot be read.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum ManifestFault {
        /// It is not one.
        Malformed {
            /// Why and where.
            why: String,
        },
        /// It is of another version.
        Version {
            /// Its version.
            found: u32,
            /// The one that is known.
            known: u32,
        },
    }
}
