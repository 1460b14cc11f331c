//! m-uniqueness of persons with several rows: each sensitive value of a class is one person's, in however many rows. Which rows
//! are whose the linking key says; the values are those of the original, and those that are published must be the same.

use std::collections::BTreeMap;

use lookalike_table::{Column, Table, is_missing};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Error, persons::folded, prepare::known};

/// Whose sensitive values are whose, in classes and in groups of equal quasi-identifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnersFound {
    /// At most 1/m of the persons of a group may hold a value.
    pub m: usize,
    /// Classes.
    pub classes: usize,
    /// Classes with a value that two of their persons hold.
    pub shared: usize,
    /// Groups with a value that more than 1/m of their persons hold.
    pub frequent: usize,
    /// Classes that publish other values than those of the original rows that the linking key puts there.
    pub differ: usize,
}

impl OwnersFound {
    /// Whether each value is one person's, and published as it is.
    #[must_use]
    pub const fn holds(&self) -> bool {
        self.shared + self.frequent + self.differ == 0
    }
}

/// A published table beside its original.
pub(super) struct Owned<'a> {
    pub(super) published: &'a Table,
    pub(super) original: &'a Table,
    /// Keys of the persons, in the original.
    pub(super) keys: &'a Column,
    /// Class of each row of the original; `None` for one that is not published.
    pub(super) links: &'a [Option<String>],
    /// Group of each published class.
    pub(super) group_of: &'a FxHashMap<&'a str, usize>,
}

impl Owned<'_> {
    /// Counts who holds which value; missing markers are one.
    pub(super) fn owners(
        &self,
        (sensitive, class): (&str, &str),
        m: usize,
        missing: &[String],
    ) -> Result<OwnersFound, Error> {
        let value = |cell: &str| if is_missing(cell, missing) { String::new() } else { cell.to_owned() };
        let (values, labels) = (known(self.published, sensitive)?, known(self.published, class)?);
        let source = known(self.original, sensitive)?;
        // How often each class publishes a value more often than the original has it there.
        let mut surplus: BTreeMap<&str, FxHashMap<String, i64>> = BTreeMap::new();
        for row in 0..self.published.rows {
            let of_class = surplus.entry(labels.cell(row)).or_default();
            *of_class.entry(value(values.cell(row))).or_default() += 1;
        }
        let (mut of_class, mut of_group) = (Holders::default(), Holders::default());
        let linked = self.links.iter().enumerate();
        for (row, label) in linked.filter_map(|(row, label)| Some((row, label.as_deref()?))) {
            let (held, person) = (value(source.cell(row)), folded(self.keys.cell(row)));
            *surplus.entry(label).or_default().entry(held.clone()).or_default() -= 1;
            let group = self.group_of.get(label).map_or_else(|| label.to_owned(), ToString::to_string);
            of_class.add(label.to_owned(), held.clone(), person.clone());
            of_group.add(group, held, person);
        }
        Ok(OwnersFound {
            m,
            classes: surplus.len(),
            shared: of_class.count(|holders, _| holders > 1),
            frequent: of_group.count(|holders, persons| holders as u128 * m as u128 > persons as u128),
            differ: surplus.values().filter(|values| values.values().any(|&more| more != 0)).count(),
        })
    }
}

/// Who holds which value in each class or group.
#[derive(Default)]
struct Holders {
    persons: FxHashMap<String, FxHashSet<String>>,
    holders: FxHashMap<(String, String), FxHashSet<String>>,
}

impl Holders {
    fn add(&mut self, place: String, value: String, person: String) {
        self.persons.entry(place.clone()).or_default().insert(person.clone());
        self.holders.entry((place, value)).or_default().insert(person);
    }

    /// Classes or groups with a value of which this holds: how many persons hold it, and how many there are.
    fn count(&self, is_wrong: impl Fn(usize, usize) -> bool) -> usize {
        let wrong = self.holders.iter().filter(|((place, _), holders)| {
            is_wrong(holders.len(), self.persons.get(place).map_or(0, FxHashSet::len))
        });
        wrong.map(|((place, _), _)| place).collect::<FxHashSet<_>>().len()
    }
}
