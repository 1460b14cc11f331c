//! Doka's freeform algorithms beside methods that make classes: Figures 3 to 5, and 9.

use std::path::Path;

use anyhow::Result;
use lookalike_model::settings::{Budget, MethodName};

use super::{
    cell::{Kinds, construction, job, penalty, search},
    table::table,
};
use crate::{
    Experiment, Row,
    plot::{Plot, Series},
};

/// Freeform methods, then those that make classes.
const METHODS: [MethodName; 5] = [
    MethodName::DokaGreedy,
    MethodName::DokaSortGreedy,
    MethodName::DokaHungarian,
    MethodName::KMember,
    MethodName::GreedySearch,
];

const ACS: &str = "acs.csv";

pub(super) fn experiment(data: &Path) -> Experiment {
    let mixed =
        [1_000, 2_000].into_iter().flat_map(|n| [3, 5, 10, 15, 20].map(|k| (ACS, n, 8, k, Kinds::Mixed)));
    let numbers = [(ACS, 5_000, 4, 4, Kinds::Numbers), ("fars.csv", 1_000, 4, 3, Kinds::Numbers)];
    let rows = mixed.chain(numbers).map(|(file, n, d, k, kinds)| {
        let data = data.to_owned();
        Row {
            key: [n, d, k].map(|x: usize| x.to_string()).to_vec(),
            compute: Box::new(move || row(&data, file, (n, d, k), kinds)),
        }
    });
    Experiment {
        id: "freeform",
        title: String::from("Rows of their own beside classes (Figures 3 to 5, and 9)"),
        about: String::from(
            "acs.csv: 1,000 and 2,000 records with categories, 5,000 as numbers; fars.csv: 1,000 records with 4 attributes, \
             as numbers. Losses are GCP, the mean penalty of a \
             row, in per cent of the largest possible; equal weights. What the first three publish is not k-anonymous \
             but k-concealed. Ours: `--method auto` with effort 5, in classes.",
        ),
        header: vec![
            "records",
            "attributes",
            "k",
            "Doka Greedy",
            "Doka SortGreedy",
            "Doka Hungarian",
            "K-Member",
            "Greedy Search",
            "ours",
            "CPU s, Doka Greedy",
            "CPU s, Doka SortGreedy",
            "CPU s, Doka Hungarian",
            "CPU s, K-Member",
            "CPU s, Greedy Search",
            "CPU s, ours",
        ],
        rows: rows.collect(),
        checked: vec![0],
        means: None,
        plots: Box::new(plots),
    }
}

fn row(data: &Path, file: &str, (n, d, k): (usize, usize, usize), kinds: Kinds) -> Result<Vec<String>> {
    let job = job(&table(data, file, n, d, 7 + n as u64)?, kinds, k)?;
    let mut found =
        METHODS.map(|method| construction(&job, method)).into_iter().collect::<Result<Vec<_>>>()?;
    found.push(search(&job, MethodName::Auto, Budget::Effort(5.0))?);
    let losses = found.iter().map(|found| penalty(&job, found.loss));
    Ok(losses.chain(found.iter().map(|found| format!("{:.1}", found.seconds))).collect())
}

/// Losses by k, the records with categories only: the others have one k each.
fn plots(rows: &[Vec<String>]) -> Vec<(String, String)> {
    let names = ["Doka Greedy", "Doka SortGreedy", "Doka Hungarian", "K-Member", "Greedy Search", "ours"];
    let plot = |records: &str| {
        let own: Vec<&Vec<String>> = rows.iter().filter(|row| row[0] == records && row[1] == "8").collect();
        let line = |(at, name): (usize, &&str)| Series {
            name: (*name).to_owned(),
            points: own.iter().filter_map(|r| Some((r[2].parse().ok()?, r[3 + at].parse().ok()?))).collect(),
        };
        let plot = Plot {
            title: format!("{records} records, 8 attributes"),
            x: String::from("k"),
            y: String::from("GCP %"),
            series: names.iter().enumerate().map(line).collect(),
            line: None,
            top: None,
        };
        (format!("freeform-{records}"), plot.svg())
    };
    ["1000", "2000"].map(plot).into()
}
