//! Tables IV and V.

use std::{path::Path, sync::Arc};

use anyhow::Result;
use lookalike_model::{Ctx, instance::Instance, loss::Sse, rule::Rule, settings::Construction};
use lookalike_optimize::construct::build;

use super::{SIZES, Source};
use crate::{
    Experiment, Row, cpu,
    plot::{Plot, Series},
    published::{Exact, invariance},
    sample::total,
};

/// The paper's numbers of blocks.
const BLOCKS: [usize; 5] = [40, 20, 10, 5, 2];

/// CPU seconds that column generation may take in all blocks of a row together. The paper: two hours a block.
const SECONDS: f64 = 20.0;

/// Seconds of wall clock for the integer master of a block, which is seldom reached.
const INTEGER: f64 = 120.0;

pub(super) fn experiment(source: &'static Source, data: &Path) -> Experiment {
    let mut rows = Vec::new();
    for m in SIZES {
        let data = data.to_owned();
        let folder = data.clone();
        rows.push(Row {
            key: vec![m.to_string(), String::from("Classic alone")],
            compute: Box::new(move || classic(source, &folder, m)),
        });
        for blocks in BLOCKS {
            let data = data.clone();
            rows.push(Row {
                key: vec![m.to_string(), blocks.to_string()],
                compute: Box::new(move || decomposed(source, &data, m, blocks)),
            });
        }
    }
    let (table, about) = match source.name {
        "adult" => ("IV", "1,500 rows of Adult with a known occupation; age, sex, education-num; occupation"),
        _ => (
            "V",
            "1,000 rows of the ACS (in place of IPUMS USA) with a known occupation; AGEP, SEX, SCHL; OCCP",
        ),
    };
    Experiment {
        id: source.name,
        title: format!("Table {table} of Tobar 2023, as published"),
        about: format!(
            "{about} is sensitive. Sample of seed 1. Tau; s blocks of whole classes; in each block column generation as \
             published, with implicit enumeration for exact pricing, and the integer master over its last pool; the \
             union; two-swapping. Information loss in percent (100 SSE / SST) after each step. Blocks are solved one \
             after another, for at most {SECONDS} / s CPU seconds each: `at limit` says how many of them were stopped \
             there, their pools being what they were. An integer master has {INTEGER} s of wall clock. CPU s: user CPU \
             seconds of all threads.",
        ),
        header: vec![
            "m",
            "s",
            "CPU s, start",
            "IL, start",
            "CPU s, optimisation",
            "IL, optimisation",
            "at limit",
            "CPU s, two-swap",
            "IL, two-swap",
        ],
        rows,
        checked: vec![0, 1],
        means: None,
        plots: Box::new(move |rows| vec![(source.name.to_owned(), plot(source.name, rows))]),
    }
}

/// Information loss at the end by the number of blocks.
fn plot(name: &str, rows: &[Vec<String>]) -> String {
    let series = SIZES.map(|m| {
        let of_m = rows.iter().rev().filter(|row| row[0] == m.to_string());
        let point = |row: &Vec<String>| Some((row[1].parse().ok()?, row[8].parse().ok()?));
        Series { name: format!("m = {m}"), points: of_m.filter_map(point).collect() }
    });
    Plot {
        title: format!("{name}: information loss after two-swapping, as published"),
        x: String::from("blocks"),
        y: String::from("100 SSE / SST"),
        series: series.into_iter().filter(|series| !series.points.is_empty()).collect(),
        line: None,
        top: None,
    }
    .svg()
}

fn classic(source: &Source, data: &Path, m: usize) -> Result<Vec<String>> {
    let job = source.sample(data, 1)?.job(m, 1.0)?;
    let instance = Arc::new(Instance::from_job(&job)?);
    let (partition, seconds) =
        cpu::timed(|| Ok(build(Construction::Classic, &instance, &Sse, &Rule::all_different(m), 0)?))?;
    let loss = 100.0 * partition.loss(&instance, &Sse) / total(&job);
    let mut cells = vec![format!("{seconds:.3}"), format!("{loss:.2}")];
    cells.resize(7, String::new());
    Ok(cells)
}

fn decomposed(source: &Source, data: &Path, m: usize, blocks: usize) -> Result<Vec<String>> {
    let job = source.sample(data, 1)?.job(m, 1.0)?;
    let instance = Arc::new(Instance::from_job(&job)?);
    cpu::used()?;
    let ctx = Ctx { clock: &|| cpu::used().unwrap_or(f64::MAX), ..Ctx::silent() };
    let seconds = (SECONDS / blocks as f64, INTEGER);
    let found = invariance(&instance, &Rule::all_different(m), blocks, Exact::Implicit, seconds, &ctx)?;
    let sst = total(&job);
    let shown = |loss: f64, seconds: f64| [format!("{seconds:.2}"), format!("{:.2}", 100.0 * loss / sst)];
    let (start, optimised, swapped) = (found.start, found.optimised, found.swapped);
    Ok([
        shown(start.loss, start.seconds).to_vec(),
        shown(optimised.loss, optimised.seconds).to_vec(),
        vec![format!("{} of {}", found.limited, found.blocks)],
        shown(swapped.loss, swapped.seconds).to_vec(),
    ]
    .concat())
}
