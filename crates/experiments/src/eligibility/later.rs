//! Figures 6 and 7: counterfeits over seven releases of a table that changes.

use std::{collections::BTreeMap, rc::Rc};

use anyhow::{Context, Result, ensure};
use lookalike_core::{
    eligibility::{Allowed, Among, Rates, additions, least_cost, random_counterfeits},
    republish::balance::{Bucket, balance},
};
use lookalike_model::settings::Fake;
use lookalike_optimize::construct::signatures;
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::{SEEDS, decimal};
use crate::{
    Experiment, Row,
    adult::Codes,
    plot::{Plot, Series},
};

const FIRST: usize = 20_000;
const LEAVING: usize = 2_000;
const ENTERING: usize = 4_000;
const RELEASES: usize = 7;

/// Draws before a run counts as endless.
const LIMIT: u64 = 10_000_000;

/// How the new records that no bucket takes are made m-eligible.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// Counterfeits of the rarest values.
    Algorithm1,
    /// Counterfeits of random values.
    Random,
    /// As many counterfeits as Algorithm 1, of the most frequent values that have room below the cap.
    Frequent,
}

pub(super) fn experiment(all: &Rc<Vec<Codes>>) -> Experiment {
    let mut rows = Vec::new();
    for (attribute, ms) in [("occupation", [7, 8]), ("relationship", [3, 4])] {
        for m in ms {
            for (name, way) in [
                ("Algorithm 1", Way::Algorithm1),
                ("Anjum 2017", Way::Random),
                ("frequent first", Way::Frequent),
            ] {
                let all = Rc::clone(all);
                rows.push(Row {
                    key: vec![attribute.to_owned(), m.to_string(), name.to_owned()],
                    compute: Box::new(move || row(&all, attribute, m, way)),
                });
            }
        }
    }
    Experiment {
        id: "fig7",
        title: String::from("Figures 6 and 7: counterfeits over seven releases"),
        about: String::from(
            "Adult, both parts: 46,033 rows with an occupation. Release 1 holds 20,000 rows drawn at random; from each \
             to the next 2,000 leave at random and 4,000 enter, up to 32,000. Counterfeits of each release, balancing \
             included (in brackets), mean of 5 seeds. Old records are classified into buckets by signature, balanced \
             with new records, then counterfeits; the other new ones are made m-eligible by the method named and \
             assigned to classes as Xiao and Tao do. \"Frequent first\" is ours: as many counterfeits as Algorithm 1, \
             but of the most frequent values among the records to be made m-eligible, as far as they have room below the cap.",
        ),
        header: vec!["attribute", "m", "method", "1", "2", "3", "4", "5", "6", "7", "mean"],
        rows,
        checked: vec![0],
        means: None,
        plots: Box::new(plots),
    }
}

fn row(all: &[Codes], attribute: &str, m: u64, way: Way) -> Result<Vec<String>> {
    let find = |name: &str| all.iter().find(|codes| codes.name == name).context("an attribute is missing");
    let (occupation, sensitive) = (find("occupation")?, find(attribute)?);
    let values: Vec<u32> = (occupation.of_row.iter().zip(&sensitive.of_row))
        .filter(|(occupation, _)| occupation.is_some())
        .filter_map(|(_, value)| *value)
        .collect();
    let mut sums = [(0_u64, 0_u64); RELEASES];
    for seed in SEEDS {
        for (sum, (balancing, rest)) in
            sums.iter_mut().zip(releases(&values, sensitive.values, m, way, seed)?)
        {
            sum.0 += balancing;
            sum.1 += rest;
        }
    }
    let runs = SEEDS.len() as f64;
    let cell = |balancing: u64, rest: u64, runs: f64| {
        format!("{} ({})", decimal((balancing + rest) as f64 / runs, 1), decimal(balancing as f64 / runs, 1))
    };
    let mut cells: Vec<String> = sums.iter().map(|&(balancing, rest)| cell(balancing, rest, runs)).collect();
    let (balancing, rest) = sums.iter().fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
    cells.push(cell(balancing, rest, runs * RELEASES as f64));
    Ok(cells)
}

/// Counterfeits of each release: those of balancing, and those that make the rest m-eligible.
fn releases(values: &[u32], domain: usize, m: u64, way: Way, seed: u64) -> Result<Vec<(u64, u64)>> {
    ensure!(values.len() >= FIRST + (RELEASES - 1) * ENTERING, "only {} rows", values.len());
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut order = values.to_vec();
    order.shuffle(&mut rng);
    // Published records: signature of the class, and value.
    let mut published: Vec<(usize, u32)> = Vec::new();
    let mut known: Vec<Vec<u32>> = Vec::new();
    let mut counterfeits = Vec::new();
    let mut at = 0;
    for release in 0..RELEASES {
        let entering = if release == 0 { FIRST } else { ENTERING };
        if release > 0 {
            published.shuffle(&mut rng);
            published.truncate(published.len() - LEAVING);
        }
        let mut new = vec![0_u64; domain];
        for &value in &order[at..at + entering] {
            new[value as usize] += 1;
        }
        at += entering;
        let (buckets, names) = classify(&published, &known);
        let (balanced, rest) = balance(&buckets, &new)?;
        let mut balancing = 0;
        for ((bucket, filled), &name) in buckets.iter().zip(&balanced).zip(&names) {
            balancing += filled.counterfeits.iter().sum::<u64>();
            for (&value, &count) in bucket.signature.iter().zip(&filled.new) {
                published.extend((0..count).map(|_| (name, value)));
            }
        }
        let changes = match way {
            Way::Algorithm1 => additions(&rest, m)?,
            Way::Frequent => {
                let among = Among { fake: Fake::Frequent, ..Among::default() };
                least_cost(&rest, m, Allowed::ADDITIONS, &Rates::unit(domain), among)?
            }
            Way::Random => {
                random_counterfeits(&rest, m, LIMIT, &mut rng)?.context("random counterfeits found no end")?
            }
        };
        counterfeits.push((balancing, changes.added()));
        place(&rest, &changes.additions, m, &mut known, &mut published, &mut rng)?;
        ensure!(published.len() == FIRST + release * (ENTERING - LEAVING), "a record was lost");
    }
    Ok(counterfeits)
}

/// Buckets of the published records, and their signatures' places in `known`.
fn classify(published: &[(usize, u32)], known: &[Vec<u32>]) -> (Vec<Bucket>, Vec<usize>) {
    let mut survivors: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    for &(name, value) in published {
        let counts = survivors.entry(name).or_insert_with(|| vec![0; known[name].len()]);
        if let Ok(rank) = known[name].binary_search(&value) {
            counts[rank] += 1;
        }
    }
    survivors
        .into_iter()
        .map(|(name, survivors)| (Bucket { signature: known[name].clone(), survivors }, name))
        .unzip()
}

/// Assigns the rest and its counterfeits to classes; only the real records stay in `published`.
fn place(
    rest: &[u64],
    fakes: &[u64],
    m: u64,
    known: &mut Vec<Vec<u32>>,
    published: &mut Vec<(usize, u32)>,
    rng: &mut ChaCha8Rng,
) -> Result<()> {
    let counts: Vec<u64> = rest.iter().zip(fakes).map(|(real, fake)| real + fake).collect();
    let found = signatures(&counts, m as usize).context("the rest is not eligible after all")?;
    // Which of the records of a value are real, in random order.
    let mut stock: Vec<Vec<bool>> = (rest.iter().zip(fakes))
        .map(|(&real, &fake)| {
            let mut records = vec![true; real as usize];
            records.resize((real + fake) as usize, false);
            records.shuffle(rng);
            records
        })
        .collect();
    for (signature, classes) in found {
        let name = known.iter().position(|other| *other == signature).unwrap_or_else(|| {
            known.push(signature.clone());
            known.len() - 1
        });
        for &value in &signature {
            for _ in 0..classes {
                if stock[value as usize].pop() == Some(true) {
                    published.push((name, value));
                }
            }
        }
    }
    Ok(())
}

fn plots(rows: &[Vec<String>]) -> Vec<(String, String)> {
    rows.chunk_by(|a, b| a[..2] == b[..2])
        .map(|methods| {
            let series = methods
                .iter()
                .map(|row| Series {
                    name: row[2].clone(),
                    points: (1..)
                        .zip(&row[3..3 + RELEASES])
                        .filter_map(|(release, cell)| {
                            Some((f64::from(release), cell.split(' ').next()?.parse().ok()?))
                        })
                        .collect(),
                })
                .collect();
            let (attribute, m) = (&methods[0][0], &methods[0][1]);
            let plot = Plot {
                title: format!("Counterfeits, {attribute}, m = {m}"),
                x: String::from("release"),
                y: String::from("counterfeits, mean of 5"),
                series,
                line: None,
                top: None,
            };
            (format!("fig7-{attribute}-{m}"), plot.svg())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_balanced_table_needs_no_counterfeit_at_first() {
        // Four equally frequent values: release 1 is 3-eligible, or needs very few.
        let values: Vec<u32> = (0..44_000).map(|i| i % 4).collect();
        for way in [Way::Algorithm1, Way::Random, Way::Frequent] {
            let counterfeits = releases(&values, 4, 3, way, 1).unwrap();
            assert_eq!(counterfeits[0], (0, 0));
            assert_eq!(counterfeits.len(), RELEASES);
        }
        assert!(releases(&values[..30_000], 4, 3, Way::Random, 1).is_err());
    }
}
