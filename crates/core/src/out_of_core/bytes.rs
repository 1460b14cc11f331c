//! What one kernel hands to another as bytes: numbers in eight bytes, texts with their lengths. The same content has the same bytes.

use super::misfit::LargeMisfit;
use crate::Error;

/// What begins such bytes: what they are, and by which revision of the algorithms.
const MARK: u64 = 0x6c6f_6f6b_0000_0000;

/// Bytes that grow.
pub(super) struct Out(Vec<u8>);

impl Out {
    /// Begins with what it is.
    pub(super) fn new(what: u32) -> Self {
        let mut out = Self(Vec::new());
        out.number(MARK | u64::from(what));
        out.number(lookalike_model::REVISION.into());
        out
    }

    pub(super) fn number(&mut self, x: u64) {
        self.0.extend_from_slice(&x.to_le_bytes());
    }

    pub(super) fn size(&mut self, x: usize) {
        self.number(x as u64);
    }

    pub(super) fn real(&mut self, x: f64) {
        self.number(x.to_bits());
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.size(bytes.len());
        self.0.extend_from_slice(bytes);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// How many there are, and each of them.
    pub(super) fn each<T>(
        &mut self,
        items: impl ExactSizeIterator<Item = T>,
        mut one: impl FnMut(&mut Self, T),
    ) {
        self.size(items.len());
        items.for_each(|item| one(self, item));
    }

    pub(super) fn end(self) -> Vec<u8> {
        self.0
    }
}

/// Bytes that are read.
pub(super) struct In<'a>(&'a [u8]);

impl<'a> In<'a> {
    /// Bytes that are this, and of this revision.
    pub(super) fn new(bytes: &'a [u8], what: u32) -> Result<Self, Error> {
        let mut read = Self(bytes);
        let (mark, revision) = (read.number()?, read.number()?);
        let known = mark == (MARK | u64::from(what)) && revision == u64::from(lookalike_model::REVISION);
        if known { Ok(read) } else { Err(no_result()) }
    }

    pub(super) fn number(&mut self) -> Result<u64, Error> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or_else(no_result)?;
        self.0 = rest;
        Ok(u64::from_le_bytes(*bytes))
    }

    pub(super) fn size(&mut self) -> Result<usize, Error> {
        usize::try_from(self.number()?).map_err(|_| no_result())
    }

    pub(super) fn real(&mut self) -> Result<f64, Error> {
        Ok(f64::from_bits(self.number()?))
    }

    pub(super) fn bytes(&mut self) -> Result<&'a [u8], Error> {
        let length = self.size()?;
        let (bytes, rest) = self.0.split_at_checked(length).ok_or_else(no_result)?;
        self.0 = rest;
        Ok(bytes)
    }

    pub(super) fn text(&mut self) -> Result<&'a str, Error> {
        std::str::from_utf8(self.bytes()?).map_err(|_| no_result())
    }

    /// As many as there are; each takes a number of bytes at least, so that no length is believed that the bytes do not have.
    pub(super) fn each<T>(
        &mut self,
        mut one: impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let count = self.size()?;
        if count > self.0.len() {
            return Err(no_result());
        }
        (0..count).map(|_| one(self)).collect()
    }

    /// Nothing may be left.
    pub(super) fn end(self) -> Result<(), Error> {
        if self.0.is_empty() { Ok(()) } else { Err(no_result()) }
    }
}

/// Bytes that are none of ours, or of another run.
pub(super) fn no_result() -> Error {
    LargeMisfit::NoResult.into()
}
