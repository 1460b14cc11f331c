//! The ledger's file: JSON whose first field says "do not publish", with a version and a checksum.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{Ledger, Mode};
use crate::settings::Model;

/// Version of the file's shape.
pub const LEDGER_VERSION: u32 = 1;

/// What tells a ledger from other JSON.
const FORMAT: &str = "lookalike ledger";

const NOTICE: &str = "this file links published tables to the people in them; the next release needs it";

/// Why a file is no ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LedgerError {
    /// It is something else.
    Foreign(String),
    /// It was a ledger; it is cut off, or somebody changed it.
    Damaged(String),
    /// It has a version that this program does not know.
    Version(u32),
}

impl std::fmt::Display for LedgerError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Foreign(why) => write!(f, "this is no ledger of a series of releases: {why}"),
            Self::Damaged(why) => write!(
                f,
                "the ledger is damaged: {why}. Take a copy from before; without it the series cannot go on safely"
            ),
            Self::Version(version) => write!(
                f,
                "the ledger has version {version}, this program knows versions up to {LEDGER_VERSION}: take the \
                 program that wrote it, or a newer one"
            ),
        }
    }
}

impl std::error::Error for LedgerError {}

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

/// The ledger as bytes.
///
/// # Errors
/// If it cannot be written as JSON.
pub fn write(ledger: &Ledger) -> Result<Vec<u8>, serde_json::Error> {
    let file = Envelope {
        notice: NOTICE.to_owned(),
        format: FORMAT.to_owned(),
        version: LEDGER_VERSION,
        checksum: checksum(ledger)?,
        ledger,
    };
    let mut bytes = serde_json::to_vec(&file)?;
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
        if begins { LedgerError::Damaged(e.to_string()) } else { LedgerError::Foreign(e.to_string()) }
    })?;
    if head.format.as_deref() != Some(FORMAT) {
        return Err(LedgerError::Foreign(format!("its field \"format\" is not \"{FORMAT}\"")));
    }
    // Each older version gets an arm that reads its own shape and makes it this one.
    let ledger = match head.version {
        Some(LEDGER_VERSION) => body::<Ledger>(bytes)?,
        Some(version) => return Err(LedgerError::Version(version)),
        None => return Err(LedgerError::Damaged(String::from("it has no version"))),
    };
    check(&ledger).map_err(LedgerError::Damaged)?;
    Ok(ledger)
}

/// The ledger in a file of one version, if its checksum is right.
fn body<T: Serialize + DeserializeOwned>(bytes: &[u8]) -> Result<T, LedgerError> {
    let damaged = |e: serde_json::Error| LedgerError::Damaged(e.to_string());
    let file: Envelope<T> = serde_json::from_slice(bytes).map_err(damaged)?;
    if checksum(&file.ledger).map_err(damaged)? != file.checksum {
        return Err(LedgerError::Damaged(String::from("its checksum does not fit")));
    }
    Ok(file.ledger)
}

fn checksum<T: Serialize>(ledger: &T) -> Result<String, serde_json::Error> {
    Ok(blake3::hash(&serde_json::to_vec(ledger)?).to_hex().to_string())
}

/// Whether the parts fit together; says what does not.
fn check(ledger: &Ledger) -> Result<(), String> {
    let Model::MInvariance { m } = ledger.settings.model else {
        return Err(String::from("its guarantee is not m-invariance"));
    };
    for (at, signature) in ledger.signatures.iter().enumerate() {
        let fits = signature.len() >= m
            && signature.windows(2).all(|pair| pair[0] < pair[1])
            && signature.last().is_some_and(|&value| (value as usize) < ledger.values.len());
        if !fits {
            return Err(format!("signature {at} is no ascending list of at least {m} values"));
        }
    }
    let releases = ledger.number();
    for (name, stays) in &ledger.individuals {
        if name.is_empty() || stays.is_empty() {
            return Err(format!("individual \"{name}\" has no name or no release"));
        }
        let mut last = 0;
        for (at, stay) in stays.iter().enumerate() {
            if stay.first <= last || stay.last < stay.first || stay.last > releases {
                return Err(format!("the releases of individual \"{name}\" do not follow one another"));
            }
            last = stay.last;
            let signature = ledger.signatures.get(stay.signature as usize);
            if signature.is_none_or(|signature| signature.binary_search(&stay.value).is_err()) {
                return Err(format!("the signature of individual \"{name}\" lacks the value"));
            }
            let same = |before: &&super::Stay| {
                before.value == stay.value
                    && (ledger.mode == Mode::TauSafety || before.last + 1 == stay.first)
            };
            if stays[..at].iter().find(same).is_some_and(|before| before.signature != stay.signature) {
                return Err(format!("individual \"{name}\" has two signatures with one value"));
            }
        }
    }
    Ok(())
}
