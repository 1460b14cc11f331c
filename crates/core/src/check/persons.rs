//! Persons with several rows: a guarantee counts them, which the published table alone cannot do.

use lookalike_audit::{PersonsObservation, Subject, measure};
use lookalike_table::{Column, Table, is_missing};
use lookalike_words::Message;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Before,
    message::{CheckLine, CheckName, PersonsFinding},
    owners::{Owned, OwnersFound},
};
use crate::{
    Error,
    persons::{KeyFault, folded},
    prepare::known,
};

/// Persons in classes, and in groups of equal quasi-identifiers.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonsFound {
    /// Column of the original with the key of a person.
    pub column: String,
    /// Persons that have a published row.
    pub count: usize,
    /// Fewest in a class.
    pub least_in_class: usize,
    /// Fewest in a group.
    pub least_in_group: usize,
    /// Persons with rows in more than one class: an attacker who knows these rows is left with those who have rows in all of them.
    pub split: usize,
    /// The mean over persons of 1 over the persons in their group.
    pub mean_risk: f64,
    /// How many must be in each class, if the guarantee says so.
    pub k: Option<usize>,
    /// Whose sensitive values are whose, if the guarantee is about that.
    pub owners: Option<OwnersFound>,
}

/// What is asked of persons.
#[derive(Clone, Copy, Debug)]
pub(super) struct AskedOfPersons<'a> {
    /// Column of the original with their keys.
    pub(super) column: &'a str,
    /// The published quasi-identifiers.
    pub(super) quasi: &'a [String],
    /// The published column with the classes.
    pub(super) class: Option<&'a str>,
    /// How many must be in each class.
    pub(super) k: Option<usize>,
    /// The sensitive column, and m of m-uniqueness.
    pub(super) m: Option<(&'a str, usize)>,
    /// What means "not known".
    pub(super) missing: &'a [String],
}

impl PersonsFound {
    /// Whether all that is asked of persons holds.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.are_enough() && self.are_whole() && self.owners.as_ref().is_none_or(OwnersFound::holds)
    }

    /// Whether as many persons as are needed are in each class.
    #[must_use]
    pub fn are_enough(&self) -> bool {
        self.k.is_none_or(|k| self.least_in_class >= k)
    }

    /// Whether no person is in two classes.
    #[must_use]
    pub fn are_whole(&self) -> bool {
        self.split == 0
    }

    /// What was checked and found: persons, then whose their sensitive values are.
    #[must_use]
    pub fn told(&self) -> Vec<CheckLine> {
        let finding = PersonsFinding::Least {
            persons: self.count,
            in_class: self.least_in_class,
            in_group: self.least_in_group,
            needed: self.k.unwrap_or(0),
        };
        let column = || self.column.as_str().into();
        let (name, finding) = (CheckName::Persons { column: column() }.said(), finding.said());
        let mut told = vec![match self.k {
            None => CheckLine::Note { name, finding },
            Some(_) if self.are_enough() => CheckLine::Holds { name, finding },
            Some(_) => CheckLine::Fails { name, finding },
        }];
        let (persons, split) = (self.count, self.split);
        let (name, finding) = (
            Subject::PersonClass.said(),
            match split {
                0 => PersonsObservation::OneClass { persons }.said(),
                split => PersonsObservation::Split { persons, split }.said(),
            },
        );
        told.push(if self.are_whole() {
            CheckLine::Holds { name, finding }
        } else {
            CheckLine::Fails { name, finding }
        });
        if let Some(owners) = self.owners {
            let OwnersFound { m, classes, shared, frequent, differ } = owners;
            let name = CheckName::Owners { column: column() }.said();
            told.push(if owners.holds() {
                CheckLine::Holds { name, finding: PersonsFinding::Own { classes, m }.said() }
            } else {
                let finding = PersonsFinding::Shared { classes, shared, frequent, m, differ }.said();
                CheckLine::Fails { name, finding }
            });
        }
        told
    }

    /// The highest probability of naming the right person.
    #[must_use]
    pub fn highest_risk(&self) -> f64 {
        1.0 / self.least_in_group.max(1) as f64
    }
}

/// Counts persons by the column of the original with their keys; `None` without the linking key. A missing key is an error.
pub(super) fn count(
    table: &Table,
    before: Option<Before>,
    asked: &AskedOfPersons,
) -> Result<Option<PersonsFound>, Error> {
    let AskedOfPersons { column, quasi, class, k, missing, .. } = *asked;
    let Some(Before { original, classes: Some(classes) }) = before else { return Ok(None) };
    let keys = known(original, column)?;
    let links = measure::link(classes, original.rows)?;
    let owners = owners(keys, &links, missing)?;
    let mut of_class: FxHashMap<&str, FxHashSet<u32>> = FxHashMap::default();
    for (class, owner) in owners {
        of_class.entry(class).or_default().insert(owner);
    }
    let groups = groups(table, quasi, class)?;
    let mut of_group: FxHashMap<usize, FxHashSet<u32>> = FxHashMap::default();
    for (at, (class, persons)) in of_class.iter().enumerate() {
        // A class that is not published as such is a group of its own.
        let group = groups.get(class).copied().unwrap_or(table.rows + at);
        of_group.entry(group).or_default().extend(persons);
    }
    let mut classes_of: FxHashMap<u32, usize> = FxHashMap::default();
    for &person in of_class.values().flatten() {
        *classes_of.entry(person).or_default() += 1;
    }
    let everybody: FxHashSet<u32> = of_group.values().flatten().copied().collect();
    // The persons of a group share its risk, which is 1 over their number: together 1.
    let risks = of_group.len() as f64;
    let seen: usize = of_group.values().map(FxHashSet::len).sum();
    let owned = Owned { published: table, original, keys, links: &links, group_of: &groups };
    let owners = match (asked.m, class) {
        (Some((sensitive, m)), Some(class)) => Some(owned.owners((sensitive, class), m, asked.missing)?),
        _ => None,
    };
    Ok(Some(PersonsFound {
        column: column.to_owned(),
        count: everybody.len(),
        least_in_class: of_class.values().map(FxHashSet::len).min().unwrap_or(0),
        least_in_group: of_group.values().map(FxHashSet::len).min().unwrap_or(0),
        split: classes_of.values().filter(|&&classes| classes > 1).count(),
        mean_risk: risks / seen.max(1) as f64,
        k,
        owners,
    }))
}

/// The class and the person of each row of the original that is published.
///
/// # Errors
/// [`KeyFault::Missing`] if the key of such a row is missing: nothing tells whose it is.
fn owners<'a>(
    keys: &Column,
    links: &'a [Option<String>],
    markers: &[String],
) -> Result<Vec<(&'a str, u32)>, KeyFault> {
    let mut ids: FxHashMap<String, u32> = FxHashMap::default();
    let mut missing: u64 = 0;
    let mut owners = Vec::new();
    for (row, class) in links.iter().enumerate() {
        let Some(class) = class else { continue };
        missing += u64::from(is_missing(keys.cell(row), markers));
        let next = ids.len() as u32;
        owners.push((class.as_str(), *ids.entry(folded(keys.cell(row))).or_insert(next)));
    }
    if missing > 0 {
        let (column, rows) = (keys.name.as_str().into(), owners.len() as u64);
        return Err(KeyFault::Missing { column, missing, rows });
    }
    Ok(owners)
}

/// For each published class the first row that has the same quasi-identifiers.
fn groups<'a>(
    table: &'a Table,
    quasi: &[String],
    class: Option<&str>,
) -> Result<FxHashMap<&'a str, usize>, Error> {
    let Some(class) = class else { return Ok(FxHashMap::default()) };
    let class = known(table, class)?;
    let quasi = quasi.iter().map(|name| known(table, name)).collect::<Result<Vec<_>, _>>()?;
    let (mut first, mut groups) = (FxHashMap::default(), FxHashMap::default());
    for row in 0..table.rows {
        let cells: Vec<&str> = quasi.iter().map(|column| column.cell(row)).collect();
        let first = *first.entry(cells).or_insert(row);
        groups.entry(class.cell(row)).or_insert(first);
    }
    Ok(groups)
}
