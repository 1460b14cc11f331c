//! Computes tables and writes them: Markdown and SVG.

use std::{fmt::Write as _, fs, path::Path, time::Instant};

use anyhow::{Context, Result, bail};

use crate::{Experiment, cells::Cells};

/// Version that the results depend on.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Computes the experiments (or the one called `only`) and writes a table and plots of each into `out/series`.
///
/// # Errors
/// If `only` is unknown, a row cannot be computed or a file cannot be written.
pub fn run(
    series: &str,
    experiments: &[Experiment],
    only: Option<&str>,
    out: &Path,
    cells: &Path,
) -> Result<()> {
    let chosen: Vec<&Experiment> =
        experiments.iter().filter(|e| only.is_none_or(|only| only == e.id)).collect();
    if chosen.is_empty() {
        let ids: Vec<&str> = experiments.iter().map(|e| e.id).collect();
        bail!("there is no experiment {:?}; there are: {}", only.unwrap_or_default(), ids.join(", "));
    }
    let folder = out.join(series);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut cells = Cells::open(cells, series, VERSION)?;
    for experiment in chosen {
        let begin = Instant::now();
        let mut rows = Vec::new();
        for row in &experiment.rows {
            let key = format!("{}/{}", experiment.id, row.key.join("/"));
            let values = cells.get(&key, || {
                eprintln!("experiments: {key}");
                (row.compute)()
            })?;
            rows.push(row.key.iter().cloned().chain(values).collect::<Vec<_>>());
        }
        write(&folder.join(format!("{}.md", experiment.id)), &markdown(series, experiment, &rows))?;
        for (name, svg) in (experiment.plots)(&rows) {
            write(&folder.join(format!("{name}.svg")), &svg)?;
        }
        eprintln!("experiments: {} written, {} s", experiment.id, begin.elapsed().as_secs());
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn markdown(series: &str, experiment: &Experiment, rows: &[Vec<String>]) -> String {
    // Writing to a String cannot fail.
    let mut text = format!("# {}\n\n{}\n\n", experiment.title, experiment.about);
    let _ = writeln!(
        text,
        "Made by `cargo xtask experiments {series} --data ../shared/data --only {}`, version {VERSION}.\n",
        experiment.id
    );
    for (name, _) in (experiment.plots)(rows) {
        let _ = writeln!(text, "![{name}]({name}.svg)\n");
    }
    let _ = writeln!(text, "{}", line(experiment.header.iter().copied()));
    let _ = writeln!(text, "{}", line(experiment.header.iter().map(|_| "---")));
    for row in rows {
        let _ = writeln!(text, "{}", line(row.iter().map(String::as_str)));
    }
    text
}

/// One line of a Markdown table.
pub(crate) fn line<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
}
