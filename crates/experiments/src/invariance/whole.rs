//! The same tables by our column generation, whole, with a bound.

use std::path::Path;

use super::{ACS, ADULT, SIZES};
use crate::{Experiment, Row, bounded};

/// Seeds of the samples.
const SEEDS: [u64; 3] = [1, 2, 3];

/// CPU seconds, all threads together: what two cores have in a minute.
const SECONDS: f64 = 120.0;

pub(super) fn experiment(data: &Path) -> Experiment {
    let mut rows = Vec::new();
    for seed in SEEDS {
        for source in [&ADULT, &ACS] {
            for m in SIZES {
                let data = data.to_owned();
                rows.push(Row {
                    key: vec![source.name.to_owned(), m.to_string(), seed.to_string()],
                    compute: Box::new(move || {
                        let found = bounded::run(&source.sample(&data, seed)?.job(m, SECONDS)?)?;
                        Ok(vec![
                            format!("{:.3}", found.information_loss),
                            found.gap(),
                            found.proven(),
                            found.first.map_or_else(String::new, |first| format!("{first:.1}")),
                            format!("{:.1}", found.seconds),
                        ])
                    }),
                });
            }
        }
    }
    Experiment {
        id: "whole",
        title: String::from("The tables of Tobar 2023 without blocks, with a bound"),
        about: format!(
            "`--method column-generation` on the same samples and on those of two more seeds, {SECONDS} CPU seconds \
             (all threads together). Gap: 100 (loss - bound) / loss in percent, the bound being proven. First bound: CPU \
             seconds until there was one.",
        ),
        header: vec!["data", "m", "seed", "IL", "gap %", "proven", "CPU s, first bound", "CPU s"],
        rows,
        // What a limit of time leaves is not the same twice.
        checked: Vec::new(),
        means: Some(crate::Means { by: vec![0, 1], of: vec![3, 4, 5, 6] }),
        plots: Box::new(|_| Vec::new()),
    }
}
