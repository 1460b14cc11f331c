//! A published table of persons who may have several rows.
//!
//! The published bytes do not say whose rows they are; the linking key does, with the keys of the source. So the judge
//! reads both: the rows that the key puts into a class must be those that are published there, in number and in sensitive
//! values; then persons are counted, in classes and in groups of equal published quasi-identifiers, and no person may have
//! rows in two classes. Under m-uniqueness no sensitive value of a class may be held by two of its persons. Risks are of
//! persons.
//!
//! Memory is linear in the rows.

mod linked;
mod owners;

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use self::{
    linked::{Class, Linked},
    owners::{Owners, known},
};
use super::{
    error::Error,
    judge_knowing,
    question::{Guarantee, Question},
    reader::Rows,
    risk::{Attacker, Risks, of_sizes},
    roles::Roles,
    unchanged::{Source, compare},
    verdict::{
        Check, Grouping, Observation, PersonsObservation, Risk, Shared, Subject, Verdict, WITNESSES, Witness,
    },
};

/// Whose rows the published ones are.
#[derive(Clone, Copy, Debug)]
pub struct Persons<'a> {
    /// The linking key, byte for byte: a header, then for each row of the source its number from 0 and the label of its class,
    /// which is empty if the row is not published.
    pub linking: &'a [u8],
    /// For each row of the source the key of its person. White space around it and case make no other person.
    pub keys: &'a [&'a str],
    /// For each row of the source its sensitive cell; empty without a sensitive column.
    pub sensitive: &'a [&'a str],
}

/// What is found about a table of persons.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedPersons {
    /// The verdict. Sizes and risks are of persons.
    pub verdict: Verdict,
    /// Risks of re-identification, of persons.
    pub risks: Risks,
    /// Number of groups by how many persons they have.
    pub groups: BTreeMap<usize, usize>,
    /// Largest share of one sensitive value among the persons of a group for whom one is known. `None` if none is missing.
    pub known_share: Option<f64>,
    /// Persons with published rows.
    pub count: usize,
    /// Fewest and most persons of a class.
    pub in_class: (usize, usize),
    /// How far the number of rows of a person tells who it is.
    pub told: ToldByRows,
}

/// How far the number of rows of a person tells who it is. No guarantee is about it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ToldByRows {
    /// Most rows of a person.
    pub most: usize,
    /// Largest share of the rows of a class that are one person's.
    pub largest_share: f64,
    /// Persons whose number of rows nobody else has in their group of equal published quasi-identifiers.
    pub alone: usize,
    /// Groups in which no two persons have the same number of rows.
    pub groups: usize,
}

/// Judges the bytes of a published table whose persons may have several rows. What it must hold of rows alone is judged as
/// [`judge_stream`](super::judge_stream) does; columns that are published unchanged are compared with the `source`, if there are any.
///
/// # Errors
/// As [`judge_stream`](super::judge_stream), of the table and of the linking key; [`Error::NoClassOfLinks`] if the table has no class
/// column.
pub fn judge_persons(
    published: &[u8],
    question: &Question,
    persons: &Persons,
    source: Option<&Source>,
) -> Result<JudgedPersons, Error> {
    if !question.conditions.all.is_empty() {
        return Err(Error::ConditionsOfRecords);
    }
    let mut judged = judge_knowing(published, question, source.map_or(&[], |source| source.unchanged))?;
    let (_, header) = Rows::new(published, question.dialect)?;
    let roles = Roles::new(&header, question)?;
    let linked = Linked::new((published, question), &roles, persons)?;
    let class_column = roles.class.map_or("", |at| header[at].as_str());
    if let Some(source) = source {
        compare(published, question, source, &mut judged.verdict)?;
    }
    let groups = linked.by_group();
    let least = question.guarantee.least();
    let of_groups: Vec<usize> = groups.iter().map(FxHashMap::len).collect();
    let mut checks = vec![
        class_sizes(&linked.classes, least, class_column),
        one_class(&linked),
        group_sizes(&of_groups, least),
        fits(&linked, class_column),
    ];
    let owners = Owners::of(&linked);
    if let Guarantee::MUnique { m } = question.guarantee {
        checks.push(owners.of_class(&linked, class_column));
        checks.push(owners.of_group(&linked, (&of_groups, m), class_column));
    }
    // One person may hold a value in several rows: what is said of rows with different values is said of persons above.
    let of_rows = [Subject::ClassSize, Subject::GroupSize, Subject::ClassValues, Subject::GroupValues];
    let others = judged.verdict.checks.into_iter().filter(|check| !of_rows.contains(&check.name));
    checks.extend(others.map(|check| match check.name {
        Subject::KnownValues => known(&linked),
        Subject::RareValues => owners.rare(&linked),
        _ => check,
    }));
    let mut sizes = BTreeMap::new();
    for &size in &of_groups {
        *sizes.entry(size).or_insert(0) += 1;
    }
    let Shares { worst: disclosure, worst_known: known_share, single } = shares(&linked, &owners, &of_groups);
    let risks = of_sizes(&sizes, 0, &Attacker::default());
    let in_class = linked.classes.iter().map(|class| class.persons.len());
    Ok(JudgedPersons {
        verdict: Verdict {
            passed: checks.iter().all(|check| check.passed),
            checks,
            risk: Risk {
                smallest_group: risks.smallest_group,
                highest_reidentification: risks.prosecutor.highest,
                mean_reidentification: risks.prosecutor.mean,
                highest_attribute_disclosure: roles.sensitive.map(|_| disclosure),
                single_valued: roles.sensitive.map(|_| (single, of_groups.len())),
            },
            reader: judged.verdict.reader,
            dialect: judged.verdict.dialect,
            reached: Vec::new(),
        },
        risks,
        groups: sizes,
        known_share: known_share.filter(|_| !linked.values.missing().is_empty()),
        count: linked.persons,
        in_class: (in_class.clone().min().unwrap_or(0), in_class.max().unwrap_or(0)),
        told: told(&linked, &groups),
    })
}

/// How many persons classes or groups have.
fn sizes(grouping: Grouping, counts: &[usize], least: usize) -> PersonsObservation {
    let (all, fewest) = (counts.len(), counts.iter().min().copied().unwrap_or(0));
    match counts.iter().filter(|&&count| count < least).count() {
        0 => PersonsObservation::Enough { grouping, all, fewest, least },
        short => PersonsObservation::TooFew { grouping, all, fewest, least, short },
    }
}

/// At least so many persons in every class.
fn class_sizes(classes: &[Class], least: usize, column: &str) -> Check {
    let counts: Vec<usize> = classes.iter().map(|class| class.persons.len()).collect();
    let short = classes.iter().filter(|class| class.persons.len() < least);
    let witness = |class: &Class| Witness::FewPersons {
        of: vec![label(class, column)],
        persons: class.persons.len(),
        rows: class.rows,
    };
    let finding = sizes(Grouping::Class, &counts, least);
    Check::new(Subject::ClassPersons, Observation::Persons(finding), short.map(witness).take(WITNESSES))
}

/// At least so many persons in every group. A class that is too small is a witness already; a group has no label.
fn group_sizes(counts: &[usize], least: usize) -> Check {
    let finding = sizes(Grouping::Group, counts, least);
    let passed = counts.iter().all(|&count| count >= least);
    Check { passed, ..Check::new(Subject::GroupPersons, Observation::Persons(finding), None) }
}

/// No person has rows in two classes.
fn one_class(linked: &Linked) -> Check {
    let persons = linked.persons;
    let finding = match linked.split.len() {
        0 => PersonsObservation::OneClass { persons },
        split => PersonsObservation::Split { persons, split },
    };
    let witness = |&(one, other): &(usize, usize)| Witness::TwoClasses { one: one + 1, other: other + 1 };
    Check::new(Subject::PersonClass, Observation::Persons(finding), linked.split.iter().map(witness))
}

/// The linking key is that of the published rows.
fn fits(linked: &Linked, column: &str) -> Check {
    let (classes, rows) = (linked.classes.len(), linked.classes.iter().map(|class| class.rows).sum());
    let odd: Vec<&Class> = linked.classes.iter().filter(|class| !class.fits()).collect();
    let finding = if odd.is_empty() && linked.astray == 0 {
        PersonsObservation::Linked { classes, rows }
    } else {
        PersonsObservation::Unlinked { classes, odd: odd.len(), astray: linked.astray }
    };
    let witness = |class: &&Class| Witness::Unlinked {
        of: vec![label(class, column)],
        published: class.rows,
        linked: class.linked,
    };
    let passed = odd.is_empty() && linked.astray == 0;
    Check { passed, ..Check::new(Subject::Linked, Observation::Persons(finding), odd.iter().map(witness)) }
}

fn label(class: &Class, column: &str) -> Shared {
    Shared::Cell { column: column.to_owned(), cell: (&*class.label).into() }
}

/// How far groups tell the sensitive values of their persons.
struct Shares {
    /// Largest share of the persons of a group who hold one value.
    worst: f64,
    /// The same among those of whom a value is known.
    worst_known: Option<f64>,
    /// Groups in which all of whom a value is known hold one and the same.
    single: usize,
}

fn shares(linked: &Linked, owners: &Owners, of_groups: &[usize]) -> Shares {
    let mut known: FxHashMap<usize, FxHashSet<u32>> = FxHashMap::default();
    for &(class, value, person) in &linked.holders {
        if !linked.values.is_missing(value) {
            known.entry(linked.classes[class].group).or_default().insert(person);
        }
    }
    let (mut worst, mut worst_known) = (0.0_f64, None::<f64>);
    let mut single = FxHashSet::default();
    for (&(group, value), &count) in &owners.groups {
        worst = worst.max(count as f64 / of_groups[group].max(1) as f64);
        if let Some(persons) = known.get(&group).filter(|_| !linked.values.is_missing(value)) {
            let share = count as f64 / persons.len() as f64;
            worst_known = Some(worst_known.map_or(share, |worst| worst.max(share)));
            if count == persons.len() {
                single.insert(group);
            }
        }
    }
    Shares { worst, worst_known, single: single.len() }
}

/// How far the numbers of rows tell who is who.
fn told(linked: &Linked, groups: &[FxHashMap<u32, usize>]) -> ToldByRows {
    let share = |class: &Class| {
        let most = class.persons.values().max().copied().unwrap_or(0);
        most as f64 / class.rows.max(1) as f64
    };
    let alone: Vec<usize> = groups.iter().map(alone).collect();
    ToldByRows {
        most: linked.most_rows,
        largest_share: linked.classes.iter().map(share).fold(0.0, f64::max),
        alone: alone.iter().sum(),
        groups: alone.iter().zip(groups).filter(|(alone, persons)| **alone == persons.len()).count(),
    }
}

/// Persons of a group whose number of rows nobody else there has.
fn alone(persons: &FxHashMap<u32, usize>) -> usize {
    let mut counts: FxHashMap<usize, usize> = FxHashMap::default();
    for &rows in persons.values() {
        *counts.entry(rows).or_insert(0) += 1;
    }
    counts.values().filter(|&&persons| persons == 1).count()
}
