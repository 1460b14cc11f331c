//! Who is who: which names of individuals are one, and which may be.
//!
//! White space around a name is not part of it, as for whoever checks the releases (`str::trim`: what Unicode calls white
//! space). Names that differ in case, in white space within, in characters that nobody sees or in zeros in front are different
//! names, but rarely different people: a spreadsheet drops the zeros, a form writes "ann" for "Ann". A person who is taken for
//! another one gets a second signature, and both together may say the value. So they are refused, unless they are said to be
//! different people.

use std::collections::BTreeMap;

use lookalike_model::ledger::Ledger;
use lookalike_table::Column;

use super::{AlikeNames, LikeOld, NamedRows, SeriesFault, pseudonyms};
use crate::Error;

/// How many groups of names a message shows.
const NAMED: usize = 5;

/// The name in a cell.
pub(crate) fn name(column: &Column, row: u32) -> &str {
    column.cell(row as usize).trim()
}

/// Refuses a person with several rows and, unless names are `exact`, names that may mean the same person, within the table
/// and between it and the ledger. `table` has row (from 0) and name of each record. O((n + N) log (n + N)) for N individuals
/// of the ledger.
///
/// # Errors
/// [`Error::Series`], with the names and their rows.
pub(super) fn refuse_unclear(ledger: &Ledger, table: &[(u32, &str)], exact: bool) -> Result<(), Error> {
    let mut rows: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for &(row, name) in table {
        rows.entry(name).or_default().push(row + 1);
    }
    for rows in rows.values_mut() {
        rows.sort_unstable();
    }
    let shown = |name: &str| NamedRows::Rows {
        name: name.into(),
        rows: rows.get(name).map_or_else(Vec::new, Clone::clone),
    };
    let twice = rows.iter().filter(|(_, rows)| rows.len() > 1).map(|(name, _)| shown(name));
    if let Some((people, more)) = listed(twice) {
        return Err(SeriesFault::SeveralRows { people, more }.into());
    }
    let erased = ledger.pseudonyms.iter().flat_map(|known| &known.erased);
    let back = erased.filter_map(|old| rows.get_key_value(old.as_str())).map(|(name, _)| shown(name));
    if let Some((people, more)) = listed(back) {
        return Err(SeriesFault::Erased { people, more }.into());
    }
    if exact {
        return Ok(());
    }
    let folded = |name: &str| match ledger.pseudonyms {
        None => folded(name),
        Some(_) => pseudonyms::alike(name).to_owned(),
    };
    let mut alike: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for &name in rows.keys() {
        alike.entry(folded(name)).or_default().push(name);
    }
    let within = alike.values().filter(|names| names.len() > 1);
    let within =
        within.map(|names| AlikeNames::Names { names: names.iter().map(|name| shown(name)).collect() });
    if let Some((groups, more)) = listed(within) {
        return Err(SeriesFault::NamesAlike { groups, more }.into());
    }
    let mut known: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let erased = ledger.pseudonyms.iter().flat_map(|known| &known.erased);
    for old in ledger.individuals.keys().chain(erased) {
        if let Some(&[new]) = alike.get(&folded(old)).map(Vec::as_slice)
            && !ledger.individuals.contains_key(new)
        {
            known.entry(new).or_default().push(old);
        }
    }
    let between = known.iter().map(|(new, old)| LikeOld::Names {
        new: shown(new),
        old: old.iter().map(|old| (*old).into()).collect(),
    });
    if let Some((names, more)) = listed(between) {
        return Err(SeriesFault::NamesOfLedger { names, more }.into());
    }
    Ok(())
}

/// What ways to write one name have in common. Upper case in between makes one of letters that have it in common, as "ß" and
/// "ss", or the two small sigmas.
pub(super) fn folded(name: &str) -> String {
    let seen = name.chars().filter(|&c| !c.is_whitespace() && !unseen(c));
    let lower = seen.flat_map(char::to_lowercase).flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    lower.skip_while(|&c| c == '0').collect()
}

/// Characters that nobody sees: marks of breaks, joins, directions and variants.
fn unseen(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Some of the groups, and whether there are more; `None` if there are none.
fn listed<T>(groups: impl Iterator<Item = T>) -> Option<(Vec<T>, bool)> {
    let mut shown: Vec<T> = groups.take(NAMED + 1).collect();
    let more = shown.len() > NAMED;
    shown.truncate(NAMED);
    (!shown.is_empty()).then_some((shown, more))
}

#[cfg(test)]
mod tests {
    use lookalike_model::{
        ledger::{Mode, Release},
        settings::{Model, Settings},
    };

    use super::*;

    fn ledger(names: &[&str]) -> Ledger {
        let settings = Settings::of(Model::MInvariance { m: 2 });
        let mut ledger = Ledger::new(String::from("x"), String::from("id"), Mode::TauSafety, &settings);
        let release = Release {
            hash: String::new(),
            rows: 2,
            counterfeits: Vec::new(),
            version: String::new(),
            ..Release::default()
        };
        let values = ["a", "b"].map(String::from);
        ledger.add(release, names.iter().map(|name| (*name, "a", &values[..])));
        ledger
    }

    /// What is said of the table, given in reverse order, whose rows count from 1.
    fn said(old: &[&str], table: &[&str], exact: bool) -> String {
        let mut rows: Vec<(u32, &str)> = (0..).zip(table.iter().copied()).collect();
        rows.reverse();
        match refuse_unclear(&ledger(old), &rows, exact) {
            Ok(()) => String::new(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn names_that_may_be_one_are_refused_with_their_rows() {
        let within = said(&[], &["Ann", "7", "Bob", "ann", "007", "0x", "A nn", "X"], false);
        assert!(within.contains("may mean the same person"), "{within}");
        assert!(
            within.contains(": \"007\" (5), \"7\" (2); \"A nn\" (7), \"Ann\" (1), \"ann\" (4); "),
            "{within}"
        );
        assert!(within.contains("\"0x\" (6), \"X\" (8). "), "{within}");
        assert_eq!(said(&[], &["Ann", "ann", "7", "007"], true), "");
        let twice = said(&[], &["p", "q", "p", "q", "p"], true);
        assert!(twice.contains("several rows, by name and rows: \"p\" (1, 3, 5); \"q\" (2, 4). "), "{twice}");
        let many: Vec<String> = (0..14).map(|i| format!("{}{}", ["p", "P"][i % 2], i / 2)).collect();
        let many = said(&[], &many.iter().map(String::as_str).collect::<Vec<_>>(), false);
        assert!(many.contains("\"P4\" (10), \"p4\" (9); .... They differ"), "{many}");
    }

    #[test]
    fn new_names_like_old_ones_are_refused_and_old_ones_are_not() {
        let between = said(&["Ann", "007", "Bob"], &["Bob", "ann", "7"], false);
        assert!(between.contains(": \"7\" (3) = \"007\"; \"ann\" (2) = \"Ann\". "), "{between}");
        assert_eq!(said(&["Ann", "007", "Bob"], &["Bob", "ann", "7"], true), "");
        // People whom a series has always told apart: one of them may be gone, and nobody is new.
        assert_eq!(said(&["Ann", "ann"], &["ann", "Bob"], false), "");
        assert!(said(&["Ann", "ann"], &["ANN"], false).contains("\"ANN\" (1) = \"Ann\", \"ann\""));
    }

    #[test]
    fn signs_and_other_digits_tell_people_apart() {
        let apart = ["10", "100", "1-0", "10-", "A10", "A010", "0", "a.b", "ab", "é", "e"];
        assert_eq!(said(&[], &apart, false), "");
        for (one, other) in [
            ("straße", "STRASSE"),
            ("ΝΊΚΟΣ", "νίκος"),
            ("ſtein", "Stein"),
            ("Ann", "A\u{61c}n\u{34f}n\u{200e}"),
            ("Ann", "\u{202b}Ann\u{202c}"),
            ("Ann", "\u{2066}Ann\u{2069}"),
            ("Ann", "Ann\u{fe0f}"),
            ("Ann", "A\u{200b}nn\u{ad}"),
        ] {
            assert!(
                said(&[], &[one, other], false).contains("may mean the same person"),
                "{one:?} {other:?}"
            );
            assert!(
                said(&[one], &[other], false).contains("may mean people of the ledger"),
                "{one:?} {other:?}"
            );
        }
        assert_eq!(folded(" 0\u{a0}0\u{feff}Ä b"), "äb");
    }
}
