//! What a statement says of columns that are published unchanged: what an attacker gains who knows them.

use lookalike_model::{
    document::{Part, Table},
    report::Report,
    unchanged::{Known, UnchangedReport},
};
use lookalike_words::{Arg, AsArg, Figure, Name, messages};

use super::{StatementColumn, nothing};

messages! {
    in "core";

    /// What columns that are published unchanged cost.
    enum StatementUnchanged {
        /// What the table is about.
        About {
            /// The columns.
            columns: Vec<Name>,
            /// Published records.
            records: usize,
        },
        /// All columns together.
        Together,
        /// How probably a match is right.
        Match {
            /// At most.
            highest: Figure,
            /// In the mean over the records.
            mean: Figure,
            /// Classes with a record that is matched with certainty.
            certain: usize,
            /// All classes.
            classes: usize,
            /// In the mean over the records of the worst class.
            worst: Figure,
        },
        /// Rows with minimal sample uniques by their sizes.
        Minimal {
            /// By size.
            sizes: Vec<StatementMinimal>,
            /// Columns of the largest sets that were looked at.
            largest: usize,
        },
    }

    /// Rows with minimal sample uniques of one size.
    enum StatementMinimal {
        /// Of so many columns.
        Of {
            /// How many rows.
            rows: usize,
            /// Of how many columns.
            size: usize,
        },
    }
}

/// The figures of columns that are published unchanged, the riskiest first; nothing if there are none.
pub(super) fn unchanged(report: &Report) -> Vec<Part> {
    let Some(unchanged) = &report.unchanged else { return Vec::new() };
    let names = unchanged.columns.iter().map(|column| Name::from(column.name.as_str()));
    let about = StatementUnchanged::About { columns: names.collect(), records: report.input.rows };
    let minimal = &unchanged.minimal_uniques;
    let sizes = StatementUnchanged::Minimal { sizes: sizes(&minimal.rows), largest: minimal.largest_set };
    vec![Part::Paragraph(about.into()), Part::Table(table(unchanged)), Part::Paragraph(sizes.into())]
}

fn table(unchanged: &UnchangedReport) -> Table {
    let mut table = Table::of([
        StatementColumn::Column,
        StatementColumn::UniqueBefore,
        StatementColumn::UniqueAfter,
        StatementColumn::Match,
        StatementColumn::Told,
        StatementColumn::Minimal,
    ]);
    for column in &unchanged.columns {
        table.rows.push(row(column.name.as_arg(), &column.known, column.singled_out.as_arg()));
    }
    if unchanged.columns.len() > 1 {
        table.rows.push(row(StatementUnchanged::Together.as_arg(), &unchanged.together, nothing().as_arg()));
    }
    table
}

fn row(name: Arg, known: &Known, minimal: Arg) -> Vec<Arg> {
    let certain = known.classes.first().filter(|at| at.highest >= 1.0).map_or(0, |at| at.classes);
    let matched = StatementUnchanged::Match {
        highest: Figure::fixed(known.highest, 4),
        mean: Figure::fixed(known.mean, 4),
        certain,
        classes: known.classes.iter().map(|at| at.classes).sum(),
        worst: Figure::fixed(known.highest_mean, 4),
    };
    let told = known.told_values.map_or_else(|| nothing().as_arg(), |told| told.as_arg());
    vec![name, known.unique_before.as_arg(), known.unique_after.as_arg(), matched.as_arg(), told, minimal]
}

fn sizes(rows: &[usize]) -> Vec<StatementMinimal> {
    rows.iter().zip(1..).map(|(&rows, size)| StatementMinimal::Of { rows, size }).collect()
}
