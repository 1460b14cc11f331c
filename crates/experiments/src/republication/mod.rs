//! Tobar 2024's dynamic experiment (its section IV-C), with the classes of each release: counterfeits and loss.

mod history;
mod run;

use std::{path::Path, rc::Rc};

use anyhow::{Context, Result};

use self::{
    history::{RELEASES, Source},
    run::{METHODS, Method, SIGNATURES, release_by_release},
};
use crate::{
    Experiment, Row,
    plot::{Plot, Series},
};

/// Seeds of every average.
const SEEDS: [u64; 5] = [1, 2, 3, 4, 5];

/// Sensitive attributes with the values of m that Tobar 2024 takes.
const CELLS: [(&str, usize); 4] =
    [("occupation", 7), ("occupation", 8), ("relationship", 3), ("relationship", 4)];

/// All experiments.
///
/// # Errors
/// If the data cannot be read.
pub fn experiments(data: &Path) -> Result<Vec<Experiment>> {
    let source = Rc::new(Source::read(data)?);
    let rows = |methods: &'static [Method]| {
        let cells = CELLS.iter().flat_map(move |&cell| methods.iter().map(move |&method| (cell, method)));
        cells
            .map(|((attribute, m), method)| {
                let source = Rc::clone(&source);
                Row {
                    key: vec![attribute.to_owned(), m.to_string(), method.name.to_owned()],
                    compute: Box::new(move || row(&source, attribute, m, method)),
                }
            })
            .collect::<Vec<Row>>()
    };
    let header = vec!["attribute", "m", "method", "1", "2", "3", "4", "5", "6", "7", "mean"];
    let releases = Experiment {
        id: "releases",
        title: String::from("Counterfeits and loss over seven releases"),
        about: String::from(
            "Adult, both parts: 46,033 rows with an occupation; quasi-identifiers age, sex and education-num. Release 1 \
             holds 20,000 people drawn at random; from each to the next 2,000 leave at random and 4,000 come, up to \
             32,000; the same people for every method. Each cell: counterfeits (information loss in per cent), means of \
             5 seeds. \"Least possible\" is m times the largest count less the number of records, which no release can go \
             below, whatever was published before. Anjum 2017: balancing, then counterfeits of random values, classes by nearest \
             neighbours (Tau). Classic: new records enter old classes only while the others stay m-eligible, classes by \
             halving. Tobar 2024: balancing and Algorithm 1, classes by nearest neighbours. Ours: as few counterfeits as any \
             release from the same ledger needs, the most frequent values faked, all classes in one annealing \
             (`--effort 0.3`).",
        ),
        header: header.clone(),
        rows: rows(&METHODS),
        checked: vec![0],
        means: None,
        plots: Box::new(|rows| plots(rows, "")),
    };
    let signatures = Experiment {
        id: "signatures",
        title: String::from("Signatures of new classes over seven releases"),
        about: String::from(
            "As in the table of releases, ours with few different signatures (those of the assignment), and with few of \
             exactly m values for up to m - 1 counterfeits more. Each cell: counterfeits (information loss in per cent), \
             means of 5 seeds.",
        ),
        header,
        rows: rows(&SIGNATURES),
        checked: Vec::new(),
        means: None,
        plots: Box::new(|rows| plots(rows, "-by-signatures")),
    };
    Ok(vec![releases, signatures])
}

fn row(source: &Source, attribute: &str, m: usize, method: Method) -> Result<Vec<String>> {
    let mut sums = [(0.0, Some(0.0)); RELEASES];
    for seed in SEEDS {
        let found = release_by_release(source, attribute, m, method, seed)
            .with_context(|| format!("{attribute}, m = {m}, {}, seed {seed}", method.name))?;
        for (sum, (counterfeits, loss)) in sums.iter_mut().zip(found) {
            sum.0 += counterfeits as f64;
            sum.1 = sum.1.zip(loss).map(|(sum, loss)| sum + loss);
        }
    }
    let cell = |(counterfeits, loss): (f64, Option<f64>), runs: f64| {
        let shown = loss.map_or_else(String::new, |loss| format!(" ({:.2})", loss / runs));
        format!("{:.1}{shown}", counterfeits / runs)
    };
    let runs = SEEDS.len() as f64;
    let mut cells: Vec<String> = sums.iter().map(|&sum| cell(sum, runs)).collect();
    let whole = sums
        .iter()
        .fold((0.0, Some(0.0)), |(a, b), &(c, d)| (a + c, b.zip(d).map(|(b, d): (f64, f64)| b + d)));
    cells.push(cell(whole, runs * RELEASES as f64));
    Ok(cells)
}

/// For each attribute and m one plot of the counterfeits and one of the loss.
fn plots(rows: &[Vec<String>], suffix: &str) -> Vec<(String, String)> {
    let counterfeits = |cell: &str| cell.split(' ').next().and_then(|text| text.parse().ok());
    let loss = |cell: &str| cell.split(['(', ')']).nth(1).and_then(|text| text.parse().ok());
    rows.chunk_by(|a, b| a[..2] == b[..2])
        .flat_map(|methods| {
            let (attribute, m) = (&methods[0][0], &methods[0][1]);
            let plot = |what: &str, y: &str, of: &dyn Fn(&str) -> Option<f64>| {
                let points = |row: &Vec<String>| -> Vec<(f64, f64)> {
                    let cells = (1..).zip(&row[3..3 + RELEASES]);
                    cells.filter_map(|(release, cell)| Some((f64::from(release), of(cell)?))).collect()
                };
                let series = methods
                    .iter()
                    .map(|row| Series { name: row[2].clone(), points: points(row) })
                    .filter(|series| !series.points.is_empty())
                    .collect();
                let plot = Plot {
                    title: format!("{what}, {attribute}, m = {m}"),
                    x: String::from("release"),
                    y: y.to_owned(),
                    series,
                    line: None,
                    top: None,
                };
                plot.svg()
            };
            [
                (
                    format!("counterfeits-{attribute}-{m}{suffix}"),
                    plot("Counterfeits", "counterfeits, mean of 5", &counterfeits),
                ),
                (
                    format!("loss-{attribute}-{m}{suffix}"),
                    plot("Information loss", "per cent, mean of 5", &loss),
                ),
            ]
        })
        .collect()
}
