//! A fingerprint of all that was read.

use std::io::{self, Read};

/// Passes bytes through and hashes them (BLAKE3).
pub(crate) struct Tap<R> {
    source: R,
    hasher: blake3::Hasher,
}

impl<R> Tap<R> {
    pub(crate) fn new(source: R) -> Self {
        Self { source, hasher: blake3::Hasher::new() }
    }

    /// The hash of what passed.
    pub(crate) fn digest(&self) -> [u8; 32] {
        *self.hasher.finalize().as_bytes()
    }
}

impl<R: Read> Read for Tap<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.hasher.update(&buffer[..read]);
        Ok(read)
    }
}
