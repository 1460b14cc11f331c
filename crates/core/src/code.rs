//! The short code of a run: what somebody compares on paper with what somebody else has on a screen.

use sha2::{Digest as _, Sha256};

/// Letters and digits that nobody takes for one another (Crockford's): five bits each.
const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Letters of a code, in groups: 80 bits, so that nobody finds another run with the same one.
const LENGTH: usize = 16;
const GROUP: usize = 4;

/// The digests that a code stands for, each in hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digests<'a> {
    /// Of the published table.
    pub release: &'a str,
    /// Of the report.
    pub report: Option<&'a str>,
    /// Of the source with its salt.
    pub source: Option<&'a str>,
    /// Of the ledger after the release; of what was sealed, if it is sealed.
    pub ledger: Option<&'a str>,
}

/// The code: the first bits of the SHA-256 of a line for each digest, its name and the digest.
#[must_use]
pub fn code(digests: Digests<'_>) -> String {
    let Digests { release, report, source, ledger } = digests;
    let mut all = Sha256::new();
    for (name, digest) in
        [("release", Some(release)), ("report", report), ("source", source), ("ledger", ledger)]
    {
        if let Some(digest) = digest {
            all.update(name.as_bytes());
            all.update(b" ");
            all.update(digest.as_bytes());
            all.update(b"\n");
        }
    }
    let digest = all.finalize();
    let bit = |at: usize| usize::from(digest[at / 8] >> (7 - at % 8) & 1);
    let letter = |at: usize| (0..5).fold(0, |value, of| 2 * value + bit(5 * at + of));
    let mut code = String::new();
    for at in 0..LENGTH {
        if at > 0 && at % GROUP == 0 {
            code.push('-');
        }
        code.push(char::from(LETTERS[letter(at)]));
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: sha256sum of "release aa\n" begins with these bytes, in groups of five bits.
    #[test]
    fn a_code_is_what_its_definition_says() {
        let only = Digests { release: "aa", report: None, source: None, ledger: None };
        let hex = crate::digest::sha256(b"release aa\n");
        let bits: String = hex
            .chars()
            .map(|digit| format!("{:04b}", digit.to_digit(16).unwrap()))
            .collect::<Vec<_>>()
            .concat();
        let letters: Vec<char> = (0..16)
            .map(|at| {
                let five = usize::from_str_radix(&bits[5 * at..5 * at + 5], 2).unwrap();
                char::from(LETTERS[five])
            })
            .collect();
        let groups: Vec<String> = letters.chunks(4).map(|group| group.iter().collect()).collect();
        assert_eq!(code(only), groups.join("-"));
    }

    #[test]
    fn each_digest_counts_in_its_place() {
        let whole = Digests { release: "a", report: Some("b"), source: Some("c"), ledger: Some("d") };
        let others = [
            Digests { release: "x", ..whole },
            Digests { report: None, ..whole },
            Digests { source: Some("b"), report: Some("c"), ..whole },
            Digests { ledger: None, ..whole },
        ];
        for other in others {
            assert_ne!(code(whole), code(other), "{other:?}");
        }
    }
}
