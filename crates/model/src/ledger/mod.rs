//! What is kept from release to release of a series, so that the next one does not betray the ones before: for each
//! individual the sensitive value and the signature of its class at every release. Private.
//!
//! What its parts mean: `docs/republish.md`.

mod between;
mod history;
mod message;

use std::collections::BTreeMap;

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error as _, MapAccess, Visitor},
};

pub use self::{
    between::Between,
    history::ERASED,
    message::{Difference, NotLast},
};
use crate::settings::Settings;

/// Which updates between two releases are expected, and with them what is promised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Individuals may only come (incremental).
    Incremental,
    /// Individuals may come and go for good (external dynamic; m-invariance, Tobar 2023, Definition II.1).
    MInvariance,
    /// Individuals may come, go, come back and change (fully dynamic with arbitrary updates; tau-safety, Tobar 2023,
    /// Definition II.2).
    TauSafety,
}

impl Mode {
    /// The name in settings and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Incremental => "incremental",
            Self::MInvariance => "m-invariance",
            Self::TauSafety => "tau-safety",
        }
    }

    /// What takes the places of people who left, of a series that begins and does not say it: the rule that holds against an attacker who
    /// knows the method, in the modes for which that is proven (docs/republish.md).
    #[must_use]
    pub const fn vacancies(self) -> Vacancies {
        match self {
            Self::Incremental | Self::MInvariance => Vacancies::Counterfeits,
            Self::TauSafety => Vacancies::NewRecords,
        }
    }
}

/// What takes the places that people leave in the groups of earlier releases: decided once, for a whole series.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Vacancies {
    /// New records with the values that are missing, then counterfeits: the fewest counterfeits.
    #[default]
    NewRecords,
    /// Counterfeits alone. New records have classes of their own, so that no class of an old signature depends on them, and
    /// later releases are the same for every order of a signature's values (docs/republish.md).
    Counterfeits,
}

impl Vacancies {
    /// The name in settings and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NewRecords => "new-records",
            Self::Counterfeits => "counterfeits",
        }
    }

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this shape")]
    fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// Which signatures the classes of new records get. Every one of them may be the signature of its records for ever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Signatures {
    /// Whatever loses least now.
    #[default]
    Free,
    /// Few different ones, those of the assignment.
    Few,
    /// As `Few`, those of exactly m values, for up to m - 1 counterfeits more.
    Smallest,
}

/// Everything that the next release of a series must know of those before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ledger {
    /// Random name of the series: tells its ledgers from those of others.
    pub series: String,
    /// The column that names individuals.
    pub id: String,
    /// Which updates are expected.
    pub mode: Mode,
    /// What takes the places of people who left; not written where it is what series of before have.
    #[serde(default, skip_serializing_if = "Vacancies::is_usual")]
    pub vacancies: Vacancies,
    /// The settings of the series; those of a single run (seed, budget, method) are not part of it.
    pub settings: Settings,
    /// The sensitive values of all releases; others refer to them by their place.
    pub values: Vec<String>,
    /// The signatures of all releases: places in `values`, ascending.
    pub signatures: Vec<Vec<u32>>,
    /// The releases, the first one first.
    pub releases: Vec<Release>,
    /// What is known of the pseudonyms that stand for the names of individuals; `None` where the names stand there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pseudonyms: Option<Pseudonyms>,
    /// For each individual that was ever published its stays, the earliest first.
    #[serde(deserialize_with = "each_once")]
    pub individuals: BTreeMap<String, Vec<Stay>>,
}

/// A ledger that holds pseudonyms in place of names (docs/republish.md).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pseudonyms {
    /// Tells whether a key is the one that they were made with.
    pub key: String,
    /// Pseudonyms of people who were erased and are not published again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub erased: Vec<String>,
    /// Releases that there were when people were erased last; 0 if nobody was.
    #[serde(default, skip_serializing_if = "is_none")]
    pub erased_at: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this shape")]
const fn is_none(releases: &u32) -> bool {
    *releases == 0
}

/// One release.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// BLAKE3 of the published bytes, in hexadecimal digits.
    pub hash: String,
    /// Rows of the published table, counterfeits among them.
    pub rows: usize,
    /// Number of counterfeits in each class, in published order.
    pub counterfeits: Vec<u32>,
    /// Version of the software.
    pub version: String,
    /// Random digits of a ledger with pseudonyms, so that nobody who knows the rest of a state tries names against its checksum. Forgotten
    /// when a person is erased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nonce: Option<String>,
    /// BLAKE3 of the ledger that it was made from, as compact JSON; `None` for the first one, and for those of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// What was found in all releases together when it was made; `None` if that was not asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<SeriesAudit>,
    /// What chains it to those before (docs/republish.md): BLAKE3 over what may be known of it and the link before; `None` for those of
    /// earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

/// What was found in all releases of a series together, from their bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeriesAudit {
    /// All checks hold.
    pub passed: bool,
    /// Releases that were judged together: this one and all before it.
    pub releases: usize,
    /// Checks that were made.
    pub checks: usize,
    /// Whether they were also judged with the tables that they were made of.
    pub sources: bool,
}

/// The chain of a series after a release, without anything of its people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chained {
    /// BLAKE3 of each published table, the first one first.
    pub tables: Vec<String>,
    /// The link of the last one.
    pub link: String,
    /// What was found in all of them together; `null` if that was not asked for.
    pub audit: Option<SeriesAudit>,
}

/// Consecutive releases that held an individual with one sensitive value and one signature (a lifespan of a tuple).
/// Written as `[first, last, value, signature]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "[u32; 4]", into = "[u32; 4]")]
pub struct Stay {
    /// The first of these releases, counted from 1.
    pub first: u32,
    /// The last of them.
    pub last: u32,
    /// Place of the sensitive value.
    pub value: u32,
    /// Place of the signature.
    pub signature: u32,
}

impl From<[u32; 4]> for Stay {
    fn from([first, last, value, signature]: [u32; 4]) -> Self {
        Self { first, last, value, signature }
    }
}

impl From<Stay> for [u32; 4] {
    fn from(stay: Stay) -> Self {
        [stay.first, stay.last, stay.value, stay.signature]
    }
}

/// Individuals by name; JSON would let the last of several with one name win.
fn each_once<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, Vec<Stay>>, D::Error> {
    struct Once;
    impl<'de> Visitor<'de> for Once {
        type Value = BTreeMap<String, Vec<Stay>>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("individuals with their stays")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut individuals = BTreeMap::new();
            while let Some((name, stays)) = map.next_entry::<String, Vec<Stay>>()? {
                if individuals.contains_key(&name) {
                    return Err(A::Error::custom(format!("individual \"{name}\" is in it twice")));
                }
                individuals.insert(name, stays);
            }
            Ok(individuals)
        }
    }
    from.deserialize_map(Once)
}
