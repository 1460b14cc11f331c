//! The ledger's file: JSON whose first field says "do not publish", with a version and a checksum.

use std::{borrow::Cow, collections::BTreeMap};

use lookalike_model::{
    ledger::{Ledger, Mode, Release, Stay},
    settings::Model,
};
use lookalike_words::{Name, messages};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, value::RawValue};

use crate::{
    chain,
    config::{Fault, before},
};

/// Newest version of the file's shape: it may have pseudonyms in place of names.
pub const LEDGER_VERSION: u32 = 3;

/// The version of a ledger with names whose releases are chained.
const CHAINED: u32 = 2;

/// The version of a ledger none of whose releases is chained.
const UNCHAINED: u32 = 1;

/// What tells a ledger from other JSON.
const FORMAT: &str = "lookalike ledger";

const NOTICE: &str = "this file links published tables to the people in them; the next release needs it";

messages! {
    in "wire";

    /// Why a file is no ledger, or a ledger no file.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum LedgerError {
        /// It is something else.
        Foreign {
            /// How that shows.
            why: ForeignLedger,
        },
        /// It was a ledger; it is cut off, or somebody changed it.
        Damaged {
            /// How that shows.
            why: LedgerDamage,
        },
        /// It has a version that this program does not know.
        Version {
            /// Its version.
            version: u32,
            /// The newest that is known.
            newest: u32,
        },
        /// These names of people differ by white space around them only: two histories of one person.
        Twice {
            /// The names.
            names: Vec<Name>,
        },
        /// It cannot be written as JSON.
        Unwritten {
            /// Why.
            why: String,
        },
    }

    /// How it shows that a file is no ledger.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum ForeignLedger {
        /// It is not JSON of this form.
        NotJson {
            /// Why and where.
            why: String,
        },
        /// It does not say that it is one.
        Format {
            /// What its field "format" would be.
            format: &'static str,
        },
    }

    /// How it shows that a ledger is damaged.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum LedgerDamage {
        /// It is not JSON of this form.
        NotJson {
            /// Why and where.
            why: String,
        },
        /// It has no version.
        NoVersion,
        /// Its checksum is that of something else.
        Checksum,
        /// Its guarantee is another one.
        Guarantee,
        /// A signature out of form.
        Signature {
            /// Its number, from 0.
            at: usize,
            /// Values that it has at least.
            least: usize,
        },
        /// An individual without a name or a release.
        Nobody {
            /// The individual.
            name: Name,
        },
        /// Releases of an individual out of order.
        Stays {
            /// The individual.
            name: Name,
        },
        /// A signature without the value that the individual has.
        LacksValue {
            /// The individual.
            name: Name,
        },
        /// Two signatures where there must be one.
        TwoSignatures {
            /// The individual.
            name: Name,
        },
        /// A release that is not chained to those before it.
        Link {
            /// Its number.
            release: usize,
        },
    }
}

impl std::error::Error for LedgerError {}

impl From<LedgerDamage> for LedgerError {
    fn from(why: LedgerDamage) -> Self {
        Self::Damaged { why }
    }
}

fn unwritten(error: &serde_json::Error) -> LedgerError {
    LedgerError::Unwritten { why: error.to_string() }
}

/// The file; its fields stand in this order.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope<T> {
    #[serde(rename = "do not publish")]
    notice: String,
    format: String,
    version: u32,
    /// BLAKE3 of the ledger as compact JSON.
    checksum: String,
    ledger: T,
}

/// What every version has.
#[derive(Deserialize)]
struct Head {
    format: Option<String>,
    version: Option<u32>,
}

/// What tells one state of a series from another: the checksum of its ledger.
///
/// # Errors
/// If the ledger cannot be written as JSON.
pub fn fingerprint(ledger: &Ledger) -> Result<String, LedgerError> {
    sum(ledger)
}

/// The checksum that a file names, right or not; `None` if it is no ledger's file. It is the [`fingerprint`] of what the
/// program wrote that has written it.
#[must_use]
pub fn checksum(bytes: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Named {
        checksum: String,
    }
    serde_json::from_slice::<Named>(bytes).ok().map(|named| named.checksum)
}

/// The ledger as bytes.
///
/// # Errors
/// If it cannot be written as JSON.
pub fn write(ledger: &Ledger) -> Result<Vec<u8>, LedgerError> {
    let file = Envelope {
        notice: NOTICE.to_owned(),
        format: FORMAT.to_owned(),
        version: version(ledger),
        checksum: sum(ledger)?,
        ledger,
    };
    let mut bytes = serde_json::to_vec(&file).map_err(|error| unwritten(&error))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// The ledger that the bytes are, after checking it: format, version, checksum, and that its parts fit together.
///
/// # Errors
/// [`LedgerError`], with the reason.
pub fn read(bytes: &[u8]) -> Result<Ledger, LedgerError> {
    let head: Head = serde_json::from_slice(bytes).map_err(|e| {
        let begins = bytes.starts_with(b"{\"do not publish\"");
        let why = e.to_string();
        if begins {
            LedgerDamage::NotJson { why }.into()
        } else {
            LedgerError::Foreign { why: ForeignLedger::NotJson { why } }
        }
    })?;
    if head.format.as_deref() != Some(FORMAT) {
        return Err(LedgerError::Foreign { why: ForeignLedger::Format { format: FORMAT } });
    }
    // Each older version gets an arm that reads its own shape and makes it this one.
    let ledger = match head.version {
        Some(UNCHAINED | CHAINED | LEDGER_VERSION) => body::<Ledger>(bytes)?,
        Some(version) => return Err(LedgerError::Version { version, newest: LEDGER_VERSION }),
        None => return Err(LedgerDamage::NoVersion.into()),
    };
    check(&ledger)?;
    trimmed(ledger)
}

/// The version of the file of a ledger: programs of before read those that have nothing that they do not know.
fn version(ledger: &Ledger) -> u32 {
    let chained =
        |release: &Release| release.before.is_some() || release.audit.is_some() || release.link.is_some();
    match &ledger.pseudonyms {
        Some(_) => LEDGER_VERSION,
        None if ledger.releases.iter().any(chained) => CHAINED,
        None => UNCHAINED,
    }
}

/// The ledger with names that have no white space around them, as the names of a table are read: a file of version 0.1.0 of
/// the program may hold others.
fn trimmed(mut ledger: Ledger) -> Result<Ledger, LedgerError> {
    if ledger.individuals.keys().all(|name| name.trim().len() == name.len()) {
        return Ok(ledger);
    }
    let mut of: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
    for name in ledger.individuals.keys() {
        of.entry(name.trim()).or_default().push(name);
    }
    let twice = of.into_values().filter(|names| names.len() > 1).flatten();
    let names: Vec<Name> = twice.map(|name| name.as_str().into()).collect();
    if !names.is_empty() {
        return Err(LedgerError::Twice { names });
    }
    let individuals = std::mem::take(&mut ledger.individuals);
    ledger.individuals =
        individuals.into_iter().map(|(name, stays)| (name.trim().to_owned(), stays)).collect();
    Ok(ledger)
}

/// The ledger in a file of one version, if its checksum is right. That is of the text as it stands there, and not of what is
/// made of it: a program that knows more fields must not take it for damaged.
fn body<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, LedgerError> {
    let damaged = |e: serde_json::Error| LedgerError::from(LedgerDamage::NotJson { why: e.to_string() });
    let file: Envelope<&RawValue> = serde_json::from_slice(bytes).map_err(damaged)?;
    if hash(&compact(file.ledger.get())) != file.checksum {
        return Err(LedgerDamage::Checksum.into());
    }
    let text = joined(file.ledger.get()).map_err(|fault| LedgerDamage::NotJson { why: fault.to_string() })?;
    serde_json::from_str(&text).map_err(damaged)
}

/// The ledger with the options of its method in the method, where they stand beside it.
fn joined(ledger: &str) -> Result<Cow<'_, str>, Fault> {
    #[derive(Deserialize)]
    struct Told<'a> {
        #[serde(borrow)]
        settings: &'a RawValue,
    }
    // Whatever else is wrong is said by whoever reads it whole.
    let Ok(Told { settings }) = serde_json::from_str(ledger) else { return Ok(ledger.into()) };
    let Ok(mut told) = serde_json::from_str::<Map<String, Value>>(settings.get()) else {
        return Ok(ledger.into());
    };
    if !told.contains_key(before::SEARCH) {
        return Ok(ledger.into());
    }
    before::join(&mut told)?;
    Ok(ledger.replacen(settings.get(), &Value::Object(told).to_string(), 1).into())
}

/// JSON without white space between its parts, in case somebody has indented it.
fn compact(json: &str) -> Vec<u8> {
    let (mut within, mut escaped) = (false, false);
    json.bytes()
        .filter(|&byte| {
            let kept = within || !byte.is_ascii_whitespace();
            if !escaped && byte == b'"' {
                within = !within;
            }
            escaped = within && !escaped && byte == b'\\';
            kept
        })
        .collect()
}

fn sum<T: Serialize>(ledger: &T) -> Result<String, LedgerError> {
    Ok(hash(&serde_json::to_vec(ledger).map_err(|error| unwritten(&error))?))
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// Whether the parts fit together; says what does not.
fn check(ledger: &Ledger) -> Result<(), LedgerDamage> {
    let Model::MInvariance { m } = ledger.settings.model else {
        return Err(LedgerDamage::Guarantee);
    };
    for (at, signature) in ledger.signatures.iter().enumerate() {
        let fits = signature.len() >= m
            && signature.windows(2).all(|pair| pair[0] < pair[1])
            && signature.last().is_some_and(|&value| (value as usize) < ledger.values.len());
        if !fits {
            return Err(LedgerDamage::Signature { at, least: m });
        }
    }
    if let Some(release) = chain::of_ledger(ledger).broken() {
        return Err(LedgerDamage::Link { release });
    }
    let releases = ledger.number();
    for (name, stays) in &ledger.individuals {
        let named = || Name::from(name.as_str());
        if name.trim().is_empty() || stays.is_empty() {
            return Err(LedgerDamage::Nobody { name: named() });
        }
        let mut last = 0;
        for (at, stay) in stays.iter().enumerate() {
            if stay.first <= last || stay.last < stay.first || stay.last > releases {
                return Err(LedgerDamage::Stays { name: named() });
            }
            last = stay.last;
            let signature = ledger.signatures.get(stay.signature as usize);
            if signature.is_none_or(|signature| signature.binary_search(&stay.value).is_err()) {
                return Err(LedgerDamage::LacksValue { name: named() });
            }
            let same = |before: &&Stay| {
                before.value == stay.value
                    && (ledger.mode == Mode::TauSafety || before.last + 1 == stay.first)
            };
            if stays[..at].iter().find(same).is_some_and(|before| before.signature != stay.signature) {
                return Err(LedgerDamage::TwoSignatures { name: named() });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use lookalike_model::settings::{Construction, Method};

    use super::*;

    /// Written by version 0.1.0: two releases, somebody left, somebody came.
    const VERSION_1: &str = include_str!("../tests/ledgers/version-1.json");

    /// The same with other contents, and a checksum that fits.
    fn with(from: &str, to: &str) -> String {
        let file: Envelope<&RawValue> = serde_json::from_str(VERSION_1).unwrap();
        let body = file.ledger.get().replacen(from, to, 1);
        assert_ne!(body, file.ledger.get());
        VERSION_1.replace(file.ledger.get(), &body).replace(&file.checksum, &hash(body.as_bytes()))
    }

    fn refused(text: &str) -> String {
        read(text.as_bytes()).unwrap_err().to_string()
    }

    /// A file of each version that there was must be read for ever.
    #[test]
    fn files_of_every_version_are_read() {
        let ledger = read(VERSION_1.as_bytes()).unwrap();
        assert_eq!((ledger.number(), ledger.individuals.len(), ledger.mode), (2, 5, Mode::TauSafety));
        assert_eq!(ledger.values, ["flu", "gout", "a \"b\""]);
        assert_eq!(ledger.individuals["q"], [Stay { first: 1, last: 2, value: 1, signature: 0 }]);
        assert_eq!(read(&write(&ledger).unwrap()), Ok(ledger.clone()));
        let indented = VERSION_1.replace("],[", "],\n  [").replace("\"values\":", "\"values\" :\t");
        assert_eq!(read(indented.as_bytes()), Ok(ledger.clone()));
        // A setting that its program did not know has its default.
        assert_eq!(read(with("\"coding\":{},", "").as_bytes()), Ok(ledger));
    }

    #[test]
    fn options_may_stand_beside_the_method() {
        let beside = r#""method":"annealing","search":{"start":"tau","blocks":null,"swap_first":false},"#;
        let ledger = read(with(r#""method":"auto","#, beside).as_bytes()).unwrap();
        assert_eq!(ledger.settings.method, Method::Annealing { start: Some(Construction::Tau) });
        assert_eq!(read(&write(&ledger).unwrap()), Ok(ledger));
        let wrong = r#""method":"auto","search":{"blocks":3},"#;
        assert!(refused(&with(r#""method":"auto","#, wrong)).contains("have blocks"));
    }

    /// Names were once taken byte for byte.
    #[test]
    fn names_have_no_white_space_around_them() {
        let ledger = read(VERSION_1.as_bytes()).unwrap();
        for name in ["\"p \"", "\" p\"", "\"\\tp\\u00a0\\u3000\""] {
            let text = with("\"p\"", name);
            let read = read(text.as_bytes()).unwrap();
            assert_eq!(read, ledger, "{name}");
            // What is known of the state by its old name is found by that.
            assert_ne!(checksum(text.as_bytes()).unwrap(), fingerprint(&read).unwrap());
        }
        assert_eq!(checksum(VERSION_1.as_bytes()).unwrap().len(), 64);
        let why = refused(&with("\"p\":", "\"q \":"));
        assert!(why.contains("(\"q\", \"q \")"), "{why}");
        assert!(refused(&with("\"p\":", "\" \":")).contains("has no name"));
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        assert!(refused(&VERSION_1.replace("gout", "flue")).contains("its checksum does not fit"));
        assert!(refused(&VERSION_1.replace("a \\\"b", "a \\\" b")).contains("its checksum does not fit"));
        assert!(refused(&VERSION_1.replace("\"version\":1", "\"version\":4")).contains("version 4"));
        for (from, to, says) in [
            ("\"p\":", "\"q\":", "\"q\" is in it twice"),
            ("[[0,1],", "[[0,7],", "signature 0"),
            ("[[0,1],", "[[0],", "signature 0"),
            ("[1,1,0,0]", "[1,3,0,0]", "do not follow one another"),
            ("[1,1,0,0]", "[1,1,2,0]", "the signature of individual \"p\" lacks the value"),
            ("[1,1,0,0]", "[1,1,0,9]", "the signature of individual \"p\" lacks the value"),
            ("[[1,1,0,0]]", "[[1,1,0,0],[2,2,0,1]]", "\"p\" has two signatures with one value"),
            ("[[1,1,0,0]]", "[]", "no release"),
            ("{\"name\":\"m-invariance\",\"m\":2}", "{\"name\":\"k-anonymity\",\"k\":2}", "not m-invariance"),
        ] {
            let why = refused(&with(from, to));
            assert!(why.contains("the ledger is damaged") && why.contains(says), "{why}");
        }
    }
}
