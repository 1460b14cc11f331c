//! One attribute: two exact methods must find the same loss.

use std::{path::Path, rc::Rc};

use anyhow::{Result, bail};
use lookalike_model::settings::Loss;

use super::{
    instance::Instance,
    measure::measure,
    ours, seconds,
    tool::{MICROAGG1D, Ran},
};
use crate::{Experiment, Row};

pub(super) fn experiment(data: &Path) -> Experiment {
    let instance = |name, file, column| Instance::new(data, name, file, column, None);
    let tables = [
        instance("census AGI", "census.csv", &["AGI"]),
        instance("census FEDTAX", "census.csv", &["FEDTAX"]),
        instance("tarragona SALES", "tarragona.csv", &["SALES"]),
        instance("eia RESREVENUE", "eia-11.csv", &["RESREVENUE"]),
        instance("adult age", "adult-train.csv", &["age"]),
        instance("acs PINCP", "acs.csv", &["PINCP"]),
    ];
    let rows = tables.iter().flat_map(|table| [3, 10, 100].map(|k| row(table, k))).collect();
    Experiment {
        id: "one-attribute",
        title: String::from("One attribute: microagg1d and Hansen-Mukherjee"),
        about: String::from(
            "Both claim the least SSE of one attribute; microagg1d with its default method. SSE by the audit, from the classes of each (z-scored values); the \
             difference is relative. CPU s as in the first table; numba has compiled before.",
        ),
        header: vec![
            "table",
            "k",
            "rows",
            "SSE, microagg1d",
            "SSE, ours",
            "difference",
            "CPU s, microagg1d",
            "CPU s, ours",
            "CPU ratio",
        ],
        rows,
        // Every row needs the tool.
        checked: Vec::new(),
        means: None,
        plots: Box::new(|_| Vec::new()),
    }
}

fn row(table: &Rc<Instance>, k: usize) -> Row {
    let instance = Rc::clone(table);
    let compute = move || compare(&instance, k);
    Row { key: vec![table.name.to_owned(), k.to_string()], compute: Box::new(compute) }
}

fn compare(instance: &Instance, k: usize) -> Result<Vec<String>> {
    let table = &instance.load()?.table;
    let (theirs, spent) = match MICROAGG1D.run(instance, k)? {
        Ran::Classes(classes, spent) => (measure(table, &classes, k)?.sse, spent),
        Ran::Stopped(why) => bail!("{} needs {why}", MICROAGG1D.name),
    };
    let solved = ours::run(table, k, MICROAGG1D.ours, Loss::Sse)?;
    let own = measure(table, &solved.classes, k)?.sse;
    let largest = theirs.max(own);
    let difference = if largest > 0.0 { (theirs - own).abs() / largest } else { 0.0 };
    Ok(vec![
        table.rows.to_string(),
        format!("{theirs:.9}"),
        format!("{own:.9}"),
        format!("{difference:.0e}"),
        seconds(spent),
        seconds(solved.seconds),
        format!("{:.1}", spent / solved.seconds),
    ])
}
