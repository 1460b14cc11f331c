//! Whole files by our column generation.

use std::path::Path;

use super::SIZES;
use crate::{Experiment, Row, bounded, sample::Sample};

/// CPU seconds, all threads together.
const SECONDS: f64 = 60.0;

pub(super) fn experiment(data: &Path) -> Experiment {
    let mut rows = Vec::new();
    for file in ["census", "tarragona"] {
        for k in SIZES {
            let data = data.to_owned();
            rows.push(Row {
                key: vec![file.to_owned(), k.to_string()],
                compute: Box::new(move || {
                    let sample = Sample::of_numbers(&data, &format!("{file}.csv"))?;
                    let found = bounded::run(&sample.job(k, SECONDS)?)?;
                    Ok(vec![
                        format!("{:.4}", found.information_loss),
                        found.gap(),
                        found.proven(),
                        found.first.map_or_else(String::new, |first| format!("{first:.1}")),
                        format!("{:.1}", found.seconds),
                    ])
                }),
            });
        }
    }
    Experiment {
        id: "files",
        title: String::from("Whole files, with a bound"),
        about: format!(
            "Census (1,080 x 13) and Tarragona (834 x 13) by `--method column-generation`, {SECONDS} CPU seconds (all \
             threads together). Gap: 100 (loss - bound) / loss in percent, the bound being proven.",
        ),
        header: vec!["file", "k", "IL", "gap %", "proven", "CPU s, first bound", "CPU s"],
        rows,
        checked: Vec::new(),
        means: None,
        plots: Box::new(|_| Vec::new()),
    }
}
