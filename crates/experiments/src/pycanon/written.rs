//! The comparison as a page.

use std::fmt::Write as _;

use super::{
    compare::{Compared, Outcome},
    definitions::Difference,
    measure::Measure,
    tables::TABLES,
};
use crate::write::line;

/// Markdown: versions, counts by model and by difference, and what is not explained.
pub(super) fn page(versions: &str, tables: &[(String, Vec<Compared>)]) -> String {
    let all = || tables.iter().flat_map(|table| &table.1);
    let count = |of: &dyn Fn(&Compared) -> bool| all().filter(|compared| of(compared)).count().to_string();
    let two = tables.iter().filter(|table| table.1.iter().any(|compared| compared.columns == 2)).count();
    // Writing to a String cannot fail.
    let mut text = format!(
        "# `lookalike check` and pyCANON on {TABLES} random tables\n\n\
         Made by `cargo xtask experiments pycanon` with {versions} and lookalike {}. The command installs pyCANON as `peers` \
         does, draws the tables from a fixed seed and puts each figure of pyCANON to `lookalike check`: the figure must hold, \
         and a limit just beyond it (the next whole number, or {:e} further) must not.\n\n\
         The tables have 3 to 60 rows, 1 to 3 quasi-identifiers and up to 8 sensitive values, labels or numbers, evenly or unevenly \
         frequent. Some are one group, some have groups of one row, some groups that hold all values. {two} tables have two \
         sensitive columns: pyCANON is asked for each and for both together, when it returns the worse figure. No cell is missing \
         or suppressed, and each number is spelled in one way.\n\n",
        env!("CARGO_PKG_VERSION"),
        super::measure::NEAR,
    );
    let header = [
        "figure",
        "sensitive columns",
        "compared",
        "on both sides",
        "agree",
        "differ by definition",
        "unexplained",
    ];
    text.push_str(&(line(header.into_iter()) + "\n" + &line(header.iter().map(|_| "---")) + "\n"));
    for columns in 0..=2 {
        for measure in Measure::ALL {
            let here = |compared: &Compared| compared.measure == measure && compared.columns == columns;
            if !all().any(here) {
                continue;
            }
            let cells = [
                measure.name().to_owned(),
                if columns == 0 { String::from("-") } else { columns.to_string() },
                count(&here),
                count(&|of| here(of) && of.both),
                count(&|of| here(of) && of.outcome == Outcome::Agrees),
                count(&|of| here(of) && matches!(of.outcome, Outcome::Differs(_))),
                count(&|of| here(of) && matches!(of.outcome, Outcome::Unexplained(_))),
            ];
            let _ = writeln!(text, "{}", line(cells.iter().map(String::as_str)));
        }
    }
    text.push_str(
        "\nOn both sides: a limit that holds and one beyond it could be asked. Otherwise only one could: k and l begin at 2, nothing \
         lies beyond a distance of 0, and no limit holds where a value is missing from a group or has the group to itself.\n\n\
         Where definitions differ, pyCANON's own must give its figure, computed again from the counts, and `check` must \
         confirm the figure of the paper's definition (`crates/experiments/src/pycanon/definitions.rs`):\n\n",
    );
    for difference in Difference::ALL {
        let number = count(&|of| of.outcome == Outcome::Differs(difference));
        let _ = writeln!(text, "* {} ({number} comparisons).", difference.about());
    }
    for (name, compared) in tables {
        for Compared { measure, columns, outcome, .. } in compared {
            if let Outcome::Unexplained(why) = outcome {
                let _ =
                    writeln!(text, "* unexplained: {name}, {} of {columns} columns: {why}", measure.name());
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outcome_is_counted_and_what_is_not_explained_is_named() {
        let compared = |columns, measure, outcome| Compared { measure, columns, both: columns == 2, outcome };
        let why = String::from("pyCANON says 2, 2 does not hold");
        let tables = [(
            String::from("table-007"),
            vec![
                compared(0, Measure::K, Outcome::Agrees),
                compared(1, Measure::Delta, Outcome::Differs(Difference::AbsentValue)),
                compared(1, Measure::Delta, Outcome::Unexplained(why)),
                compared(2, Measure::Delta, Outcome::Agrees),
            ],
        )];
        let text = page("pycanon 1", &tables);
        for line in [
            "| k | - | 1 | 0 | 1 | 0 | 0 |",
            "| delta | 1 | 2 | 0 | 0 | 1 | 1 |",
            "| delta | 2 | 1 | 1 | 1 | 0 | 0 |",
            "* delta: a group lacks a value, which pyCANON leaves out. No delta holds (1 comparisons).",
            "* unexplained: table-007, delta of 1 columns: pyCANON says 2, 2 does not hold",
        ] {
            assert!(text.lines().any(|written| written == line), "{line}\n{text}");
        }
    }
}
