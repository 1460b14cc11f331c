//! Sealing to keys of age (X25519), and who sealed.
//!
//! A passphrase is known to nobody but those who may write a ledger, so that a ledger which it opens was written by one of them. A
//! public key is known to many: anyone who has it can seal a ledger of their own making to it. So the header has a part more,
//! [`BY`], which the tools of age pass over: for each recipient a code over the key of the file and the digest of what is sealed, keyed
//! with what the private key of the author and the public key of the recipient have in common (Diffie-Hellman over X25519, both keys
//! static). It can be made by the author, and by the recipient themself, and by nobody else. A ledger is taken where the author is the
//! reader, or one of those whom the reader names.

use std::{cell::RefCell, collections::HashSet, io, path::Path};

use age::{
    DecryptError, Decryptor, EncryptError, Encryptor,
    secrecy::ExposeSecret as _,
    x25519::{Identity, Recipient},
};
use age_core::{
    format::{FileKey, Stanza},
    primitives::bech32_decode,
};
use lookalike_words::Said;
use x25519_dalek::{PublicKey, StaticSecret};

use super::{SealFault, shown};
use crate::{exit::Failure, files};

/// The part of a header that says who sealed.
const BY: &str = "lookalike-sealed-by";

/// What the codes are for: a key for them is one for nothing else.
const PURPOSE: &str = "lookalike 2026-11 who sealed a ledger";

/// How a secret key begins, which must not be shown where it was given by mistake.
const SECRET: &str = "AGE-SECRET-KEY-";

/// Binary logarithm of the work that a guess at a passphrase costs (scrypt, 256 MiB and about a second), and the most
/// that is spent on a file of others (1 GiB). Fixed: what the machine happens to be busy with must not decide it.
const WORK: u8 = 18;
const MOST_WORK: u8 = 20;

/// A key pair.
struct Own {
    identity: Identity,
    secret: StaticSecret,
    public: [u8; 32],
}

/// The keys of the reader, and of the others who may read and write.
pub(super) struct Keys {
    own: Vec<Own>,
    /// With the reader's.
    all: Vec<(Recipient, [u8; 32])>,
}

/// Whether it matters who sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Author {
    /// One of the keys that are known.
    Known,
    /// Its bytes are compared with something else.
    Anyone,
}

impl Keys {
    /// The keys of an identity file, as `age-keygen` writes it, and those of the others: public keys, or files of them.
    ///
    /// # Errors
    /// If a file cannot be read, or holds something else.
    pub(super) fn read(identity: &Path, others: &[String]) -> Result<Self, Failure> {
        let text = String::from_utf8(files::read_small(identity)?)
            .map_err(|_| Failure::input(SealFault::NotUtf8 { path: shown(identity) }))?;
        let mut own = Vec::new();
        for (line, text) in lines(&text) {
            let read = || Some((text.parse::<Identity>().ok()?, bytes_of(text)?));
            let Some((identity, secret)) = read() else {
                return Err(Failure::input(SealFault::NotIdentity { path: shown(identity), line }));
            };
            let secret = StaticSecret::from(secret);
            let public = PublicKey::from(&secret).to_bytes();
            own.push(Own { identity, secret, public });
        }
        if own.is_empty() {
            return Err(Failure::input(SealFault::NoIdentity { path: shown(identity) }));
        }
        let mut all: Vec<_> = own.iter().map(|own| (own.identity.to_public(), own.public)).collect();
        for other in others {
            for key in recipients(other)? {
                if !all.iter().any(|(_, known)| *known == key.1) {
                    all.push(key);
                }
            }
        }
        Ok(Self { own, all })
    }

    /// What is sealed to one of the reader's keys.
    pub(super) fn opened(&self, bytes: &[u8], path: &Path, author: Author) -> Result<Vec<u8>, Failure> {
        let fail = |fault: SealFault| Failure::input(fault);
        let other = |why: DecryptError| {
            fail(match why {
                DecryptError::NoMatchingKeys => SealFault::OtherKeys { path: shown(path) },
                why => SealFault::Damaged { path: shown(path), why: Said::verbatim(why.to_string()) },
            })
        };
        let decryptor = Decryptor::new_buffered(bytes).map_err(other)?;
        if decryptor.is_scrypt() {
            return Err(fail(SealFault::ByPassphrase { path: shown(path) }));
        }
        let reader = Reader { keys: self, seen: RefCell::new(None) };
        let mut plain = Vec::new();
        let mut stream = decryptor.decrypt(std::iter::once(&reader as &dyn age::Identity)).map_err(other)?;
        io::Read::read_to_end(&mut stream, &mut plain).map_err(|why| {
            fail(SealFault::Damaged { path: shown(path), why: Said::verbatim(why.to_string()) })
        })?;
        let known = reader.seen.into_inner().is_some_and(|seen| {
            let Some(own) = self.own.get(seen.own) else { return false };
            self.all.iter().any(|(_, author)| {
                let code = code((&own.secret, author), (*author, own.public), &seen.key, &plain);
                code.is_some_and(|code| seen.codes.chunks(32).any(|there| code == *there))
            })
        });
        if known || author == Author::Anyone {
            return Ok(plain);
        }
        Err(fail(SealFault::Stranger { path: shown(path) }))
    }

    /// The bytes, sealed to the reader and the others.
    pub(super) fn closed(&self, bytes: &[u8]) -> Result<Vec<u8>, Said> {
        let Some(author) = self.own.first() else {
            return Err(Said::verbatim(EncryptError::MissingRecipients.to_string()));
        };
        let by = By { author, keys: self, bytes };
        let recipients = self.all.iter().map(|(recipient, _)| recipient as &dyn age::Recipient);
        let recipients = recipients.chain(std::iter::once(&by as &dyn age::Recipient));
        let close = || -> Result<Vec<u8>, EncryptError> {
            let mut sealed = Vec::new();
            let mut writer = Encryptor::with_recipients(recipients)?.wrap_output(&mut sealed)?;
            io::Write::write_all(&mut writer, bytes)?;
            writer.finish()?;
            Ok(sealed)
        };
        close().map_err(|e| Said::verbatim(e.to_string()))
    }
}

/// What is sealed with a passphrase.
pub(super) fn opened(passphrase: &str, bytes: &[u8], path: &Path) -> Result<Vec<u8>, Failure> {
    let mut identity = age::scrypt::Identity::new(passphrase.to_owned().into());
    identity.set_max_work_factor(MOST_WORK);
    age::decrypt(&identity, bytes).map_err(|why| {
        let path = shown(path);
        Failure::input(match why {
            // The reader of a passphrase passes over other recipients.
            DecryptError::NoMatchingKeys => SealFault::ByKeys { path },
            DecryptError::ExcessiveWork { required, .. } => {
                SealFault::TooMuchWork { path, work: usize::from(required), most: usize::from(MOST_WORK) }
            }
            why => SealFault::Unopened { path, why: Said::verbatim(why.to_string()) },
        })
    })
}

/// The bytes, sealed with a passphrase.
pub(super) fn closed(passphrase: &str, bytes: &[u8]) -> Result<Vec<u8>, Said> {
    let mut recipient = age::scrypt::Recipient::new(passphrase.to_owned().into());
    recipient.set_work_factor(WORK);
    age::encrypt(&recipient, bytes).map_err(|e| Said::verbatim(e.to_string()))
}

/// What a header told.
struct Seen {
    /// Which of the reader's keys opened it.
    own: usize,
    /// The key of the file.
    key: [u8; 16],
    /// The codes of who sealed.
    codes: Vec<u8>,
}

/// Opens a header, and notes what it says of who sealed.
struct Reader<'a> {
    keys: &'a Keys,
    seen: RefCell<Option<Seen>>,
}

impl age::Identity for Reader<'_> {
    /// One part does not do: who sealed is in another one.
    fn unwrap_stanza(&self, stanza: &Stanza) -> Option<Result<FileKey, DecryptError>> {
        self.unwrap_stanzas(std::slice::from_ref(stanza))
    }

    fn unwrap_stanzas(&self, stanzas: &[Stanza]) -> Option<Result<FileKey, DecryptError>> {
        let mut each = self.keys.own.iter().enumerate();
        let (own, found) = each.find_map(|(at, own)| Some((at, own.identity.unwrap_stanzas(stanzas)?)))?;
        let codes = stanzas.iter().find(|stanza| stanza.tag == BY).map(|stanza| stanza.body.clone());
        if let (Ok(key), Some(codes)) = (&found, codes) {
            *self.seen.borrow_mut() = Some(Seen { own, key: *key.expose_secret(), codes });
        }
        Some(found)
    }
}

/// The part of a header that says who sealed, for the recipients.
struct By<'a> {
    author: &'a Own,
    keys: &'a Keys,
    bytes: &'a [u8],
}

impl age::Recipient for By<'_> {
    fn wrap_file_key(&self, key: &FileKey) -> Result<(Vec<Stanza>, HashSet<String>), EncryptError> {
        let key = key.expose_secret();
        let codes = self.keys.all.iter().filter_map(|(_, recipient)| {
            code((&self.author.secret, recipient), (self.author.public, *recipient), key, self.bytes)
        });
        let body = codes.flat_map(|code| *code.as_bytes()).collect();
        Ok((vec![Stanza { tag: BY.to_owned(), args: Vec::new(), body }], HashSet::new()))
    }
}

/// The code by which a recipient knows the author, from the private key of one of them and the public key of the other; nothing where
/// that public key is of no use.
fn code(
    (secret, public): (&StaticSecret, &[u8; 32]),
    (author, recipient): ([u8; 32], [u8; 32]),
    key: &[u8; 16],
    bytes: &[u8],
) -> Option<blake3::Hash> {
    let shared = secret.diffie_hellman(&PublicKey::from(*public));
    // A point of low order has the same in common with everybody.
    if !shared.was_contributory() {
        return None;
    }
    let common = blake3::derive_key(PURPOSE, &[*shared.as_bytes(), author, recipient].concat());
    let mut code = blake3::Hasher::new_keyed(&common);
    code.update(key).update(blake3::hash(bytes).as_bytes());
    Some(code.finalize())
}

/// The public keys that are named: one, or those in a file.
fn recipients(named: &str) -> Result<Vec<(Recipient, [u8; 32])>, Failure> {
    if named.to_ascii_uppercase().starts_with(SECRET) {
        return Err(Failure::input(SealFault::SecretKey));
    }
    let key = |text: &str| Some((text.parse::<Recipient>().ok()?, bytes_of(text)?));
    if let Some(key) = key(named) {
        return Ok(vec![key]);
    }
    let path = Path::new(named);
    if !path.is_file() {
        return Err(Failure::input(SealFault::NotRecipient { text: named.to_owned() }));
    }
    let text = String::from_utf8(files::read_small(path)?)
        .map_err(|_| Failure::input(SealFault::NotUtf8 { path: shown(path) }))?;
    let fault = |line| Failure::input(SealFault::NotRecipients { path: shown(path), line });
    let keys: Vec<_> =
        lines(&text).map(|(line, text)| key(text).ok_or_else(|| fault(line))).collect::<Result<_, _>>()?;
    if keys.is_empty() { Err(fault(1)) } else { Ok(keys) }
}

/// The lines of a file of keys that are not comments, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// The bytes of a key that age has read, which does not hand them out.
fn bytes_of(text: &str) -> Option<[u8; 32]> {
    bech32_decode(text, |_| (), |_| Ok(()), |_, bytes| Ok(bytes.collect::<Vec<u8>>())).ok()?.try_into().ok()
}
