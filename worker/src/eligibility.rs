//! `lookalike eligibility`: for which m a table can be published, and what it would cost.

use std::{fmt::Write as _, str::FromStr};

use clap::Args;
use lookalike_core::{
    eligibility::{SurveyRow, largest_m, survey},
    table::{Column, Table},
};
use lookalike_wire::{
    config::{self, Draft},
    settings::{Missing, MissingPolicy},
};
use serde_json::{Value, json};

use crate::{
    args::MissingArgs,
    configuration::{self, ConfigArgs},
    exit::Failure,
    files::{self, Secrecy},
    input::TableArgs,
};

/// Rows of the default range at most.
const SHOWN: u64 = 20;

/// The flags.
#[derive(Debug, Args)]
pub(crate) struct Eligibility {
    #[command(flatten)]
    table: TableArgs,
    /// The column whose values are to be protected; it may stand in the configuration
    #[arg(long, value_name = "COLUMN")]
    sensitive: Option<String>,
    /// The m to survey, both ends included [default: 2 to the number of values, at most 21]
    #[arg(long, value_name = "FROM..TO")]
    m: Option<Span>,
    #[command(flatten)]
    missing: MissingArgs,
    #[command(flatten)]
    config: ConfigArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// An inclusive range of m, such as `2..14` or `5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    first: u64,
    last: u64,
}

/// More than anybody reads.
const LONGEST: u64 = 10_000;

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |t: &str| t.trim().parse::<u64>().map_err(|_| format!("{t:?} is no whole number"));
        let (first, last) = match text.split_once("..") {
            Some((first, last)) => (number(first)?, number(last.trim_start_matches('='))?),
            None => (number(text)?, number(text)?),
        };
        if first < 2 {
            return Err(String::from("m must be at least 2"));
        }
        if last < first || last - first >= LONGEST {
            return Err(format!("give an ascending range of at most {LONGEST} values, such as 2..14"));
        }
        Ok(Self { first, last })
    }
}

/// How often each sensitive value occurs.
struct Counted {
    /// Per value, in sorted order.
    counts: Vec<u64>,
    /// Rows left out because their value is missing.
    dropped: u64,
}

/// Runs the command.
pub(crate) fn run(args: &Eligibility) -> Result<(), Failure> {
    let file = args.config.read()?;
    let draft = configuration::merge(args.draft()?, file.as_ref())?;
    let Some(sensitive) = draft.settings.get("sensitive").and_then(Value::as_str) else {
        let what = "which column is to be protected? Say --sensitive COLUMN, or name a --config that says it";
        return Err(Failure::Input(String::from(what)));
    };
    let needed = if file.is_some() { None } else { Some(vec![sensitive.to_owned()]) };
    let table = args.table.read(needed)?;
    configuration::check(file.as_ref(), &table)?;
    let missing = configuration::missing(&draft)?;
    let counted = count(&table, sensitive, &missing)?;
    let values = counted.counts.len() as u64;
    if values < 2 {
        return Err(Failure::Infeasible(format!(
            "column \"{}\" holds {values} different values in {} rows: no m of 2 or more is possible",
            sensitive,
            counted.counts.iter().sum::<u64>()
        )));
    }
    let span = args.m.unwrap_or(Span { first: 2, last: values.min(SHOWN + 1) });
    let rows = survey(&counted.counts, span.first..=span.last);
    let text =
        if args.json { to_json(sensitive, &counted, &rows)? } else { to_text(sensitive, &counted, &rows) };
    if let Some(path) = args.config.save() {
        let staged = files::stage(&args.table.input, &[(path, Secrecy::Publishable)])?;
        files::commit(staged, &[config::write(&draft).as_bytes()])?;
    }
    files::print(text.as_bytes())
}

impl Eligibility {
    /// What the flags say.
    fn draft(&self) -> Result<Draft, Failure> {
        let mut draft = Draft::default();
        if let Some(name) = &self.sensitive {
            configuration::put(&mut draft, "sensitive", name)?;
        }
        if let Some(missing) = self.missing.said(None) {
            configuration::put(&mut draft, "missing", missing)?;
        }
        Ok(draft)
    }
}

fn count(table: &Table, name: &str, missing: &Missing) -> Result<Counted, Failure> {
    let Some(column) = table.column(name) else {
        let names: Vec<_> = table.columns.iter().map(|c| format!("\"{}\"", c.name)).collect();
        return Err(Failure::Input(format!(
            "there is no column \"{name}\"; the columns are {}",
            names.join(", ")
        )));
    };
    let mut per_entry = vec![0u64; column.values.len()];
    for &cell in &column.cells {
        per_entry[cell as usize] += 1;
    }
    let is_missing = |value: &str| missing.markers.iter().any(|m| m == value.trim());
    let policy = missing.columns.get(name).copied().unwrap_or(missing.sensitive);
    let absent: u64 =
        column.values.iter().zip(&per_entry).filter(|(v, _)| is_missing(v)).map(|(_, n)| n).sum();
    if absent > 0 && policy == MissingPolicy::Error {
        return Err(Failure::Input(format!(
            "column \"{name}\" is missing in {absent} of {} rows (row {} first); say what that means: drop these rows, \
             or count \"missing\" as a value of its own (--missing-sensitive drop|value)",
            table.rows,
            first_row(column, is_missing)
        )));
    }
    let mut order: Vec<usize> = (0..per_entry.len()).filter(|&v| !is_missing(&column.values[v])).collect();
    order.sort_by(|&a, &b| column.values[a].cmp(&column.values[b]));
    let mut counts: Vec<u64> = order.into_iter().map(|v| per_entry[v]).filter(|&n| n > 0).collect();
    let keep = policy == MissingPolicy::Value;
    if keep && absent > 0 {
        counts.push(absent);
    }
    Ok(Counted { counts, dropped: if keep { 0 } else { absent } })
}

/// The first row (from 1) whose cell is missing.
fn first_row(column: &Column, is_missing: impl Fn(&str) -> bool) -> usize {
    let row = column.cells.iter().position(|&cell| is_missing(&column.values[cell as usize]));
    row.map_or(0, |r| r + 1)
}

fn to_json(sensitive: &str, counted: &Counted, rows: &[SurveyRow]) -> Result<String, Failure> {
    let survey: Vec<_> = rows
        .iter()
        .map(|r| {
            json!({
                "m": r.m,
                "eligible": r.eligible,
                "additions": r.additions,
                "deletions": r.deletions,
                "hybrid": r.hybrid.map(|h| json!({
                    "additions": h.additions,
                    "deletions": h.deletions,
                    "changes": h.total(),
                })),
                "share": r.share,
            })
        })
        .collect();
    let answer = json!({
        "sensitive": sensitive,
        "rows": counted.counts.iter().sum::<u64>(),
        "dropped": counted.dropped,
        "values": counted.counts.len(),
        "largest_m_without_changes": largest_m(&counted.counts),
        "survey": survey,
    });
    let text = serde_json::to_string_pretty(&answer);
    Ok(text.map_err(|e| Failure::System(e.to_string()))? + "\n")
}

fn to_text(sensitive: &str, counted: &Counted, rows: &[SurveyRow]) -> String {
    let number = |n: Option<u64>| n.map_or(String::from("-"), |n| n.to_string());
    let mut text = format!(
        "{}: {} rows, {} different values{}\n\n",
        sensitive,
        counted.counts.iter().sum::<u64>(),
        counted.counts.len(),
        match counted.dropped {
            0 => String::new(),
            dropped => format!(" ({dropped} rows with a missing value left out)"),
        }
    );
    // Writing to a String cannot fail.
    let _ = writeln!(text, "    m  eligible  additions  deletions  hybrid (added + deleted)   share of rows");
    for row in rows {
        let hybrid = row
            .hybrid
            .map_or(String::from("-"), |h| format!("{} ({} + {})", h.total(), h.additions, h.deletions));
        let share = row.share.map_or(String::from("-"), |s| format!("{:.2} %", 100.0 * s));
        let _ = writeln!(
            text,
            "{:>5}  {:<8}  {:>9}  {:>9}  {hybrid:>24}  {share:>14}",
            row.m,
            if row.eligible { "yes" } else { "no" },
            number(row.additions),
            number(row.deletions),
        );
    }
    match largest_m(&counted.counts) {
        0 | 1 => text.push_str("\nNo m of 2 or more is possible without changes.\n"),
        m => {
            let _ = writeln!(text, "\nThe largest m without changes is {m}.");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use lookalike_core::table::{ReadOptions, read};

    use super::*;

    #[test]
    fn spans() {
        assert_eq!("2..14".parse(), Ok(Span { first: 2, last: 14 }));
        assert_eq!("3..=4".parse(), Ok(Span { first: 3, last: 4 }));
        assert_eq!("5".parse(), Ok(Span { first: 5, last: 5 }));
        for wrong in ["", "1..3", "5..4", "2..", "a..b", "2..99999999"] {
            assert!(wrong.parse::<Span>().is_err(), "{wrong:?}");
        }
    }

    fn counts(policy: MissingPolicy) -> Result<Counted, Failure> {
        let table = read(b"d\nflu\nHIV\n?\nflu\n?\nNA\n", &ReadOptions::default()).unwrap();
        count(&table, "d", &Missing { sensitive: policy, ..Missing::default() })
    }

    #[test]
    fn missing_values_are_dropped_counted_or_refused() {
        let dropped = counts(MissingPolicy::Drop).unwrap();
        assert_eq!((dropped.counts, dropped.dropped), (vec![1, 2], 3));
        let valued = counts(MissingPolicy::Value).unwrap();
        assert_eq!((valued.counts, valued.dropped), (vec![1, 2, 3], 0));
        let refused = counts(MissingPolicy::Error).err().unwrap();
        assert_eq!(refused.code(), 2);
        assert!(refused.to_string().contains("3 of 6 rows (row 3 first)"), "{refused}");
    }
}
