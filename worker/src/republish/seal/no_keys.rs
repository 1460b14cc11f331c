//! Of a program that was built without age: no ledger is sealed.

use std::path::Path;

use lookalike_words::Said;

use super::SealFault;
use crate::exit::Failure;

/// Keys that nothing reads.
pub(super) struct Keys;

/// Whether it matters who sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Author {
    /// One of the keys that are known.
    Known,
    /// Its bytes are compared with something else.
    Anyone,
}

impl Keys {
    pub(super) fn read(_: &Path, _: &[String]) -> Result<Self, Failure> {
        Err(Failure::input(SealFault::NoPassphrases))
    }

    pub(super) fn opened(&self, _: &[u8], _: &Path, _: Author) -> Result<Vec<u8>, Failure> {
        Err(Failure::input(SealFault::NoPassphrases))
    }

    pub(super) fn closed(&self, _: &[u8]) -> Result<Vec<u8>, Said> {
        Err(SealFault::NoPassphrases.into())
    }
}

pub(super) fn opened(_: &str, _: &[u8], _: &Path) -> Result<Vec<u8>, Failure> {
    Err(Failure::input(SealFault::NoPassphrases))
}

pub(super) fn closed(_: &str, _: &[u8]) -> Result<Vec<u8>, Said> {
    Err(SealFault::NoPassphrases.into())
}
