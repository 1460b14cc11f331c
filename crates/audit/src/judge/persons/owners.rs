//! Who holds which sensitive value, in persons. Under m-uniqueness no value of a class is held by two of its persons; a
//! person may hold it in several rows, and hold several values.
//!
//! Holders are those of the source, by the linking key; that the published values of a class are those of the source is a
//! check of its own.

use std::collections::BTreeMap;

use lookalike_words::Cell;
use rustc_hash::FxHashSet;

use super::{
    super::verdict::{Check, Observation, PersonsObservation, Subject, Witness},
    label,
    linked::Linked,
};

/// How many persons hold which value.
pub(super) struct Owners {
    /// Of a class, by its place.
    classes: BTreeMap<(usize, u32), usize>,
    /// Of a group of equal published quasi-identifiers.
    pub(super) groups: BTreeMap<(usize, u32), usize>,
    /// Of the whole table.
    table: BTreeMap<u32, usize>,
}

impl Owners {
    /// Counts the holders; a person counts once.
    pub(super) fn of(linked: &Linked) -> Self {
        let (mut classes, mut groups, mut table) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let (mut in_group, mut in_table) = (FxHashSet::default(), FxHashSet::default());
        for &(class, value, person) in &linked.holders {
            *classes.entry((class, value)).or_insert(0) += 1;
            let group = linked.classes[class].group;
            if in_group.insert((group, value, person)) {
                *groups.entry((group, value)).or_insert(0) += 1;
            }
            if in_table.insert((value, person)) {
                *table.entry(value).or_insert(0) += 1;
            }
        }
        Self { classes, groups, table }
    }

    /// No value of a class is held by two of its persons.
    pub(super) fn of_class(&self, linked: &Linked, column: &str) -> Check {
        let shared: Vec<(usize, u32, usize)> = (self.classes.iter())
            .filter(|(_, holders)| **holders > 1)
            .map(|(&(class, value), &holders)| (class, value, holders))
            .collect();
        let classes = linked.classes.len();
        let finding = match shared.iter().map(|shared| shared.2).max() {
            None => PersonsObservation::OwnValues { classes },
            Some(worst) => {
                let broken = shared.iter().map(|shared| shared.0).collect::<FxHashSet<usize>>().len();
                PersonsObservation::SharedValues { broken, classes, worst }
            }
        };
        let witness = |&(class, value, holders): &(usize, u32, usize)| Witness::HeldBy {
            of: vec![label(&linked.classes[class], column)],
            value: Cell::from(linked.values.text(value)),
            holders,
            persons: linked.classes[class].persons.len(),
        };
        Check::new(Subject::ClassOwners, Observation::Persons(finding), shared.iter().map(witness))
    }

    /// No value is held by more than 1/m of the persons of a group. A group is of one class or of several, of each of which a
    /// value may be one person's.
    pub(super) fn of_group(&self, linked: &Linked, (sizes, m): (&[usize], usize), column: &str) -> Check {
        let share = |&(&(group, _), &holders): &(&(usize, u32), &usize)| (holders, sizes[group]);
        // a/b against c/d as integers: shares are compared exactly.
        let order = |(a, b): (usize, usize), (c, d): (usize, usize)| {
            (a as u128 * d as u128).cmp(&(c as u128 * b as u128))
        };
        let (count, of) = (self.groups.iter())
            .map(|of| share(&of))
            .max_by(|one, other| order(*one, *other))
            .unwrap_or_default();
        let above: Vec<(usize, u32, usize)> = (self.groups.iter())
            .filter(|(key, holders)| **holders as u128 * m as u128 > sizes[key.0] as u128)
            .map(|(&(group, value), &holders)| (group, value, holders))
            .collect();
        let groups = sizes.len();
        let finding = match above.iter().map(|above| above.0).collect::<FxHashSet<usize>>().len() {
            0 => PersonsObservation::Within { count, of, m },
            broken => PersonsObservation::Above { count, of, m, broken, groups },
        };
        let witness = |&(group, value, holders): &(usize, u32, usize)| Witness::HeldBy {
            of: (linked.classes.iter().filter(|class| class.group == group))
                .map(|class| label(class, column))
                .collect(),
            value: Cell::from(linked.values.text(value)),
            holders,
            persons: sizes[group],
        };
        Check::new(Subject::GroupOwners, Observation::Persons(finding), above.iter().map(witness))
    }

    /// Says how many values are held by one person of the whole table.
    pub(super) fn rare(&self, linked: &Linked) -> Check {
        let values = self.table.len();
        let mut rare: Vec<&str> = (self.table.iter())
            .filter(|(_, holders)| **holders == 1)
            .map(|(&value, _)| linked.values.text(value))
            .collect();
        rare.sort_unstable();
        let finding = match rare.len() {
            0 => PersonsObservation::NoRareValue { values },
            rare => PersonsObservation::RareValues { rare, values },
        };
        let witness = |value: &str| Witness::Value { value: Cell::from(value) };
        Check::note(Subject::RareOwners, Observation::Persons(finding), rare.into_iter().map(witness))
    }
}

/// Says how many persons of a class hold a value that is known.
pub(super) fn known(linked: &Linked) -> Check {
    let mut known = vec![FxHashSet::default(); linked.classes.len()];
    for &(class, value, person) in &linked.holders {
        if !linked.values.is_missing(value) {
            known[class].insert(person);
        }
    }
    let mut missing: Vec<Cell> = linked.values.missing().into_iter().map(Cell::from).collect();
    missing.sort_unstable();
    let finding = PersonsObservation::Known {
        least: linked.classes.iter().map(|class| class.persons.len()).min().unwrap_or(0),
        known: known.iter().map(FxHashSet::len).min().unwrap_or(0),
        missing,
    };
    Check::note(Subject::KnownPersons, Observation::Persons(finding), None)
}
