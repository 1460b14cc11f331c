//! What a statement says of columns that are published unchanged: what an attacker gains who knows them.

use lookalike_model::{
    document::{Part, Table},
    report::Report,
    unchanged::{Known, MinimalUniques, UnchangedReport},
};
use lookalike_words::{Arg, AsArg, Figure, Name, messages};

use super::{StatementColumn, nothing, short};

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
        /// The same where persons may have several rows.
        AboutPersons {
            /// The columns.
            columns: Vec<Name>,
            /// Published persons.
            persons: usize,
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
        /// How probably the guess is right that a row is one of a person who may have several.
        MatchPersons {
            /// At most.
            highest: Figure,
            /// In the mean over the persons.
            mean: Figure,
            /// Classes with a person of whom a row is found with certainty.
            certain: usize,
            /// All classes.
            classes: usize,
            /// In the mean over the persons of the worst class.
            worst: Figure,
        },
        /// Rows with minimal sample uniques by their sizes.
        Minimal {
            /// By size.
            sizes: Vec<StatementMinimal>,
            /// Columns of the largest sets that were looked at.
            largest: usize,
        },
        /// Persons with a row that is a minimal sample unique, by their sizes.
        MinimalPersons {
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
        /// The same, of persons who may have several rows.
        OfPersons {
            /// How many persons.
            persons: usize,
            /// Of how many columns.
            size: usize,
        },
    }
}

/// The figures of columns that are published unchanged, the riskiest first; nothing if there are none.
pub(super) fn unchanged(report: &Report) -> Vec<Part> {
    let Some(unchanged) = &report.unchanged else { return Vec::new() };
    let names = unchanged.columns.iter().map(|column| Name::from(column.name.as_str()));
    let columns = names.collect();
    let MinimalUniques { rows, largest_set: largest } = &unchanged.minimal_uniques;
    let (largest, by_size) = (*largest, rows.iter().copied().zip(1..));
    let (about, minimal) = match &report.persons {
        Some(of) => (
            StatementUnchanged::AboutPersons { columns, persons: of.count },
            StatementUnchanged::MinimalPersons {
                sizes: by_size.map(|(persons, size)| StatementMinimal::OfPersons { persons, size }).collect(),
                largest,
            },
        ),
        None => (
            StatementUnchanged::About { columns, records: report.input.rows },
            StatementUnchanged::Minimal {
                sizes: by_size.map(|(rows, size)| StatementMinimal::Of { rows, size }).collect(),
                largest,
            },
        ),
    };
    let table = table(unchanged, report.persons.is_some());
    vec![Part::Paragraph(about.into()), Part::Table(table), Part::Paragraph(minimal.into())]
}

fn table(unchanged: &UnchangedReport, persons: bool) -> Table {
    let mut table = Table::of([
        StatementColumn::Column,
        StatementColumn::UniqueBefore,
        StatementColumn::UniqueAfter,
        StatementColumn::Match,
        StatementColumn::Told,
        StatementColumn::Minimal,
    ]);
    let row = |name, known, minimal| row(name, (known, persons), minimal);
    for column in &unchanged.columns {
        table.rows.push(row(column.name.as_arg(), &column.known, column.singled_out.as_arg()));
    }
    if unchanged.columns.len() > 1 {
        table.rows.push(row(StatementUnchanged::Together.as_arg(), &unchanged.together, nothing().as_arg()));
    }
    table
}

fn row(name: Arg, (known, persons): (&Known, bool), minimal: Arg) -> Vec<Arg> {
    let certain = known.classes.first().filter(|at| at.highest >= 1.0).map_or(0, |at| at.classes);
    let classes = known.classes.iter().map(|at| at.classes).sum();
    let (highest, mean, worst) = (short(known.highest), short(known.mean), short(known.highest_mean));
    let matched = if persons {
        StatementUnchanged::MatchPersons { highest, mean, certain, classes, worst }
    } else {
        StatementUnchanged::Match { highest, mean, certain, classes, worst }
    };
    let told = known.told_values.map_or_else(|| nothing().as_arg(), |told| told.as_arg());
    vec![name, known.unique_before.as_arg(), known.unique_after.as_arg(), matched.as_arg(), told, minimal]
}
