//! Tables 3 and 4: subsets of Census and Tarragona.

use std::{path::Path, rc::Rc, sync::Arc};

use anyhow::Result;
use lookalike_model::{Ctx, instance::Instance, rule::Rule};

use super::SIZES;
use crate::{
    Experiment, Means, Row,
    bounded::{self, yes},
    cpu,
    plot::{Plot, Series},
    published::{Exact, microaggregation},
    sample::{Extraction, SUBSETS, Sample},
};

/// File, number of records, name.
const TABLES: [(&str, usize, &str); 10] = [
    ("census", 30, "census-30"),
    ("census", 40, "census-40"),
    ("census", 50, "census-50"),
    ("census", 100, "census-100"),
    ("census", 200, "census-200"),
    ("tarragona", 30, "tarragona-30"),
    ("tarragona", 40, "tarragona-40"),
    ("tarragona", 50, "tarragona-50"),
    ("tarragona", 100, "tarragona-100"),
    ("tarragona", 200, "tarragona-200"),
];

/// CPU seconds of the loop as published, and of ours: up to 100 records, and above.
const SECONDS: [(f64, f64); 2] = [(60.0, 10.0), (10.0, 60.0)];

/// Records up to which the integer programme (14) is solved.
const PROGRAMME: usize = 0;

/// Records and k up to which rows are computed again by a check: far from any limit of time.
const CHECKED: (usize, usize) = (50, 3);

pub(super) fn experiments(data: &Path) -> Vec<Experiment> {
    TABLES.iter().map(|&(file, n, id)| experiment(data, file, n, id)).collect()
}

fn seconds(n: usize) -> (f64, f64) {
    SECONDS[usize::from(n > 100)]
}

fn experiment(data: &Path, file: &'static str, n: usize, id: &'static str) -> Experiment {
    let (published, ours) = seconds(n);
    let mut rows = Vec::new();
    let mut checked = Vec::new();
    for instance in 0..SUBSETS {
        for k in SIZES {
            for extraction in Extraction::ALL {
                if instance == 0
                    && matches!(extraction, Extraction::Random)
                    && n <= CHECKED.0
                    && k <= CHECKED.1
                {
                    checked.push(rows.len());
                }
                let data = Rc::from(data);
                rows.push(Row {
                    key: vec![k.to_string(), extraction.name().to_owned(), (instance + 1).to_string()],
                    compute: Box::new(move || compute(&data, file, (n, k), extraction, instance)),
                });
            }
        }
    }
    let table = if file == "census" { 3 } else { 4 };
    Experiment {
        id,
        title: format!("Table {table} of Castro 2022: {n} records of {file}.csv"),
        about: format!(
            "Subsets of {n} records, five of each kind: cons(ecutive), rand(om), consecutive in the order of the L2 norm \
             (L2n) and of the L2 distance from the mean row (L2d) of the values in the file; z-scored by themselves. \
             Gaps in percent by (15), 100 (SSE - SSE_MP) / SSE, SSE_MP being the value of the master at the end of the \
             paper's loop; MST and SRH: the best of any round. Integer: the last master was, the paper's \"Ex\". Exact \
             pricing by complete enumeration where the paper's Table 2 has it, by implicit enumeration else. `stopped`: \
             not at its end after {published} CPU seconds. Ours: `--method column-generation`, {ours} CPU seconds; the gap is \
             to its own proven bound. MST over ours: by how much more the best of RoundingMST loses than ours, in percent.",
        ),
        header: vec![
            "k",
            "type",
            "instance",
            "MDAV",
            "V-MDAV",
            "MST",
            "SRH",
            "integer",
            "rounds",
            "CPU s, published",
            "gap, ours",
            "proven, ours",
            "CPU s, ours",
            "MST over ours",
        ],
        rows,
        checked,
        means: Some(Means { by: vec![0, 1], of: vec![3, 4, 5, 6, 7, 9, 10, 11, 12, 13] }),
        plots: Box::new(move |rows| vec![(id.to_owned(), plot(file, n, rows))]),
    }
}

fn compute(
    data: &Path,
    file: &str,
    (n, k): (usize, usize),
    extraction: Extraction,
    which: usize,
) -> Result<Vec<String>> {
    let sample = Sample::of_numbers(data, &format!("{file}.csv"))?.subset(extraction, n, which)?;
    let (limit, ours) = seconds(n);
    let job = sample.job(k, ours)?;
    let instance = Arc::new(Instance::from_job(&job)?);
    let began = cpu::used()?;
    let ctx = Ctx { clock: &|| cpu::used().unwrap_or(f64::MAX), ..Ctx::silent() };
    let exact = Exact::Table2 { programme: PROGRAMME };
    let found = microaggregation(&instance, &Rule::at_least(k), exact, limit, &ctx)?;
    let published = cpu::used()? - began;
    let ours = bounded::run(&job)?;
    let gap = |loss: f64| match found.relaxation {
        Some(value) => format!("{:.2}", 100.0 * (loss - value) / loss),
        None => String::from("stopped"),
    };
    let over = 100.0 * (found.spanning_tree - ours.loss) / ours.loss;
    Ok(vec![
        gap(found.mdav),
        gap(found.v_mdav),
        gap(found.spanning_tree),
        gap(found.simple),
        yes(found.integer),
        found.rounds.to_string(),
        format!("{published:.2}"),
        ours.gap(),
        ours.proven(),
        format!("{:.2}", ours.seconds),
        format!("{over:.2}"),
    ])
}

/// Mean gaps by class size.
fn plot(file: &str, n: usize, rows: &[Vec<String>]) -> String {
    let series = |name: &str, column: usize| Series {
        name: name.to_owned(),
        points: SIZES
            .iter()
            .filter_map(|k| {
                let of_k = rows.iter().filter(|row| row[0] == k.to_string());
                let gaps: Vec<f64> = of_k.filter_map(|row| row[column].parse().ok()).collect();
                (!gaps.is_empty()).then(|| (*k as f64, gaps.iter().sum::<f64>() / gaps.len() as f64))
            })
            .collect(),
    };
    Plot {
        title: format!("{n} records of {file}: mean gap in percent"),
        x: String::from("k"),
        y: String::from("gap"),
        series: vec![
            series("MDAV", 3),
            series("V-MDAV", 4),
            series("MST", 5),
            series("SRH", 6),
            series("ours", 10),
        ],
        line: None,
        top: None,
    }
    .svg()
}
