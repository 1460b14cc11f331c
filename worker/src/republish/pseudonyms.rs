//! The key of a ledger that has pseudonyms in the place of names.

use std::{collections::BTreeMap, path::Path};

use lookalike_core::{republish::pseudonyms::Key, table::Column};
use lookalike_words::messages;

use super::seal;
use crate::{exit::Failure, files, progress::warn};

messages! {
    in "worker";

    /// What a data holder is told of a key.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum PseudonymTold {
        /// A series begins with it.
        Begins {
            /// The key's file.
            key: String,
        },
        /// It lies beside the ledger.
        BesideLedger {
            /// The key's file.
            key: String,
        },
    }
}

/// The key in a file. Says if others can read it.
///
/// # Errors
/// If the file cannot be read, or holds something else.
pub(super) fn read(path: &Path) -> Result<Key, Failure> {
    let key = Key::read(&files::read_small(path)?).map_err(|why| Failure::in_file(path, why))?;
    seal::warn_of_rights(path);
    Ok(key)
}

/// Warns of a key in the folder of the ledger: who gets the one gets the other.
pub(super) fn apart(key: &Path, ledger: &Path) {
    if files::folder(key) == files::folder(ledger) {
        warn(&PseudonymTold::BesideLedger { key: key.display().to_string() }.into());
    }
}

/// The names of a table by their pseudonyms.
pub(super) fn names<'a>(key: &Key, column: &'a Column) -> BTreeMap<String, &'a str> {
    column.values.iter().map(|name| (key.pseudonym(name), name.trim())).collect()
}
