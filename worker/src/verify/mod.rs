//! `lookalike verify`: whether files are those of a run, and what of the run can be proven by them.
//!
//! * [`found`]: what is proven, claimed, unknown or false, as messages; [`again`]: the audit and the bound, computed again.

mod again;
mod found;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use clap::Args;
use lookalike_core::{
    code::{Digests, code},
    digest::{salted, sha256},
};
use lookalike_model::{
    report::{Private, Report},
    sent::Searched,
};
use lookalike_wire::manifest::{Listed, Manifest, Paper};
use lookalike_words::Said;
use serde_json::json;

pub(crate) use self::again::broken;
use self::found::{Finding, PaperNoun, Worth};
use crate::{
    exit::Failure,
    files,
    manifest::signature_of,
    republish::seal::{Named, Seal, Unsealed},
    signature::{Signed, Signers, judge},
};

/// The exit codes, for the help text.
pub(crate) const CODES: &str = "\
Exit codes: 0 nothing is false; 1 something is; 2 wrong usage or input; 4 input/output.

Examples:
  lookalike verify manifest.json
  lookalike verify manifest.json OUT.csv report.json --signer officer.pub
  lookalike verify manifest.json --source IN.csv --signer allowed_signers";

/// The flags.
#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// The manifest, as `--manifest` writes it
    #[arg(value_name = "MANIFEST")]
    manifest: PathBuf,
    /// Files of the run, known by their names [default: those beside the manifest]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The table that was anonymized: the private record shows that it is the source, and the certificate shows the bound
    #[arg(long, value_name = "IN.csv")]
    source: Option<PathBuf>,
    /// Whose signature counts: a public key of OpenSSH, or its list of allowed signers
    #[arg(long, value_name = "FILE")]
    signer: Option<PathBuf>,
    /// The signature [default: the manifest's name and .sig]
    #[arg(long, value_name = "FILE")]
    signature: Option<PathBuf>,
    /// File whose first line is the passphrase of a sealed ledger
    #[arg(long, value_name = "FILE", conflicts_with = "identity")]
    passphrase_file: Option<PathBuf>,
    /// File of your key (`age-keygen`), of a ledger that is sealed to it
    #[arg(long, value_name = "FILE")]
    identity: Option<PathBuf>,
    /// Write what was found as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// If something is false, or the manifest cannot be read.
pub(crate) fn run(args: &Verify) -> Result<(), Failure> {
    let bytes = files::read_small(&args.manifest)?;
    let manifest = Manifest::read(&bytes).map_err(|fault| Failure::in_file(&args.manifest, fault))?;
    let mut found = vec![signed(args, &bytes)?];
    let run = Run { args, manifest: &manifest, files: args.contents(&manifest)? };
    found.extend(run.papers());
    found.push(run.code());
    found.extend(run.report());
    let source = run.source()?;
    let values = if source == Some(Finding::Source) { again::values(&run)? } else { None };
    let compared = values == Some(Finding::Values);
    found.extend(source);
    found.push(again::audit(&run)?);
    found.extend(values);
    found.extend(again::guarantees(&run)?);
    found.extend(again::statements(&run));
    found.extend(again::bound(&run)?);
    found.extend(run.claims(compared));
    files::tell(&if args.json { as_json(&found)? } else { as_text(&found) })?;
    match found.iter().filter(|finding| finding.worth() == Worth::False).count() {
        0 => Ok(()),
        count => Err(Failure::audit(found::Verdict::False { count })),
    }
}

/// A run, as far as its files are there.
pub(super) struct Run<'a> {
    args: &'a Verify,
    manifest: &'a Manifest,
    /// The bytes of those that are, and where they were read; a sealed ledger's are those that were sealed.
    files: BTreeMap<Paper, (PathBuf, Vec<u8>)>,
}

impl Verify {
    /// Reads what there is of a run's files: those that are named, or stand beside the manifest.
    fn contents(&self, manifest: &Manifest) -> Result<BTreeMap<Paper, (PathBuf, Vec<u8>)>, Failure> {
        let beside = files::folder(&self.manifest);
        let mut contents = BTreeMap::new();
        for file in &manifest.files {
            let Some(name) = &file.name else { continue };
            let named = self.files.iter().find(|path| path.file_name().is_some_and(|of| of == name.as_str()));
            // A name is one of a file in that folder, and no way out of it.
            let there =
                Path::new(name).file_name().map(|name| beside.join(name)).filter(|path| path.is_file());
            let Some(path) = named.cloned().or(there) else { continue };
            let mut bytes = files::read(&path)?;
            if file.sealed {
                let (passphrase, identity) = (self.passphrase_file.as_deref(), self.identity.as_deref());
                let named = Named { passphrase, identity, others: &[] };
                let seal = Seal::named(named, Unsealed::Refused)?;
                seal.warn(named);
                let Some(opened) = open(&seal, &path, &bytes)? else { continue };
                bytes = opened;
            }
            contents.insert(file.what, (path, bytes));
        }
        // A file that belongs to nothing is a mistake that must not pass for a proof.
        let known = |path: &PathBuf| contents.values().any(|(known, _)| known == path);
        match self.files.iter().find(|path| !known(path)) {
            Some(path) => Err(Failure::input(found::Verdict::Foreign { path: path.display().to_string() })),
            None => Ok(contents),
        }
    }
}

/// What a sealed ledger holds; nothing without its passphrase or a key. Who has sealed it does not matter: the manifest has its digest.
fn open(seal: &Seal, path: &Path, bytes: &[u8]) -> Result<Option<Vec<u8>>, Failure> {
    if seal.is_keyed() { seal.open_of_anyone(path, bytes).map(Some) } else { Ok(None) }
}

fn signed(args: &Verify, manifest: &[u8]) -> Result<Finding, Failure> {
    let path = args.signature.clone().unwrap_or_else(|| signature_of(&args.manifest));
    let signers = args.signer.as_deref().map(Signers::read).transpose()?;
    if args.signature.is_none() && !path.exists() {
        return Ok(Finding::Unsigned { asked: signers.is_some() });
    }
    let signature = files::read(&path)?;
    Ok(match judge(manifest, &String::from_utf8_lossy(&signature), signers.as_ref()) {
        Signed::By(name) => Finding::Signed { name },
        Signed::Somebody(fingerprint) => Finding::Somebody { fingerprint },
        Signed::Stranger(fingerprint) => Finding::Stranger { fingerprint },
        Signed::Unknown(kind) => Finding::OtherKind { kind },
        Signed::Broken => Finding::Broken,
    })
}

impl Run<'_> {
    /// The bytes of a file that is there.
    fn bytes(&self, what: Paper) -> Option<&[u8]> {
        self.files.get(&what).map(|(_, bytes)| bytes.as_slice())
    }

    /// Whether a file is there and the one of the run.
    fn is_own(&self, what: Paper) -> bool {
        let own = self.manifest.file(what).zip(self.bytes(what));
        own.is_some_and(|(listed, bytes)| listed.sha256 == sha256(bytes))
    }

    /// Whether each file is the one of the run.
    fn papers(&self) -> impl Iterator<Item = Finding> {
        self.manifest.files.iter().map(|Listed { what, name, sealed, .. }| {
            let (paper, name) = (PaperNoun::from(*what), name.clone());
            match name {
                None => Finding::NoName { paper },
                Some(name) if self.is_own(*what) => Finding::Own { paper, name },
                Some(name) if self.files.contains_key(what) => Finding::Other { paper, name },
                Some(name) if *sealed => Finding::Sealed { paper, name },
                Some(name) => Finding::NotThere { paper, name },
            }
        })
    }

    /// Whether the short code is that of the digests.
    fn code(&self) -> Finding {
        let digest = |what| self.manifest.file(what).map(|file| file.sha256.as_str());
        let found = code(Digests {
            release: digest(Paper::Release).unwrap_or_default(),
            report: digest(Paper::Report),
            source: self.manifest.source.as_deref(),
            ledger: digest(Paper::Ledger),
        });
        if found == self.manifest.code {
            Finding::Code { code: found }
        } else {
            Finding::OtherCode { code: found }
        }
    }

    /// Whether the report is about the release.
    fn report(&self) -> Option<Finding> {
        let bytes = self.bytes(Paper::Report).filter(|_| self.is_own(Paper::Report))?;
        let Ok(report) = serde_json::from_slice::<Report>(bytes) else { return Some(Finding::NoReport) };
        let release = self.manifest.file(Paper::Release)?;
        Some(match report.table_sha256 {
            Some(digest) if digest == release.sha256 => Finding::Report,
            _ => Finding::OtherReport,
        })
    }

    /// Whether the source is the one.
    fn source(&self) -> Result<Option<Finding>, Failure> {
        let Some(named) = &self.manifest.source else { return Ok(None) };
        let Some(path) = &self.args.source else { return Ok(Some(Finding::NoSource)) };
        let private =
            self.bytes(Paper::Private).and_then(|bytes| serde_json::from_slice::<Private>(bytes).ok());
        let Some(digest) = private.and_then(|private| private.source) else {
            return Ok(Some(Finding::NoSalt));
        };
        // The salt must be the one that the manifest means: else the record is of another run.
        if salted(&digest).as_ref() != Some(named) {
            return Ok(Some(Finding::OtherSalt));
        }
        let bytes = files::read(path)?;
        let own = digest.sha256 == sha256(&bytes) || digest.sha256 == again::digest_of_text(self, path)?;
        Ok(Some(if own { Finding::Source } else { Finding::OtherSource }))
    }

    /// What nobody can prove later; `compared` if the sensitive values of each class are proven to be those of the source.
    fn claims(&self, compared: bool) -> Vec<Finding> {
        let Manifest { made, version, revision, searched, sent, .. } = self.manifest;
        let mut claims = vec![Finding::Made {
            at: made.clone(),
            version: version.clone(),
            revision: u64::from(*revision),
        }];
        if *searched == Some(Searched::Here) && sent.is_empty() {
            claims.push(Finding::Here);
        }
        claims.push(Finding::Figures { compared });
        claims.extend(sent.iter().map(|sent| Finding::Sent {
            to: sent.to.clone(),
            at: sent.at.clone(),
            bytes: sent.bytes,
            messages: sent.messages,
        }));
        claims
    }
}

/// That so many checks fail, as a message.
pub(crate) fn failed(broken: usize) -> Said {
    Finding::AuditFailed { broken }.into()
}

fn as_text(found: &[Finding]) -> String {
    let mut lines = Vec::new();
    for worth in Worth::ALL {
        let mut some = found.iter().filter(|finding| finding.worth() == worth).peekable();
        if some.peek().is_some() {
            lines.push(worth.to_string());
            lines.extend(some.map(|finding| format!("  {finding}")));
        }
    }
    lines.push(String::new());
    lines.join("\n")
}

fn as_json(found: &[Finding]) -> Result<String, Failure> {
    let list: Vec<_> = found
        .iter()
        .map(|finding| json!({ "worth": finding.worth().name(), "finding": Said::from(finding.clone()) }))
        .collect();
    let text = serde_json::to_string_pretty(&json!({ "findings": list })).map_err(|e| Failure::json(&e))?;
    Ok(text + "\n")
}
