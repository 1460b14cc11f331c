//! `lookalike ledger diff`.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use clap::Args;
use lookalike_model::ledger::Ledger;
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
    print(&told(&old, &new, args.people))
}

/// Refuses two ledgers of which the second is not a later state of the first.
fn later(old: &Ledger, new: &Ledger, from: &Path, to: &Path) -> Result<(), Failure> {
    let prefix = new.releases.starts_with(&old.releases);
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

/// Everybody in the last release, with the sensitive value.
fn present(ledger: &Ledger) -> BTreeMap<&str, &str> {
    let number = ledger.number();
    let last = ledger.individuals.iter().filter_map(|(name, stays)| Some((name, stays.last()?)));
    let there = last.filter(|(_, stay)| number > 0 && stay.last == number);
    let value = |place: u32| ledger.values.get(place as usize).map_or("", String::as_str);
    there.map(|(name, stay)| (name.as_str(), value(stay.value))).collect()
}

/// What differs, a line each.
pub(in crate::republish) fn told(old: &Ledger, new: &Ledger, people: bool) -> Vec<String> {
    let (before, after) = (present(old), present(new));
    let came: Vec<&str> = after.keys().filter(|name| !before.contains_key(*name)).copied().collect();
    let left: Vec<&str> = before.keys().filter(|name| !after.contains_key(*name)).copied().collect();
    let both = before.iter().filter_map(|(name, value)| Some((*name, *value, *after.get(name)?)));
    let (changed, stayed): (Vec<_>, Vec<_>) = both.partition(|(_, before, after)| before != after);
    let mut lines = vec![
        LedgerTold::Differs {
            from: old.releases.len(),
            to: new.releases.len(),
            came: came.len(),
            back: came.iter().filter(|name| old.individuals.contains_key(**name)).count(),
            left: left.len(),
            changed: changed.len(),
            stayed: stayed.len(),
        }
        .to_string(),
    ];
    if people {
        let names = |of: &[&str]| of.iter().map(|&name| name.into()).collect::<Vec<Name>>();
        let changed: Vec<&str> = changed.iter().map(|(name, ..)| *name).collect();
        let all = [
            (!came.is_empty()).then(|| LedgerTold::Came { names: names(&came) }),
            (!left.is_empty()).then(|| LedgerTold::Left { names: names(&left) }),
            (!changed.is_empty()).then(|| LedgerTold::Changed { names: names(&changed) }),
        ];
        lines.extend(all.into_iter().flatten().map(|line| line.to_string()));
    }
    lines
}
