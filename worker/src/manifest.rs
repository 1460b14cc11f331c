//! `--manifest` and `--sign-key`: what ties a run to its files, for `lookalike verify`.

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};

use lookalike_core::{
    digest::{salted, sha256},
    pipeline::Outcome,
    statement::Made,
};
use lookalike_wire::{
    config::Draft,
    manifest::{Around, Listed, Manifest, Paper},
};

use crate::{
    anonymize::{Output, name_of},
    configuration,
    exit::Failure,
    signature::Signer,
};

/// The flags.
#[derive(Debug, clap::Args)]
pub(crate) struct ManifestArgs {
    /// What the run was and the digests of its files, for `lookalike verify`: not to be published
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    manifest: Option<PathBuf>,
    /// Sign the manifest with this key (OpenSSH, Ed25519, without a passphrase): FILE.sig, as `ssh-keygen -Y sign -n
    /// lookalike-manifest` makes it, which also signs with other keys
    #[arg(long, value_name = "KEY", requires = "manifest", help_heading = "Output")]
    sign_key: Option<PathBuf>,
    #[arg(skip)]
    signature: OnceLock<PathBuf>,
}

impl ManifestArgs {
    /// Where the manifest goes, if anywhere.
    pub(crate) fn manifest(&self) -> Option<&Path> {
        self.manifest.as_deref()
    }

    /// Where its signature goes, if it is signed.
    pub(crate) fn signature(&self) -> Option<&Path> {
        self.sign_key.as_ref()?;
        let manifest = self.manifest.as_ref()?;
        Some(self.signature.get_or_init(|| signature_of(manifest)))
    }

    /// Who signs.
    ///
    /// # Errors
    /// If the key cannot be used.
    pub(crate) fn signer(&self) -> Result<Option<Signer>, Failure> {
        self.sign_key.as_deref().map(Signer::read).transpose()
    }
}

/// The file of a manifest's signature.
pub(crate) fn signature_of(manifest: &Path) -> PathBuf {
    let mut name = manifest.as_os_str().to_owned();
    name.push(".sig");
    PathBuf::from(name)
}

/// The manifest of a run whose other outputs have these contents.
///
/// # Errors
/// If the settings cannot be written.
pub(crate) fn manifest(
    outputs: &[(&Path, Output)],
    contents: &[Vec<u8>],
    outcome: &Outcome,
    (draft, made): (&Draft, &Made),
) -> Result<Vec<u8>, Failure> {
    let release = Listed {
        what: Paper::Release,
        name: made.release.name.clone(),
        sha256: made.release.sha256.clone(),
        sealed: false,
    };
    // Out of core classes are not held here.
    let held = |what: Output| made.block_rows.is_none() || what != Output::Classes;
    let others = outputs.iter().zip(contents).filter_map(|((path, what), bytes)| {
        let paper = paper(*what).filter(|_| held(*what))?;
        Some(Listed { what: paper, name: name_of(path), sha256: sha256(bytes), sealed: false })
    });
    let ledger = made.ledger.as_ref().map(|file| Listed {
        what: Paper::Ledger,
        name: file.name.clone(),
        sha256: file.sha256.clone(),
        sealed: made.sealed,
    });
    let files = std::iter::once(release).chain(others).chain(ledger).collect();
    let configuration = configuration::saved(&outcome.pinned, draft)?;
    let (report, private) = (&outcome.report, &outcome.private);
    let around = Around {
        made: made.at.clone(),
        source: private.source.as_ref().and_then(salted),
        configuration: serde_json::from_slice(&configuration).map_err(|e| Failure::json(&e))?,
        code: made.code(private),
    };
    Manifest::of(around, report, private, files).write().map_err(|e| Failure::json(&e))
}

/// What an output is; nothing of those that are made after the manifest, and of the release, which need not be a file.
fn paper(what: Output) -> Option<Paper> {
    Some(match what {
        Output::Report => Paper::Report,
        Output::Statement => Paper::Statement,
        Output::StatementJson => Paper::StatementJson,
        Output::Certificate => Paper::Certificate,
        Output::Private => Paper::Private,
        Output::Classes => Paper::Classes,
        Output::Config => Paper::Configuration,
        Output::Schema => Paper::Schema,
        Output::Counts => Paper::Counterfeits,
        Output::Published | Output::Manifest | Output::Signature => return None,
    })
}
