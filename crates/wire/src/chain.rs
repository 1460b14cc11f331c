//! The chain of a series' releases as a file: what a supervisory body verifies without anything of the people in them. Its form and its
//! digests are described in docs/republish.md ("The chain").

use lookalike_model::{
    ledger::{Ledger, Mode, SeriesAudit, Vacancies},
    settings::Model,
};
use lookalike_words::messages;
use serde::{Deserialize, Serialize};

/// Version of the file's shape.
pub const CHAIN_VERSION: u32 = 1;

/// What tells a chain from other JSON.
const FORMAT: &str = "lookalike chain";

messages! {
    in "wire";

    /// Why a file is not a chain of releases that holds together.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum ChainFault {
        /// It is not JSON of this form.
        NotJson {
            /// Why and where.
            why: String,
        },
        /// It has a version that this program does not know.
        Version {
            /// Its version.
            version: u32,
            /// The newest that is known.
            newest: u32,
        },
        /// A release whose link does not fit.
        Link {
            /// Its number.
            release: usize,
        },
        /// It cannot be written as JSON.
        Unwritten {
            /// Why.
            why: String,
        },
    }
}

impl std::error::Error for ChainFault {}

/// A series' releases, chained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chain {
    /// `lookalike chain`.
    pub format: String,
    /// [`CHAIN_VERSION`].
    pub version: u32,
    /// Random name of the series.
    pub series: String,
    /// Which updates are expected.
    pub mode: Mode,
    /// What takes the places of people who left.
    pub vacancies: Vacancies,
    /// Fewest values of a class.
    pub m: usize,
    /// The releases, the first one first.
    pub releases: Vec<Linked>,
}

/// One release of a chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Linked {
    /// BLAKE3 of the published table.
    pub table: String,
    /// Its rows.
    pub rows: usize,
    /// Version of the software that made it.
    pub version: String,
    /// What was found in all releases together when it was made; `null` if that was not asked for.
    pub audit: Option<SeriesAudit>,
    /// BLAKE3 over all this and the link before; `null` for a release of an earlier version, whose link follows from the others.
    pub link: Option<String>,
}

/// The chain of a ledger.
#[must_use]
pub fn of_ledger(ledger: &Ledger) -> Chain {
    let (Model::MInvariance { m } | Model::KAnonymity { k: m }) = ledger.settings.model;
    let linked = ledger.releases.iter().map(|release| Linked {
        table: release.hash.clone(),
        rows: release.rows,
        version: release.version.clone(),
        audit: release.audit,
        link: release.link.clone(),
    });
    Chain {
        format: FORMAT.to_owned(),
        version: CHAIN_VERSION,
        series: ledger.series.clone(),
        mode: ledger.mode,
        vacancies: ledger.vacancies,
        m,
        releases: linked.collect(),
    }
}

/// Whether these bytes say that they are a chain.
#[must_use]
pub fn is_chain(bytes: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Head {
        format: String,
    }
    serde_json::from_slice::<Head>(bytes).is_ok_and(|head| head.format == FORMAT)
}

/// The chain that the bytes are, if each of its links fits.
///
/// # Errors
/// [`ChainFault`], with the reason.
pub fn read(bytes: &[u8]) -> Result<Chain, ChainFault> {
    #[derive(Deserialize)]
    struct Head {
        version: u32,
    }
    let not_json = |error: serde_json::Error| ChainFault::NotJson { why: error.to_string() };
    let head: Head = serde_json::from_slice(bytes).map_err(not_json)?;
    if head.version != CHAIN_VERSION {
        return Err(ChainFault::Version { version: head.version, newest: CHAIN_VERSION });
    }
    let chain: Chain = serde_json::from_slice(bytes).map_err(not_json)?;
    match chain.broken() {
        Some(release) => Err(ChainFault::Link { release }),
        None => Ok(chain),
    }
}

impl Chain {
    /// The chain as bytes.
    ///
    /// # Errors
    /// If it cannot be written as JSON.
    pub fn write(&self) -> Result<Vec<u8>, ChainFault> {
        let unwritten = |error: serde_json::Error| ChainFault::Unwritten { why: error.to_string() };
        let mut bytes = serde_json::to_vec_pretty(self).map_err(unwritten)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// The link of each release, computed anew.
    #[must_use]
    pub fn links(&self) -> Vec<String> {
        let mut links: Vec<String> = Vec::with_capacity(self.releases.len());
        for (at, release) in self.releases.iter().enumerate() {
            let before = links.last().map_or("none", String::as_str);
            let text = self.text(at, release, before);
            links.push(blake3::hash(text.as_bytes()).to_hex().to_string());
        }
        links
    }

    /// The number of the first release whose link does not fit, or that has none although one before it has.
    #[must_use]
    pub fn broken(&self) -> Option<usize> {
        let mut begun = false;
        self.releases.iter().zip(self.links()).zip(1..).find_map(|((release, computed), number)| {
            let fits = release.link.as_ref().map_or(!begun, |link| *link == computed);
            begun |= release.link.is_some();
            (!fits).then_some(number)
        })
    }

    /// What the link of a release is the digest of.
    fn text(&self, at: usize, release: &Linked, before: &str) -> String {
        let audit = match release.audit {
            None => String::from("none"),
            Some(SeriesAudit { passed, releases, checks, sources }) => {
                let verdict = if passed { "passed" } else { "failed" };
                let evidence = if sources { "sources" } else { "ledger" };
                format!("{verdict} {releases} {checks} {evidence}")
            }
        };
        [
            String::from("lookalike chain 1"),
            format!("series {}", self.series),
            format!("mode {}", self.mode.name()),
            format!("vacancies {}", self.vacancies.name()),
            format!("m {}", self.m),
            format!("release {}", at + 1),
            format!("before {before}"),
            format!("table {}", release.table),
            format!("rows {}", release.rows),
            format!("version {}", release.version),
            format!("audit {audit}"),
            String::new(),
        ]
        .join("\n")
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::{ledger::Release, settings::Settings};

    use super::*;
    use crate::ledger;

    const AUDIT: SeriesAudit = SeriesAudit { passed: true, releases: 2, checks: 7, sources: false };

    /// Two releases, of which only the second is chained.
    fn two() -> Ledger {
        let settings = Settings::of(Model::MInvariance { m: 2 });
        let mut ledger = Ledger::new(String::from("0f"), String::from("id"), Mode::TauSafety, &settings);
        let values = ["a", "b"].map(String::from);
        for number in 1..=2 {
            let release = Release {
                hash: format!("{number}{number}"),
                rows: 2,
                counterfeits: vec![1],
                version: String::from("0.1.0"),
                ..Release::default()
            };
            ledger.add(release, [("p", "a", &values[..])].into_iter());
        }
        ledger.releases[1].audit = Some(AUDIT);
        ledger.releases[1].link = of_ledger(&ledger).links().pop();
        ledger
    }

    /// By another program: `printf '...' | b3sum`, as docs/republish.md describes it.
    #[test]
    fn a_link_is_the_digest_of_these_lines() {
        let first = "lookalike chain 1\nseries 0f\nmode tau-safety\nvacancies new-records\nm 2\nrelease 1\nbefore none\ntable 11\n\
                     rows 2\nversion 0.1.0\naudit none\n";
        let first = blake3::hash(first.as_bytes()).to_hex();
        let second = format!(
            "lookalike chain 1\nseries 0f\nmode tau-safety\nvacancies new-records\nm 2\nrelease 2\nbefore {first}\ntable 22\n\
             rows 2\nversion 0.1.0\naudit passed 2 7 ledger\n"
        );
        let second = blake3::hash(second.as_bytes()).to_hex().to_string();
        assert_eq!(of_ledger(&two()).links(), [first.to_string(), second]);
    }

    #[test]
    fn a_chain_is_read_and_one_that_was_changed_is_not() {
        let chain = of_ledger(&two());
        let bytes = chain.write().unwrap();
        assert!(is_chain(&bytes) && !is_chain(&ledger::write(&two()).unwrap()));
        assert_eq!(read(&bytes), Ok(chain.clone()));
        let text = String::from_utf8(bytes).unwrap();
        for (from, to) in [
            ("\"11\"", "\"12\""),
            ("\"22\"", "\"12\""),
            ("\"0f\"", "\"0e\""),
            ("\"m\": 2", "\"m\": 3"),
            ("\"rows\": 2", "\"rows\": 3"),
            ("tau-safety", "m-invariance"),
            ("new-records", "counterfeits"),
            ("\"passed\": true", "\"passed\": false"),
            ("\"sources\": false", "\"sources\": true"),
            ("\"checks\": 7", "\"checks\": 8"),
        ] {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text);
            assert_eq!(read(changed.as_bytes()), Err(ChainFault::Link { release: 2 }), "{from}");
        }
        // A release that is put behind, and one that is taken away before.
        let mut longer = chain.clone();
        longer.releases.push(Linked { link: None, ..chain.releases[0].clone() });
        assert_eq!(longer.broken(), Some(3));
        let mut shorter = chain;
        shorter.releases.remove(0);
        assert_eq!(shorter.broken(), Some(1));
    }

    #[test]
    fn a_ledger_whose_releases_are_not_chained_as_they_say_is_damaged() {
        let whole = two();
        let written = ledger::write(&whole).unwrap();
        assert_eq!(ledger::read(&written), Ok(whole.clone()));
        assert!(String::from_utf8(written).unwrap().contains("\"version\":2,"));
        let mut changed = whole.clone();
        changed.releases[0].hash = String::from("33");
        let why = ledger::read(&ledger::write(&changed).unwrap()).unwrap_err().to_string();
        assert!(why.contains("release 2 is not chained"), "{why}");
        // Taken back, it is the file of the version before.
        let before = ledger::write(&whole.before_last()).unwrap();
        assert!(String::from_utf8(before).unwrap().contains("\"version\":1,"));
    }
}
