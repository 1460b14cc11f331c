//! What can be compared with the optimum: Figure 2, and sizes at which the paper's programme gives up.

use std::path::Path;

use anyhow::Result;
use lookalike_model::settings::{Budget, CarryOptions, MethodName, SubSolver};

use super::{
    cell::{Kinds, construction, job, search, split_and_carry},
    table::table,
};
use crate::{
    Experiment, Means, Row,
    bounded::yes,
    plot::{Plot, Series},
};

/// Samples of Figure 2.
const SAMPLES: u64 = 20;

/// CPU seconds, all threads together.
const SECONDS: f64 = 60.0;

pub(super) fn experiments(data: &Path) -> Vec<Experiment> {
    let records = [12, 16, 20, 24, 28, 32].map(|n| (n, 4));
    let attributes = [2, 3, 4, 5, 6, 7, 8].map(|d| (20, d));
    vec![
        figure_2(data, "fig2-records", "number of records", &records, |row| row[0].parse().ok()),
        figure_2(data, "fig2-attributes", "number of attributes", &attributes, |row| row[1].parse().ok()),
        programme(data),
        bounds(data),
    ]
}

/// Ratios of losses to the optimum, means over samples.
fn figure_2(
    data: &Path,
    id: &'static str,
    axis: &'static str,
    cases: &[(usize, usize)],
    x: fn(&[String]) -> Option<f64>,
) -> Experiment {
    let rows = cases.iter().map(|&(n, d)| {
        let data = data.to_owned();
        Row { key: vec![n.to_string(), d.to_string()], compute: Box::new(move || ratios(&data, n, d)) }
    });
    let plots = move |rows: &[Vec<String>]| {
        let line = |name: &str, at: usize| Series {
            name: name.to_owned(),
            points: rows.iter().filter_map(|r| Some((x(r)?, r[at].parse().ok()?))).collect(),
        };
        let plot = Plot {
            title: format!("Loss over the optimum, by {axis}"),
            x: axis.to_owned(),
            y: String::from("loss / optimum"),
            series: vec![line("Split & Carry", 3), line("Greedy Search", 4), line("K-Member", 5)],
            line: Some((1.0, String::from("optimum"))),
            top: None,
        };
        vec![(id.to_owned(), plot.svg())]
    };
    Experiment {
        id,
        title: format!("Optimality by {axis} (Figure 2)"),
        about: format!(
            "acs.csv, k = 3, attributes as numbers with equal weights, means over {SAMPLES} samples. Optimum: column \
             generation, proven for so many samples. Split & Carry: S = 3, sub-problems by set partitioning."
        ),
        header: vec![
            "records",
            "attributes",
            "proven",
            "Split & Carry / optimum",
            "Greedy Search / optimum",
            "K-Member / optimum",
            "CPU s, optimum",
            "CPU s, Split & Carry",
            "CPU s, Greedy Search",
        ],
        rows: rows.collect(),
        checked: vec![0],
        means: None,
        plots: Box::new(plots),
    }
}

fn ratios(data: &Path, n: usize, d: usize) -> Result<Vec<String>> {
    let mut proven = 0;
    let mut sums = [0.0; 6];
    for seed in 0..SAMPLES {
        let job = job(&table(data, "acs.csv", n, d, 100 + seed)?, Kinds::Numbers, 3)?;
        let best = search(&job, MethodName::ColumnGeneration, Budget::Effort(20.0))?;
        let split = split_and_carry(&job, CarryOptions::default())?;
        let greedy = construction(&job, MethodName::GreedySearch)?;
        let member = construction(&job, MethodName::KMember)?;
        proven += usize::from(best.optimal);
        let ratio = |loss: f64| if best.loss > 0.0 { loss / best.loss } else { 1.0 };
        let values = [
            ratio(split.loss),
            ratio(greedy.loss),
            ratio(member.loss),
            best.seconds,
            split.seconds,
            greedy.seconds,
        ];
        for (sum, value) in sums.iter_mut().zip(values) {
            *sum += value / SAMPLES as f64;
        }
    }
    let (ratios, seconds) = sums.split_at(3);
    Ok([proven.to_string()]
        .into_iter()
        .chain(ratios.iter().map(|r| format!("{r:.4}")))
        .chain(seconds.iter().map(|s| format!("{s:.3}")))
        .collect())
}

/// The general programme beside column generation.
fn programme(data: &Path) -> Experiment {
    let rows = [8, 10, 12, 14].map(|n| {
        let data = data.to_owned();
        Row {
            key: vec![n.to_string()],
            compute: Box::new(move || {
                let job = job(&table(&data, "acs.csv", n, 4, 1)?, Kinds::Numbers, 3)?;
                let carry = CarryOptions {
                    // One sub-problem: the whole.
                    sets: n,
                    solver: SubSolver::Programme,
                    seconds: Some(SECONDS),
                    ..CarryOptions::default()
                };
                let general = split_and_carry(&job, carry)?;
                let best = search(&job, MethodName::ColumnGeneration, Budget::Effort(5.0))?;
                Ok(vec![
                    format!("{:.6}", general.loss),
                    format!("{:.6}", best.loss),
                    yes(best.optimal),
                    format!("{:.2}", general.seconds),
                    format!("{:.3}", best.seconds),
                ])
            }),
        }
    });
    Experiment {
        id: "programme",
        title: String::from("The general programme and column generation"),
        about: format!(
            "acs.csv, 4 attributes, k = 3. The programme (21)-(28) by HiGHS, from the initial feasible solution, at most \
             {SECONDS} s by the clock."
        ),
        header: vec![
            "records",
            "programme",
            "column generation",
            "proven",
            "CPU s, programme",
            "CPU s, column generation",
        ],
        rows: rows.into_iter().collect(),
        checked: vec![0],
        means: None,
        plots: Box::new(|_| Vec::new()),
    }
}

/// Bounds at sizes beyond the programme.
fn bounds(data: &Path) -> Experiment {
    let mut rows = Vec::new();
    for sample in 0..5_u64 {
        for (n, d, k) in [(20, 4, 3), (100, 8, 3), (100, 8, 5), (200, 4, 3), (500, 8, 3)] {
            let data = data.to_owned();
            rows.push(Row {
                key: [n, d, k].map(|x| x.to_string()).into_iter().chain([sample.to_string()]).collect(),
                compute: Box::new(move || {
                    let job = job(&table(&data, "acs.csv", n, d, 1000 + sample)?, Kinds::Numbers, k)?;
                    let found = search(&job, MethodName::ColumnGeneration, Budget::Seconds(SECONDS))?;
                    Ok(vec![
                        format!("{:.4}", found.loss),
                        found.gap(),
                        found.proven(),
                        format!("{:.2}", found.seconds),
                    ])
                }),
            });
        }
    }
    Experiment {
        id: "bounds",
        title: String::from("Optima and bounds at sizes where the paper's programme gives up"),
        about: format!(
            "acs.csv, attributes as numbers with equal weights, `--method column-generation --loss ncp`, at most \
             {SECONDS} CPU seconds (all threads together). Gap: 100 (loss - bound) / loss in per cent, the bound being \
             proven. The paper: no answer \"in a reasonable amount of time\" for 100 records and 8 attributes."
        ),
        header: vec!["records", "attributes", "k", "sample", "loss", "gap %", "proven", "CPU s"],
        rows,
        checked: vec![0],
        means: Some(Means { by: vec![0, 1, 2], of: vec![5, 6, 7] }),
        plots: Box::new(|_| Vec::new()),
    }
}
