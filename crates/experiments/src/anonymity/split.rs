//! Split & Carry on 5,000 records: S (Figure 5, Table 8), the variants of section 6, sort orders.

use std::{path::Path, sync::Arc};

use anyhow::Result;
use lookalike_model::{
    instance::Instance,
    job::Job,
    loss::Ncp,
    settings::{Bubble, Budget, Carried, CarryOptions, Construction, MethodName, SortOrder},
};
use lookalike_optimize::construct;

use super::{
    cell::{Kinds, construction, job, penalty},
    table::table,
};
use crate::{
    Experiment, Row, bounded, cpu,
    plot::{Plot, Series},
};

const RECORDS: usize = 5_000;

/// The variants by their names.
fn variants(k: usize) -> Vec<(String, (SortOrder, CarryOptions))> {
    let usual = CarryOptions::default();
    let of = |carry| (SortOrder::default(), carry);
    let mut all = Vec::new();
    for sets in [3, 4, 5] {
        all.push((format!("S = {sets}"), of(CarryOptions { sets, ..usual })));
    }
    for boundary in [1, 2 * k] {
        all.push((format!("S = 3, l = {boundary}"), of(CarryOptions { boundary: Some(boundary), ..usual })));
    }
    all.push((String::from("S = 3, subset"), of(CarryOptions { carried: Carried::Subset, ..usual })));
    for (size, keep) in [(4 * k, 2), (4 * k, 1), (5 * k, 1)] {
        let bubble = Some(Bubble { size, keep });
        all.push((format!("P = {size}, A = {keep}"), of(CarryOptions { bubble, ..usual })));
    }
    for (name, order) in [
        ("variance descending", SortOrder::VarianceDescending),
        ("fewest values", SortOrder::Values),
        ("snake", SortOrder::Snake),
    ] {
        all.push((format!("S = 3, {name}"), (order, usual)));
    }
    all
}

pub(super) fn experiment(data: &Path) -> Experiment {
    let mut rows = Vec::new();
    for k in [3, 4] {
        for (name, options) in variants(k) {
            let data = data.to_owned();
            rows.push(Row {
                key: vec![k.to_string(), name],
                compute: Box::new(move || row(&data, k, options)),
            });
        }
    }
    Experiment {
        id: "fig5",
        title: String::from("Split & Carry: S, what is carried, sort orders (Figure 5, Table 8, section 6)"),
        about: format!(
            "acs.csv, {RECORDS} records, 4 attributes as numbers. GCP: mean penalty of a record, in per cent. Sub-problems \
             by set partitioning. Lemma 2 bounds their records by k (2k - 1 + S) with l = k. The sorted list by itself \
             is variance-sort in that order."
        ),
        header: vec![
            "k",
            "variant",
            "GCP %",
            "over Greedy Search",
            "GCP %, sorted list by itself",
            "sub-problems",
            "mean records",
            "most records",
            "CPU s",
        ],
        rows,
        checked: vec![0],
        means: None,
        plots: Box::new(plots),
    }
}

/// Loss over that of Greedy Search by S, for each k.
fn plots(rows: &[Vec<String>]) -> Vec<(String, String)> {
    let line = |k: &str| Series {
        name: format!("k = {k}"),
        points: ["3", "4", "5"]
            .iter()
            .filter_map(|sets| {
                let row = rows.iter().find(|row| row[0] == k && row[1] == format!("S = {sets}"))?;
                Some((sets.parse().ok()?, row[3].parse().ok()?))
            })
            .collect(),
    };
    let plot = Plot {
        title: String::from("Split & Carry over Greedy Search, by S"),
        x: String::from("S: classes that a sub-problem has at the least"),
        y: String::from("loss / loss of Greedy Search"),
        series: ["3", "4"].map(line).into(),
        line: Some((1.0, String::from("Greedy Search"))),
        top: None,
    };
    vec![(String::from("fig5"), plot.svg())]
}

fn row(data: &Path, k: usize, (order, carry): (SortOrder, CarryOptions)) -> Result<Vec<String>> {
    let job = job(&table(data, "acs.csv", RECORDS, 4, 5)?, Kinds::Numbers, k)?;
    let instance = Arc::new(Instance::from_job(&job)?);
    let began = cpu::used()?;
    let (partition, sizes) = construct::split_and_carry(&instance, &Ncp::default(), k, order, carry)?;
    let seconds = cpu::used()? - began;
    let loss = partition.loss(&instance, &Ncp::default());
    let greedy = construction(&job, MethodName::GreedySearch)?.loss;
    let sorted = Construction::VarianceSort(order).into();
    let list = bounded::run(&Job { method: sorted, budget: Budget::Effort(0.0), ..job.clone() })?.loss;
    Ok(vec![
        penalty(&job, loss),
        format!("{:.4}", loss / greedy),
        penalty(&job, list),
        sizes.len().to_string(),
        format!("{:.2}", sizes.iter().sum::<usize>() as f64 / sizes.len() as f64),
        sizes.iter().max().copied().unwrap_or(0).to_string(),
        format!("{seconds:.1}"),
    ])
}
