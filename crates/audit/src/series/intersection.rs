//! The intersection attack: in every release that holds a tuple its value is one of those that its class has, so it is
//! in all of these sets at once.

use std::collections::BTreeMap;

use lookalike_words::Cell;

use super::{
    history::{Histories, Person, Sight},
    lexicon::{Lexicon, common},
    release::Release,
};
use crate::{Check, ClassName, Observation, SeenSet, SeriesObservation, SeriesWitness, Subject, Witness};

/// What the attack reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attack {
    /// People in at least one release.
    pub individuals: usize,
    /// Pairs of individual and sensitive value.
    pub tuples: usize,
    /// How many tuples are left with each number of values, by number.
    pub left: BTreeMap<usize, usize>,
    /// The attacker who believes that values never change.
    pub believer: Believer,
    /// Individuals whose value changes.
    pub changed: usize,
    /// Individuals of whom a tuple leaves and comes back.
    pub returned: usize,
    /// Release by release: the individuals asked for, or those that are worst off, the worst first.
    pub traces: Vec<Trace>,
}

/// What an attacker reaches who believes that values never change, and intersects over a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Believer {
    /// How many individuals are left with each number of values, by number; with 0 he sees that the value changed.
    pub left: BTreeMap<usize, usize>,
}

/// The attack on one individual.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Its name.
    pub individual: String,
    /// One entry a release that holds it.
    pub steps: Vec<Step>,
}

/// What one release adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Number of the release, from 1.
    pub release: usize,
    /// The value that the individual has.
    pub value: String,
    /// The classes that it may be in, where that is known.
    pub classes: Vec<ClassName>,
    /// The values of these classes together, sorted.
    pub published: Vec<String>,
    /// Those left after this release, of the tuple with this value.
    pub left: Vec<String>,
    /// Those left to an attacker who knew the individual's class in each release: at least this many.
    pub at_least: usize,
    /// Those left to the attacker who believes that values never change.
    pub left_to_believer: Vec<String>,
}

/// What is left after each sight of a person, as numbers.
struct Left {
    of_tuple: Vec<Vec<u32>>,
    surely: Vec<Vec<u32>>,
    of_believer: Vec<Vec<u32>>,
}

impl Left {
    fn of(person: &Person, histories: &Histories, lexicon: &Lexicon) -> Self {
        let mut left = Self { of_tuple: Vec::new(), surely: Vec::new(), of_believer: Vec::new() };
        let mut tuples: BTreeMap<u32, (Vec<u32>, Vec<u32>)> = BTreeMap::new();
        for &sight in &person.sights {
            let place = histories.place(sight);
            let surely = place.surely(sight.value, lexicon);
            let tuple = match tuples.get(&sight.value) {
                Some((values, certain)) => (common(values, &place.values), common(certain, &surely)),
                None => (place.values.clone(), surely),
            };
            left.of_tuple.push(tuple.0.clone());
            left.surely.push(tuple.1.clone());
            tuples.insert(sight.value, tuple);
            left.of_believer.push(match left.of_believer.last() {
                Some(before) => common(before, &place.values),
                None => place.values.clone(),
            });
        }
        left
    }

    /// Fewest values of a tuple, then of the believer: the fewer, the worse.
    fn rank(&self) -> (usize, usize) {
        let least = |sets: &[Vec<u32>]| sets.iter().map(Vec::len).min().unwrap_or(0);
        (least(&self.of_tuple), least(&self.of_believer))
    }
}

/// Carries out the attack; whether it leaves at least `m` values of every tuple. `asked` names individuals to be traced;
/// if empty, the `worst` worst ones are.
pub(super) fn attack(
    histories: &Histories,
    releases: &[Release],
    lexicon: &Lexicon,
    m: usize,
    asked: &[String],
    worst: usize,
) -> (Check, Attack) {
    let mut found = Attack {
        individuals: histories.people.len(),
        tuples: 0,
        left: BTreeMap::new(),
        believer: Believer { left: BTreeMap::new() },
        changed: histories.people.iter().filter(|person| person.changes()).count(),
        returned: histories.people.iter().filter(|person| person.returns()).count(),
        traces: Vec::new(),
    };
    let mut ranks = Vec::with_capacity(histories.people.len());
    let mut broken = Vec::new();
    for (at, person) in histories.people.iter().enumerate() {
        let left = Left::of(person, histories, lexicon);
        for tuple in person.tuples() {
            // Sets only shrink: the last one of a tuple is its smallest.
            let last = person.sights.iter().rposition(|sight| sight.value == tuple[0].value).unwrap_or(0);
            let values = &left.of_tuple[last];
            found.tuples += 1;
            *found.left.entry(values.len()).or_insert(0) += 1;
            if values.len() < m {
                let seen = |&sight: &Sight| SeenSet::In {
                    release: sight.release as usize + 1,
                    values: lexicon.set(&histories.place(sight).values),
                };
                let told = SeriesWitness::Intersected {
                    individual: Cell::from(person.name.as_str()),
                    seen: tuple.iter().map(seen).collect(),
                    left: lexicon.set(values),
                };
                broken.push((values.len(), at, told));
            }
        }
        if let Some(values) = left.of_believer.last() {
            *found.believer.left.entry(values.len()).or_insert(0) += 1;
        }
        ranks.push((left.rank(), at));
    }
    ranks.sort_unstable();
    let chosen: Vec<usize> = if asked.is_empty() {
        ranks.iter().take(worst).map(|&(_, at)| at).collect()
    } else {
        let place = |name: &String| histories.people.binary_search_by(|person| person.name.cmp(name)).ok();
        asked.iter().filter_map(place).collect()
    };
    found.traces =
        chosen.iter().map(|&at| trace(&histories.people[at], histories, releases, lexicon)).collect();

    // Tuples of one individual stay in the order of its values.
    broken.sort_by_key(|(left, at, _)| (*left, *at));
    let (tuples, below) = (found.tuples, broken.len());
    let finding = match found.left.keys().next() {
        None => SeriesObservation::Nobody,
        Some(&least) => SeriesObservation::Intersected { tuples, least, m, below },
    };
    let witnesses = broken.into_iter().map(|(.., told)| Witness::Series(told));
    (Check::new(Subject::Intersection, Observation::Series(finding), witnesses), found)
}

fn trace(person: &Person, histories: &Histories, releases: &[Release], lexicon: &Lexicon) -> Trace {
    let left = Left::of(person, histories, lexicon);
    let step = |(at, &sight): (usize, &Sight)| {
        let place = histories.place(sight);
        let class = |&class: &u32| releases[sight.release as usize].classes[class as usize].name.clone();
        Step {
            release: sight.release as usize + 1,
            value: lexicon.text(sight.value).to_owned(),
            classes: place.classes.iter().map(class).collect(),
            published: lexicon.texts(&place.values),
            left: lexicon.texts(&left.of_tuple[at]),
            at_least: left.surely[at].len(),
            left_to_believer: lexicon.texts(&left.of_believer[at]),
        }
    };
    Trace { individual: person.name.clone(), steps: person.sights.iter().enumerate().map(step).collect() }
}

/// What the attacker reaches who believes that values never change; a note, for no model promises anything against him.
pub(super) fn believer(found: &Attack, m: usize) -> Option<Check> {
    let below: usize = found.believer.left.range(..m).map(|(_, count)| count).sum();
    let (&least, _) = found.believer.left.iter().next()?;
    let empty = found.believer.left.get(&0).copied().unwrap_or(0);
    let individuals = found.individuals;
    let finding = SeriesObservation::Believer { least, individuals, m, below, empty };
    Some(Check::note(Subject::Believer, Observation::Series(finding), None))
}
