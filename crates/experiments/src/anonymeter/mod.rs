//! The attacks of `lookalike check --attacks` beside those of the Python package Anonymeter, on five published tables.
//!
//! Both attack the same tables with the same columns, so that their rates differ by what each draws, and by definition ([`written`]).

mod compare;
mod ours;
mod tables;
mod written;

use std::{fs, path::Path};

use anyhow::{Context, Result, bail};
use compare::{Attack, Compared, Found, Rate};

use self::tables::Case;
use crate::peers::environment::{self, ANONYMETER};

/// As the series is called.
pub const NAME: &str = "anonymeter";

/// Compares all tables, prints the page of it and writes it to `out/anonymeter.md`. The tables are parts of those in `data`.
///
/// # Errors
/// If Anonymeter cannot be had or run, the data are not there, or `lookalike` is not built beside this program.
pub fn run(data: &Path, out: &Path) -> Result<()> {
    ANONYMETER.prepare().context("Anonymeter cannot be had")?;
    let program = crate::program::beside()?;
    let folder = environment::folder()?.join(format!("attacks-{}", std::process::id()));
    let cases = tables::cases();
    for case in &cases {
        case.write(data, &folder).with_context(|| format!("the table {} cannot be made", case.name))?;
    }
    let (versions, theirs) = theirs(&folder)?;
    let mut compared: Vec<(&Case, Vec<Compared>)> = Vec::new();
    for case in &cases {
        let ours = ours::found(&program, &folder.join(case.name), case)?;
        compared.push((case, compare::table(case.name, &ours, &theirs)?));
    }
    let page = written::page(&versions, &compared);
    println!("{page}");
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let path = out.join("anonymeter.md");
    fs::write(&path, &page).with_context(|| format!("cannot write {}", path.display()))?;
    fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))
}

/// The versions of Anonymeter and its libraries, and what it finds in the tables of a folder.
fn theirs(folder: &Path) -> Result<(String, Vec<Found>)> {
    let folder = folder.to_str().context("the folder has a name that is no text")?;
    let output = ANONYMETER.run("attacks.py", &[folder])?;
    if !output.status.success() {
        bail!("Anonymeter failed: {}", environment::complaint(&output));
    }
    told(&String::from_utf8_lossy(&output.stdout))
}

/// Reads what `peers/attacks.py` prints.
fn told(text: &str) -> Result<(String, Vec<Found>)> {
    let (mut versions, mut all) = (String::new(), Vec::new());
    for line in text.lines() {
        match *line.split('\t').collect::<Vec<_>>() {
            ["versions", of] => of.clone_into(&mut versions),
            [table, attack, ties, ref figures @ ..] => {
                let numbers = figures.iter().map(|figure| figure.parse::<f64>());
                let numbers = numbers
                    .collect::<Result<Vec<_>, _>>()
                    .with_context(|| format!("{line:?} has no figures"))?;
                let [main, of_main, control, of_control, naive, of_naive] = numbers[..] else {
                    bail!("{line:?} lacks figures");
                };
                let attack = Attack::named(attack).with_context(|| format!("{line:?} is no attack"))?;
                let rates = [(main, of_main), (control, of_control), (naive, of_naive)]
                    .map(|(attacks, successes)| Rate::new(attacks, successes));
                all.push(Found { table: table.to_owned(), attack, drawn: ties != "sorted", rates });
            }
            _ => bail!("{line:?} is no figure"),
        }
    }
    Ok((versions, all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_line_by_line() {
        let text = "versions\tanonymeter 1\na\tlinkability\tsorted\t10\t5\t10\t2\t10\t1\nb\tunivariate\t-\t4\t1\t4\t0.5\t9\t0\n";
        let (versions, found) = told(text).unwrap();
        assert_eq!((versions.as_str(), found.len()), ("anonymeter 1", 2));
        assert!(!found[0].drawn && found[1].drawn);
        assert_eq!((found[1].attack, found[1].rates[1].successes), (Attack::Univariate, 0.5));
        assert!(
            told("a\tlinkability\tsorted\t10\n").is_err() && told("a\tother\t-\t1\t1\t1\t1\t1\t1\n").is_err()
        );
    }
}
