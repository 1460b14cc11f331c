//! `lookalike ledger diff`.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use clap::Args;
use lookalike_model::ledger::{Between, Ledger, Release};
use lookalike_wire::ledger::fingerprint;
use lookalike_words::Name;

use super::{
    OpenedWith, print,
    told::{LedgerFault, LedgerTold},
};
use crate::exit::Failure;

/// The flags.
#[derive(Debug, Args)]
pub(super) struct Diff {
    /// The older state of the ledger
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The newer state
    #[arg(value_name = "NEW")]
    new: PathBuf,
    #[command(flatten)]
    passphrase: OpenedWith,
    /// Name the people, too
    #[arg(long)]
    people: bool,
}

/// Runs the command.
pub(super) fn run(args: &Diff) -> Result<(), Failure> {
    let (old, new) = (args.passphrase.open(&args.old)?, args.passphrase.open(&args.new)?);
    later(&old, &new, &args.old, &args.new)?;
    print(&told(&old, &new, args.people.then_some(&BTreeMap::new())))
}

/// Refuses two ledgers of which the second is not a later state of the first.
fn later(old: &Ledger, new: &Ledger, from: &Path, to: &Path) -> Result<(), Failure> {
    // Erasing a person forgets the random digits of releases.
    let releases = |ledger: &Ledger| -> Vec<Release> {
        ledger.releases.iter().map(|release| Release { nonce: None, ..release.clone() }).collect()
    };
    let prefix = releases(new).starts_with(&releases(old));
    if prefix && old.series == new.series {
        return from_it(old, new, from);
    }
    let (old, new) = (from.display().to_string(), to.display().to_string());
    Err(Failure::input(LedgerFault::NotLater { old, new }))
}

/// Refuses an older ledger that is not the state from which the next release says that it was made.
fn from_it(old: &Ledger, new: &Ledger, from: &Path) -> Result<(), Failure> {
    let next = new.releases.get(old.releases.len()).and_then(|release| release.before.as_ref());
    let Some(before) = next else { return Ok(()) };
    if *before == fingerprint(old).map_err(Failure::system)? {
        return Ok(());
    }
    let (old, release) = (from.display().to_string(), old.releases.len() + 1);
    Err(Failure::audit(LedgerFault::OtherState { old, release }))
}

/// What differs, a line each. People are named where `people` is given, by the names that it has for pseudonyms.
pub(in crate::republish) fn told(
    old: &Ledger,
    new: &Ledger,
    people: Option<&BTreeMap<String, &str>>,
) -> Vec<String> {
    let Between { from, to, came, back, left, changed, stayed } = old.until(new);
    let counted = LedgerTold::Differs {
        from,
        to,
        came: came.len(),
        back,
        left: left.len(),
        changed: changed.len(),
        stayed,
    };
    let mut lines = vec![counted.to_string()];
    if let Some(people) = people {
        let named = |name: &str| people.get(name).copied().unwrap_or(name).into();
        let names = |of: &[&str]| of.iter().map(|&name| named(name)).collect::<Vec<Name>>();
        let all = [
            (!came.is_empty()).then(|| LedgerTold::Came { names: names(&came) }),
            (!left.is_empty()).then(|| LedgerTold::Left { names: names(&left) }),
            (!changed.is_empty()).then(|| LedgerTold::Changed { names: names(&changed) }),
        ];
        lines.extend(all.into_iter().flatten().map(|line| line.to_string()));
    }
    lines
}
