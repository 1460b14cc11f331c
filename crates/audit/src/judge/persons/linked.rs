//! Published classes beside the source rows that the linking key puts into them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    super::{
        error::Error,
        question::{Dialect, Question},
        reader::Rows,
        roles::Roles,
        row::Row,
        values::Values,
    },
    Persons,
};

/// A published class.
pub(super) struct Class {
    /// Its label.
    pub(super) label: Box<str>,
    /// Published rows.
    pub(super) rows: usize,
    /// Group of its first row.
    pub(super) group: usize,
    /// Rows that the linking key puts into it.
    pub(super) linked: usize,
    /// How often each sensitive value is published more often than it is linked; below 0 for one that is missing.
    surplus: FxHashMap<u32, isize>,
    /// Its persons, and how many rows each has.
    pub(super) persons: FxHashMap<u32, usize>,
}

impl Class {
    /// Whether its rows are those that the linking key puts into it.
    pub(super) fn fits(&self) -> bool {
        self.rows == self.linked && self.surplus.values().all(|&surplus| surplus == 0)
    }
}

/// What is published, and whose rows it is.
pub(super) struct Linked {
    /// In the order of first appearance.
    pub(super) classes: Vec<Class>,
    /// Number of groups of equal published quasi-identifiers.
    pub(super) groups: usize,
    /// Lines of the linking key that are no row of the source or name no published class; rows without a line.
    pub(super) astray: usize,
    /// Persons in more than one class: two rows of the source of each, from 0.
    pub(super) split: Vec<(usize, usize)>,
    /// Number of persons with published rows.
    pub(super) persons: usize,
    /// Most rows of a person.
    pub(super) most_rows: usize,
    /// Who holds which sensitive value: place of the class, value, person.
    pub(super) holders: FxHashSet<(usize, u32, u32)>,
    pub(super) values: Values,
}

impl Linked {
    /// Reads the published table, and then the linking key.
    pub(super) fn new(
        (published, question): (&[u8], &Question),
        roles: &Roles,
        persons: &Persons,
    ) -> Result<Self, Error> {
        let mut linked = Self {
            classes: Vec::new(),
            groups: 0,
            astray: 0,
            split: Vec::new(),
            persons: 0,
            most_rows: 0,
            holders: FxHashSet::default(),
            values: Values::new(&question.markers),
        };
        let labels = linked.publish(published, question.dialect, roles)?;
        linked.link(persons, &labels, roles.sensitive.is_some())?;
        Ok(linked)
    }

    /// The classes as they are published; the place of each by its label.
    fn publish(
        &mut self,
        published: &[u8],
        dialect: Dialect,
        roles: &Roles,
    ) -> Result<FxHashMap<Box<str>, usize>, Error> {
        let class = roles.class.ok_or(Error::NoClassOfLinks)?;
        let mut labels: FxHashMap<Box<str>, usize> = FxHashMap::default();
        let mut groups: FxHashMap<Vec<Box<str>>, usize> = FxHashMap::default();
        let (mut rows, _) = Rows::new(published, dialect)?;
        let mut row = Row::default();
        while rows.next(&mut row)? {
            let place = if let Some(&place) = labels.get(row.cell(class)) {
                place
            } else {
                let shared: Vec<Box<str>> = roles.quasi.iter().map(|&at| row.cell(at).into()).collect();
                let next = groups.len();
                let group = *groups.entry(shared).or_insert(next);
                let label: Box<str> = row.cell(class).into();
                labels.insert(label.clone(), self.classes.len());
                self.classes.push(Class {
                    label,
                    rows: 0,
                    group,
                    linked: 0,
                    surplus: FxHashMap::default(),
                    persons: FxHashMap::default(),
                });
                self.classes.len() - 1
            };
            let value = roles.sensitive.map(|column| self.values.code(row.cell(column)));
            let class = &mut self.classes[place];
            class.rows += 1;
            if let Some(value) = value {
                *class.surplus.entry(value).or_insert(0) += 1;
            }
        }
        self.groups = groups.len();
        Ok(labels)
    }

    /// Puts the rows of the source into their classes.
    fn link(
        &mut self,
        persons: &Persons,
        labels: &FxHashMap<Box<str>, usize>,
        sensitive: bool,
    ) -> Result<(), Error> {
        let mut names: FxHashMap<String, u32> = FxHashMap::default();
        // Class and first row of each person, how many rows, and whether another class was met.
        let mut met: Vec<(usize, usize, usize, bool)> = Vec::new();
        let (mut lines, header) = Rows::new(persons.linking, Dialect::PLAIN)?;
        let mut line = Row::default();
        let mut at = 0;
        while lines.next(&mut line)? {
            let number = at;
            at += 1;
            let (Some(key), true) = (persons.keys.get(number), line.cell(0) == number.to_string()) else {
                self.astray += 1;
                continue;
            };
            let label = if header.len() > 1 { line.cell(1) } else { "" };
            if label.is_empty() {
                continue;
            }
            let Some(&place) = labels.get(label) else {
                self.astray += 1;
                continue;
            };
            let next = names.len() as u32;
            let person = *names.entry(key.trim().to_lowercase()).or_insert(next);
            if person == next {
                met.push((place, number, 0, false));
            }
            let (first_class, first_row, rows, split) = &mut met[person as usize];
            *rows += 1;
            if *first_class != place && !*split {
                *split = true;
                self.split.push((*first_row, number));
            }
            let class = &mut self.classes[place];
            class.linked += 1;
            *class.persons.entry(person).or_insert(0) += 1;
            if sensitive {
                let value = self.values.code(persons.sensitive.get(number).copied().unwrap_or_default());
                *class.surplus.entry(value).or_insert(0) -= 1;
                self.holders.insert((place, value, person));
            }
        }
        self.astray += persons.keys.len().saturating_sub(at);
        self.persons = met.len();
        self.most_rows = met.iter().map(|person| person.2).max().unwrap_or(0);
        Ok(())
    }

    /// The persons of each group, and how many rows each has there.
    pub(super) fn by_group(&self) -> Vec<FxHashMap<u32, usize>> {
        let mut groups = vec![FxHashMap::default(); self.groups];
        for class in &self.classes {
            for (&person, &rows) in &class.persons {
                *groups[class.group].entry(person).or_insert(0) += rows;
            }
        }
        groups
    }
}
