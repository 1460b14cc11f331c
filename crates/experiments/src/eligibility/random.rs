//! Figure 5: Algorithm 1 against the random counterfeits of Anjum 2017, and the Cach table of Khan 2022.

use std::rc::Rc;

use lookalike_core::eligibility::{additions, cach_table, largest_m, random_counterfeits};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::{SEEDS, decimal};
use crate::{
    Experiment, Row,
    adult::Codes,
    plot::{Plot, Series},
};

/// Draws before a run counts as endless.
const LIMIT: u64 = 20_000_000;

pub(super) fn experiment(train: &Rc<Vec<Codes>>) -> Experiment {
    let mut rows = Vec::new();
    for codes in train.iter() {
        let counts = codes.counts();
        for m in largest_m(&counts) + 1..=counts.len() as u64 {
            let counts = counts.clone();
            rows.push(Row {
                key: vec![codes.name.to_owned(), m.to_string()],
                compute: Box::new(move || {
                    let ours = additions(&counts, m)?.added();
                    let mut drawn = Vec::new();
                    // Nothing is gained on average where m is the number of values: left out.
                    if m < counts.len() as u64 {
                        for seed in SEEDS {
                            let mut rng = ChaCha8Rng::seed_from_u64(seed);
                            let changes = random_counterfeits(&counts, m, LIMIT, &mut rng)?;
                            drawn.extend(changes.map(|changes| changes.added()));
                        }
                    }
                    let mean = drawn.iter().sum::<u64>() as f64 / drawn.len().max(1) as f64;
                    let none = || String::from("-");
                    let complete = drawn.len() == SEEDS.len();
                    Ok(vec![
                        ours.to_string(),
                        if complete { decimal(mean, 1) } else { none() },
                        drawn.iter().min().filter(|_| complete).map_or_else(none, u64::to_string),
                        drawn.iter().max().filter(|_| complete).map_or_else(none, u64::to_string),
                        if complete {
                            format!("{} %", decimal(100.0 * (1.0 - ours as f64 / mean), 1))
                        } else {
                            none()
                        },
                        cach_table(&counts, m)?.map_or_else(
                            || String::from("no"),
                            |changes| format!("{} out", changes.deleted()),
                        ),
                    ])
                }),
            });
        }
    }
    Experiment {
        id: "fig5",
        title: String::from("Figure 5: counterfeits until m-eligible, Algorithm 1 and random values"),
        about: String::from(
            "Adult, training part, every m that needs a change. Anjum 2017 draws the sensitive value of each counterfeit \
             uniformly until the table is m-eligible: mean, least and most of 5 seeds; with m = l it gains nothing on \
             average and is left out. The last column says whether the Cach table of Khan 2022 reaches m.",
        ),
        header: vec![
            "attribute",
            "m",
            "Algorithm 1",
            "Anjum 2017 mean",
            "Anjum 2017 least",
            "Anjum 2017 most",
            "saved",
            "Cach table",
        ],
        rows,
        checked: vec![1],
        means: None,
        plots: Box::new(plots),
    }
}

fn plots(rows: &[Vec<String>]) -> Vec<(String, String)> {
    rows.chunk_by(|a, b| a[0] == b[0])
        .map(|of_attribute| {
            let series = [("Algorithm 1", 2), ("Anjum 2017, mean of 5", 3)].map(|(name, column)| Series {
                name: name.to_owned(),
                points: of_attribute
                    .iter()
                    .filter_map(|row| Some((row[1].parse().ok()?, row[column].parse().ok()?)))
                    .collect(),
            });
            let name = &of_attribute[0][0];
            let plot = Plot {
                title: format!("Counterfeits, {name}"),
                x: String::from("m"),
                y: String::from("counterfeits"),
                series: series.into_iter().collect(),
                line: None,
                top: None,
            };
            (format!("fig5-{name}"), plot.svg())
        })
        .collect()
}
