//! `lookalike ledger pseudonym`: who a pseudonym is, for whoever has the key and knows the name.

use std::path::PathBuf;

use clap::Args;

use super::{super::pseudonyms, names, print, told::LedgerTold};
use crate::exit::Failure;

/// The flags.
#[derive(Debug, Args)]
pub(super) struct Say {
    /// File with names, a line each
    #[arg(value_name = "NAMES")]
    names: PathBuf,
    /// File of the key, made by `lookalike ledger key`
    #[arg(long, value_name = "FILE")]
    pseudonym_key: PathBuf,
}

/// Runs the command.
pub(super) fn run(args: &Say) -> Result<(), Failure> {
    let key = pseudonyms::read(&args.pseudonym_key)?;
    let line = |name: String| {
        let pseudonym = key.pseudonym(&name);
        LedgerTold::Pseudonym { pseudonym, name: name.into() }.to_string()
    };
    print(&names(&args.names)?.into_iter().map(line).collect::<Vec<_>>())
}
