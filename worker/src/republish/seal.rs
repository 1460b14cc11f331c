//! A ledger sealed with a passphrase, in the format of age: the tools of that format open it as well.

use std::path::Path;

use crate::{exit::Failure, files};

/// How a sealed file begins.
const MARK: &[u8] = b"age-encryption.org/v1\n";

/// How a sealed file in the text form begins.
const ARMOUR: &[u8] = b"-----BEGIN AGE ENCRYPTED FILE-----";

/// Binary logarithm of the work that a guess at the passphrase costs (scrypt, 256 MiB and about a second), and the most
/// that is spent on a file of others. Fixed: what the machine happens to be busy with must not decide it.
#[cfg(feature = "passphrase")]
const WORK: u8 = 18;
#[cfg(feature = "passphrase")]
const MOST_WORK: u8 = 22;

/// What is done with a ledger that is not sealed although there is a passphrase: somebody may have put it in the place of
/// the sealed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unsealed {
    /// It is refused by who only reads it.
    Refused,
    /// It is refused by who writes it, and told how it is sealed for the first time.
    NotYet,
    /// It is taken, to be sealed for the first time; one that is sealed is refused.
    SealNow,
}

/// The passphrase, if there is one.
pub(crate) struct Seal {
    passphrase: Option<String>,
    unsealed: Unsealed,
}

impl Seal {
    /// The first line of a file; no seal without a file.
    ///
    /// # Errors
    /// If the file cannot be read or its first line is empty.
    pub(crate) fn of(file: Option<&Path>, unsealed: Unsealed) -> Result<Self, Failure> {
        let Some(file) = file else { return Ok(Self { passphrase: None, unsealed }) };
        if cfg!(not(feature = "passphrase")) {
            return Err(Failure::Input(String::from("this program was built without passphrases")));
        }
        let text = String::from_utf8(files::read(file)?)
            .map_err(|_| Failure::Input(format!("{} is not UTF-8", file.display())))?;
        match text.lines().next() {
            Some(line) if !line.is_empty() => Ok(Self { passphrase: Some(line.to_owned()), unsealed }),
            _ => Err(Failure::Input(format!("{} has no passphrase in its first line", file.display()))),
        }
    }

    /// The ledger in a file, which is sealed if and only if there is a passphrase.
    ///
    /// # Errors
    /// If it is sealed and the passphrase is missing or another one; if it is not sealed though there is a passphrase, unless
    /// it is to be sealed now.
    pub(crate) fn open(&self, path: &Path, bytes: &[u8]) -> Result<Vec<u8>, Failure> {
        if bytes.trim_ascii_start().starts_with(ARMOUR) {
            return Err(Failure::Input(format!(
                "{} is sealed, in the text form of age (armored), which is not read here: make the binary form of it with \
                 the tools of age (age --decrypt, then age --passphrase without --armor)",
                path.display()
            )));
        }
        if !is_sealed(bytes) {
            return self.plain(path).map(|()| bytes.to_vec());
        }
        let Some(passphrase) = &self.passphrase else {
            return Err(Failure::Input(format!(
                "{} is sealed: name the file that holds its passphrase with --passphrase-file",
                path.display()
            )));
        };
        opened(passphrase, bytes).map_err(|why| {
            Failure::Input(format!("{} cannot be opened: {why}. Is it another passphrase?", path.display()))
        })
    }

    /// Refuses `--seal-now` for a ledger that is sealed: given by habit, it would let an unsealed one pass.
    ///
    /// # Errors
    /// Then.
    pub(crate) fn first_time(&self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        if self.unsealed == Unsealed::SealNow && is_sealed(bytes) {
            return Err(Failure::Input(format!(
                "{} is sealed already: leave out --seal-now, which takes any ledger that is not sealed",
                path.display()
            )));
        }
        Ok(())
    }

    /// Refuses a ledger that is not sealed where one is expected that is.
    fn plain(&self, path: &Path) -> Result<(), Failure> {
        let way = match (&self.passphrase, self.unsealed) {
            (None, _) | (_, Unsealed::SealNow) => return Ok(()),
            (_, Unsealed::Refused) => "If it never was sealed, leave out --passphrase-file",
            (_, Unsealed::NotYet) => {
                "If it never was sealed, and is to be from now on, say so with --seal-now"
            }
        };
        Err(Failure::Input(format!(
            "{} is not sealed, though there is a passphrase: whoever can write to its folder may have put another ledger \
             in its place. Take the sealed one from a copy. {way}",
            path.display()
        )))
    }

    /// The bytes to write: sealed if there is a passphrase.
    ///
    /// # Errors
    /// If sealing fails.
    pub(crate) fn close(&self, bytes: Vec<u8>) -> Result<Vec<u8>, Failure> {
        match &self.passphrase {
            None => Ok(bytes),
            Some(passphrase) => closed(passphrase, &bytes)
                .map_err(|why| Failure::System(format!("cannot seal the ledger: {why}"))),
        }
    }
}

/// Whether this is a sealed file.
pub(super) fn is_sealed(bytes: &[u8]) -> bool {
    bytes.starts_with(MARK)
}

#[cfg(feature = "passphrase")]
fn opened(passphrase: &str, bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut identity = age::scrypt::Identity::new(passphrase.to_owned().into());
    identity.set_max_work_factor(MOST_WORK);
    age::decrypt(&identity, bytes).map_err(|e| e.to_string())
}

#[cfg(feature = "passphrase")]
fn closed(passphrase: &str, bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut recipient = age::scrypt::Recipient::new(passphrase.to_owned().into());
    recipient.set_work_factor(WORK);
    age::encrypt(&recipient, bytes).map_err(|e| e.to_string())
}

#[cfg(not(feature = "passphrase"))]
fn opened(_: &str, _: &[u8]) -> Result<Vec<u8>, String> {
    Err(String::from("this program was built without passphrases"))
}

#[cfg(not(feature = "passphrase"))]
fn closed(_: &str, _: &[u8]) -> Result<Vec<u8>, String> {
    Err(String::from("this program was built without passphrases"))
}

#[cfg(all(test, feature = "passphrase"))]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_passphrase_is_for_a_sealed_ledger() {
        let dir = tempfile::tempdir().unwrap();
        let secret = dir.path().join("secret");
        fs::write(&secret, "a passphrase\n").unwrap();
        let path = Path::new("l.json");
        let open = |file: Option<&Path>, unsealed: Unsealed, bytes: &[u8]| {
            let seal = Seal::of(file, unsealed).unwrap();
            seal.open(path, bytes).map_err(|why| (why.code(), why.to_string()))
        };
        let all = [Unsealed::Refused, Unsealed::NotYet, Unsealed::SealNow];
        for unsealed in all {
            assert_eq!(open(None, unsealed, b"plain").unwrap(), b"plain");
            assert!(open(None, unsealed, MARK).unwrap_err().1.contains("--passphrase-file"));
            for file in [None, Some(secret.as_path())] {
                let (code, why) = open(file, unsealed, ARMOUR).unwrap_err();
                assert!(code == 2 && why.contains("is sealed, in the text form"), "{why}");
            }
        }
        let with = |unsealed| open(Some(&secret), unsealed, b"plain");
        assert_eq!(with(Unsealed::SealNow).unwrap(), b"plain");
        let (code, why) = with(Unsealed::NotYet).unwrap_err();
        assert!(code == 2 && why.contains("is not sealed") && why.contains("--seal-now"), "{why}");
        let (code, why) = with(Unsealed::Refused).unwrap_err();
        assert!(code == 2 && why.contains("leave out --passphrase-file"), "{why}");
        let first = |unsealed, bytes| Seal::of(Some(&secret), unsealed).unwrap().first_time(path, bytes);
        assert!(first(Unsealed::SealNow, MARK).unwrap_err().to_string().contains("sealed already"));
        assert!(first(Unsealed::NotYet, MARK).is_ok() && first(Unsealed::SealNow, b"plain").is_ok());
    }
}
