//! Pseudonyms in the place of names: what a ledger holds of a person that nobody turns into a name without the key.
//!
//! A pseudonym has two parts, each a BLAKE3 keyed with the key: of what the ways to write a name have in common, and of the name
//! itself. So a ledger without names still tells a person from another one, and a name from one that may mean the same person.

use std::{borrow::Cow, collections::BTreeMap, fmt};

use lookalike_model::ledger::Ledger;
use lookalike_table::{Column, Dictionary};
use lookalike_words::messages;

use super::{SeriesFault, names::folded};
use crate::Error;

messages! {
    in "core";

    /// Why a key makes no pseudonyms.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum PseudonymKeyFault {
        /// It is not a line of hexadecimal digits.
        Digits {
            /// How many it must have.
            digits: usize,
        },
    }
}

impl std::error::Error for PseudonymKeyFault {}

/// Bytes of a key.
const LENGTH: usize = 32;

/// Hexadecimal digits of the first part of a pseudonym, and of the second.
const PARTS: [usize; 2] = [24, 32];

/// What is hashed for [`Key::mark`]: no name, since a name has nothing in front.
const MARK: &[u8] = b"lookalike pseudonyms 1";

/// What stands in front of what is hashed, one for each part of a pseudonym.
const FOLDED: &[u8] = b"folded\0";
const EXACT: &[u8] = b"exact\0";

/// The secret that pseudonyms are made with.
#[derive(Clone, PartialEq, Eq)]
pub struct Key([u8; LENGTH]);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

impl Key {
    /// The key in a file: a line of 64 hexadecimal digits.
    ///
    /// # Errors
    /// If it is anything else.
    pub fn read(file: &[u8]) -> Result<Self, PseudonymKeyFault> {
        let key = blake3::Hash::from_hex(file.trim_ascii());
        key.map(|key| Self(*key.as_bytes())).map_err(|_| PseudonymKeyFault::Digits { digits: 2 * LENGTH })
    }

    /// The file of a key, of random bytes.
    #[must_use]
    pub fn file(random: [u8; LENGTH]) -> String {
        format!("{}\n", blake3::Hash::from_bytes(random).to_hex())
    }

    /// What tells in a ledger whether this is its key.
    #[must_use]
    pub fn mark(&self) -> String {
        self.part(&[MARK], PARTS[1])
    }

    /// The pseudonym of a name, without white space around it.
    #[must_use]
    pub fn pseudonym(&self, name: &str) -> String {
        let name = name.trim();
        let [folds, exact] = PARTS;
        let alike = self.part(&[FOLDED, folded(name).as_bytes()], folds);
        format!("{alike}-{}", self.part(&[EXACT, name.as_bytes()], exact))
    }

    fn part(&self, texts: &[&[u8]], digits: usize) -> String {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        for text in texts {
            hasher.update(text);
        }
        hasher.finalize().to_hex()[..digits].to_owned()
    }
}

/// What the pseudonyms of names have in common that may mean the same person.
pub(super) fn alike(pseudonym: &str) -> &str {
    pseudonym.split_once('-').map_or(pseudonym, |(alike, _)| alike)
}

/// Whether a ledger, or a series that begins, goes with the key that is given.
///
/// # Errors
/// [`Error::Series`] if it needs one, another one, or none.
pub fn fits(ledger: Option<&Ledger>, key: Option<&Key>) -> Result<(), Error> {
    let Some(ledger) = ledger else { return Ok(()) };
    match (&ledger.pseudonyms, key) {
        (None, None) => Ok(()),
        (Some(_), None) => Err(SeriesFault::NoKey.into()),
        (None, Some(_)) => Err(SeriesFault::HasNames.into()),
        (Some(known), Some(key)) if known.key == key.mark() => Ok(()),
        (Some(_), Some(_)) => Err(SeriesFault::OtherKey.into()),
    }
}

/// The column of individuals as the ledger names them: by pseudonyms where there is a key.
pub(super) fn named<'a>(column: &'a Column, key: Option<&Key>) -> Cow<'a, Column> {
    let Some(key) = key else { return Cow::Borrowed(column) };
    let values: Dictionary = column.values.iter().map(|name| key.pseudonym(name)).collect();
    Cow::Owned(Column { values, ..column.clone() })
}

/// An error about people with the names of the table in the place of its pseudonyms. Those of the ledger alone stay as they are.
pub(super) fn unmasked(error: Error, table: &Column, key: Option<&Key>) -> Error {
    let (Some(key), Error::Series(fault)) = (key, &error) else { return error };
    let of: BTreeMap<String, &str> =
        table.values.iter().map(|name| (key.pseudonym(name), name.trim())).collect();
    fault.renamed(&|name| of.get(name).map_or_else(|| name.to_owned(), |name| (*name).to_owned())).into()
}
