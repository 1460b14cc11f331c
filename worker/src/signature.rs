//! Signatures of a manifest, in the form of OpenSSH: `ssh-keygen -Y` makes and reads them as well.

use std::path::Path;

use lookalike_wire::manifest::NAMESPACE;
use ssh_key::{Algorithm, HashAlg, LineEnding, PrivateKey, PublicKey, SshSig};

use crate::{exit::Failure, files};

lookalike_words::messages! {
    in "worker";

    /// What is wrong with a key.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum KeyFault {
        /// It is no private key.
        NoKey {
            /// Its file.
            path: String,
            /// Why.
            why: String,
        },
        /// It has a passphrase.
        Encrypted {
            /// Its file.
            path: String,
        },
        /// It is of another kind than those that are used here.
        Kind {
            /// Its file.
            path: String,
            /// Its kind.
            kind: String,
        },
        /// It does not sign.
        Unsigned {
            /// Why.
            why: String,
        },
        /// A file without a public key that can be used.
        NoSigners {
            /// The file.
            path: String,
        },
    }
}

/// Who signs.
pub(crate) struct Signer(PrivateKey);

impl Signer {
    /// Reads a private key.
    ///
    /// # Errors
    /// If it is none, is encrypted, or of another kind than Ed25519.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let shown = || path.display().to_string();
        let bytes = files::read(path)?;
        let key = PrivateKey::from_openssh(&bytes);
        let key = key.map_err(|e| Failure::input(KeyFault::NoKey { path: shown(), why: e.to_string() }))?;
        if key.is_encrypted() {
            return Err(Failure::input(KeyFault::Encrypted { path: shown() }));
        }
        if key.algorithm() != Algorithm::Ed25519 {
            return Err(Failure::input(KeyFault::Kind { path: shown(), kind: key.algorithm().to_string() }));
        }
        Ok(Self(key))
    }

    /// Signs a manifest: the text of the signature.
    ///
    /// # Errors
    /// If the key does not sign.
    pub(crate) fn sign(&self, manifest: &[u8]) -> Result<Vec<u8>, Failure> {
        let signature = self.0.sign(NAMESPACE, HashAlg::Sha512, manifest);
        let text = signature.and_then(|signature| signature.to_pem(LineEnding::LF));
        text.map(String::into_bytes).map_err(|e| Failure::system(KeyFault::Unsigned { why: e.to_string() }))
    }
}

/// What a signature is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Signed {
    /// By somebody who was named.
    By(String),
    /// By the key with this fingerprint; nobody has said whose it is.
    Somebody(String),
    /// By another key than those of whoever was named.
    Stranger(String),
    /// By a key of a kind that is not known here.
    Unknown(String),
    /// It is not a signature of this manifest.
    Broken,
}

/// Public keys of those whose signature counts: a public key of OpenSSH, or its list of allowed signers.
pub(crate) struct Signers(Vec<(String, PublicKey)>);

impl Signers {
    /// Reads them. Of a list of allowed signers, lines with options other than this namespace are left out: what they limit is not
    /// judged here.
    ///
    /// # Errors
    /// If the file cannot be read or holds no key that counts.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let bytes = files::read(path)?;
        let text = String::from_utf8_lossy(&bytes);
        let found: Vec<_> = text.lines().filter_map(signer).collect();
        if found.is_empty() {
            return Err(Failure::input(KeyFault::NoSigners { path: path.display().to_string() }));
        }
        Ok(Self(found))
    }
}

/// The signer of a line: `KIND KEY NAME`, or `NAME [namespaces="..."] KIND KEY`.
fn signer(line: &str) -> Option<(String, PublicKey)> {
    let line = line.trim();
    if let Ok(key) = PublicKey::from_openssh(line) {
        let name = key.comment().trim();
        let name =
            if name.is_empty() { key.fingerprint(HashAlg::Sha256).to_string() } else { name.to_owned() };
        return Some((name, key));
    }
    let (names, rest) = line.split_once(char::is_whitespace)?;
    let rest = rest.trim_start();
    let rest = match rest.strip_prefix("namespaces=\"") {
        Some(options) => {
            let (namespaces, rest) = options.split_once('"')?;
            namespaces.split(',').any(|namespace| namespace == NAMESPACE).then_some(rest)?
        }
        None => rest,
    };
    Some((names.to_owned(), PublicKey::from_openssh(rest.trim()).ok()?))
}

/// What a signature of a manifest is worth, where these signers count.
pub(crate) fn judge(manifest: &[u8], signature: &str, signers: Option<&Signers>) -> Signed {
    let Ok(signature) = signature.parse::<SshSig>() else { return Signed::Broken };
    let key = PublicKey::from(signature.public_key().clone());
    if signature.algorithm() != Algorithm::Ed25519 {
        return Signed::Unknown(signature.algorithm().to_string());
    }
    if key.verify(NAMESPACE, manifest, &signature).is_err() {
        return Signed::Broken;
    }
    let fingerprint = key.fingerprint(HashAlg::Sha256).to_string();
    let Some(signers) = signers else { return Signed::Somebody(fingerprint) };
    let known = signers.0.iter().find(|(_, known)| known.key_data() == key.key_data());
    known.map_or(Signed::Stranger(fingerprint), |(name, _)| Signed::By(name.clone()))
}

#[cfg(test)]
mod tests {
    use ssh_key::private::{Ed25519Keypair, KeypairData};

    use super::*;

    fn signer_of(seed: u8) -> Signer {
        let pair = KeypairData::from(Ed25519Keypair::from_seed(&[seed; 32]));
        Signer(PrivateKey::new(pair, "officer@hospital").unwrap())
    }

    fn public(signer: &Signer) -> String {
        signer.0.public_key().to_openssh().unwrap()
    }

    fn signers(text: &str) -> Signers {
        Signers(text.lines().filter_map(super::signer).collect())
    }

    #[test]
    fn a_signature_is_of_one_manifest_and_one_key() {
        let (ours, others) = (signer_of(1), signer_of(2));
        let signature = String::from_utf8(ours.sign(b"manifest").unwrap()).unwrap();
        let known = signers(&public(&ours));
        assert_eq!(
            judge(b"manifest", &signature, Some(&known)),
            Signed::By(String::from("officer@hospital"))
        );
        assert_eq!(judge(b"manifesto", &signature, Some(&known)), Signed::Broken);
        assert!(matches!(judge(b"manifest", &signature, None), Signed::Somebody(_)));
        let strangers = signers(&public(&others));
        assert!(matches!(judge(b"manifest", &signature, Some(&strangers)), Signed::Stranger(_)));
        let elsewhere = ours.0.sign("file", HashAlg::Sha512, b"manifest").unwrap();
        let elsewhere = elsewhere.to_pem(LineEnding::LF).unwrap();
        assert_eq!(judge(b"manifest", &elsewhere, Some(&known)), Signed::Broken, "signed for something else");
        assert_eq!(judge(b"manifest", "no signature", Some(&known)), Signed::Broken);
    }

    #[test]
    fn allowed_signers_are_read_and_limits_that_are_not_judged_do_not_count() {
        let key = public(&signer_of(1));
        let key = key.trim_end_matches(" officer@hospital");
        let name = |line: String| signer(&line).map(|(name, _)| name);
        assert_eq!(name(format!("dpo@hospital {key}")).as_deref(), Some("dpo@hospital"));
        let here = format!("dpo@hospital namespaces=\"file,{NAMESPACE}\" {key}");
        assert_eq!(name(here).as_deref(), Some("dpo@hospital"));
        assert_eq!(name(format!("dpo@hospital namespaces=\"file\" {key}")), None);
        assert_eq!(name(format!("dpo@hospital valid-before=\"20200101\" {key}")), None);
        assert_eq!(name(format!("dpo@hospital cert-authority {key}")), None);
        assert_eq!(name(String::from("# a comment")), None);
    }
}
