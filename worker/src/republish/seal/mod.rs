//! A ledger sealed with a passphrase, or to keys, in the format of age: the tools of that format open it as well.

#[cfg(feature = "passphrase")]
mod keys;
#[cfg(not(feature = "passphrase"))]
#[path = "no_keys.rs"]
mod keys;

use std::path::Path;

use lookalike_words::Said;

use self::keys::{Author, Keys};
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
        /// It is sealed with a passphrase, and a key is given.
        ByPassphrase {
            /// The ledger's file.
            path: String,
        },
        /// It is sealed to keys, and a passphrase is given.
        ByKeys {
            /// The ledger's file.
            path: String,
        },
        /// It is sealed to others' keys.
        OtherKeys {
            /// The ledger's file.
            path: String,
        },
        /// A key opens it, and nobody who is known has sealed it.
        Stranger {
            /// The ledger's file.
            path: String,
        },
        /// It is cut or changed.
        Damaged {
            /// The ledger's file.
            path: String,
            /// What is wrong.
            why: Said,
        },
        /// It asks for more work than is spent.
        TooMuchWork {
            /// The ledger's file.
            path: String,
            /// Binary logarithm of the work.
            work: usize,
            /// That of the most.
            most: usize,
        },
        /// A line of an identity file is not a secret key.
        NotIdentity {
            /// The file.
            path: String,
            /// The line.
            line: usize,
        },
        /// There is no key in it.
        NoIdentity {
            /// The file.
            path: String,
        },
        /// This is not a public key, and not a file.
        NotRecipient {
            /// What was given.
            text: String,
        },
        /// A line of a file is not a public key.
        NotRecipients {
            /// The file.
            path: String,
            /// The line.
            line: usize,
        },
        /// A secret key was given where a public one belongs.
        SecretKey,
        /// It is to be sealed, and is.
        SealedAlready {
            /// The ledger's file.
            path: String,
        },
        /// It is not sealed, though there is a passphrase or a key.
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

    /// What is weak about a passphrase, or a key.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum SealTold {
        /// Others can read the file of a passphrase or a key.
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

/// Characters below which a passphrase is said to be short.
const SHORT: usize = 12;

/// What is done with a ledger that is not sealed although there is a passphrase or a key: an attacker may have put it in the place of
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

/// The files and keys that were named.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Named<'a> {
    /// The file of a passphrase.
    pub(crate) passphrase: Option<&'a Path>,
    /// The file of the reader's keys.
    pub(crate) identity: Option<&'a Path>,
    /// Public keys of the others who may read and write, or files of them.
    pub(crate) others: &'a [String],
}

impl<'a> Named<'a> {
    /// The file that must be the reader's alone.
    fn secret(self) -> Option<&'a Path> {
        self.passphrase.or(self.identity)
    }
}

/// What a ledger is sealed with.
enum Key {
    /// It is not.
    None,
    /// A passphrase.
    Passphrase(String),
    /// Keys.
    Keys(Keys),
}

/// The passphrase or the keys, if there are some.
pub(crate) struct Seal {
    key: Key,
    unsealed: Unsealed,
}

impl Seal {
    /// The first line of a passphrase's file, or the keys of an identity file; no seal without a file.
    ///
    /// # Errors
    /// If a file cannot be read, or does not hold what it should.
    pub(crate) fn named(named: Named<'_>, unsealed: Unsealed) -> Result<Self, Failure> {
        if let Some(identity) = named.identity {
            return Ok(Self { key: Key::Keys(Keys::read(identity, named.others)?), unsealed });
        }
        let Some(file) = named.passphrase else { return Ok(Self { key: Key::None, unsealed }) };
        if cfg!(not(feature = "passphrase")) {
            return Err(Failure::input(SealFault::NoPassphrases));
        }
        let text = String::from_utf8(files::read_small(file)?)
            .map_err(|_| Failure::input(SealFault::NotUtf8 { path: shown(file) }))?;
        match text.lines().next() {
            Some(line) if !line.is_empty() => Ok(Self { key: Key::Passphrase(line.to_owned()), unsealed }),
            _ => Err(Failure::input(SealFault::NoPassphrase { path: shown(file) })),
        }
    }

    /// With the passphrase in the first line of a file.
    ///
    /// # Errors
    /// As [`Self::named`].
    pub(crate) fn of(passphrase: Option<&Path>, unsealed: Unsealed) -> Result<Self, Failure> {
        Self::named(Named { passphrase, ..Named::default() }, unsealed)
    }

    /// Whether there is a passphrase or a key.
    pub(crate) fn is_keyed(&self) -> bool {
        !matches!(self.key, Key::None)
    }

    /// Says what is weak about the passphrase, and about the rights of its file or of that of the keys.
    pub(crate) fn warn(&self, named: Named<'_>) {
        for weak in self.weak(named.secret()) {
            warn(&weak.into());
        }
    }

    fn weak(&self, file: Option<&Path>) -> Vec<SealTold> {
        let characters = match &self.key {
            Key::Passphrase(passphrase) => Some(passphrase.chars().count()),
            Key::None | Key::Keys(_) => None,
        };
        let short = characters.filter(|characters| *characters < SHORT);
        let open = file.filter(|file| is_open(file));
        let open = open.map(|file| SealTold::OpenPassphrase { path: shown(file) });
        open.into_iter().chain(short.map(|characters| SealTold::ShortPassphrase { characters })).collect()
    }

    /// The ledger in a file, which is sealed if and only if there is a passphrase or a key; by one of the keys that are known.
    ///
    /// # Errors
    /// If it is sealed and the passphrase or the key is missing or another one; if somebody else has sealed it; if it is not sealed though
    /// it should be, unless it is to be sealed now.
    pub(crate) fn open(&self, path: &Path, bytes: &[u8]) -> Result<Vec<u8>, Failure> {
        self.opened(path, bytes, Author::Known)
    }

    /// The same of a ledger whose bytes are compared with a digest: it does not matter who has sealed it.
    ///
    /// # Errors
    /// As [`Self::open`], but for the last.
    pub(crate) fn open_of_anyone(&self, path: &Path, bytes: &[u8]) -> Result<Vec<u8>, Failure> {
        self.opened(path, bytes, Author::Anyone)
    }

    fn opened(&self, path: &Path, bytes: &[u8], author: Author) -> Result<Vec<u8>, Failure> {
        if bytes.trim_ascii_start().starts_with(ARMOUR) {
            return Err(Failure::input(SealFault::Armoured { path: shown(path) }));
        }
        if !is_sealed(bytes) {
            return self.plain(path).map(|()| bytes.to_vec());
        }
        match &self.key {
            Key::None => Err(Failure::input(SealFault::Sealed { path: shown(path) })),
            Key::Passphrase(passphrase) => keys::opened(passphrase, bytes, path),
            Key::Keys(keys) => keys.opened(bytes, path, author),
        }
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
        match (&self.key, self.unsealed) {
            (Key::None, _) | (_, Unsealed::SealNow) => Ok(()),
            (_, Unsealed::Refused) => Err(Failure::input(SealFault::Unsealed { path: shown(path) })),
            (_, Unsealed::NotYet) => Err(Failure::input(SealFault::NotYetSealed { path: shown(path) })),
        }
    }

    /// The bytes to write: sealed if there is a passphrase or a key.
    ///
    /// # Errors
    /// If sealing fails.
    pub(crate) fn close(&self, bytes: Vec<u8>) -> Result<Vec<u8>, Failure> {
        let closed = match &self.key {
            Key::None => return Ok(bytes),
            Key::Passphrase(passphrase) => keys::closed(passphrase, &bytes),
            Key::Keys(keys) => keys.closed(&bytes),
        };
        closed.map_err(|why| Failure::system(SealFault::NotClosed { why }))
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

/// Warns of a secret in a file that others can read.
pub(super) fn warn_of_rights(file: &Path) {
    if is_open(file) {
        warn(&SealTold::OpenPassphrase { path: shown(file) }.into());
    }
}

/// Whether this is a sealed file.
pub(super) fn is_sealed(bytes: &[u8]) -> bool {
    bytes.starts_with(MARK)
}

#[cfg(all(test, feature = "passphrase"))]
mod tests;
