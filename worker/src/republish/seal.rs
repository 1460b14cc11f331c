//! A ledger sealed with a passphrase, in the format of age: the tools of that format open it as well.

use std::path::Path;

use lookalike_words::Said;

use crate::{exit::Failure, files, progress::warn};

lookalike_words::messages! {
    in "worker";

    /// Why a ledger cannot be opened or sealed.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum SealFault {
        /// This program knows none.
        NoPassphrases,
        /// The passphrase is not UTF-8.
        NotUtf8 {
            /// The passphrase's file.
            path: String,
        },
        /// The first line is empty.
        NoPassphrase {
            /// The passphrase's file.
            path: String,
        },
        /// It is sealed in the text form.
        Armoured {
            /// The ledger's file.
            path: String,
        },
        /// It is sealed, and there is no passphrase.
        Sealed {
            /// The ledger's file.
            path: String,
        },
        /// It cannot be opened.
        Unopened {
            /// The ledger's file.
            path: String,
            /// Why.
            why: Said,
        },
        /// It is to be sealed, and is.
        SealedAlready {
            /// The ledger's file.
            path: String,
        },
        /// It is not sealed, though there is a passphrase.
        Unsealed {
            /// The ledger's file.
            path: String,
        },
        /// The same, where it may be sealed from now on.
        NotYetSealed {
            /// The ledger's file.
            path: String,
        },
        /// It cannot be sealed.
        NotClosed {
            /// Why.
            why: Said,
        },
    }

    /// What is weak about a passphrase.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum SealTold {
        /// Others can read its file.
        OpenPassphrase {
            /// The file.
            path: String,
        },
        /// It is short.
        ShortPassphrase {
            /// Its characters.
            characters: usize,
        },
    }
}

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

/// Characters below which a passphrase is said to be short.
const SHORT: usize = 12;

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
            return Err(Failure::input(SealFault::NoPassphrases));
        }
        let text = String::from_utf8(files::read(file)?)
            .map_err(|_| Failure::input(SealFault::NotUtf8 { path: shown(file) }))?;
        match text.lines().next() {
            Some(line) if !line.is_empty() => Ok(Self { passphrase: Some(line.to_owned()), unsealed }),
            _ => Err(Failure::input(SealFault::NoPassphrase { path: shown(file) })),
        }
    }

    /// Whether there is a passphrase.
    pub(crate) fn has_passphrase(&self) -> bool {
        self.passphrase.is_some()
    }

    /// Says what is weak about the passphrase, and about the rights of its file.
    pub(crate) fn warn(&self, file: Option<&Path>) {
        for weak in self.weak(file) {
            warn(&weak.into());
        }
    }

    fn weak(&self, file: Option<&Path>) -> Vec<SealTold> {
        let characters = self.passphrase.as_ref().map(|passphrase| passphrase.chars().count());
        let short = characters.filter(|characters| *characters < SHORT);
        let open = file.filter(|file| is_open(file));
        let open = open.map(|file| SealTold::OpenPassphrase { path: shown(file) });
        open.into_iter().chain(short.map(|characters| SealTold::ShortPassphrase { characters })).collect()
    }

    /// The ledger in a file, which is sealed if and only if there is a passphrase.
    ///
    /// # Errors
    /// If it is sealed and the passphrase is missing or another one; if it is not sealed though there is a passphrase, unless
    /// it is to be sealed now.
    pub(crate) fn open(&self, path: &Path, bytes: &[u8]) -> Result<Vec<u8>, Failure> {
        if bytes.trim_ascii_start().starts_with(ARMOUR) {
            return Err(Failure::input(SealFault::Armoured { path: shown(path) }));
        }
        if !is_sealed(bytes) {
            return self.plain(path).map(|()| bytes.to_vec());
        }
        let Some(passphrase) = &self.passphrase else {
            return Err(Failure::input(SealFault::Sealed { path: shown(path) }));
        };
        opened(passphrase, bytes)
            .map_err(|why| Failure::input(SealFault::Unopened { path: shown(path), why }))
    }

    /// Refuses `--seal-now` for a ledger that is sealed: given by habit, it would let an unsealed one pass.
    ///
    /// # Errors
    /// Then.
    pub(crate) fn first_time(&self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        if self.unsealed == Unsealed::SealNow && is_sealed(bytes) {
            return Err(Failure::input(SealFault::SealedAlready { path: shown(path) }));
        }
        Ok(())
    }

    /// Refuses a ledger that is not sealed where one is expected that is.
    fn plain(&self, path: &Path) -> Result<(), Failure> {
        match (&self.passphrase, self.unsealed) {
            (None, _) | (_, Unsealed::SealNow) => Ok(()),
            (_, Unsealed::Refused) => Err(Failure::input(SealFault::Unsealed { path: shown(path) })),
            (_, Unsealed::NotYet) => Err(Failure::input(SealFault::NotYetSealed { path: shown(path) })),
        }
    }

    /// The bytes to write: sealed if there is a passphrase.
    ///
    /// # Errors
    /// If sealing fails.
    pub(crate) fn close(&self, bytes: Vec<u8>) -> Result<Vec<u8>, Failure> {
        match &self.passphrase {
            None => Ok(bytes),
            Some(passphrase) => {
                closed(passphrase, &bytes).map_err(|why| Failure::system(SealFault::NotClosed { why }))
            }
        }
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Whether others than its owner can read a file; a device or pipe is nobody's to change.
fn is_open(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::metadata(path).is_ok_and(|there| there.is_file() && there.permissions().mode() & 0o077 != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// Whether this is a sealed file.
pub(super) fn is_sealed(bytes: &[u8]) -> bool {
    bytes.starts_with(MARK)
}

#[cfg(feature = "passphrase")]
fn opened(passphrase: &str, bytes: &[u8]) -> Result<Vec<u8>, Said> {
    let mut identity = age::scrypt::Identity::new(passphrase.to_owned().into());
    identity.set_max_work_factor(MOST_WORK);
    age::decrypt(&identity, bytes).map_err(|e| Said::verbatim(e.to_string()))
}

#[cfg(feature = "passphrase")]
fn closed(passphrase: &str, bytes: &[u8]) -> Result<Vec<u8>, Said> {
    let mut recipient = age::scrypt::Recipient::new(passphrase.to_owned().into());
    recipient.set_work_factor(WORK);
    age::encrypt(&recipient, bytes).map_err(|e| Said::verbatim(e.to_string()))
}

#[cfg(not(feature = "passphrase"))]
fn opened(_: &str, _: &[u8]) -> Result<Vec<u8>, Said> {
    Err(SealFault::NoPassphrases.into())
}

#[cfg(not(feature = "passphrase"))]
fn closed(_: &str, _: &[u8]) -> Result<Vec<u8>, Said> {
    Err(SealFault::NoPassphrases.into())
}

#[cfg(all(test, feature = "passphrase"))]
mod tests {
    use std::fs;

    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_is_weak_about_a_passphrase_is_said() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let secret = dir.path().join("secret");
        let weak = |text: &str, mode: u32| {
            fs::write(&secret, text).unwrap();
            fs::set_permissions(&secret, fs::Permissions::from_mode(mode)).unwrap();
            Seal::of(Some(&secret), Unsealed::Refused).unwrap().weak(Some(&secret))
        };
        let path = secret.display().to_string();
        assert_eq!(weak("a long passphrase\n", 0o600), []);
        assert_eq!(weak("a long passphrase\n", 0o640), [SealTold::OpenPassphrase { path }]);
        assert_eq!(weak("x\n", 0o400), [SealTold::ShortPassphrase { characters: 1 }]);
    }

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
