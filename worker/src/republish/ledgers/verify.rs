//! `lookalike ledger verify`: whether a ledger is whole, and its releases are the ones that it names and keep the guarantee together.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use clap::{Args, Parser};
use lookalike_model::{
    ledger::{Ledger, Mode},
    settings::Model,
};

use super::{
    OpenedWith, print,
    told::{LedgerFault, LedgerTold},
};
use crate::{
    check::{self, Check},
    exit::{Attempt, Failure},
    files,
};

/// The flags.
#[derive(Debug, Args)]
pub(super) struct Verify {
    /// The ledger
    #[arg(value_name = "LEDGER")]
    ledger: PathBuf,
    #[command(flatten)]
    passphrase: OpenedWith,
    /// Folder with the published releases, by whatever names: each is found by its bytes, and all are judged together
    #[arg(long, value_name = "DIR")]
    releases: Option<PathBuf>,
}

/// The judge's command line.
#[derive(Debug, Parser)]
#[command(no_binary_name = true)]
struct Judge {
    #[command(flatten)]
    check: Check,
}

/// Runs the command.
pub(super) fn run(args: &Verify) -> Result<(), Failure> {
    let ledger = args.passphrase.open(&args.ledger)?;
    print(&[LedgerTold::Whole { releases: ledger.releases.len() }.to_string()])?;
    let Some(folder) = &args.releases else { return Ok(()) };
    if ledger.releases.is_empty() {
        return Err(Failure::input(LedgerFault::NoRelease));
    }
    let found = found(folder, &ledger)?;
    print(
        &found
            .iter()
            .enumerate()
            .map(|(at, path)| {
                LedgerTold::Found { release: at + 1, path: path.display().to_string() }.to_string()
            })
            .collect::<Vec<_>>(),
    )?;
    let judge = Judge::try_parse_from(question(args, &ledger, found))
        .map_err(|e| Failure::input(lookalike_words::Said::verbatim(e.to_string())))?;
    let (told, broken) = check::judged(&judge.check)?;
    files::print(told.as_bytes())?;
    if broken > 0 {
        return Err(Failure::audit(LedgerFault::Broken { checks: broken }));
    }
    Ok(())
}

/// The file of each release, by its bytes.
fn found(folder: &Path, ledger: &Ledger) -> Result<Vec<PathBuf>, Failure> {
    let fail = |e: &std::io::Error| Failure::io(Attempt::Read, folder, e);
    let mut by_hash: BTreeMap<String, PathBuf> = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(|e| fail(&e))? {
        let path = entry.map_err(|e| fail(&e))?.path();
        if path.is_file() {
            let hash = blake3::hash(&files::read(&path)?).to_hex().to_string();
            let known = by_hash.entry(hash).or_insert_with(|| path.clone());
            // Of several copies the first by name, in whatever order the system lists them.
            if path < *known {
                *known = path;
            }
        }
    }
    let missing: Vec<usize> = ledger
        .releases
        .iter()
        .zip(1..)
        .filter_map(|(release, number)| (!by_hash.contains_key(&release.hash)).then_some(number))
        .collect();
    if !missing.is_empty() {
        let folder = folder.display().to_string();
        return Err(Failure::audit(LedgerFault::Missing { releases: missing, folder }));
    }
    Ok(ledger.releases.iter().filter_map(|release| by_hash.get(&release.hash).cloned()).collect())
}

/// What `lookalike check` is asked of these releases.
fn question(args: &Verify, ledger: &Ledger, releases: Vec<PathBuf>) -> Vec<OsString> {
    let model = match ledger.mode {
        Mode::TauSafety => "tau-safety",
        Mode::Incremental | Mode::MInvariance => "m-invariance",
    };
    let m = match ledger.settings.model {
        Model::MInvariance { m } | Model::KAnonymity { k: m } => m,
    };
    let mut line: Vec<OsString> = [
        "--model".into(),
        model.into(),
        "--m".into(),
        m.to_string().into(),
        "--ledger".into(),
        args.ledger.clone().into(),
    ]
    .to_vec();
    if let Some(file) = &args.passphrase.passphrase_file {
        line.extend(["--passphrase-file".into(), file.clone().into()]);
    }
    if let Some(file) = &args.passphrase.identity {
        line.extend(["--identity".into(), file.clone().into()]);
    }
    for key in &args.passphrase.sealed_by {
        line.extend(["--sealed-by".into(), key.into()]);
    }
    if let Some(class) = ledger.settings.class_column.name() {
        line.extend(["--class".into(), class.into()]);
    }
    line.push("--".into());
    line.extend(releases.into_iter().map(OsString::from));
    line
}
