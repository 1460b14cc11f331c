//! Does what was written still come out?

use std::{fs, path::Path};

use anyhow::{Context, Result};

use crate::{Experiment, write::line};

/// Computes one row of each experiment and looks for it in the written tables; one line for each that differs.
///
/// # Errors
/// If a written table cannot be read or a row cannot be computed.
pub fn check(series: &str, experiments: &[Experiment], out: &Path) -> Result<Vec<String>> {
    let mut differences = Vec::new();
    for experiment in experiments {
        if experiment.checked.is_empty() {
            continue;
        }
        let path = out.join(series).join(format!("{}.md", experiment.id));
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        for row in experiment.checked.iter().filter_map(|&at| experiment.rows.get(at)) {
            let values = (row.compute)()?;
            let now = line(row.key.iter().chain(&values).map(String::as_str));
            let compared = |line: &str| {
                let cells = line.trim_matches('|').split('|').map(str::trim);
                let columns = experiment.header.iter().map(|name| !name.starts_with("CPU"));
                cells
                    .zip(columns)
                    .filter(|(_, compared)| *compared)
                    .map(|(cell, _)| cell.to_owned())
                    .collect::<Vec<_>>()
            };
            if !text.lines().any(|written| compared(written) == compared(&now)) {
                let start = line(row.key.iter().map(String::as_str));
                let start = start.trim_end_matches('|').trim_end();
                let then = text.lines().find(|written| written.starts_with(start)).unwrap_or("no such row");
                differences.push(format!("{}: now {now}, written {then}", experiment.id));
            }
        }
    }
    Ok(differences)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Row;

    fn experiment() -> Experiment {
        Experiment {
            id: "squares",
            title: String::from("Squares"),
            about: String::from("By hand."),
            header: vec!["x", "square"],
            rows: [2, 3]
                .map(|x: u32| Row {
                    key: vec![x.to_string()],
                    compute: Box::new(move || Ok(vec![(x * x).to_string()])),
                })
                .into_iter()
                .collect(),
            checked: vec![1],
            means: None,
            plots: Box::new(|_| Vec::new()),
        }
    }

    #[test]
    fn a_result_that_changed_is_told() {
        let folder = std::env::temp_dir().join(format!("lookalike-check-{}", std::process::id()));
        let experiments = [experiment()];
        assert!(check("s", &experiments, &folder).is_err(), "nothing is written yet");
        crate::run("s", &experiments, None, &folder, &folder, None).unwrap();
        assert_eq!(check("s", &experiments, &folder).unwrap(), Vec::<String>::new());
        let path = folder.join("s/squares.md");
        let text = fs::read_to_string(&path).unwrap();
        assert!(
            text.contains(&format!("| 2 | 4 | {0} |\n| 3 | 9 | {0} |\n", crate::tables::maker())),
            "{text}"
        );
        fs::write(&path, text.replace("| 9 |", "| 8 |")).unwrap();
        let told = check("s", &experiments, &folder).unwrap();
        assert_eq!(told, [format!("squares: now | 3 | 9 |, written | 3 | 8 | {} |", crate::tables::maker())]);
        fs::remove_dir_all(folder).unwrap();
    }
}
