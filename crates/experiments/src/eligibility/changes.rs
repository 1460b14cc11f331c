//! Figures 2 and 3: what each m costs, for five sensitive attributes.

use std::rc::Rc;

use lookalike_core::eligibility::{additions, deletions, hybrid_exact, hybrid_greedy};

use super::decimal;
use crate::{
    Experiment, Row,
    adult::Codes,
    plot::{Plot, Series},
};

pub(super) fn experiment(train: &Rc<Vec<Codes>>) -> Experiment {
    let mut rows = Vec::new();
    for codes in train.iter() {
        let counts = codes.counts();
        for m in 2..=counts.len() as u64 {
            let counts = counts.clone();
            let (l, n) = (counts.len(), counts.iter().sum::<u64>());
            rows.push(Row {
                key: vec![codes.name.to_owned(), m.to_string()],
                compute: Box::new(move || {
                    let exact = hybrid_exact(&counts, m)?;
                    Ok(vec![
                        decimal(m as f64 / l as f64, 3),
                        n.to_string(),
                        additions(&counts, m)?.added().to_string(),
                        deletions(&counts, m)?.deleted().to_string(),
                        hybrid_greedy(&counts, m)?.total().to_string(),
                        exact.total().to_string(),
                        format!("{} + {}", exact.added(), exact.deleted()),
                        decimal(exact.total() as f64 / n as f64, 4),
                    ])
                }),
            });
        }
    }
    Experiment {
        id: "fig2",
        title: String::from("Figures 2 and 3: changes until m-eligible"),
        about: String::from(
            "Adult, training part; rows whose sensitive value is missing are left out. Additions by Algorithm 1, \
             deletions by Algorithm 2, the greedy hybrid by Algorithm 3, the exact hybrid by the best cap \
             (additions + deletions).",
        ),
        header: vec![
            "attribute",
            "m",
            "m/l",
            "rows",
            "additions",
            "deletions",
            "Algorithm 3",
            "exact",
            "exact: a + d",
            "share",
        ],
        rows,
        checked: vec![20],
        means: None,
        plots: Box::new(plots),
    }
}

/// Number of changes against m/l: 2a, 2b, 2c on one scale, and 3, which is 2a not cropped.
fn plots(rows: &[Vec<String>]) -> Vec<(String, String)> {
    // Half of the rows of the table, the dashed line of the paper.
    const HALF: f64 = 16_280.5;
    let plot = |title: &str, column: usize, top: Option<f64>| {
        let series = rows
            .chunk_by(|a, b| a[0] == b[0])
            .map(|of_attribute| Series {
                name: of_attribute[0][0].clone(),
                points: of_attribute
                    .iter()
                    .filter_map(|row| Some((row[2].parse().ok()?, row[column].parse().ok()?)))
                    .collect(),
            })
            .collect();
        Plot {
            title: title.to_owned(),
            x: String::from("m / l"),
            y: String::from("changes"),
            series,
            line: Some((HALF, String::from("half of the table"))),
            top,
        }
        .svg()
    };
    let cropped = Some(33_000.0);
    vec![
        (String::from("fig2a"), plot("Additions", 4, cropped)),
        (String::from("fig2b"), plot("Deletions", 5, cropped)),
        (String::from("fig2c"), plot("Exact hybrid", 7, cropped)),
        (String::from("fig3"), plot("Additions, not cropped", 4, None)),
    ]
}
