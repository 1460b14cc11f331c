//! Losses and times of all methods side by side: Figures 3, 4, 6 to 10.

use std::path::Path;

use anyhow::Result;
use lookalike_model::settings::{Budget, CarryOptions, MethodName};

use super::{
    cell::{Kinds, construction, job, penalty, search, split_and_carry},
    table::table,
};
use crate::{
    Experiment, Row,
    plot::{Plot, Series},
};

/// CPU seconds of our search, all threads together: what two cores have in half a minute.
const SECONDS: f64 = 60.0;

/// Constructions beside ours.
const OTHERS: [(&str, MethodName); 4] = [
    ("variance sort", MethodName::VarianceSort),
    ("Mondrian", MethodName::Mondrian),
    ("K-Member", MethodName::KMember),
    ("Greedy Search", MethodName::GreedySearch),
];

/// One cell of a figure.
#[derive(Clone, Copy)]
struct Case {
    file: &'static str,
    records: usize,
    attributes: usize,
    k: usize,
    kinds: Kinds,
    /// Whether Split & Carry is run: its sub-problems grow with k.
    split: bool,
    /// Effort of our search; `None` is [`SECONDS`].
    effort: Option<f64>,
}

pub(super) fn experiments(data: &Path) -> Vec<Experiment> {
    let of = |records, attributes, k, split| Case {
        file: "acs.csv",
        records,
        attributes,
        k,
        kinds: Kinds::Numbers,
        split,
        effort: None,
    };
    let mixed = |records, k| Case { kinds: Kinds::Mixed, effort: Some(5.0), ..of(records, 8, k, k <= 5) };
    let fars = |records, effort| Case { file: "fars.csv", effort, ..of(records, 4, 3, true) };
    let sizes = [3, 5, 10, 15, 25, 50];
    let fig3 = [1_000, 2_000].into_iter().flat_map(|n| sizes.map(|k| mixed(n, k)));
    let records = [20_000, 40_000, 60_000, 80_000, 100_000];
    let fig6 = [3, 5].into_iter().flat_map(|k| records.map(|n| of(n, 4, k, true)));
    let fig7 = [5, 10, 25, 50, 100, 200].map(|k| of(20_000, 8, k, false));
    let fig8 = [10, 100].into_iter().flat_map(|k| [15, 25, 35].map(|d| of(20_000, d, k, false)));
    let fig9 = [fars(1_000, Some(5.0)), fars(40_000, None)];
    vec![
        experiment(data, "fig3", "Small tables with categories (Figures 3 and 4)", fig3.collect(), 2),
        experiment(data, "fig6", "Records (Figure 6)", fig6.collect(), 0),
        experiment(data, "fig7", "k (Figure 7)", fig7.to_vec(), 2),
        experiment(data, "fig8", "Attributes (Figure 8)", fig8.collect(), 1),
        experiment(data, "fig9", "FARS (Figures 9 and 10)", fig9.to_vec(), 0),
    ]
}

/// The table of some cells; the plot runs along column `x`, a line for each method.
fn experiment(data: &Path, id: &'static str, title: &str, cases: Vec<Case>, x: usize) -> Experiment {
    let mut header = vec!["records", "attributes", "k"];
    header.extend(["variance sort", "Mondrian", "K-Member", "Greedy Search", "Split & Carry", "ours"]);
    header.push("ours / Greedy Search");
    header.extend(["CPU s, variance sort", "CPU s, Mondrian", "CPU s, K-Member", "CPU s, Greedy Search"]);
    header.extend(["CPU s, Split & Carry", "CPU s, ours"]);
    let checked = cases.iter().position(|case| case.effort.is_some()).into_iter().collect();
    let rows = cases.into_iter().map(|case| {
        let data = data.to_owned();
        Row {
            key: [case.records, case.attributes, case.k].map(|x| x.to_string()).to_vec(),
            compute: Box::new(move || row(&data, case)),
        }
    });
    let plots = move |rows: &[Vec<String>]| plots(id, x, rows);
    Experiment {
        id,
        title: title.to_owned(),
        about: format!(
            "Losses are GCP: the mean penalty of a record, in per cent of the largest possible; equal weights. Ours: \
             `--method auto` with {}. Split & Carry: S = 3, for k up to 5.",
            if id == "fig3" {
                String::from("effort 5")
            } else {
                format!("{SECONDS} CPU seconds, all threads together (effort 5 for 1,000 records)")
            }
        ),
        header,
        rows: rows.collect(),
        checked,
        means: None,
        plots: Box::new(plots),
    }
}

fn row(data: &Path, case: Case) -> Result<Vec<String>> {
    let seed = 7 + case.records as u64;
    let job = job(&table(data, case.file, case.records, case.attributes, seed)?, case.kinds, case.k)?;
    let (mut losses, mut times) = (Vec::new(), Vec::new());
    let mut greedy = f64::NAN;
    for (_, method) in OTHERS {
        let found = construction(&job, method)?;
        greedy = found.loss;
        losses.push(penalty(&job, found.loss));
        times.push(format!("{:.1}", found.seconds));
    }
    if case.split {
        let found = split_and_carry(&job, CarryOptions::default())?;
        losses.push(penalty(&job, found.loss));
        times.push(format!("{:.1}", found.seconds));
    } else {
        losses.push(String::new());
        times.push(String::new());
    }
    let budget = case.effort.map_or(Budget::Seconds(SECONDS), Budget::Effort);
    let ours = search(&job, MethodName::Auto, budget)?;
    losses.push(penalty(&job, ours.loss));
    times.push(format!("{:.1}", ours.seconds));
    losses.push(format!("{:.4}", ours.loss / greedy));
    losses.extend(times);
    Ok(losses)
}

/// A plot of losses for each value of what does not run along the axis.
fn plots(id: &str, x: usize, rows: &[Vec<String>]) -> Vec<(String, String)> {
    let names = ["variance sort", "Mondrian", "K-Member", "Greedy Search", "Split & Carry", "ours"];
    let axis = ["records", "attributes", "k"];
    let group = |row: &Vec<String>| -> Vec<String> {
        (0..3).filter(|&at| at != x).map(|at| format!("{} {}", row[at], axis[at])).collect()
    };
    let mut groups: Vec<Vec<String>> = Vec::new();
    for row in rows {
        if !groups.contains(&group(row)) {
            groups.push(group(row));
        }
    }
    let plot = |(number, of): (usize, &Vec<String>)| {
        let own: Vec<&Vec<String>> = rows.iter().filter(|row| group(row) == *of).collect();
        let line = |(at, name): (usize, &&str)| Series {
            name: (*name).to_owned(),
            points: own.iter().filter_map(|r| Some((r[x].parse().ok()?, r[3 + at].parse().ok()?))).collect(),
        };
        let series: Vec<Series> =
            names.iter().enumerate().map(line).filter(|s| !s.points.is_empty()).collect();
        // Mondrian would press all others to the ground.
        let others = series.iter().filter(|s| s.name != "Mondrian").flat_map(|s| &s.points);
        let top = others.map(|p| p.1).fold(0.0, f64::max) * 1.04;
        let plot = Plot {
            title: of.join(", "),
            x: axis[x].to_owned(),
            y: String::from("GCP %"),
            series,
            line: None,
            top: (top > 0.0).then_some(top),
        };
        (format!("{id}-{}", number + 1), plot.svg())
    };
    let several = |of: &&Vec<String>| rows.iter().filter(|row| group(row) == **of).count() > 1;
    groups.iter().filter(several).enumerate().map(plot).collect()
}
