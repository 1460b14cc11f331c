//! Computes tables and writes them: Markdown and SVG.

use std::{fmt::Write as _, fs, path::Path, time::Instant};

use anyhow::{Context, Result, bail};

use lookalike_model::REVISION;

use crate::{Experiment, Means, cells::Cells, tables};

/// Computes the experiments (or the one called `only`) and writes a table and plots of each into `out/series`. After so
/// many `minutes` no further row is begun; tables hold what there is, rows of older algorithms among it, each with what made
/// it, and the next run goes on.
///
/// # Errors
/// If `only` is unknown, a row cannot be computed or a file cannot be written.
pub fn run(
    series: &str,
    experiments: &[Experiment],
    only: Option<&str>,
    out: &Path,
    cells: &Path,
    minutes: Option<f64>,
) -> Result<()> {
    let start = Instant::now();
    let late = || minutes.is_some_and(|minutes| start.elapsed().as_secs_f64() > 60.0 * minutes);
    let chosen: Vec<&Experiment> =
        experiments.iter().filter(|e| only.is_none_or(|only| only == e.id)).collect();
    if chosen.is_empty() {
        let ids: Vec<&str> = experiments.iter().map(|e| e.id).collect();
        bail!("there is no experiment {:?}; there are: {}", only.unwrap_or_default(), ids.join(", "));
    }
    let folder = out.join(series);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let maker = tables::maker();
    let mut cells = Cells::open(cells, series, &maker)?;
    for experiment in chosen {
        let begin = Instant::now();
        let path = folder.join(format!("{}.md", experiment.id));
        let keys = experiment.rows.first().map_or(0, |row| row.key.len());
        let written = tables::read(&path, &experiment.header, keys)?;
        let mut made: Vec<Option<tables::Old>> =
            experiment.rows.iter().map(|row| written.get(&row.key).cloned()).collect();
        // What no table has comes first, then what older algorithms have made.
        let (missing, older): (Vec<usize>, Vec<usize>) = (0..made.len()).partition(|&at| made[at].is_none());
        for at in missing.into_iter().chain(older) {
            let row = &experiment.rows[at];
            let key = format!("{}/{}", experiment.id, row.key.join("/"));
            let kept = made[at].as_ref().is_some_and(|old| tables::current(&old.made));
            if !cells.holds(&key) && (kept || late()) {
                continue;
            }
            let values = cells.get(&key, || {
                eprintln!("experiments: {key}");
                (row.compute)()
            })?;
            made[at] = Some(tables::Old { values, made: maker.clone() });
        }
        let rows: Vec<Vec<String>> = experiment
            .rows
            .iter()
            .zip(made)
            .filter_map(|(row, made)| {
                made.map(|made| row.key.iter().cloned().chain(made.values).chain([made.made]).collect())
            })
            .collect();
        if rows.is_empty() {
            continue;
        }
        write(&path, &markdown(series, experiment, &rows))?;
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
        "Made by `cargo xtask experiments {series} --data ../shared/data --only {}`. The last column has the version of the program that \
         made the row, and the revision of its algorithms, which is {REVISION} now.{}\n",
        experiment.id,
        match rows.iter().filter(|row| !row.last().is_some_and(|made| tables::current(made))).count() {
            0 => String::new(),
            older => format!(" Older ones made {older} of {} rows.", rows.len()),
        }
    );
    for (name, _) in (experiment.plots)(rows) {
        let _ = writeln!(text, "![{name}]({name}.svg)\n");
    }
    if rows.len() < experiment.rows.len() {
        let _ = writeln!(
            text,
            "Of {} rows {} are computed; the same command goes on with the others.\n",
            experiment.rows.len(),
            rows.len()
        );
    }
    if let Some(means) = &experiment.means {
        text.push_str(&means.table(&experiment.header, rows));
        text.push('\n');
    }
    let header: Vec<&str> = experiment.header.iter().copied().chain([tables::MADE]).collect();
    text.push_str(&table(&header, rows));
    text
}

fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = line(header.iter().copied()) + "\n" + &line(header.iter().map(|_| "---")) + "\n";
    for row in rows {
        text.push_str(&line(row.iter().map(String::as_str)));
        text.push('\n');
    }
    text
}

impl Means {
    /// The table of means, groups in the order of their first rows.
    fn table(&self, header: &[&str], rows: &[Vec<String>]) -> String {
        let mut groups: Vec<(Vec<&str>, Vec<&Vec<String>>)> = Vec::new();
        for row in rows {
            let key: Vec<&str> = self.by.iter().map(|&at| row[at].as_str()).collect();
            match groups.iter_mut().find(|group| group.0 == key) {
                Some(group) => group.1.push(row),
                None => groups.push((key, vec![row])),
            }
        }
        let mean = |group: &[&Vec<String>], at: usize| {
            let cells = || group.iter().map(|row| row[at].as_str());
            let numbers: Vec<f64> = cells().filter_map(|cell| cell.parse().ok()).collect();
            let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
            match numbers.len() {
                // What is neither a number nor yes nor no stands for itself.
                0 if cells().all(|cell| !["yes", "no"].contains(&cell)) => {
                    cells().next().unwrap_or("").to_owned()
                }
                0 => cells().filter(|cell| *cell == "yes").count().to_string(),
                all if all == group.len() => format!("{mean:.3}"),
                some => format!("{mean:.3} ({some})"),
            }
        };
        let lines: Vec<Vec<String>> = groups
            .iter()
            .map(|(key, group)| {
                let key = key.iter().map(|cell| (*cell).to_owned());
                let values = self.of.iter().map(|&at| mean(group, at));
                key.chain([group.len().to_string()]).chain(values).collect()
            })
            .collect();
        let names = |columns: &[usize]| columns.iter().map(|&at| header[at]).collect::<Vec<_>>();
        let header = [names(&self.by), vec!["instances"], names(&self.of)].concat();
        table(&header, &lines)
    }
}

/// One line of a Markdown table.
pub(crate) fn line<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_of_numbers_and_say_of_how_many() {
        let rows = [
            ["a", "1", "yes", "stopped", "no"],
            ["a", "3", "no", "stopped", "no"],
            ["b", "stopped", "yes", "4", "no"],
        ];
        let rows: Vec<Vec<String>> = [&rows[..], &[["b", "5", "yes", "4", "no"]]]
            .concat()
            .iter()
            .map(|row| row.map(String::from).to_vec())
            .collect();
        let means = Means { by: vec![0], of: vec![1, 2, 3, 4] };
        let text = means.table(&["key", "gap", "proven", "other", "never"], &rows);
        let lines: Vec<&str> = text.lines().skip(2).collect();
        assert_eq!(lines, ["| a | 2 | 2.000 | 1 | stopped | 0 |", "| b | 2 | 5.000 (1) | 2 | 4.000 | 0 |"]);
    }
}
