//! What the page asks of a published table.

use lookalike_model::{
    lines::Line,
    report::Audit,
    settings::{QuasiSet, Repair, Sample, ValueCondition},
    statement::Attempts,
};
use lookalike_words::Said;
use serde::{Deserialize, Serialize};

/// What the page asks of a published table. At least one of `k`, `diversity`, `closeness`, `m`, `conditions`, `sets` and `attacks` is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckSettings {
    /// Columns that an attacker may know.
    pub quasi: Vec<String>,
    /// The protected column.
    pub sensitive: Option<String>,
    /// Columns whose digits are codes.
    pub categories: Vec<String>,
    /// k-anonymity.
    pub k: Option<usize>,
    /// l-diversity.
    pub diversity: Option<Diversity>,
    /// t-closeness.
    pub closeness: Option<Closeness>,
    /// m-uniqueness.
    pub m: Option<usize>,
    /// Conditions on the values of columns, the protected one among them.
    #[serde(default)]
    pub conditions: Vec<ColumnConditions>,
    /// Sets of quasi-identifiers with a larger k.
    #[serde(default)]
    pub sets: Vec<QuasiSet>,
    /// What a row stands for in the population.
    #[serde(default)]
    pub sample: Sample,
    /// What has to hold between the table and its original, with `k`.
    pub notions: Vec<Notion>,
    /// All missing sensitive values together count as one value.
    pub missing_as_value: bool,
    /// The table is a random sample of so many people.
    pub population: Option<usize>,
    /// How the table was made m-eligible, with `m`; [`Repair::Error`] if it was not.
    pub repair: Repair,
    /// Which values were faked.
    pub fakes: Fakes,
    /// Number of counterfeits, if it is published.
    pub counterfeits: Option<u64>,
    /// Number of deleted records, if it is published.
    pub deletions: Option<u64>,
    /// Column of the original with the key of a person, if a person may have several rows: persons are counted, too, where
    /// original and linking key are open.
    pub person: Option<String>,
    /// Attacks that are tried on the table, with its original and, if it is open, with the control.
    #[serde(default)]
    pub attacks: Option<AttackSettings>,
}

/// Conditions on the values of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnConditions {
    /// The column.
    pub column: String,
    /// All of them are to hold.
    pub conditions: Vec<ValueCondition>,
    /// The values from least to greatest; empty if they are numbers or have no order.
    pub order: Vec<String>,
}

/// What is said of attacks; all else is as on the command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttackSettings {
    /// The column that is to be inferred; `None` is the protected one.
    pub secret: Option<String>,
    /// How often each attack is tried.
    pub number: usize,
    /// What attackers draw follows from it.
    pub seed: u64,
}

impl Default for AttackSettings {
    fn default() -> Self {
        Self { secret: None, number: 500, seed: 1 }
    }
}

/// Anonymity between a published table and its original.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Notion {
    /// Every original record is consistent with at least k published rows.
    #[serde(rename = "1-k-anonymity")]
    OneK,
    /// Every published row is consistent with at least k original records.
    #[serde(rename = "k-1-anonymity")]
    KOne,
    /// Both.
    #[serde(rename = "k-k-anonymity")]
    KK,
    /// Every original record has at least k matches.
    #[serde(rename = "k-concealment")]
    Concealment,
}

impl Notion {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::OneK, Self::KOne, Self::KK, Self::Concealment];
}

/// Which values a repair faked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fakes {
    /// The rarest, evenly.
    #[default]
    Rarest,
    /// The most frequent that have room.
    Frequent,
    /// Those that cost least, whatever the costs were.
    Cheapest,
}

/// l-diversity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Diversity {
    /// Least diversity of a group.
    pub l: usize,
    /// What it is.
    pub variant: Variant,
}

/// What diversity is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// Number of different values.
    #[default]
    Distinct,
    /// Their entropy.
    Entropy,
    /// The most frequent value occurs less than c times as often as the l-th and all rarer ones together.
    Recursive(f64),
}

/// t-closeness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Closeness {
    /// Largest distance of a group from the whole table, 0 to 1.
    pub t: f64,
    /// Whether values have an order, instead of being equally distant.
    pub ordered: bool,
    /// That order; empty if they are numbers.
    pub order: Vec<String>,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    /// The models and how the table was written.
    pub audit: Audit,
    /// What was asked for, and nothing else.
    pub answers: Vec<Answer>,
    /// Persons, where they were counted.
    pub persons: Option<PersonsCounted>,
    /// What was not asked for and does not fit, as rows of a class that are published differently.
    pub misfits: usize,
    /// Rows with nothing but suppressed quasi-identifiers, which were not judged.
    #[serde(default)]
    pub suppressed: usize,
    /// Sensitive values that people read as one and that count as different ones, if there are any.
    #[serde(default)]
    pub near: Option<Said>,
    /// What attacks reached, if any were tried.
    #[serde(default)]
    pub attacks: Option<Attempts>,
    /// All findings and figures, as the command line prints them.
    pub lines: Vec<Line>,
}

/// Whether something that was asked for holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// What.
    pub promise: Promised,
    /// Whether it holds in all groups of equal quasi-identifiers, and in all classes if the table names them.
    pub holds: bool,
    /// Groups against it, or classes if no group is; 0 if it holds, and where groups are not counted.
    pub broken: usize,
    /// For m-uniqueness by rows: the largest share of a value among the known ones of a group, if that is above 1/m because others
    /// are missing; so surely it is guessed by somebody who rules "not known" out.
    #[serde(default)]
    pub known: Option<f64>,
}

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Promised {
    /// k-anonymity.
    KAnonymity(usize),
    /// m-uniqueness.
    MUniqueness(usize),
    /// l-diversity.
    Diversity(Diversity),
    /// t-closeness, with its t.
    Closeness(f64),
    /// A condition on the values of a column.
    Condition {
        /// The column.
        column: String,
        /// The condition.
        wanted: Said,
    },
    /// More rows that are alike in some of the quasi-identifiers.
    Set {
        /// How many, and in which.
        wanted: Said,
    },
    /// A notion between the table and its original, with its k.
    Against(Notion, usize),
}

/// Persons who may have several rows, as original and linking key tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonsCounted {
    /// Persons with a published row.
    pub count: usize,
    /// Fewest in a class.
    pub least: usize,
    /// Persons with rows in several classes.
    pub split: usize,
}

/// A table of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckedTable {
    /// The published table.
    Published,
    /// What it was made of.
    Original,
    /// classes.csv: which original row is in which class.
    Classes,
    /// Rows like those of the original that nothing published was made of.
    Control,
}

impl CheckedTable {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Published, Self::Original, Self::Classes, Self::Control];
}
