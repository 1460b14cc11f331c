//! The ledger of a series, read by the audit's own code: its form stands in `docs/ledger.schema.json`.

use lookalike_words::Name;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};

use crate::{Error, LedgerFault};

/// The newest version of the file that is known: it says more of each release, which nothing here needs.
const VERSION: u32 = 3;

/// What tells a ledger from other JSON.
const FORMAT: &str = "lookalike ledger";

/// Who was in which release, with which sensitive value, in a class of which values.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Ledger {
    /// Columns, as the series was told them.
    pub(super) settings: LedgerColumns,
    /// Sensitive values; others refer to them by their place.
    pub(super) values: Vec<String>,
    /// Signatures: places in `values`.
    pub(super) signatures: Vec<Vec<u32>>,
    /// The releases, the first one first.
    pub(super) releases: Vec<Entry>,
    /// For each individual its stays: first and last release, counted from 1, place of the value, place of the
    /// signature.
    #[serde(deserialize_with = "pairs")]
    pub(super) individuals: Stays,
}

/// Individuals with their stays.
type Stays = Vec<(String, Vec<[u32; 4]>)>;

/// What the ledger says of the columns.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct LedgerColumns {
    quasi: Vec<String>,
    sensitive: Option<String>,
    #[serde(default)]
    keep: Vec<String>,
}

/// What the ledger says of a release.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Entry {
    /// BLAKE3 of the published bytes.
    pub(super) hash: String,
    pub(super) rows: usize,
    /// Counterfeits of each class, in published order.
    pub(super) counterfeits: Vec<u32>,
}

#[derive(Deserialize)]
struct Envelope {
    checksum: String,
    ledger: Ledger,
}

/// What tells whether it is worth reading on.
#[derive(Deserialize)]
struct Head {
    format: Option<String>,
    version: Option<u32>,
}

impl Ledger {
    /// Reads a ledger's file: its form, version and checksum, and that what its parts refer to is there.
    ///
    /// # Errors
    /// [`Error::Ledger`], with the reason.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let refuse = |why| Err(Error::Ledger { why });
        let json = |why: serde_json::Error| Error::Ledger { why: LedgerFault::Json { why: why.to_string() } };
        if bytes.starts_with(b"age-encryption.org/") || bytes.starts_with(b"-----BEGIN AGE ENCRYPTED FILE") {
            return refuse(LedgerFault::Encrypted);
        }
        let head: Head = serde_json::from_slice(bytes).map_err(json)?;
        match (head.format.as_deref(), head.version) {
            (Some(FORMAT), Some(1..=VERSION)) => {}
            (Some(FORMAT), Some(version)) => return refuse(LedgerFault::Version { version, known: VERSION }),
            (Some(FORMAT), None) => return refuse(LedgerFault::NoVersion { known: VERSION }),
            _ => return refuse(LedgerFault::Format { format: FORMAT }),
        }
        let mut file: Envelope = serde_json::from_slice(bytes).map_err(json)?;
        if body(bytes).is_none_or(|body| blake3::hash(&body).to_hex().as_str() != file.checksum) {
            return refuse(LedgerFault::Checksum);
        }
        // As the names of a source: white space around them is not part of them.
        for (name, _) in &mut file.ledger.individuals {
            *name = name.trim().to_owned();
        }
        file.ledger.refers().map_err(|why| Error::Ledger { why })?;
        Ok(file.ledger)
    }

    /// The quasi-identifiers that it names, kept columns included.
    #[must_use]
    pub fn quasi(&self) -> Vec<String> {
        self.settings.quasi.iter().chain(&self.settings.keep).cloned().collect()
    }

    /// The sensitive column that it names.
    #[must_use]
    pub fn sensitive(&self) -> Option<&str> {
        self.settings.sensitive.as_deref()
    }

    /// Whether all places exist, nobody is named twice, and stays follow one another.
    fn refers(&self) -> Result<(), LedgerFault> {
        let value_exists = |&value: &u32| (value as usize) < self.values.len();
        if !self.signatures.iter().flatten().all(value_exists) {
            return Err(LedgerFault::Signature);
        }
        let mut names: Vec<&str> = self.individuals.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        if let Some([name, _]) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(LedgerFault::Twice { individual: Name::from(*name) });
        }
        for (name, stays) in &self.individuals {
            let mut last = 0;
            for &[first, until, value, signature] in stays {
                if first <= last || until < first || until as usize > self.releases.len() {
                    return Err(LedgerFault::Stays { individual: Name::from(name.as_str()) });
                }
                last = until;
                if !value_exists(&value) || signature as usize >= self.signatures.len() {
                    return Err(LedgerFault::Stay { individual: Name::from(name.as_str()) });
                }
            }
        }
        Ok(())
    }
}

/// A map with all of its entries, a repeated one included.
fn pairs<'de, D: Deserializer<'de>>(from: D) -> Result<Stays, D::Error> {
    struct Pairs;
    impl<'de> Visitor<'de> for Pairs {
        type Value = Stays;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("individuals with their stays")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut pairs = Vec::new();
            while let Some(pair) = map.next_entry()? {
                pairs.push(pair);
            }
            Ok(pairs)
        }
    }
    from.deserialize_map(Pairs)
}

/// The text of the field "ledger", the last one, without white space between tokens: what the checksum is of.
fn body(bytes: &[u8]) -> Option<Vec<u8>> {
    const FIELD: &[u8] = b",\"ledger\":";
    let (mut compact, mut within, mut escaped) = (Vec::with_capacity(bytes.len()), false, false);
    for &byte in bytes {
        if within || !byte.is_ascii_whitespace() {
            compact.push(byte);
        }
        if !escaped && byte == b'"' {
            within = !within;
        }
        escaped = within && !escaped && byte == b'\\';
    }
    let at = compact.windows(FIELD.len()).position(|window| window == FIELD)? + FIELD.len();
    (compact.pop() == Some(b'}')).then(|| compact.split_off(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &str = r#"{"settings":{"quasi":["age"],"sensitive":"disease"},"values":["a \" b","c"],"signatures":[[0,1]],"releases":[{"hash":"","rows":2,"counterfeits":[0],"version":"1"}],"individuals":{"p":[[1,1,0,0]],"q":[[1,1,1,0]]}}"#;

    fn file(body: &str) -> String {
        let checksum = blake3::hash(body.as_bytes()).to_hex();
        format!(
            "{{\"do not publish\":\"x\",\"format\":\"{FORMAT}\",\"version\":1,\"checksum\":\"{checksum}\",\"ledger\":{body}}}\n"
        )
    }

    fn refused(text: &str) -> String {
        Ledger::read(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn reads_compact_and_indented_files() {
        let ledger = Ledger::read(file(BODY).as_bytes()).unwrap();
        assert_eq!((ledger.quasi(), ledger.sensitive()), (vec![String::from("age")], Some("disease")));
        assert_eq!(ledger.individuals.len(), 2);
        let indented = file(BODY).replace("[0,1]", "[\n  0, 1 ]").replace("\"q\":", "\"q\" :\t");
        assert_eq!(Ledger::read(indented.as_bytes()).unwrap(), ledger);
    }

    #[test]
    fn refuses_what_it_cannot_trust() {
        assert!(refused("{").contains("cannot be read"));
        assert!(refused("{\"a\":1}").contains("\"format\""));
        assert!(refused("age-encryption.org/v1\n").contains("encrypted"));
        assert!(refused(&file(BODY).replace("\"version\":1,\"c", "\"version\":9,\"c")).contains("version 9"));
        assert!(refused(&file(BODY).replace("a \\\" b", "a \\\"  b")).contains("checksum"));
        for name in ["\"p\"", "\"p \"", "\"\\u00a0p\""] {
            assert!(refused(&file(&BODY.replace("\"q\"", name))).contains("\"p\" is in it twice"));
        }
        assert!(refused(&file(&BODY.replace("[[0,1]]", "[[0,7]]"))).contains("refers to a value"));
        assert!(refused(&file(&BODY.replace("[1,1,1,0]", "[1,2,1,0]"))).contains("do not follow"));
        assert!(refused(&file(&BODY.replace("[1,1,1,0]", "[1,1,1,4]"))).contains("not there"));
    }
}
