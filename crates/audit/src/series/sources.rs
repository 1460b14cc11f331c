//! With the tables that were published: what an attacker concludes who knows everybody's quasi-identifiers and who is in
//! which release.
//!
//! An individual can be in every class whose published quasi-identifiers cover its own. Everybody is in one row, and
//! nobody shares it, so a class is ruled out if no assignment of all individuals to rows puts the individual there
//! (Tassa, Mazza, Gionis 2012, for one table); rows that are left over may be counterfeits.

use std::collections::BTreeMap;

use lookalike_table::{Column, Table};
use lookalike_words::{Cell, Name};
use rustc_hash::FxHashMap;

use super::{
    Question,
    history::{Histories, Person, Place, Sight},
    lexicon::Lexicon,
    release::Release,
};
use crate::{
    Check, Error, Observation, SeriesObservation, SeriesWitness, SourceFault, Subject, Witness,
    consistency::{Graph, matches},
    measure::Reading,
};

/// What follows from the sources.
pub(super) struct Seen {
    pub(super) histories: Histories,
    /// Whether the tables are those that were published.
    pub(super) covered: Check,
    /// Individuals that are in no class, and releases in which nobody can be ruled out.
    pub(super) notes: Vec<Check>,
}

/// What is told of all releases together.
#[derive(Default)]
struct Odd {
    /// Classes that nobody can be in.
    empty: Vec<SeriesWitness>,
    /// Individuals that are in no class.
    unpublished: Vec<SeriesWitness>,
    /// Releases of which individuals cannot be assigned to rows.
    unassigned: Vec<SeriesWitness>,
}

/// Finds everybody in every release.
pub(super) fn histories(
    published: &[&Table],
    releases: &[Release],
    sources: &[Table],
    id: &str,
    reading: &Reading,
    question: &Question,
    lexicon: &mut Lexicon,
) -> Result<Seen, Error> {
    let mut people: BTreeMap<String, Vec<Sight>> = BTreeMap::new();
    let (mut places, mut odd) = (Vec::new(), Odd::default());
    for (at, (&table, source)) in published.iter().zip(sources).enumerate() {
        let number = at + 1;
        let names = individuals(source, id, number)?;
        let sensitive = column(source, &question.sensitive, number)?;
        let reading = reading.with_original(source, &question.quasi);
        let graph = Graph::new(table, source, &question.quasi, &reading)?;
        let classes = classes_of(&graph, &releases[at]);
        let values: Vec<u32> = sensitive.values.iter().map(|text| lexicon.value(text)).collect();
        let value = |row: usize| values[sensitive.cells[row] as usize];
        // Whether an individual's own class may be among these.
        let may_be_in = |row: usize, edges: &[Vec<u32>]| {
            let found = edges[graph.original.of[row] as usize].iter().flat_map(|&g| &classes[g as usize]);
            let mut signatures = found.map(|&class| releases[at].classes[class as usize].signature);
            signatures.any(|signature| lexicon.holds(signature, value(row)))
        };
        let present: Vec<bool> = (0..source.rows).map(|row| may_be_in(row, &graph.edges)).collect();
        // Somebody who was left out, but is covered, makes the attacker conclude what is not true.
        let true_for_all = |edges: &Vec<Vec<u32>>| {
            let mut all = (0..source.rows).filter(|&row| present[row]);
            all.all(|row| may_be_in(row, edges))
        };
        let edges = deduce(&graph, &present).filter(true_for_all).unwrap_or_else(|| {
            odd.unassigned.push(SeriesWitness::Release { release: number });
            graph.edges.clone()
        });
        odd.empty.extend(nobody(&edges, &classes, &graph, &present, &releases[at], number));

        let of_combination = places_of(&edges, &classes, &releases[at], lexicon, &mut places);
        for row in 0..source.rows {
            let place = of_combination[graph.original.of[row] as usize].filter(|_| present[row]);
            let Some(place) = place else {
                let individual = Cell::from(names[row]);
                odd.unpublished.push(SeriesWitness::Unpublished { release: number, individual });
                continue;
            };
            let sight = Sight { release: at as u32, value: value(row), place };
            people.entry(names[row].to_owned()).or_default().push(sight);
        }
    }
    let people = people.into_iter().map(|(name, sights)| Person { name, sights }).collect();
    Ok(Seen { histories: Histories { people, places }, covered: covered(&odd), notes: notes(&odd) })
}

/// Adds the places of each combination of quasi-identifiers that is in a class.
fn places_of(
    edges: &[Vec<u32>],
    classes: &[Vec<u32>],
    release: &Release,
    lexicon: &Lexicon,
    places: &mut Vec<Place>,
) -> Vec<Option<u32>> {
    let mut place_of: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
    let place = |groups: &Vec<u32>| {
        let mut found: Vec<u32> =
            groups.iter().flat_map(|&group| &classes[group as usize]).copied().collect();
        found.sort_unstable();
        found.dedup();
        if found.is_empty() {
            return None;
        }
        Some(*place_of.entry(found).or_insert_with_key(|found| {
            let signatures = found.iter().map(|&class| release.classes[class as usize].signature).collect();
            places.push(Place::new(found.clone(), signatures, lexicon));
            places.len() as u32 - 1
        }))
    };
    edges.iter().map(place).collect()
}

fn column<'a>(source: &'a Table, name: &str, number: usize) -> Result<&'a Column, Error> {
    let why = || SourceFault::NoColumn { column: Name::from(name) };
    source.column(name).ok_or_else(|| Error::Source { source: number, why: why() })
}

/// The names of the individuals, by row.
fn individuals<'a>(source: &'a Table, id: &str, number: usize) -> Result<Vec<&'a str>, Error> {
    let column = column(source, id, number)?;
    let mut row_of: FxHashMap<&str, usize> = FxHashMap::default();
    let names: Vec<&str> = (0..source.rows).map(|row| column.cell(row).trim()).collect();
    for (row, &name) in names.iter().enumerate() {
        let (place, column) = (row + 1, || Name::from(id));
        let refuse = |why| Err(Error::Source { source: number, why });
        if name.is_empty() {
            return refuse(SourceFault::NoName { row: place, column: column() });
        }
        if let Some(before) = row_of.insert(name, row) {
            let (individual, before) = (Cell::from(name), before + 1);
            return refuse(SourceFault::Twice { row: place, column: column(), individual, before });
        }
    }
    Ok(names)
}

/// The classes that have rows in each published combination of quasi-identifiers: several may be published alike.
fn classes_of(graph: &Graph, release: &Release) -> Vec<Vec<u32>> {
    let mut classes: Vec<Vec<u32>> = vec![Vec::new(); graph.published.rows.len()];
    for (&group, &class) in graph.published.of.iter().zip(&release.of_row) {
        classes[group as usize].push(class);
    }
    for classes in &mut classes {
        classes.sort_unstable();
        classes.dedup();
    }
    classes
}

/// Where the individuals that are present can be if each has a row of its own; `None` if they cannot all have one.
fn deduce(graph: &Graph, present: &[bool]) -> Option<Vec<Vec<u32>>> {
    let mut people = vec![0; graph.original.rows.len()];
    for (&of, _) in graph.original.of.iter().zip(present).filter(|(_, present)| **present) {
        people[of as usize] += 1;
    }
    // Nobody asks for the rows of counterfeits, whichever they are: they take whatever is left over.
    let rows: usize = graph.published.rows.iter().sum();
    let counterfeits = rows.checked_sub(people.iter().sum())?;
    let all = (0..graph.published.rows.len() as u32).collect();
    let edges: Vec<Vec<u32>> = graph.edges.iter().cloned().chain([all]).collect();
    people.push(counterfeits);
    let mut found = matches(&edges, &people, &graph.published.rows)?;
    found.pop();
    Some(found)
}

/// Classes that no individual can be in: each class holds somebody.
fn nobody(
    edges: &[Vec<u32>],
    classes: &[Vec<u32>],
    graph: &Graph,
    present: &[bool],
    release: &Release,
    number: usize,
) -> Vec<SeriesWitness> {
    let mut reached = vec![false; release.classes.len()];
    for (&of, _) in graph.original.of.iter().zip(present).filter(|(_, present)| **present) {
        for &class in edges[of as usize].iter().flat_map(|&group| &classes[group as usize]) {
            reached[class as usize] = true;
        }
    }
    let lonely = release.classes.iter().zip(reached).filter(|(class, reached)| !reached && !class.suppressed);
    lonely
        .map(|(class, _)| SeriesWitness::NotCovered { release: number, class: class.name.clone() })
        .collect()
}

fn covered(odd: &Odd) -> Check {
    let finding = match odd.empty.len() {
        0 => SeriesObservation::Covered,
        classes => SeriesObservation::NotCovered { classes },
    };
    Check::new(Subject::Covered, Observation::Series(finding), witnesses(&odd.empty))
}

fn notes(odd: &Odd) -> Vec<Check> {
    let mut notes = Vec::new();
    if !odd.unpublished.is_empty() {
        let finding = Observation::Series(SeriesObservation::Unpublished { rows: odd.unpublished.len() });
        notes.push(Check::note(Subject::Unpublished, finding, witnesses(&odd.unpublished)));
    }
    if !odd.unassigned.is_empty() {
        let finding = Observation::Series(SeriesObservation::Unassigned);
        notes.push(Check::note(Subject::Unassigned, finding, witnesses(&odd.unassigned)));
    }
    notes
}

fn witnesses(odd: &[SeriesWitness]) -> impl Iterator<Item = Witness> {
    odd.iter().cloned().map(Witness::Series)
}
