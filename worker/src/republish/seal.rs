//! A ledger sealed with a passphrase, in the format of age: the tools of that format open it as well.

use std::{fs, path::Path};

use crate::exit::Failure;

/// How a sealed file begins.
const MARK: &[u8] = b"age-encryption.org/v1\n";

/// Binary logarithm of the work that a guess at the passphrase costs (scrypt, 256 MiB and about a second), and the most
/// that is spent on a file of others. Fixed: what the machine happens to be busy with must not decide it.
#[cfg(feature = "passphrase")]
const WORK: u8 = 18;
#[cfg(feature = "passphrase")]
const MOST_WORK: u8 = 22;

/// The passphrase, if there is one.
pub(crate) struct Seal {
    passphrase: Option<String>,
}

impl Seal {
    /// The first line of a file; no seal without a file.
    ///
    /// # Errors
    /// If the file cannot be read or its first line is empty.
    pub(crate) fn of(file: Option<&Path>) -> Result<Self, Failure> {
        let Some(file) = file else { return Ok(Self { passphrase: None }) };
        if cfg!(not(feature = "passphrase")) {
            return Err(Failure::Input(String::from("this program was built without passphrases")));
        }
        let text = fs::read_to_string(file).map_err(|e| Failure::io("read", file, &e))?;
        match text.lines().next() {
            Some(line) if !line.is_empty() => Ok(Self { passphrase: Some(line.to_owned()) }),
            _ => Err(Failure::Input(format!("{} has no passphrase in its first line", file.display()))),
        }
    }

    /// The ledger in a file that may be sealed.
    ///
    /// # Errors
    /// If it is sealed and the passphrase is missing or another one.
    pub(crate) fn open(&self, path: &Path, bytes: &[u8]) -> Result<Vec<u8>, Failure> {
        if !bytes.starts_with(MARK) {
            return Ok(bytes.to_vec());
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
