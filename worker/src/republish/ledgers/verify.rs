//! `lookalike ledger verify`: whether a ledger is whole, and its releases are the ones that it names and keep the guarantee together.

use std::{ffi::OsString, path::PathBuf};

use clap::{Args, Parser};
use lookalike_model::{
    ledger::{Ledger, Mode},
    settings::Model,
};
use lookalike_wire::{
    chain::{is_chain, of_ledger},
    ledger,
};

use super::{
    OpenedWith, chain, found, listed, print,
    told::{LedgerFault, LedgerTold},
};
use crate::{
    check::{self, Check},
    exit::Failure,
    files,
};

/// The flags.
#[derive(Debug, Args)]
pub(super) struct Verify {
    /// The ledger, or the chain of its releases (`ledger chain`), which holds nothing of people
    #[arg(value_name = "LEDGER|CHAIN")]
    ledger: PathBuf,
    #[command(flatten)]
    passphrase: OpenedWith,
    /// Folder with the published releases, by whatever names: each is found by its bytes, and all are judged together
    #[arg(long, value_name = "DIR")]
    releases: Option<PathBuf>,
    /// The link that a statement names: says which release it is of
    #[arg(long, value_name = "LINK")]
    link: Option<String>,
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
    let bytes = files::read(&args.ledger)?;
    // Who has sealed a ledger must not be shown a chain in its place.
    if !args.passphrase.is_given() && is_chain(&bytes) {
        return chain::verify(&bytes, &args.ledger, args.releases.as_deref(), args.link.as_deref());
    }
    let seal = args.passphrase.seal()?;
    let opened = seal.open(&args.ledger, &bytes)?;
    let ledger = ledger::read(&opened).map_err(|error| Failure::in_file(&args.ledger, error))?;
    let chained = of_ledger(&ledger);
    let mut lines = vec![LedgerTold::Whole { releases: ledger.releases.len() }.to_string()];
    lines.extend(chain::told(&chained));
    print(&lines)?;
    if let Some(told) = listed::fits(&args.ledger, (&ledger, &seal), (&bytes, &opened))? {
        print(&[told.to_string()])?;
    }
    chain::has(&chained, args.link.as_deref())?;
    let Some(folder) = &args.releases else { return Ok(()) };
    if ledger.releases.is_empty() {
        return Err(Failure::input(LedgerFault::NoRelease));
    }
    let found: Vec<PathBuf> =
        found::releases(folder, &ledger.releases)?.into_iter().map(|found| found.path).collect();
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
    files::tell(&told)?;
    if broken > 0 {
        return Err(Failure::audit(LedgerFault::Broken { checks: broken }));
    }
    Ok(())
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
