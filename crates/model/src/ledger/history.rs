//! Steps through the releases of a ledger.

use std::collections::BTreeMap;

use super::{Difference, Ledger, Mode, NotLast, Release, Stay, Vacancies};
use crate::settings::Settings;

/// Settings that may differ from release to release: they decide how well a release turns out, not what it promises. A domain
/// must be free, since nobody knows the values that later tables hold.
const FREE: [&str; 6] = ["seed", "budget", "method", "eligibility", "changes", "domains"];

/// How the token of a person who was erased begins; no pseudonym does.
pub const ERASED: &str = "erased-";

/// Characters of a setting that a message shows.
const LONGEST: usize = 60;

impl Ledger {
    /// The ledger of a series without releases.
    #[must_use]
    pub fn new(series: String, id: String, mode: Mode, settings: &Settings) -> Self {
        let settings = Settings { seed: None, ..settings.clone() };
        Self {
            series,
            id,
            mode,
            vacancies: Vacancies::default(),
            settings,
            values: Vec::new(),
            signatures: Vec::new(),
            releases: Vec::new(),
            pseudonyms: None,
            individuals: BTreeMap::new(),
        }
    }

    /// Gives each of these individuals, named by their pseudonyms, a token that nobody can make, and where they are `marked` keeps the
    /// pseudonyms as those of people who do not come back. The random digits of earlier states are forgotten, and the last release has `nonce`. `false`, and nothing is
    /// changed, if the ledger has names, or one of them is not in it.
    pub fn erase(&mut self, individuals: &[(String, String)], nonce: String, marked: bool) -> bool {
        let releases = self.number();
        let Some(pseudonyms) = &mut self.pseudonyms else { return false };
        if !individuals.iter().all(|(pseudonym, _)| self.individuals.contains_key(pseudonym)) {
            return false;
        }
        for (pseudonym, token) in individuals {
            if let Some(stays) = self.individuals.remove(pseudonym) {
                self.individuals.insert(token.clone(), stays);
                pseudonyms.erased.extend(marked.then(|| pseudonym.clone()));
            }
        }
        pseudonyms.erased.sort_unstable();
        pseudonyms.erased_at = releases;
        for release in &mut self.releases {
            release.nonce = None;
        }
        if let Some(last) = self.releases.last_mut() {
            last.nonce = Some(nonce);
        }
        true
    }

    /// Whether people were erased after the last release was made: then the state before it cannot be told any more.
    #[must_use]
    pub fn is_erased_since(&self) -> bool {
        self.number() > 0 && self.pseudonyms.as_ref().is_some_and(|known| known.erased_at == self.number())
    }

    /// Whether `later` is this ledger after people were erased: of as many releases, in another state.
    #[must_use]
    pub fn is_erased_in(&self, later: &Self) -> bool {
        let state = |ledger: &Self| {
            ledger.releases.last().map(|release| (release.hash.clone(), release.nonce.clone()))
        };
        let [(Some((table, nonce)), Some((other, next)))] = [(state(self), state(later))] else {
            return false;
        };
        self.series == later.series && later.is_erased_since() && table == other && nonce != next
    }

    /// People who were erased.
    #[must_use]
    pub fn erased(&self) -> usize {
        self.individuals.keys().filter(|name| name.starts_with(ERASED)).count()
    }

    /// Number of releases so far.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.releases.len() as u32
    }

    /// Why a published table with this hash is not the last release, if it is not.
    #[must_use]
    pub fn not_last(&self, hash: &str) -> Option<NotLast> {
        let last = self.releases.len();
        match self.releases.iter().rposition(|release| release.hash == hash) {
            Some(at) if at + 1 == last => None,
            Some(at) => Some(NotLast::Earlier { release: at + 1, last }),
            None => Some(NotLast::Unknown { last }),
        }
    }

    /// What these settings would change that the series has settled: the settings by their names, then the mode, then the column
    /// of individuals.
    #[must_use]
    pub fn differences(&self, id: &str, mode: Mode, settings: &Settings) -> Vec<Difference> {
        let fields = |settings: &Settings| {
            // The order in which columns are named says nothing.
            let mut settings = settings.clone();
            settings.quasi.sort_unstable();
            settings.keep.sort_unstable();
            let value = serde_json::to_value(settings).unwrap_or_default();
            value.as_object().cloned().unwrap_or_default()
        };
        let (mine, theirs) = (fields(&self.settings), fields(settings));
        let shown = |value: Option<&serde_json::Value>| {
            let text = value.map(ToString::to_string).unwrap_or_default();
            if text.chars().count() > LONGEST { String::from("...") } else { text }
        };
        let mut found: Vec<Difference> = mine
            .iter()
            .filter(|(name, value)| !FREE.contains(&name.as_str()) && theirs.get(*name) != Some(value))
            .map(|(name, value)| Difference::Setting {
                name: name.clone(),
                was: shown(Some(value)),
                now: shown(theirs.get(name)),
            })
            .collect();
        // A setting that says nothing is not written, so that ledgers stay as they were.
        for name in ["pad", "labels"] {
            if let Some(now) = theirs.get(name).filter(|_| !mine.contains_key(name)) {
                let (was, now) = (String::from("{}"), shown(Some(now)));
                found.push(Difference::Setting { name: name.to_owned(), was, now });
            }
        }
        if self.mode != mode {
            found.push(Difference::Mode { was: self.mode.name(), now: mode.name() });
        }
        if self.id != id {
            found.push(Difference::Individuals { was: self.id.as_str().into(), now: id.into() });
        }
        found
    }

    /// The ledger as it was before the last release; itself if there is none. Values and signatures that only that
    /// release used are forgotten.
    #[must_use]
    pub fn before_last(&self) -> Self {
        let mut before = self.clone();
        let gone = before.number();
        before.releases.pop();
        for stays in before.individuals.values_mut() {
            stays.retain(|stay| stay.first < gone);
            for stay in stays {
                stay.last = stay.last.min(gone - 1);
            }
        }
        before.individuals.retain(|_, stays| !stays.is_empty());
        before.compact();
        before
    }

    /// Drops values and signatures that no stay refers to.
    fn compact(&mut self) {
        let mut used = vec![false; self.signatures.len()];
        for stay in self.individuals.values().flatten() {
            used[stay.signature as usize] = true;
        }
        let sets = places(&used);
        let mut at = 0;
        self.signatures.retain(|_| {
            at += 1;
            used[at - 1]
        });
        let mut occurs = vec![false; self.values.len()];
        for &value in self.signatures.iter().flatten() {
            occurs[value as usize] = true;
        }
        let names = places(&occurs);
        let mut at = 0;
        self.values.retain(|_| {
            at += 1;
            occurs[at - 1]
        });
        for value in self.signatures.iter_mut().flatten() {
            *value = names[*value as usize];
        }
        for stay in self.individuals.values_mut().flatten() {
            stay.value = names[stay.value as usize];
            stay.signature = sets[stay.signature as usize];
        }
    }

    /// Adds a release: for each individual its sensitive value and the values of its class, which hold it. Every
    /// individual is named once.
    pub fn add<'a>(
        &mut self,
        release: Release,
        rows: impl Iterator<Item = (&'a str, &'a str, &'a [String])>,
    ) {
        self.releases.push(release);
        let now = self.number();
        let mut values: BTreeMap<String, u32> =
            self.values.iter().enumerate().map(|(at, value)| (value.clone(), at as u32)).collect();
        let mut signatures: BTreeMap<Vec<u32>, u32> =
            self.signatures.iter().enumerate().map(|(at, set)| (set.clone(), at as u32)).collect();
        for (individual, value, signature) in rows {
            let mut set: Vec<u32> = signature
                .iter()
                .map(|text| {
                    let next = values.len() as u32;
                    *values.entry(text.clone()).or_insert_with(|| {
                        self.values.push(text.clone());
                        next
                    })
                })
                .collect();
            set.sort_unstable();
            let next = signatures.len() as u32;
            let signature = *signatures.entry(set).or_insert_with_key(|set| {
                self.signatures.push(set.clone());
                next
            });
            let Some(&value) = values.get(value) else { continue };
            let stays = self.individuals.entry(individual.to_owned()).or_default();
            match stays.last_mut() {
                Some(stay) if stay.last + 1 == now && (stay.value, stay.signature) == (value, signature) => {
                    stay.last = now;
                }
                _ => stays.push(Stay { first: now, last: now, value, signature }),
            }
        }
    }
}

/// New places of what is kept.
fn places(kept: &[bool]) -> Vec<u32> {
    let mut next = 0;
    kept.iter()
        .map(|&kept| {
            next += u32::from(kept);
            next - u32::from(kept)
        })
        .collect()
}
