//! Digests of files (SHA-256), as statements and reports name them.

use std::io::{self, Read};

use lookalike_model::report::SourceDigest;
use sha2::{Digest as _, Sha256};

/// Bytes that are read at a time.
const PIECE: usize = 1 << 16;

/// The digest of bytes.
#[must_use]
pub fn of(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// The digest of bytes, in hexadecimal digits.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(Sha256::digest(bytes))
}

/// The digest of what is read to its end, in hexadecimal digits.
///
/// # Errors
/// If it cannot be read.
pub fn sha256_of(mut source: impl Read) -> io::Result<String> {
    let (mut digest, mut piece) = (Sha256::new(), vec![0; PIECE]);
    loop {
        match source.read(&mut piece) {
            Ok(0) => return Ok(hexadecimal(digest.finalize())),
            Ok(count) => digest.update(&piece[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The digest by which a statement names its source: of the salt and the source's digest, both in hexadecimal digits. `None` without a
/// salt: the digest of the source alone is one that guesses can be held against.
#[must_use]
pub fn salted(source: &SourceDigest) -> Option<String> {
    let SourceDigest { sha256: digest, salt } = source;
    (!salt.is_empty()).then(|| sha256(format!("{salt}{digest}").as_bytes()))
}

pub(crate) fn hexadecimal(digest: impl AsRef<[u8]>) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = digest.as_ref().iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The digests of the standard's own examples (FIPS 180-2, appendix B).
    #[test]
    fn digests_are_those_of_the_standard() {
        let million = vec![b'a'; 1_000_000];
        for (bytes, digest) in [
            (&b"abc"[..], "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (&million, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ] {
            assert_eq!(sha256(bytes), digest);
            assert_eq!(sha256_of(bytes).ok().as_deref(), Some(digest));
        }
    }

    #[test]
    fn a_source_is_named_by_its_salt_and_digest_and_not_without_a_salt() {
        let mut source = SourceDigest { sha256: sha256(b"a,b\n1,2\n"), salt: String::new() };
        assert_eq!(salted(&source), None);
        let mut seen = std::collections::BTreeSet::from([source.sha256.clone()]);
        for salt in ["00ff", "00fe"] {
            source.salt = salt.to_owned();
            let named = salted(&source).unwrap();
            assert_eq!(named, sha256([salt, &source.sha256].concat().as_bytes()));
            assert!(seen.insert(named));
        }
    }
}
