//! Two releases of one table, under different weights say: whoever has both can compare their classes (Liang 2020, section
//! 6).

use std::collections::BTreeMap;

use lookalike_table::Table;
use rustc_hash::FxHashMap;

use super::{
    Question,
    history::{Histories, Sight},
    lexicon::{Lexicon, common},
    release::Release,
};
use crate::{Check, Left, Observation, Pair, Parts, SeriesObservation, Subject, Together};

/// Says which releases are of one table, and what both together leave.
pub(super) struct OneTable<'a> {
    pub(super) question: &'a Question,
    pub(super) published: &'a [&'a Table],
    pub(super) releases: &'a [Release],
    pub(super) lexicon: &'a Lexicon,
}

impl OneTable<'_> {
    /// From the sources: releases are of one table if those have the same individuals, quasi-identifiers and values.
    pub(super) fn of_sources(&self, sources: &[Table], id: &str, histories: &Histories) -> Option<Check> {
        let question = self.question;
        let columns: Vec<&String> = [&question.sensitive].into_iter().chain(&question.quasi).collect();
        let contents: Vec<blake3::Hash> =
            sources.iter().map(|source| content(source, id, &columns)).collect();
        let pairs = self.pairs(|i, j| contents[i] == contents[j]);
        let told = pairs.into_iter().map(|(i, j)| Pair::SameSource {
            first: i + 1,
            second: j + 1,
            together: together(histories, i, j, question.m),
        });
        note(told.collect())
    }

    /// From the ledger: the same individuals with the same values, whatever their quasi-identifiers.
    pub(super) fn of_ledger(&self, histories: &Histories) -> Option<Check> {
        let mut tuples: Vec<Vec<(usize, u32)>> = vec![Vec::new(); self.releases.len()];
        for (at, person) in histories.people.iter().enumerate() {
            for sight in &person.sights {
                tuples[sight.release as usize].push((at, sight.value));
            }
        }
        let pairs = self.pairs(|i, j| tuples[i] == tuples[j]);
        let told = pairs.into_iter().map(|(i, j)| Pair::SamePeople {
            first: i + 1,
            second: j + 1,
            together: together(histories, i, j, self.question.m),
        });
        note(told.collect())
    }

    /// From the published tables alone: the same sensitive values, as often.
    pub(super) fn of_releases(&self) -> Option<Check> {
        let counts: Vec<BTreeMap<&str, usize>> = self
            .published
            .iter()
            .map(|table| {
                let mut counts = BTreeMap::new();
                if let Some(column) = table.column(&self.question.sensitive) {
                    for row in 0..table.rows {
                        *counts.entry(column.cell(row)).or_insert(0) += 1;
                    }
                }
                counts
            })
            .collect();
        let pairs = self.pairs(|i, j| counts[i] == counts[j]);
        note(pairs.into_iter().map(|(i, j)| Pair::SameValues { first: i + 1, second: j + 1 }).collect())
    }

    /// Pairs of releases with other classes for which `same` holds.
    fn pairs(&self, same: impl Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
        let n = self.releases.len();
        let all = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))).filter(|&(i, j)| same(i, j));
        let mut classes: BTreeMap<usize, BTreeMap<String, usize>> = BTreeMap::new();
        let mut differ = |i: usize, j: usize| {
            for at in [i, j] {
                classes.entry(at).or_insert_with(|| self.classes(at));
            }
            classes[&i] != classes[&j]
        };
        all.filter(|&(i, j)| differ(i, j)).collect()
    }

    /// What a release publishes of each class, without its label, and how often.
    fn classes(&self, at: usize) -> BTreeMap<String, usize> {
        let (table, release) = (self.published[at], &self.releases[at]);
        let columns: Vec<_> = self.question.quasi.iter().filter_map(|name| table.column(name)).collect();
        let mut seen = vec![false; release.classes.len()];
        let mut classes = BTreeMap::new();
        for (row, &class) in release.of_row.iter().enumerate() {
            if !std::mem::replace(&mut seen[class as usize], true) {
                let cells: Vec<&str> = columns.iter().map(|column| column.cell(row)).collect();
                let values = self.lexicon.texts(self.lexicon.of(release.classes[class as usize].signature));
                *classes.entry(format!("{cells:?} {values:?}")).or_insert(0) += 1;
            }
        }
        classes
    }
}

fn note(pairs: Vec<Pair>) -> Option<Check> {
    let finding = |pairs| Observation::Series(SeriesObservation::OneTable { pairs: Parts(pairs) });
    (!pairs.is_empty()).then(|| Check::note(Subject::OneTable, finding(pairs), None))
}

/// What two releases leave together.
fn together(histories: &Histories, i: usize, j: usize, m: usize) -> Together {
    let (mut values, mut below) = (usize::MAX, 0);
    // Individuals by where they may be in both.
    let mut pairs: FxHashMap<(u32, u32), usize> = FxHashMap::default();
    for person in &histories.people {
        let at =
            |release: usize| person.sights.iter().copied().find(|sight| sight.release as usize == release);
        let (Some(a), Some(b)): (Option<Sight>, Option<Sight>) = (at(i), at(j)) else { continue };
        let left = common(&histories.place(a).values, &histories.place(b).values).len();
        values = values.min(left);
        below += usize::from(left < m);
        *pairs.entry((a.place, b.place)).or_insert(0) += 1;
    }
    let known = histories.places.iter().all(|place| !place.classes.is_empty());
    let mut people: FxHashMap<(u32, u32), usize> = FxHashMap::default();
    for (&(a, b), &count) in pairs.iter().filter(|_| known) {
        for &first in &histories.places[a as usize].classes {
            for &second in &histories.places[b as usize].classes {
                *people.entry((first, second)).or_insert(0) += count;
            }
        }
    }
    let few = |&(&(a, b), _): &(&(u32, u32), &usize)| {
        let classes = |place: u32| histories.places[place as usize].classes.iter();
        classes(a).any(|&first| classes(b).any(|&second| people[&(first, second)] < m))
    };
    let left = Left::Values { values: if values == usize::MAX { 0 } else { values }, m, below };
    // Without the classes there is no fewest.
    match people.values().min().copied() {
        None => Together::Values { left },
        Some(fewest) => {
            let exposed = if fewest < m { pairs.iter().filter(few).map(|(_, count)| count).sum() } else { 0 };
            Together::People { left, fewest, m, exposed }
        }
    }
}

/// What a table says of its individuals, in whatever order.
fn content(table: &Table, id: &str, columns: &[&String]) -> blake3::Hash {
    let columns: Vec<_> = columns.iter().filter_map(|name| table.column(name)).collect();
    let mut rows: Vec<(&str, usize)> =
        table.column(id).map_or_else(Vec::new, |id| (0..table.rows).map(|row| (id.cell(row), row)).collect());
    rows.sort_unstable();
    let mut hasher = blake3::Hasher::new();
    let mut put = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    for (name, row) in rows {
        put(name);
        for column in &columns {
            put(column.cell(row));
        }
    }
    hasher.finalize()
}
