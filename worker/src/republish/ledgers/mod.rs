//! `lookalike ledger`: what a ledger says, whether it is whole and its releases are what they were, what two of its states differ in, and
//! another passphrase for it. Names of people are said where they are asked for.

mod chain;
pub(super) mod diff;
mod erase;
pub(super) mod found;
mod key;
mod listed;
mod pseudonym;
mod rekey;
mod show;
mod told;
mod verify;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use lookalike_model::ledger::Ledger;
use lookalike_wire::ledger;

use super::seal::{Named, Seal, Unsealed};
use crate::{
    exit::{Failure, Fault},
    files,
};

/// The exit codes, for the help text.
pub(crate) const CODES: &str = "Exit codes: 0 as asked; 1 the ledger or a release is not what it was, or the guarantee does not hold; \
                                2 wrong usage, or no ledger; 4 a file cannot be read or written.";

/// The subcommands.
#[derive(Debug, Args)]
pub(crate) struct LedgerCommand {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Say what a ledger holds: its series and releases, in numbers
    #[command(after_help = CODES)]
    Show(show::Show),
    /// Print what chains the releases of a ledger, for others to verify: nothing of the people in them
    #[command(after_help = CODES)]
    Chain(chain::Show),
    /// Check whether a ledger is whole, and judge the releases that it names from their bytes; or whether a chain is, without a ledger
    #[command(after_help = CODES)]
    Verify(verify::Verify),
    /// Say who came, left and changed between two states of a ledger, in numbers
    #[command(after_help = CODES)]
    Diff(diff::Diff),
    /// Make a key for a series whose ledger has pseudonyms in place of names
    #[command(after_help = CODES)]
    Key(key::Make),
    /// Say the pseudonyms of names, to find a person whom a message names by it
    #[command(after_help = CODES)]
    Pseudonym(pseudonym::Say),
    /// Erase people from a ledger that has pseudonyms: what stays is in which classes a person without a name was
    #[command(after_help = CODES)]
    Erase(erase::Erase),
    /// Seal a ledger with another passphrase; the one that was is kept beside it
    #[command(after_help = CODES)]
    Rekey(rekey::Rekey),
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written, or is not what it should be.
pub(crate) fn run(args: &LedgerCommand) -> Result<(), Failure> {
    match &args.command {
        Command::Show(args) => show::run(args),
        Command::Chain(args) => chain::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Diff(args) => diff::run(args),
        Command::Key(args) => key::run(args),
        Command::Pseudonym(args) => pseudonym::run(args),
        Command::Erase(args) => erase::run(args),
        Command::Rekey(args) => rekey::run(args),
    }
}

/// The passphrase of a ledger, or the keys that open it.
#[derive(Debug, Args)]
struct OpenedWith {
    /// File whose first line is the passphrase of a sealed ledger
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// File of your own secret key, as age-keygen writes it, of a ledger that is sealed to it
    #[arg(long, value_name = "FILE", conflicts_with = "passphrase_file")]
    identity: Option<PathBuf>,
    /// Public key of somebody else who may have sealed the ledger (age1...), or a file of such keys; once for each
    #[arg(long, value_name = "KEY|FILE", requires = "identity")]
    sealed_by: Vec<String>,
}

impl OpenedWith {
    /// Whether anything is given that opens a sealed ledger.
    fn is_given(&self) -> bool {
        self.passphrase_file.is_some() || self.identity.is_some()
    }

    /// What the ledger is sealed with, if it is.
    fn seal(&self) -> Result<Seal, Failure> {
        let (passphrase, identity) = (self.passphrase_file.as_deref(), self.identity.as_deref());
        Seal::named(Named { passphrase, identity, others: &self.sealed_by }, Unsealed::Refused)
    }

    /// The ledger in a file.
    fn open(&self, path: &Path) -> Result<Ledger, Failure> {
        let opened = self.seal()?.open(path, &files::read(path)?)?;
        ledger::read(&opened).map_err(|error| Failure::in_file(path, error))
    }
}

/// The names in a file, a line each, without white space around them.
fn names(path: &Path) -> Result<Vec<String>, Failure> {
    let text = String::from_utf8_lossy(&files::read(path)?).into_owned();
    let names = text.lines().map(str::trim).filter(|name| !name.is_empty());
    let names: std::collections::BTreeSet<String> = names.map(String::from).collect();
    if names.is_empty() {
        return Err(Failure::input(told::LedgerFault::NoNames { names: path.display().to_string() }));
    }
    Ok(names.into_iter().collect())
}

/// Bytes that nobody can guess.
fn random() -> Result<[u8; 32], Failure> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|e| Failure::system(Fault::NoRandom { why: e.to_string() }))?;
    Ok(bytes)
}

/// Lines as they are printed.
fn print(lines: &[String]) -> Result<(), Failure> {
    let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
    files::tell(&text)
}
