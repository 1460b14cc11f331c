//! How far from the optimum: bound beside loss of the same run, from a thousand records to a hundred thousand, by a clock on the wall
//! as a user has it.

mod work;

use std::path::Path;

use self::work::{Promise, Source, Work};
use crate::{Experiment, Row};

/// Classes with least k: 13 numbers of 1,080 and of 834 records, by column generation.
const NUMBERS: [(&str, usize); 5] =
    [("census.csv", 4), ("census.csv", 5), ("census.csv", 10), ("tarragona.csv", 4), ("tarragona.csv", 5)];

/// Seeds of the rows whose mean is told.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=5;

/// The experiments.
#[must_use]
pub fn experiments(data: &Path) -> Vec<Experiment> {
    let adult = |m| (Source::Adult { records: 1500 }, Promise::Values(m), "sse", "column-generation");
    let small = [3, 5, 7].into_iter().flat_map(|m| SEEDS.map(move |seed| (adult(m), seed)));
    let numbers = NUMBERS
        .into_iter()
        .map(|(file, k)| ((Source::Numbers(file), Promise::Records(k), "sse", "column-generation"), 1));
    let large = [
        (Source::Acs, Promise::Records(5), "sse", "auto"),
        (Source::Acs, Promise::Records(5), "ncp", "auto"),
        (Source::Acs, Promise::Values(5), "sse", "auto"),
        (Source::Adult { records: 30_718 }, Promise::Values(5), "sse", "auto"),
    ];
    let long = [
        (Source::Acs, Promise::Records(5), "sse", "auto"),
        (Source::Acs, Promise::Values(5), "sse", "auto"),
        (Source::Adult { records: 30_718 }, Promise::Values(5), "sse", "auto"),
        (Source::WholeAdult, Promise::Records(5), "sse", "auto"),
    ];
    let minute = small.chain(numbers).chain(large.map(|work| (work, 1)));
    vec![
        experiment(data, ("minute", "In a minute", 60.0), minute),
        experiment(data, ("ten-minutes", "In ten minutes", 600.0), long.into_iter().map(|work| (work, 1))),
    ]
}

type Asked = (Source, Promise, &'static str, &'static str);

fn experiment(
    data: &Path,
    (id, title, seconds): (&'static str, &str, f64),
    works: impl Iterator<Item = (Asked, u64)>,
) -> Experiment {
    let rows = works.map(|((source, promise, loss, method), seed)| {
        let work = Work { source, promise, loss, method, seconds, seed };
        let (key, data) = (work.key(), data.to_owned());
        Row { key, compute: Box::new(move || work.row(&data)) }
    });
    Experiment {
        id,
        title: format!("{title}: how far from the best possible loss"),
        about: format!(
            "`--time-limit {seconds}s` on all threads of the machine that made the row. Adult: age, sex and education-num, occupation \
             sensitive, rows whose occupation is known, the first of the file that can be had with no occupation held by more than one in \
             seven; whole Adult: all 32,561 rows and no sensitive column. ACS: AGEP, SEX, RAC1P and SCHL of 120,000 people, OCCP sensitive \
             where values are promised. Census and Tarragona: all 13 columns. Ratio: bound over loss of the same run, rounded down. Gap: \
             100 (loss - bound) / loss, in percent, rounded up. First bound: seconds until one was proven."
        ),
        header: vec![
            "table",
            "promise",
            "loss by",
            "method",
            "seed",
            "loss",
            "bound",
            "ratio",
            "gap %",
            "ended",
            "first bound s",
            "CPU s",
        ],
        rows: rows.collect(),
        checked: Vec::new(),
        means: Some(crate::Means { by: vec![0, 1, 2, 3], of: vec![7, 8, 11] }),
        plots: Box::new(|_| Vec::new()),
    }
}
