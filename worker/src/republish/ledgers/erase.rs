//! `lookalike ledger erase`: people whom a ledger does not name any more. What it means: docs/republish.md.

use std::path::{Path, PathBuf};

use clap::Args;
use lookalike_core::republish::pseudonyms::{Key, fits};
use lookalike_model::ledger::{ERASED, Ledger, Mode};
use lookalike_wire::ledger;
use lookalike_words::Name;

use super::{
    super::{
        lock::{self, Lock},
        pseudonyms,
        seal::{Named, Seal, Unsealed, is_sealed},
        state::of_old,
        used::{self, Beside, Fate, Used},
        writing::{self, Held, hold, read_if_there, settle},
    },
    names, print, random,
    told::{LedgerFault, LedgerTold},
};
use crate::{exit::Failure, files};

/// How many names a message shows.
const SHOWN: usize = 5;

/// The flags.
#[derive(Debug, Args)]
pub(super) struct Erase {
    /// The ledger
    #[arg(value_name = "LEDGER")]
    ledger: PathBuf,
    /// File with the names of the people to erase, a line each
    #[arg(long, value_name = "FILE")]
    people: PathBuf,
    /// File of the key, made by `lookalike ledger key`
    #[arg(long, value_name = "FILE")]
    pseudonym_key: PathBuf,
    /// Keep no mark of them: then nothing tells in the ledger that they were in it, nor that they come back
    #[arg(long)]
    forget: bool,
    /// File whose first line is the passphrase of a sealed ledger
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// File of your key, as `age-keygen` writes it, of a ledger that is sealed to it
    #[arg(long, value_name = "FILE", conflicts_with = "passphrase_file")]
    identity: Option<PathBuf>,
    /// Public key (age1...) of another holder of the ledger, or a file of such keys; may be given several times
    #[arg(long, value_name = "KEY", requires = "identity")]
    seal_to: Vec<String>,
}

/// Runs the command. The ledger without them is held beside the old one, whose state is marked before it is replaced: where the run is
/// killed in between, it is run again.
pub(super) fn run(args: &Erase) -> Result<(), Failure> {
    let key = pseudonyms::read(&args.pseudonym_key)?;
    let people = names(&args.people)?;
    let (passphrase, identity) = (args.passphrase_file.as_deref(), args.identity.as_deref());
    let named = Named { passphrase, identity, others: &args.seal_to };
    let seal = Seal::named(named, Unsealed::Refused)?;
    let path = lock::file_of(&args.ledger)?;
    lock::may_be_replaced(&path)?;
    let _lock = Lock::take(&path)?;
    let bytes = files::read(&path)?;
    let opened = seal.open(&path, &bytes)?;
    let ledger = ledger::read(&opened).map_err(|error| Failure::in_file(&path, error))?;
    fits(Some(&ledger), Some(&key)).map_err(|error| Failure::in_file(&path, error.said()))?;
    let plain = !is_sealed(&bytes) || of_old(Some(&ledger));
    let known = Used::read(&path, Beside { seal: &seal, series: Some(&ledger.series), plain })?;
    let states = used::names(Some(&ledger), Some(&opened))?;
    let next = match begun(&path, &ledger, &seal)? {
        Some(next) => next,
        None if known.fate(&states).is_some() => {
            return Err(Failure::input(LedgerFault::OldState { path: path.display().to_string() }));
        }
        None => without(&ledger, &key, &people, !args.forget)?,
    };
    let sealed = seal.close(ledger::write(&next).map_err(Failure::system)?)?;
    hold(&writing::pending(&path), &sealed, Some(&path), Held::Replaced)?;
    let states: Vec<(Fate, String)> = states.into_iter().map(|state| (Fate::Erased, state)).collect();
    settle(&path, (&known, &states), &next, &seal)?;
    let people = next.erased() - ledger.erased();
    print(&[LedgerTold::ErasedFrom { people, ledger: path.display().to_string() }.to_string()])
}

/// The ledger that an erasure has held which was killed.
fn begun(path: &Path, ledger: &Ledger, seal: &Seal) -> Result<Option<Ledger>, Failure> {
    let held = writing::pending(path);
    let Some(bytes) = read_if_there(&held)? else { return Ok(None) };
    let waiting = ledger::read(&seal.open(&held, &bytes)?).map_err(|error| Failure::in_file(&held, error))?;
    if ledger.is_erased_in(&waiting) {
        return Ok(Some(waiting));
    }
    Err(Failure::input(LedgerFault::Interrupted { path: held.display().to_string() }))
}

/// The ledger without these people.
fn without(ledger: &Ledger, key: &Key, people: &[String], marked: bool) -> Result<Ledger, Failure> {
    if ledger.mode == Mode::Incremental {
        return Err(Failure::input(LedgerFault::NobodyLeaves));
    }
    let pseudonyms: Vec<String> = people.iter().map(|name| key.pseudonym(name)).collect();
    let missing = people.iter().zip(&pseudonyms).filter(|(_, of)| !ledger.individuals.contains_key(*of));
    let missing: Vec<Name> = missing.map(|(name, _)| name.as_str().into()).collect();
    if !missing.is_empty() {
        let more = missing.len() > SHOWN;
        return Err(Failure::input(LedgerFault::NotInIt {
            names: missing.into_iter().take(SHOWN).collect(),
            more,
        }));
    }
    let token = |pseudonym: String| random().map(|digits| (pseudonym, format!("{ERASED}{}", hex(&digits))));
    let tokens = pseudonyms.into_iter().map(token).collect::<Result<Vec<_>, _>>()?;
    let mut next = ledger.clone();
    next.erase(&tokens, hex(&random()?), marked);
    Ok(next)
}

/// As hexadecimal digits, half as many as there are.
fn hex(bytes: &[u8; 32]) -> String {
    blake3::Hash::from_bytes(*bytes).to_hex()[..32].to_owned()
}
