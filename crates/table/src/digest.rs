//! A fingerprint of all that was read.

use std::io::{self, Read};

use sha2::{Digest as _, Sha256};

/// Passes bytes through and hashes them (SHA-256).
pub(crate) struct Tap<R> {
    source: R,
    hasher: Sha256,
}

impl<R> Tap<R> {
    pub(crate) fn new(source: R) -> Self {
        Self { source, hasher: Sha256::new() }
    }

    /// The hash of what passed.
    pub(crate) fn digest(&self) -> [u8; 32] {
        self.hasher.clone().finalize().into()
    }
}

impl<R: Read> Read for Tap<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.hasher.update(&buffer[..read]);
        Ok(read)
    }
}
