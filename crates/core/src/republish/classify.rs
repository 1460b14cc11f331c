//! Classification (Xiao and Tao's first phase): what became of each individual since the last release.
//!
//! A tuple is an individual with a sensitive value (Tobar 2023, section II). A changed quasi-identifier leaves it what it
//! is; a changed sensitive value ends it and starts another, or resumes one of before.

use std::collections::{BTreeMap, BTreeSet};

use lookalike_model::ledger::{Ledger, Mode, Stay};
use lookalike_words::Name;

use super::SeriesFault;
use crate::Error;

/// How many individuals a message names.
const NAMED: usize = 5;

/// What became of an individual.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Never published before.
    New,
    /// In the last release, with the same value.
    Stayed,
    /// Published before, but not in the last release; the value is the one it had last.
    Back,
    /// Published before with another value.
    Changed,
}

/// The updates between the last release and now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Updates {
    /// For each individual of the table what became of it.
    pub statuses: Vec<Status>,
    /// For each individual the place in the ledger of the signature that its tuple must keep, if there is one.
    pub signatures: Vec<Option<u32>>,
    /// Individuals of the last release that are not in the table.
    pub gone: usize,
}

impl Updates {
    /// Individuals of one status.
    #[must_use]
    pub fn count(&self, status: Status) -> usize {
        self.statuses.iter().filter(|&&other| other == status).count()
    }
}

/// Classifies the individuals of a table, each with its sensitive value. O((n + N) log N) for N individuals of the
/// ledger.
///
/// # Errors
/// [`Error::Series`] if an individual is named twice, or for updates that the mode does not allow.
pub fn classify(ledger: &Ledger, mode: Mode, table: &[(&str, &str)]) -> Result<Updates, Error> {
    let places: BTreeMap<&str, u32> =
        ledger.values.iter().enumerate().map(|(at, value)| (value.as_str(), at as u32)).collect();
    let last = ledger.number();
    let mut seen = BTreeSet::new();
    let (mut statuses, mut signatures) = (Vec::with_capacity(table.len()), Vec::with_capacity(table.len()));
    for &(individual, value) in table {
        if !seen.insert(individual) {
            return Err(SeriesFault::Twice { individual: individual.into() }.into());
        }
        let stays = ledger.individuals.get(individual).map_or(&[][..], Vec::as_slice);
        let value = places.get(value).copied();
        let (status, signature) = one(stays, value, last);
        statuses.push(status);
        signatures.push(signature);
    }
    let gone: Vec<&str> = ledger
        .individuals
        .iter()
        .filter(|(name, stays)| {
            stays.last().is_some_and(|stay| stay.last == last) && !seen.contains(name.as_str())
        })
        .map(|(name, _)| name.as_str())
        .collect();
    let updates = Updates { statuses, signatures, gone: gone.len() };
    refuse(mode, &updates, table, &gone)?;
    Ok(updates)
}

/// What became of an individual with these stays, and the place of the signature that its tuple has.
fn one(stays: &[Stay], value: Option<u32>, last: u32) -> (Status, Option<u32>) {
    let Some(latest) = stays.last() else { return (Status::New, None) };
    // The same tuple in any earlier release: all of its stays have one signature in a tau-safe series.
    let before = stays.iter().rev().find(|stay| Some(stay.value) == value);
    let status = match (Some(latest.value) == value, latest.last == last) {
        (true, true) => Status::Stayed,
        (true, false) => Status::Back,
        (false, _) => Status::Changed,
    };
    (status, before.map(|stay| stay.signature))
}

/// What a mode does not allow.
fn refuse(mode: Mode, updates: &Updates, table: &[(&str, &str)], gone: &[&str]) -> Result<(), Error> {
    let named = |status: Status| -> Vec<&str> {
        let found = updates.statuses.iter().zip(table).filter(|(other, _)| **other == status);
        found.map(|(_, (individual, _))| *individual).collect()
    };
    let few = |all: &[&str]| all.iter().take(NAMED).map(|name| (*name).into()).collect::<Vec<Name>>();
    let told = |all: &[&str]| (all.len(), few(all), all.len() > NAMED);
    if mode == Mode::Incremental && !gone.is_empty() {
        let (individuals, shown, more) = told(gone);
        return Err(SeriesFault::Gone { individuals, shown, more }.into());
    }
    if mode == Mode::TauSafety {
        return Ok(());
    }
    let back = named(Status::Back);
    if !back.is_empty() {
        let (individuals, shown, more) = told(&back);
        return Err(SeriesFault::Back { individuals, shown, more }.into());
    }
    let changed = named(Status::Changed);
    if !changed.is_empty() {
        let (individuals, shown, more) = told(&changed);
        return Err(SeriesFault::Changed { individuals, shown, more, mode: mode.name() }.into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use lookalike_model::{
        ledger::Release,
        settings::{Model, Settings},
    };

    use super::*;

    /// Two releases: p, q, r, s in classes {a, b} and {a, c}; then p and r left, t came.
    fn ledger(mode: Mode) -> Ledger {
        let mut ledger = Ledger::new(
            String::from("x"),
            String::from("id"),
            mode,
            &Settings::of(Model::MInvariance { m: 2 }),
        );
        let release = || Release {
            hash: String::new(),
            rows: 4,
            counterfeits: vec![0, 0],
            version: String::new(),
            ..Release::default()
        };
        let (ab, ac) = (["a", "b"].map(String::from), ["a", "c"].map(String::from));
        let first = [("p", "a", &ab), ("q", "b", &ab), ("r", "a", &ac), ("s", "c", &ac)];
        ledger.add(release(), first.into_iter().map(|(i, v, s)| (i, v, &s[..])));
        let second = [("q", "b", &ab), ("s", "c", &ac), ("t", "a", &ac)];
        ledger.add(release(), second.into_iter().map(|(i, v, s)| (i, v, &s[..])));
        ledger
    }

    #[test]
    fn tuples_by_hand() {
        use Status::{Back, Changed, New, Stayed};
        let table = [("p", "a"), ("q", "b"), ("r", "c"), ("s", "a"), ("u", "d")];
        let updates = classify(&ledger(Mode::TauSafety), Mode::TauSafety, &table).unwrap();
        assert_eq!(updates.statuses, [Back, Stayed, Changed, Changed, New]);
        assert_eq!(updates.signatures, [Some(0), Some(0), None, None, None]);
        assert_eq!(updates.gone, 1, "t");
        assert_eq!(updates.count(Changed), 2);
    }

    #[test]
    fn a_value_of_before_resumes_its_signature() {
        let mut ledger = ledger(Mode::TauSafety);
        let bd = ["b", "d"].map(String::from);
        let release = Release {
            hash: String::new(),
            rows: 2,
            counterfeits: vec![1],
            version: String::new(),
            ..Release::default()
        };
        ledger.add(release, [("p", "d", &bd[..])].into_iter());
        let updates = classify(&ledger, Mode::TauSafety, &[("p", "a")]).unwrap();
        assert_eq!((updates.statuses[0], updates.signatures[0]), (Status::Changed, Some(0)));
    }

    #[test]
    fn each_mode_refuses_what_it_does_not_cover() {
        let message = |mode: Mode, table: &[(&str, &str)]| match classify(&ledger(mode), mode, table) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        };
        let all = [("q", "b"), ("s", "c"), ("t", "a")];
        for mode in [Mode::Incremental, Mode::MInvariance, Mode::TauSafety] {
            assert_eq!(message(mode, &all), "");
            assert!(message(mode, &[all[0], all[0]]).contains("\"q\" is in the table twice"));
        }
        assert!(
            message(Mode::Incremental, &all[1..]).contains("1 individual of the last release is missing")
        );
        assert_eq!(message(Mode::MInvariance, &all[1..]), "");
        assert!(message(Mode::MInvariance, &[("p", "a")]).contains("1 individual left and is back (\"p\")"));
        assert!(message(Mode::MInvariance, &[("q", "c")]).contains("another sensitive value"));
        assert!(message(Mode::MInvariance, &[("p", "zz")]).contains("another sensitive value"));
        assert_eq!(message(Mode::TauSafety, &[("p", "a"), ("q", "c")]), "");
    }
}
