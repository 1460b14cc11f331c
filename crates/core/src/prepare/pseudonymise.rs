//! Canonical order and random names: what leaves for a worker tells nothing but numbers, and a permuted input gives
//! the same job.

use std::collections::BTreeMap;

use lookalike_model::{
    job::{FurtherValues, JOB_VERSION, Job, Ranks, Series},
    rule::{Rule, ValueCondition},
    sets::AttributeSet,
    settings::{Model, QuasiSet, Scheme, Settings},
};
use lookalike_table::{Role, Schema, Table};
use rand::{Rng, seq::SliceRandom};

use super::{
    encode::Encoded,
    roles::{published, unchanged},
    seeds::{self, Use},
};

/// Sorts rows by their published content, so that no later step sees the file's order. Rows of equal content are
/// interchangeable, unless `tie` ranks them (by row of the table). Columns that are published unchanged come last: what a
/// worker sees does not depend on them, but for the codes of those that conditions are on.
pub(crate) fn canonical_rows(
    table: &Table,
    schema: &Schema,
    rows: Vec<u32>,
    tie: Option<&[u32]>,
) -> Vec<u32> {
    sorted(table, schema, (rows, tie), |_| true)
}

/// The same by all but the sensitive values, so that no order depends on them.
pub(crate) fn rows_without_sensitive(
    table: &Table,
    schema: &Schema,
    rows: Vec<u32>,
    tie: &[u32],
) -> Vec<u32> {
    sorted(table, schema, (rows, Some(tie)), |role| role != Role::Sensitive)
}

fn sorted(
    table: &Table,
    schema: &Schema,
    (mut rows, tie): (Vec<u32>, Option<&[u32]>),
    counts: impl Fn(Role) -> bool,
) -> Vec<u32> {
    let others = published(schema).filter(|spec| spec.role != Role::Unchanged && counts(spec.role));
    let ranks: Vec<(usize, Vec<u32>)> = (others.chain(unchanged(schema)))
        .map(|spec| {
            let values = &table.columns[spec.index].values;
            let mut order: Vec<u32> = (0..values.len() as u32).collect();
            order.sort_by(|&a, &b| values[a as usize].cmp(&values[b as usize]));
            let mut rank = vec![0; values.len()];
            for (r, &code) in order.iter().enumerate() {
                rank[code as usize] = r as u32;
            }
            (spec.index, rank)
        })
        .collect();
    let key =
        |row: u32| ranks.iter().map(move |(c, rank)| rank[table.columns[*c].cells[row as usize] as usize]);
    let tied = |row: u32| tie.map_or(row, |ranks| ranks[row as usize]);
    rows.sort_by(|&a, &b| key(a).cmp(key(b)).then_with(|| tied(a).cmp(&tied(b))));
    rows
}

/// The sensitive values of the real rows, as codes.
pub(super) struct Coloured<'a> {
    /// Of the sensitive column.
    pub(super) colours: &'a [u32],
    /// The codes' places in an order.
    pub(super) ranks: Option<&'a Ranks>,
    /// Of further sensitive columns.
    pub(super) further: &'a [FurtherValues],
}

/// The job, and for each of its real records the index of the row (in `encoded`'s order) that it stands for.
/// `counterfeits` are the codes of the counterfeits; so are those of the `series`.
pub(crate) fn job(
    settings: &Settings,
    seed: u64,
    encoded: &Encoded,
    Coloured { colours, ranks, further }: Coloured,
    counterfeits: &[u32],
    series: Option<&Series>,
) -> (Job, Vec<u32>) {
    let mut rng = seeds::stream(seed, Use::Pseudonyms);
    let mut attributes: Vec<usize> = (0..encoded.columns.len()).collect();
    attributes.shuffle(&mut rng);
    let count = colours.iter().chain(counterfeits).map(|&c| c as usize + 1).max().unwrap_or(0);
    let mut used = vec![false; count];
    for &c in colours.iter().chain(counterfeits) {
        used[c as usize] = true;
    }
    // Codes must be dense: a value whose rows were all deleted gets none.
    let mut codes: Vec<u32> = (0..used.iter().filter(|&&u| u).count() as u32).collect();
    codes.shuffle(&mut rng);
    let mut next = codes.into_iter();
    let names: Vec<u32> = used.iter().map(|&u| if u { next.next().unwrap_or(0) } else { 0 }).collect();
    let colour = |i: u32| names[colours[i as usize] as usize];

    let series = series.map(|series| renamed_series(series, &names));
    let bound = |i: u32| series.as_ref().map_or(0, |series| series.bound[i as usize]);

    // Codes of categories get random names too, after everything that other losses draw, and so do leaves, as far as their
    // hierarchy lets them.
    let mut described = encoded.attributes.clone();
    let renamed: Vec<Option<Vec<f64>>> = (described.iter_mut())
        .map(|a| match (&mut a.joins, a.levels) {
            (Some(joins), _) => Some(renamed_leaves(joins, &mut rng)),
            (None, levels) => levels.map(|levels| {
                let mut names: Vec<f64> = (0..levels).map(f64::from).collect();
                names.shuffle(&mut rng);
                names
            }),
        })
        .collect();
    let value = |i: u32, j: usize| {
        let x = encoded.columns[j][i as usize];
        renamed[j].as_ref().and_then(|names| names.get(x as usize)).copied().unwrap_or(x)
    };
    let mut order: Vec<u32> = (0..colours.len() as u32).collect();
    // Stable: rows with equal point and colour stay in canonical order.
    order.sort_by(|&a, &b| {
        let compare = |&j: &usize| value(a, j).total_cmp(&value(b, j));
        let own = |i: u32| (colour(i), bound(i));
        attributes.iter().map(compare).find(|o| o.is_ne()).unwrap_or_else(|| own(a).cmp(&own(b)))
    });
    let points = order
        .iter()
        .flat_map(|&i| attributes.iter().map(move |&j| (i, j)))
        .map(|(i, j)| value(i, j))
        .collect();
    let fake = counterfeits.iter().map(|&c| names[c as usize]);
    let job = Job {
        version: JOB_VERSION,
        dims: attributes.len(),
        points,
        colours: order.iter().map(|&i| colour(i)).chain(fake).collect(),
        rule: match settings.model {
            // Without counterfeits all records are real; in a series they are decided upon by what left.
            Model::MInvariance { m } if !counterfeits.is_empty() && series.is_none() => {
                Rule::all_different(m).with_real(settings.changes.real_asked().min(m))
            }
            Model::MInvariance { m } => Rule::all_different(m),
            Model::KAnonymity { k } => rule(k, settings),
        },
        loss: settings.loss,
        method: settings.method,
        budget: settings.budget,
        bound: settings.bound,
        duals: settings.wants_duals(),
        lattice: None,
        sets: sets(settings, encoded, &attributes),
        attributes: attributes.iter().map(|&j| described[j].clone()).collect(),
        ranks: ranks.map(|ranks| renamed_ranks(ranks, &used, &names)),
        further: further.iter().map(|of| renamed_values(of, &order, &mut rng)).collect(),
        series: series.as_ref().map(|series| Series {
            bound: order.iter().map(|&i| series.bound[i as usize]).collect(),
            ..series.clone()
        }),
        seed: seeds::search(seed),
    };
    (job, order)
}

/// The sets of quasi-identifiers as attributes of the job, which stand in this order. Levels of columns have sets of their own.
fn sets(settings: &Settings, encoded: &Encoded, attributes: &[usize]) -> Vec<AttributeSet> {
    if settings.scheme != Scheme::Classes {
        return Vec::new();
    }
    let places = |set: &QuasiSet| {
        let held = |at: &usize| set.columns.contains(&encoded.of[attributes[*at]]);
        (0..attributes.len()).filter(held).collect()
    };
    settings.sets.iter().map(|set| AttributeSet { attributes: places(set), least: set.k }).collect()
}

/// k records and the conditions on the sensitive columns, in the order of the job.
fn rule(k: usize, settings: &Settings) -> Rule {
    let columns = std::iter::once(&settings.conditions).chain(settings.conditions_of.values()).enumerate();
    let each =
        |(of, all): (usize, &Vec<ValueCondition>)| all.iter().map(move |&c| (of, c)).collect::<Vec<_>>();
    Rule::with_columns(k, columns.flat_map(each))
}

/// The values of the records in this order, with random names. All codes are there.
fn renamed_values(of: &FurtherValues, order: &[u32], rng: &mut impl Rng) -> FurtherValues {
    let count = of.values.iter().max().map_or(0, |&last| last + 1);
    let mut names: Vec<u32> = (0..count).collect();
    names.shuffle(rng);
    FurtherValues {
        values: order.iter().map(|&i| names[of.values[i as usize] as usize]).collect(),
        ranks: of.ranks.as_ref().map(|ranks| renamed_ranks(ranks, &vec![true; names.len()], &names)),
    }
}

/// New places of leaves: the branches of each node in random order. The penalties of neighbours become those of the new order.
fn renamed_leaves(joins: &mut Vec<f64>, rng: &mut impl Rng) -> Vec<f64> {
    // Branches that wait, first and last leaf each, the next one on top.
    let mut waiting = vec![(0, joins.len(), 0.0)];
    let (mut places, mut new) = (vec![0.0; joins.len() + 1], Vec::with_capacity(joins.len() + 1));
    while let Some((first, last, before)) = waiting.pop() {
        if first == last {
            places[first] = new.len() as f64;
            new.push(before);
            continue;
        }
        let node = joins[first..last].iter().copied().fold(0.0, f64::max);
        let mut branches = Vec::new();
        let mut from = first;
        for (at, &join) in (first..).zip(&joins[first..last]) {
            if join >= node {
                branches.push((from, at));
                from = at + 1;
            }
        }
        branches.push((from, last));
        branches.shuffle(rng);
        let joined = |(at, (first, last))| (first, last, if at == 0 { before } else { node });
        waiting.extend(branches.into_iter().enumerate().map(joined).rev());
    }
    *joins = new.split_off(1);
    places
}

/// The ranks of the colours by their new names; a code that no row has is left out.
fn renamed_ranks(ranks: &Ranks, used: &[bool], names: &[u32]) -> Ranks {
    let there = (0..used.len()).filter(|&code| used[code]);
    let mut codes: Vec<(u32, usize)> = there.map(|code| (names[code], code)).collect();
    codes.sort_unstable();
    let colours = codes.iter().map(|(_, code)| ranks.colours[*code]).collect();
    let places = codes.iter().filter_map(|(_, code)| ranks.places.get(*code).copied()).collect();
    let branches =
        ranks.branches.iter().map(|branch| renumbered(codes.iter().map(|(_, code)| branch[*code])));
    Ranks { colours, count: ranks.count, places, branches: branches.collect() }
}

/// Labels by numbers in the order in which they come, which tell no other order.
fn renumbered(labels: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut numbers = BTreeMap::new();
    labels
        .map(|label| {
            let next = numbers.len() as u32;
            *numbers.entry(label).or_insert(next)
        })
        .collect()
}

/// A series with the colours' new names, its signatures in their new order.
fn renamed_series(series: &Series, names: &[u32]) -> Series {
    let mut signatures: Vec<(Vec<u32>, usize)> = (series.signatures.iter().enumerate())
        .map(|(place, signature)| {
            let mut new: Vec<u32> = signature.iter().map(|&code| names[code as usize]).collect();
            new.sort_unstable();
            (new, place)
        })
        .collect();
    signatures.sort();
    let mut places = vec![0; signatures.len() + 1];
    for ((_, old), new) in signatures.iter().zip(1..) {
        places[old + 1] = new;
    }
    Series {
        signatures: signatures.into_iter().map(|(signature, _)| signature).collect(),
        bound: series.bound.iter().map(|&old| places[old as usize]).collect(),
        keep: series.keep,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    proptest! {
        #[test]
        fn leaves_keep_their_lowest_labels(joins in prop::collection::vec(0u8..5, 0..40), seed: u64) {
            let old: Vec<f64> = joins.iter().map(|&x| f64::from(x)).collect();
            let mut new = old.clone();
            let places = renamed_leaves(&mut new, &mut ChaCha8Rng::seed_from_u64(seed));
            let largest = |joins: &[f64], a: usize, b: usize| joins[a.min(b)..a.max(b)].iter().copied().fold(0.0, f64::max);
            for a in 0..=old.len() {
                for b in 0..=old.len() {
                    prop_assert_eq!(largest(&old, a, b), largest(&new, places[a] as usize, places[b] as usize));
                }
            }
        }
    }
}
