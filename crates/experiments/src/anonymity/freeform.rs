//! Doka's freeform algorithms beside methods that make classes: Figures 3 to 5.

use std::path::Path;

use anyhow::Result;
use lookalike_model::settings::{Budget, MethodName};

use super::{
    cell::{Kinds, construction, job, penalty, search},
    table::table,
};
use crate::{Experiment, Row};

/// Freeform methods, then those that make classes.
const METHODS: [MethodName; 5] = [
    MethodName::DokaGreedy,
    MethodName::DokaSortGreedy,
    MethodName::DokaHungarian,
    MethodName::KMember,
    MethodName::GreedySearch,
];

pub(super) fn experiment(data: &Path) -> Experiment {
    let mixed = [1_000, 2_000].into_iter().flat_map(|n| [3, 5, 10].map(|k| (n, 8, k, Kinds::Mixed)));
    let rows = mixed.chain([(5_000, 4, 4, Kinds::Numbers)]).map(|(n, d, k, kinds)| {
        let data = data.to_owned();
        Row {
            key: [n, d, k].map(|x: usize| x.to_string()).to_vec(),
            compute: Box::new(move || row(&data, (n, d, k), kinds)),
        }
    });
    Experiment {
        id: "freeform",
        title: String::from("Rows of their own beside classes (Figures 3 to 5)"),
        about: String::from(
            "acs.csv; 1,000 and 2,000 records with categories, 5,000 as numbers. Losses are GCP, the mean penalty of a \
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
        plots: Box::new(|_| Vec::new()),
    }
}

fn row(data: &Path, (n, d, k): (usize, usize, usize), kinds: Kinds) -> Result<Vec<String>> {
    let job = job(&table(data, "acs.csv", n, d, 7 + n as u64)?, kinds, k)?;
    let mut found =
        METHODS.map(|method| construction(&job, method)).into_iter().collect::<Result<Vec<_>>>()?;
    found.push(search(&job, MethodName::Auto, Budget::Effort(5.0))?);
    let losses = found.iter().map(|found| penalty(&job, found.loss));
    Ok(losses.chain(found.iter().map(|found| format!("{:.1}", found.seconds))).collect())
}
