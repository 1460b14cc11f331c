//! `lookalike ledger rekey`: another passphrase. What was there is kept by copies; the list of used states goes with the ledger.

use std::path::{Path, PathBuf};

use clap::Args;
use lookalike_model::ledger::Ledger;
use lookalike_wire::ledger;

use super::{
    super::{
        lock::{self, Lock},
        seal::{self, Named, Seal, Unsealed},
        used::{self, Beside, Used},
        writing::{self, Held, hold, read_if_there},
    },
    print,
    told::{LedgerFault, LedgerTold},
};
use crate::{exit::Failure, files};

/// The flags.
#[derive(Debug, Args)]
pub(super) struct Rekey {
    /// The ledger
    #[arg(value_name = "LEDGER")]
    ledger: PathBuf,
    /// File whose first line is the passphrase that the ledger is sealed with
    #[arg(long, value_name = "FILE")]
    passphrase_file: PathBuf,
    /// File whose first line is the passphrase that it is sealed with from now on
    #[arg(long, value_name = "FILE")]
    new_passphrase_file: PathBuf,
}

/// Runs the command. The list of used states is written before the ledger: where the run is killed in between, it is run again,
/// and takes the list as it is.
pub(super) fn run(args: &Rekey) -> Result<(), Failure> {
    let old = Seal::of(Some(&args.passphrase_file), Unsealed::Refused)?;
    let new = Seal::of(Some(&args.new_passphrase_file), Unsealed::Refused)?;
    new.warn(Named { passphrase: Some(&args.new_passphrase_file), ..Named::default() });
    let path = lock::file_of(&args.ledger)?;
    lock::may_be_replaced(&path)?;
    let _lock = Lock::take(&path)?;
    let held = writing::pending(&path);
    if held.exists() {
        return Err(Failure::input(LedgerFault::Interrupted { path: held.display().to_string() }));
    }
    let bytes = files::read(&path)?;
    let opened = old.open(&path, &bytes)?;
    let ledger = ledger::read(&opened).map_err(|error| Failure::in_file(&path, error))?;
    let list = used::beside(&path);
    let listed = read_if_there(&list)?;
    let known = known(&path, &ledger, [&old, &new])?;
    if known.fate(&used::names(Some(&ledger), Some(&opened))?).is_some() {
        return Err(Failure::input(LedgerFault::OldState { path: path.display().to_string() }));
    }
    let sealed = new.close(opened)?;
    let kept = writing::beside(&path, KEPT);
    keep(&kept, &bytes, &path)?;
    if let Some(listed) = &listed {
        // Where a run before this one was killed, the copy of the list is there already.
        let copy = writing::beside(&list, KEPT);
        if !copy.exists() {
            keep(&copy, listed, &path)?;
        }
        if seal::is_sealed(listed) {
            known.add(&path, &[], &ledger, &new)?;
        }
    }
    hold(&path, &sealed, Some(&path), Held::Replaced)?;
    let told = LedgerTold::Rekeyed { ledger: path.display().to_string(), kept: kept.display().to_string() };
    print(&[told.to_string()])
}

/// How the name of a copy ends.
const KEPT: &str = ".before-rekey";

/// The list of used states, sealed with either passphrase.
fn known(path: &Path, ledger: &Ledger, [old, new]: [&Seal; 2]) -> Result<Used, Failure> {
    let read = |seal| Used::read(path, Beside { seal, series: Some(&ledger.series), plain: true });
    read(old).or_else(|why| read(new).map_err(|_| why))
}

/// Keeps a copy; refuses to write over that of something else.
fn keep(copy: &Path, bytes: &[u8], like: &Path) -> Result<(), Failure> {
    match read_if_there(copy)? {
        Some(there) if there == bytes => Ok(()),
        Some(_) => Err(Failure::input(LedgerFault::Kept { path: copy.display().to_string() })),
        None => hold(copy, bytes, Some(like), Held::Kept),
    }
}
