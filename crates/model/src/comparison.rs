//! The open table as it is, and a finished run beside it, as the page shows them to the data holder. None of it is published.

use lookalike_words::Said;
use serde::{Deserialize, Serialize};

use crate::{
    assessment::Statistic,
    report::Risk,
    settings::{RowsAre, Settings},
};

/// Which rows of a table are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Only {
    /// All of them.
    #[default]
    All,
    /// Those that share their cells in the quasi-identifiers with no other row, or with no other person's.
    Alone,
    /// Those with a missing cell in a quasi-identifier.
    Missing,
}

/// By what rows are alike, and whose rows they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Likeness {
    /// The quasi-identifiers.
    pub quasi: Vec<String>,
    /// The column with the key of a person, if one may have several rows: persons are counted then, and not rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
}

impl Likeness {
    /// By the quasi-identifiers of these settings.
    #[must_use]
    pub fn of(settings: &Settings) -> Self {
        let person = match &settings.rows_are {
            Some(RowsAre::EventsOf(key)) => Some(key.clone()),
            Some(RowsAre::People | RowsAre::Of(_)) | None => None,
        };
        Self { quasi: settings.quasi.clone(), person }
    }
}

/// A row of a table before any run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableRow {
    /// Its number in the table, from 0.
    pub number: usize,
    /// Its cells in all columns, in the file's order.
    pub cells: Vec<String>,
    /// How many rows have the same cells in all quasi-identifiers, itself included, or how many persons have such a row; 0 without
    /// quasi-identifiers.
    pub alike: usize,
}

/// Some rows of a table that follow one another, before any run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableWindow {
    /// The rows.
    pub rows: Vec<TableRow>,
    /// How many rows of the table are shown in all, in this window or outside.
    pub total: usize,
    /// All rows or persons of the table by how many they are among; `None` without quasi-identifiers.
    pub rarity: Option<Rarity>,
}

/// How many rows of a table have few others like them in the quasi-identifiers, or how many persons have such a row. The three figures
/// add up to the table's rows or persons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rarity {
    /// Alone.
    pub alone: usize,
    /// Among 2 to 4.
    pub few: usize,
    /// Among 5 or more.
    pub many: usize,
}

/// The order in which the rows of a finished run are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowOrder {
    /// As in the file.
    #[default]
    File,
    /// Rows first whose published quasi-identifiers have the greatest certainty penalty, as the report's figure of the published
    /// form has it, columns counting alike; rows that are not published come last. Otherwise as in the file.
    MostChanged,
}

/// A row of the original, and what became of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Its number in the table, from 0.
    #[serde(default)]
    pub number: usize,
    /// Its cells in the published columns.
    pub before: Vec<String>,
    /// The cells that are published for it; empty if it is not.
    pub after: Vec<String>,
    /// Its class; empty if it is not published.
    pub class: String,
    /// Why it is not published.
    #[serde(default)]
    pub fate: Option<Said>,
}

/// A range of numbers or a label, and how often it occurs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// "30-39", a label; empty for all rarer labels together.
    pub label: String,
    /// What is missing.
    pub missing: bool,
    /// Share of the original rows, 0 to 1.
    pub before: f64,
    /// Share of the published rows, 0 to 1.
    pub after: f64,
}

/// What a run did to the original as a whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Beside {
    /// Rows of the original.
    pub rows: usize,
    /// Why rows are not published, and how many.
    pub fates: Vec<(Said, usize)>,
    /// How means and variances changed.
    pub statistics: Vec<Statistic>,
    /// Risks of the original with the same quasi-identifiers.
    pub risk: Risk,
    /// Number of rows of the original by the size of their group of equal quasi-identifiers, ascending by size.
    #[serde(default)]
    pub groups: Vec<(usize, usize)>,
    /// The same of the published rows, by the published quasi-identifiers: made-up records count, and classes that are published alike
    /// are one group.
    #[serde(default)]
    pub groups_after: Vec<(usize, usize)>,
    /// How quasi-identifiers that hold numbers go together, before and after.
    #[serde(default)]
    pub correlations: Vec<Correlation>,
}

/// Pearson's correlation of two columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Correlation {
    /// One column.
    pub one: String,
    /// The other.
    pub other: String,
    /// In the original, -1 to 1.
    pub before: f64,
    /// As published, -1 to 1; `None` where a published column is the same everywhere.
    pub after: Option<f64>,
}
