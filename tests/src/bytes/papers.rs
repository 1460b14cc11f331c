//! The files of a run and of a series, and what travels between workers.

use lookalike_core::audit::certificate::{Certificate, Data, verify};
use lookalike_wire::{
    block as blocks,
    ledger::{self as ledgers, LEDGER_VERSION},
    manifest::{Manifest, NAMESPACE},
};
use serde_json::{Value, json};
use ssh_key::{PublicKey, SshSig};

/// Nodes that the check of a certificate may take here.
const NODES: u64 = 10_000;

/// Records that a certificate here is about: points of two coordinates.
const POINTS: [f64; 12] = [0.0, 0.0, 1.0, 0.5, 0.25, 4.0, 3.0, 3.0, -1.0, 2.0, 0.0, 0.0];
const WEIGHTS: [f64; 2] = [1.0, 0.5];
const COLOURS: [u32; 6] = [0, 1, 2, 0, 1, 2];

/// A block of a search or a message; and what is written of it is that block.
#[must_use]
pub fn block(bytes: &[u8]) -> bool {
    let Ok(block) = blocks::decode(bytes) else { return false };
    let written = blocks::encode(block).expect("a block can be written");
    let again = blocks::decode(&written).expect("and read again");
    assert_eq!(blocks::encode(again).expect("and written again"), written);
    true
}

/// A ledger that holds together, or an error with a message; and what is written of it is that ledger. JSON that is not a ledger's
/// file is taken for what a ledger holds, with the right checksum.
#[must_use]
pub fn ledger(bytes: &[u8]) -> bool {
    let whole = match serde_json::from_slice::<Value>(bytes) {
        Ok(body) if body.get("checksum").is_none() => enveloped(&body),
        _ => bytes.to_vec(),
    };
    let found = match ledgers::read(&whole) {
        Ok(found) => found,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    assert!(ledgers::checksum(&whole).is_some());
    let again = ledgers::read(&ledgers::write(&found).expect("a ledger can be written"));
    assert_eq!(again.expect("and read again"), found);
    true
}

fn enveloped(body: &Value) -> Vec<u8> {
    let text = body.to_string();
    let head = json!({
        "do not publish": "",
        "format": "lookalike ledger",
        "version": LEDGER_VERSION,
        "checksum": blake3::hash(text.as_bytes()).to_hex().as_str(),
    });
    let head = head.to_string();
    format!("{},\"ledger\":{text}}}", head.trim_end_matches('}')).into_bytes()
}

/// A manifest or an error with a message; and what is written of it is that manifest.
#[must_use]
pub fn manifest(bytes: &[u8]) -> bool {
    let found = match Manifest::read(bytes) {
        Ok(found) => found,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    let again = Manifest::read(&found.write().expect("a manifest can be written"));
    assert_eq!(again.expect("and read again"), found);
    true
}

/// A signature and, behind a NUL, a public key, as the crate reads them for `lookalike verify`: none of these bytes panics, and none of
/// them signs what was not signed.
#[must_use]
pub fn signature(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let (signature, key) = text.split_once('\0').unwrap_or((&text, ""));
    let known = PublicKey::from_openssh(key.trim()).ok();
    let Ok(signature) = signature.parse::<SshSig>() else { return false };
    let signer = PublicKey::from(signature.public_key().clone());
    for key in known.iter().chain([&signer]) {
        assert!(key.verify(NAMESPACE, b"what nobody signed", &signature).is_err());
    }
    true
}

/// A certificate or an error with a message, and then a proof about six records or a refusal with one; what is written of it is that
/// certificate.
#[must_use]
pub fn certificate(bytes: &[u8]) -> bool {
    let found = match Certificate::from_json(&String::from_utf8_lossy(bytes)) {
        Ok(found) => found,
        Err(refusal) => {
            assert!(!refusal.to_string().is_empty());
            return false;
        }
    };
    let again = Certificate::from_json(&found.to_json().expect("numbers of a file are finite"));
    assert_eq!(again.expect("and read again"), found);
    let _rows = found.records(6).is_ok();
    let data = Data { points: &POINTS, weights: &WEIGHTS, colours: Some(&COLOURS) };
    match verify(data, found.rule, &found, NODES) {
        Ok(proven) => assert!(proven.bound >= found.bound),
        Err(refusal) => assert!(!refusal.to_string().is_empty()),
    }
    true
}
