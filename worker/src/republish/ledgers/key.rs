//! `lookalike ledger key`: a key for pseudonyms.

use std::{
    io::{ErrorKind, Write as _},
    path::PathBuf,
};

use clap::Args;
use lookalike_core::republish::pseudonyms::Key;

use super::{
    super::writing::private_file,
    print, random,
    told::{LedgerFault, LedgerTold},
};
use crate::exit::{Attempt, Failure};

/// The flags.
#[derive(Debug, Args)]
pub(super) struct Make {
    /// File to write the key to; none may be there
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Runs the command.
pub(super) fn run(args: &Make) -> Result<(), Failure> {
    let path = &args.file;
    let fail = |e: &std::io::Error| Failure::io(Attempt::Write, path, e);
    let mut file = private_file(path).map_err(|e| fail(&e))?;
    file.write_all(Key::file(random()?).as_bytes()).map_err(|e| fail(&e))?;
    file.as_file().sync_all().map_err(|e| fail(&e))?;
    let key = path.display().to_string();
    match file.persist_noclobber(path) {
        Ok(_) => print(&[LedgerTold::KeyWritten { key }.to_string()]),
        Err(e) if e.error.kind() == ErrorKind::AlreadyExists => {
            Err(Failure::input(LedgerFault::KeyThere { key }))
        }
        Err(e) => Err(fail(&e.error)),
    }
}
