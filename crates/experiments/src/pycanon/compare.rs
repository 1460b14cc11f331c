//! Each figure of pyCANON, put to `lookalike check`.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail};

use super::{
    definitions::{Difference, difference},
    measure::Measure,
    tables::{Table, Tally},
};

/// What pyCANON found: by table, sensitive columns and figure.
pub(super) type Figures = BTreeMap<(String, String, String), f64>;

/// A figure of a table and a choice of sensitive columns, compared.
pub(super) struct Compared {
    pub(super) measure: Measure,
    /// Number of sensitive columns; 0 for k.
    pub(super) columns: usize,
    /// Whether both a limit that holds and one beyond it could be asked: there is none beyond a distance of 0, say.
    pub(super) both: bool,
    pub(super) outcome: Outcome,
}

/// What came out.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outcome {
    /// pyCANON's figure holds, and nothing beyond it.
    Agrees,
    /// What a documented difference leads to holds, and nothing beyond it.
    Differs(Difference),
    /// Neither.
    Unexplained(String),
}

/// The program that judges.
pub(super) struct Check {
    program: PathBuf,
}

impl Check {
    /// The one beside this program.
    pub(super) fn beside() -> Result<Self> {
        Ok(Self { program: crate::program::beside()? })
    }

    /// Whether all that the flags ask for holds.
    fn holds(&self, table: &Path, flags: &[String]) -> Result<bool> {
        let mut command = Command::new(&self.program);
        command.arg("check").arg(table).args(["--header", "yes", "--delimiter", ","]).args(flags);
        let output = command.stdin(Stdio::null()).output().context("`lookalike check` does not start")?;
        match output.status.code() {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ => bail!(
                "`lookalike check` with {}: {}",
                flags.join(" "),
                String::from_utf8_lossy(&output.stderr).trim()
            ),
        }
    }
}

/// Compares all figures of a table, by each of its sensitive columns and by all together.
///
/// # Errors
/// If pyCANON has not told a figure or `check` cannot judge the table.
pub(super) fn table(
    name: &str,
    path: &Path,
    table: &Table,
    figures: &Figures,
    check: &Check,
) -> Result<Vec<Compared>> {
    let told = |columns: &str, measure: Measure| {
        let key = (name.to_owned(), columns.to_owned(), measure.name().to_owned());
        figures
            .get(&key)
            .copied()
            .with_context(|| format!("pyCANON tells no {} of {name} {columns}", measure.name()))
    };
    let columns: Vec<(String, Tally)> =
        table.secret.iter().map(|secret| (secret.name.clone(), table.tally(secret))).collect();
    let mut chosen: Vec<&[(String, Tally)]> = columns.chunks(1).collect();
    if columns.len() > 1 {
        chosen.push(&columns);
    }
    let quasi = ["--quasi".to_owned(), table.quasi.join(",")];
    let holds = |flags: Vec<String>| check.holds(path, &[&quasi[..], &flags].concat());
    let mut all = vec![judged(Measure::K, told("", Measure::K)?, &[], &holds)?];
    for columns in chosen {
        let names = columns.iter().map(|column| column.0.as_str()).collect::<Vec<_>>().join(",");
        for measure in Measure::ALL.into_iter().skip(1) {
            all.push(judged(measure, told(&names, measure)?, columns, &holds)?);
        }
    }
    Ok(all)
}

/// Asks whether the limit holds and the one beyond it does not.
fn judged(
    measure: Measure,
    figure: f64,
    columns: &[(String, Tally)],
    holds: &dyn Fn(Vec<String>) -> Result<bool>,
) -> Result<Compared> {
    let tallies: Vec<&Tally> = columns.iter().map(|column| &column.1).collect();
    let compared = |both, outcome| Ok(Compared { measure, columns: columns.len(), both, outcome });
    let (outcome, asked) = match difference(measure, figure, &tallies) {
        Ok(None) => (Outcome::Agrees, measure.asked(figure)),
        Ok(Some((difference, asked))) => (Outcome::Differs(difference), asked),
        Err(why) => return compared(false, Outcome::Unexplained(why)),
    };
    let flags = |limit| {
        let sensitive = columns.first().map(|first| ["--sensitive".to_owned(), first.0.clone()]);
        sensitive.into_iter().flatten().chain(measure.flags(limit, columns)).collect()
    };
    let both = asked.holds.is_some() && asked.fails.is_some();
    for (limit, expected, said) in [(asked.holds, true, "does not hold"), (asked.fails, false, "holds")] {
        if let Some(limit) = limit
            && holds(flags(limit))? != expected
        {
            let why = format!("pyCANON says {figure}, and {limit} {said}");
            return compared(both, Outcome::Unexplained(why));
        }
    }
    compared(both, outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_agrees_if_it_holds_and_nothing_beyond() {
        let tally = Tally { numbers: false, whole: vec![2, 2], groups: vec![vec![2, 1], vec![0, 1]] };
        let columns = [(String::from("s1"), tally)];
        // A program that says yes to shares of at least 0.8.
        let holds = |flags: Vec<String>| {
            assert_eq!(flags[..3], ["--sensitive", "s1", "--alpha"]);
            Ok(flags[3].parse::<f64>()? >= 0.8)
        };
        let of = |figure| judged(Measure::Alpha, figure, &columns, &holds).unwrap().outcome;
        assert_eq!(of(0.8), Outcome::Agrees);
        assert_eq!(of(0.7), Outcome::Unexplained(String::from("pyCANON says 0.7, and 0.7 does not hold")));
        assert_eq!(of(0.9), Outcome::Unexplained(String::from("pyCANON says 0.9, and 0.899999999 holds")));
        // The second group lacks a value: its definition gives ln 2 and another figure would be another difference.
        let never = |_: Vec<String>| Ok(false);
        let delta = judged(Measure::Delta, 2.0_f64.ln(), &columns, &never).unwrap().outcome;
        assert_eq!(delta, Outcome::Differs(Difference::AbsentValue));
        let delta = judged(Measure::Delta, 1.0, &columns, &never).unwrap().outcome;
        assert!(matches!(delta, Outcome::Unexplained(_)));
    }
}
