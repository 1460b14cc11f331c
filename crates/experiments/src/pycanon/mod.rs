//! `lookalike check` beside pyCANON, on random tables.
//!
//! pyCANON tells what a table reaches, `check` whether it keeps a limit. So each figure is put to `check`: it must hold, and one just
//! beyond must not. Known differences of definition are accounted for ([`definitions`]); what is left is named.

mod compare;
mod definitions;
mod measure;
mod tables;
mod written;

use std::{fs, path::Path};

use anyhow::{Context, Result, bail};
use compare::{Check, Compared, Figures, Outcome};

use crate::peers::environment;

/// As the series is called.
pub const NAME: &str = "pycanon";

/// Compares all tables, prints the page of it and writes it to `out/pycanon.md`.
///
/// # Errors
/// If pyCANON cannot be had or run, `lookalike` is not built beside this program, or a difference is not explained.
pub fn run(out: &Path) -> Result<()> {
    environment::prepare().context("pyCANON cannot be had")?;
    let check = Check::beside()?;
    let folder = environment::folder()?.join(format!("tables-{}", std::process::id()));
    let drawn = tables::drawn();
    let named = || drawn.iter().enumerate().map(|(at, table)| (format!("table-{at:03}"), table));
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for (name, table) in named() {
        write(&folder.join(format!("{name}.csv")), &table.text())?;
    }
    let (versions, figures) = figures(&folder)?;
    let mut compared: Vec<(String, Vec<Compared>)> = Vec::new();
    for (name, table) in named() {
        let path = folder.join(format!("{name}.csv"));
        let found = compare::table(&name, &path, table, &figures, &check)
            .with_context(|| format!("{name} failed"))?;
        compared.push((name, found));
    }
    let page = written::page(&versions, &compared);
    println!("{page}");
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    write(&out.join("pycanon.md"), &page)?;
    let open = |of: &&Compared| matches!(of.outcome, Outcome::Unexplained(_));
    match compared.iter().flat_map(|table| &table.1).filter(open).count() {
        // Tables of which something is not explained stay to be looked at.
        0 => fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display())),
        open => bail!("{open} figures differ without an explanation; the tables are in {}", folder.display()),
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// The versions of pyCANON and its libraries, and its figures of all tables of the folder.
fn figures(folder: &Path) -> Result<(String, Figures)> {
    let folder = folder.to_str().context("the folder has a name that is no text")?;
    let output = environment::run("conditions.py", &[folder])?;
    if !output.status.success() {
        bail!("pyCANON failed: {}", environment::complaint(&output));
    }
    told(&String::from_utf8_lossy(&output.stdout))
}

/// Reads what `peers/conditions.py` prints.
fn told(text: &str) -> Result<(String, Figures)> {
    let (mut versions, mut figures) = (String::new(), Figures::new());
    for line in text.lines() {
        match *line.split('\t').collect::<Vec<_>>() {
            ["versions", of] => of.clone_into(&mut versions),
            [table, columns, figure, value] => {
                let value = value.parse().with_context(|| format!("{line:?} has no figure"))?;
                figures.insert([table, columns, figure].map(String::from).into(), value);
            }
            _ => bail!("{line:?} is no figure"),
        }
    }
    Ok((versions, figures))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_line_by_line() {
        let (versions, figures) = told("versions\tpycanon 1\nt\t\tk\t2\nt\ts1,s2\tt\tnan\n").unwrap();
        assert_eq!(versions, "pycanon 1");
        let of = |columns: &str, name: &str| figures[&("t".into(), columns.into(), name.into())];
        assert!((of("", "k") - 2.0).abs() < f64::EPSILON && of("s1,s2", "t").is_nan());
        assert!(told("t\tk\n").is_err() && told("t\t\tk\tmany\n").is_err());
    }
}
