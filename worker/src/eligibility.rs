//! `lookalike eligibility`: for which m a table can be published, and what it would cost.

use std::{fmt::Write as _, str::FromStr};

use clap::Args;
use lookalike_core::{
    eligibility::{column_counts, published, survey_counts},
    table::Edits,
};
use lookalike_model::survey::{Hybrid, PublishedRow, Survey};
use lookalike_wire::config::{self, Draft};

use crate::{
    anonymize::AnonymizeFault,
    configuration::{self, ConfigArgs},
    disclosed,
    exit::Failure,
    files::{self, Secrecy},
    flag_values::{FlagFault, MissingArgs},
    input::TableArgs,
    progress::say,
};

/// The flags.
#[derive(Debug, Args)]
pub(crate) struct Eligibility {
    #[command(flatten)]
    table: TableArgs,
    /// The column whose values are to be protected; the configuration may name it
    #[arg(long, value_name = "COLUMN")]
    sensitive: Option<String>,
    /// The m to survey, both ends included [default: 2 to the number of values, at most 10000]
    #[arg(long, value_name = "FROM..TO")]
    m: Option<Span>,
    /// Show also what the methods of the literature change: Algorithms 1 to 3 of Tobar 2024, the random counterfeits of Anjum
    /// 2017, the Cach table of Khan 2022
    #[arg(long)]
    published: bool,
    /// Seed of the random counterfeits
    #[arg(long, value_name = "SEED", default_value_t = 1, requires = "published")]
    seed: u64,
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
    type Err = FlagFault;

    fn from_str(text: &str) -> Result<Self, FlagFault> {
        let number = |t: &str| t.trim().parse::<u64>().map_err(|_| FlagFault::Whole { text: t.into() });
        let (first, last) = match text.split_once("..") {
            Some((first, last)) => (number(first)?, number(last.trim_start_matches('='))?),
            None => (number(text)?, number(text)?),
        };
        if first < 2 {
            return Err(FlagFault::LeastM);
        }
        if last < first || last - first >= LONGEST {
            return Err(FlagFault::RangeOfM { most: LONGEST });
        }
        Ok(Self { first, last })
    }
}

/// Runs the command.
pub(crate) fn run(args: &Eligibility) -> Result<(), Failure> {
    let file = args.config.read()?;
    let draft = configuration::merge(args.draft()?, file.as_ref())?;
    let Some(sensitive) = draft.settings.sensitive.as_deref() else {
        return Err(Failure::input(AnonymizeFault::NoSensitive));
    };
    let needed = if file.is_some() { None } else { Some(vec![sensitive.to_owned()]) };
    let edits = Edits {
        widths: draft.settings.pad.clone(),
        labels: draft.settings.labels.clone(),
        markers: configuration::missing(&draft).markers,
    };
    let table = args.table.read_from(&args.table.input, (needed, None), file.as_ref(), edits)?;
    configuration::check(file.as_ref(), &table)?;
    let counted = column_counts(&table, sensitive, &configuration::missing(&draft))?;
    let all = Span { first: 2, last: (counted.counts.len() as u64).min(LONGEST) };
    let span = args.m.unwrap_or(all);
    let mut survey = survey_counts(sensitive, &counted, span.first..=span.last)?;
    if args.published {
        survey.published = published(&counted.counts, span.first..=span.last, args.seed);
    }
    for warning in &survey.warnings {
        say(&format!("warning: {warning}"));
    }
    let text = if args.json {
        let json = serde_json::to_string_pretty(&survey);
        json.map_err(|e| Failure::json(&e))? + "\n"
    } else {
        let told = survey.survey.iter().filter(|row| !row.eligible).map(|row| (row.m, row.disclosure));
        let told: Vec<_> = told.collect();
        to_text(&survey) + &literature(&survey.published) + &disclosed::table(&told) + &disclosed::real(&told)
    };
    if let Some(path) = args.config.save() {
        let staged = files::stage(&args.table.input, &[(path, Secrecy::Publishable)])?;
        files::commit(staged, &[config::write(&draft).as_bytes()])?;
    }
    files::tell(&text)
}

impl Eligibility {
    /// What the flags say.
    fn draft(&self) -> Result<Draft, Failure> {
        let mut draft = Draft::default();
        draft.settings.sensitive.clone_from(&self.sensitive);
        draft.settings.missing = self.missing.said(None);
        draft.settings.pad = self.table.widths()?;
        draft.settings.labels = self.table.labels()?;
        draft.reading = self.table.reading();
        Ok(draft)
    }
}

fn to_text(survey: &Survey) -> String {
    let number = |n: Option<u64>| n.map_or(String::from("-"), |n| n.to_string());
    let mut text = format!(
        "{}: {} rows, {} different values{}\n\n",
        survey.sensitive,
        survey.rows,
        survey.values,
        match survey.dropped {
            0 => String::new(),
            dropped => format!(" ({dropped} rows with a missing value left out)"),
        }
    );
    // Writing to a String cannot fail.
    let _ = writeln!(text, "    m  eligible  additions  deletions  hybrid (added + deleted)   share of rows");
    for row in &survey.survey {
        let hybrid = row
            .hybrid
            .map_or(String::from("-"), |h| format!("{} ({} + {})", h.changes, h.additions, h.deletions));
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
    match survey.largest_m_without_changes {
        0 | 1 => text.push_str("\nNo m of 2 or more is possible without changes.\n"),
        m => {
            let _ = writeln!(text, "\nThe largest m without changes is {m}.");
        }
    }
    if survey.survey.iter().any(|row| row.levels_all) {
        let _ = writeln!(
            text,
            "With m = {}, the number of values, every repair makes all counts equal; a smaller m is advisable.",
            survey.values
        );
    }
    text
}

/// What the methods of the literature change; empty if nobody asked.
fn literature(rows: &[PublishedRow]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let number = |n: Option<u64>| n.map_or(String::from("-"), |n| n.to_string());
    let both = |h: Option<Hybrid>| {
        h.map_or(String::from("-"), |h| format!("{} ({} + {})", h.changes, h.additions, h.deletions))
    };
    let mut text = String::from(
        "\nThe methods of the literature (-: does not reach m, or not within the steps allowed):\n    m  Algorithm 1 \
         (added)       random (added)  Algorithm 2 (deleted)       Cach (deleted)             Algorithm 3                 optimum\n",
    );
    for row in rows {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{:>5}  {:>19}  {:>19}  {:>21}  {:>19}  {:>22}  {:>22}",
            row.m,
            number(row.algorithm_1),
            number(row.random_counterfeits),
            number(row.algorithm_2),
            number(row.cach_table),
            both(row.algorithm_3),
            both(row.optimum),
        );
    }
    text
}

#[cfg(test)]
mod tests {
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
}
