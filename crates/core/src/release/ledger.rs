//! The ledger after a release.

use std::collections::BTreeSet;

use lookalike_model::ledger::{Ledger, Mode, Release, Stay};
use lookalike_table::Table;

use super::order::Class;
use crate::{
    Error,
    republish::{SeriesFault, names::name, part::Part},
};

/// The ledger with this release in it.
///
/// # Errors
/// [`Error::Series`] if a tuple that was published before is in a class of another signature. It is looked up in the
/// ledger once more, whatever the search was told.
pub(super) fn next(table: &Table, part: &Part, classes: &[Class], bytes: &[u8]) -> Result<Ledger, Error> {
    let text = |row: u32| {
        let cell = table.columns[part.sensitive].cells[row as usize];
        part.values[part.code_of[cell as usize] as usize].as_str()
    };
    let signatures: Vec<Vec<String>> = classes
        .iter()
        .map(|class| {
            let real = class.rows.iter().map(|&row| text(row).to_owned());
            let mut values: Vec<String> = real.chain(class.counterfeits.iter().cloned()).collect();
            values.sort_unstable();
            values
        })
        .collect();
    let names = part.names(table);
    let mut rows: Vec<(&str, &str, &[String])> = classes
        .iter()
        .zip(&signatures)
        .flat_map(|(class, signature)| class.rows.iter().map(move |&row| (row, signature)))
        .map(|(row, signature)| (name(names, row), text(row), signature.as_slice()))
        .collect();
    rows.sort_unstable();
    for &(individual, value, signature) in &rows {
        if !keeps(&part.ledger, individual, value, signature) {
            return Err(SeriesFault::OtherSignature { individual: individual.into() }.into());
        }
    }
    let mut ledger = part.ledger.clone();
    let release = Release {
        hash: blake3::hash(bytes).to_hex().to_string(),
        rows: signatures.iter().map(Vec::len).sum(),
        counterfeits: classes.iter().map(|class| class.counterfeits.len() as u32).collect(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        nonce: part.nonce.clone(),
        before: (part.ledger.number() > 0).then(|| state(&part.ledger)).flatten(),
        ..Release::default()
    };
    ledger.add(release, rows.into_iter());
    Ok(ledger)
}

/// Whether a tuple has the signature that it must keep, if it must keep one: always under tau-safety, else through
/// consecutive releases.
fn keeps(ledger: &Ledger, individual: &str, value: &str, signature: &[String]) -> bool {
    let last = ledger.number();
    let stays = ledger.individuals.get(individual).map_or(&[][..], Vec::as_slice);
    let values = |stay: &Stay| {
        let set = &ledger.signatures[stay.signature as usize];
        let mut texts: Vec<&str> = set.iter().map(|&v| ledger.values[v as usize].as_str()).collect();
        texts.sort_unstable();
        texts
    };
    stays
        .iter()
        .filter(|stay| ledger.mode == Mode::TauSafety || stay.last == last)
        .filter(|stay| ledger.values[stay.value as usize] == value)
        .all(|stay| values(stay).iter().eq(signature.iter()))
}

/// BLAKE3 of a ledger as compact JSON, in hexadecimal digits: what its file calls `checksum`.
pub(super) fn state(ledger: &Ledger) -> Option<String> {
    let bytes = serde_json::to_vec(ledger).ok()?;
    Some(blake3::hash(&bytes).to_hex().to_string())
}

/// What is left of the values of people to an attacker who believes that values never change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Believer {
    /// Fewest values that are left of an individual; `None` if nobody's value has changed.
    pub(super) fewest: Option<usize>,
    /// Individuals whose value has changed.
    pub(super) changed: usize,
    /// Those of them for whom one value is left.
    pub(super) left_with_one: usize,
}

/// What this attacker is left with of the individuals of the last release whose value has changed, in it or before.
pub(super) fn believer(ledger: &Ledger) -> Believer {
    let last = ledger.number();
    let left = |stays: &Vec<Stay>| {
        let changed = stays.windows(2).any(|pair| pair[0].value != pair[1].value);
        if !changed || stays.last().is_none_or(|stay| stay.last != last) {
            return None;
        }
        let sets = stays.iter().map(|stay| &ledger.signatures[stay.signature as usize]);
        let common = sets.map(|set| set.iter().copied().collect::<BTreeSet<u32>>()).reduce(|a, b| &a & &b)?;
        Some(common.len())
    };
    let all: Vec<usize> = ledger.individuals.values().filter_map(left).collect();
    Believer {
        fewest: all.iter().min().copied(),
        changed: all.len(),
        left_with_one: all.iter().filter(|&&left| left == 1).count(),
    }
}
