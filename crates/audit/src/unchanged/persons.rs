//! What an attacker gains who knows unchanged columns of a person who may have several rows.
//!
//! Nothing that is published links the rows of a person, but all of them are in one class. The attacker of these figures knows that
//! class (by the quasi-identifiers, or because no other class has all of the person's cells) and the cells of all rows of the
//! person in these columns, and so in how many rows each cell is. Rows of the class with the same cells in these columns are
//! one to such an attacker as good as the other: if `a` of `n` are the person's, each is with a probability of a/n, whatever the
//! person's other rows are. So the *match probability* of a person is the largest such share over its cells; it is 1 if nobody
//! else in the class has the cell, in however many rows the person has it. Who knows the cell of one row alone, or
//! not the class, gains no more.
//!
//! Of sensitive values more is told than by a row: if v is in `h` of the `n` rows, none of the person's has it with a probability
//! of C(n - h, a) / C(n, a), for each of the person's cells independently.
//!
//! Whose rows are whose is read off the linking key and the source, how many rows there are off the published bytes.
//!
//! Cost: linear in the cells, and in the sensitive values of a match group times the persons who have rows in it.

use lookalike_words::Name;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Coder, Disclosed, Gain, Gains, by_class, joined, minimal};
use crate::{Dialect, Error, Persons, Question, Source, judge::rows};

/// What is gained by the unchanged columns of a release of persons who may have several rows.
///
/// # Errors
/// As [`gains`](super::gains), of the table and of the linking key; [`Error::NoClassOfLinks`] if the table has no class column.
pub fn gains_of_persons(
    published: &[u8],
    question: &Question,
    persons: &Persons,
    source: &Source,
) -> Result<Gains, Error> {
    let class = question.class.as_ref().ok_or(Error::NoClassOfLinks)?;
    let wanted: Vec<&String> =
        std::iter::once(class).chain(source.unchanged).chain(&question.sensitive).collect();
    let mut columns: Vec<Coder> = Vec::new();
    let header = rows(published, question.dialect, &mut |_, cells| {
        columns.resize_with(cells.len(), Coder::default);
        columns.iter_mut().zip(cells).for_each(|(column, cell)| column.push(cell));
    })?;
    let places = (wanted.iter())
        .map(|name| {
            let found = header.iter().position(|other| other == *name);
            found.ok_or_else(|| Error::NoColumn { column: Name::from(name.as_str()) })
        })
        .collect::<Result<Vec<usize>, Error>>()?;
    let mut coded: Vec<Coder> =
        places.into_iter().map(|at| columns.get_mut(at).map(std::mem::take).unwrap_or_default()).collect();
    let length = coded[0].codes.len();
    let owners = own(persons, source, &wanted, &mut coded)?;
    let known = &coded[1..=source.unchanged.len()];
    let classes = &coded[0].codes;
    let values = question.sensitive.as_ref().and_then(|_| coded.last()).map(|column| column.codes.as_slice());
    let of = |columns: &[Coder]| {
        let all = columns.iter().fold(classes.clone(), |all, column| joined(&all, &column.codes));
        let (there, here) = all.split_at(length);
        gain((there, values.map(|values| &values[..length])), (here, &classes[length..]), &owners)
    };
    let cells: Vec<&[u32]> = known.iter().map(|column| &column.codes[length..]).collect();
    Ok(Gains {
        columns: known.chunks(1).map(of).collect(),
        together: of(known),
        minimal: minimal(&cells, &owners),
    })
}

/// Puts the source's rows that are published behind the published ones; whose each of them is.
fn own(
    persons: &Persons,
    source: &Source,
    wanted: &[&String],
    coded: &mut [Coder],
) -> Result<Vec<u32>, Error> {
    let mut names: FxHashMap<String, u32> = FxHashMap::default();
    let mut owners = Vec::new();
    rows(persons.linking, Dialect::PLAIN, &mut |_, line| {
        let (Some(row), Some(&class)) = (line[0].parse::<usize>().ok(), line.get(1)) else { return };
        let Some(key) = persons.keys.get(row).filter(|_| !class.is_empty()) else { return };
        let next = names.len() as u32;
        owners.push(*names.entry(key.trim().to_lowercase()).or_insert(next));
        coded[0].push(class);
        for (column, name) in coded[1..].iter_mut().zip(&wanted[1..]) {
            // The audit says so where the source has no such cell.
            column.push((source.cell)(row, name).unwrap_or_default());
        }
    })?;
    Ok(owners)
}

/// The figures of columns: match groups and sensitive values of the published rows, match groups and classes of the source's.
fn gain(
    (there, values): (&[u32], Option<&[u32]>),
    (here, classes): (&[u32], &[u32]),
    owners: &[u32],
) -> Gain {
    let count = owners.iter().max().map_or(0, |&last| last as usize + 1);
    let mut size: FxHashMap<u32, usize> = FxHashMap::default();
    for &group in there {
        *size.entry(group).or_insert(0) += 1;
    }
    // The match groups that a person has rows in, and how many.
    let mut own: Vec<FxHashMap<u32, usize>> = vec![FxHashMap::default(); count];
    let mut class = vec![0; count];
    for ((&group, &of), &owner) in here.iter().zip(classes).zip(owners) {
        *own[owner as usize].entry(group).or_insert(0) += 1;
        class[owner as usize] = of;
    }
    let share = |(group, own): (&u32, &usize)| {
        // No more than 1 in a release that the audit does not pass.
        (*own as f64 / size.get(group).copied().unwrap_or(0).max(1) as f64).min(1.0)
    };
    let best: Vec<f64> = own.iter().map(|own| own.iter().map(share).fold(0.0, f64::max)).collect();
    // The order of the source's rows must not show in the last digit of a sum.
    let mut sorted: Vec<(f64, u32)> = best.into_iter().zip(class).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    Gain {
        uniques: sorted.iter().filter(|(best, _)| *best >= 1.0).count(),
        mean: sorted.iter().map(|(best, _)| best).sum::<f64>() / count.max(1) as f64,
        values: values.map(|values| disclosed((there, values), &size, &own)),
        ..by_class(sorted.into_iter())
    }
}

/// What is told of the values in the rows of persons.
fn disclosed(
    (groups, values): (&[u32], &[u32]),
    size: &FxHashMap<u32, usize>,
    own: &[FxHashMap<u32, usize>],
) -> Disclosed {
    // The values of each match group, and in how many rows.
    let mut held: FxHashMap<u32, FxHashMap<u32, usize>> = FxHashMap::default();
    for (&group, &value) in groups.iter().zip(values) {
        *held.entry(group).or_default().entry(value).or_insert(0) += 1;
    }
    let none = FxHashMap::default();
    let (mut highest, mut certain) = (0.0_f64, 0);
    for own in own {
        let held = |group: &u32| held.get(group).unwrap_or(&none);
        let different: FxHashSet<u32> = own.keys().flat_map(|group| held(group).keys().copied()).collect();
        let misses = |value: u32| {
            let mut factors: Vec<f64> = (own.iter())
                .map(|(group, &rows)| {
                    let with = held(group).get(&value).copied().unwrap_or(0);
                    missed(size.get(group).copied().unwrap_or(0), with, rows)
                })
                .collect();
            factors.sort_by(f64::total_cmp);
            factors.into_iter().product::<f64>()
        };
        let least = different.into_iter().map(misses).fold(1.0, f64::min);
        highest = highest.max(1.0 - least);
        certain += usize::from(least <= 0.0);
    }
    Disclosed { highest, certain }
}

/// The probability that none of `own` rows, drawn from `all`, is one of those `with` a value.
fn missed(all: usize, with: usize, own: usize) -> f64 {
    let without = all.saturating_sub(with);
    if own > without {
        return 0.0;
    }
    (0..own).map(|drawn| (without - drawn) as f64 / (all - drawn) as f64).product()
}
