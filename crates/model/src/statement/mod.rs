//! The statement as data: `statement.json`, for registers and reports that others ask for. What only a person can know is `null` there,
//! as it is a blank line on paper.

mod attempts;
mod series;
mod variable;

use lookalike_words::Said;
use serde::{Deserialize, Serialize};

use crate::{
    report::{Changes, Check, ConditionReport, InputSize, SeriesPlace, SetReport},
    sent::{Searched, Sent},
    settings::{Loss, Model},
};
pub use attempts::{Attempt, Attempts, Residual, Success};
pub use series::SeriesFacts;
pub use variable::{Role, Technique, Variable};

/// The version of this form.
pub const SCHEMA_VERSION: u32 = 1;

/// `statement.json`: a statement as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Why not; first, so that nobody overlooks it.
    #[serde(rename = "do not publish")]
    pub notice: String,
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// What only a person can know: all `null` when it is written.
    pub by_hand: ByHand,
    /// What was found, word for word as the statement has it.
    pub finding: Found,
    /// What is guaranteed.
    pub guarantee: Guarantee,
    /// The series that the release is one of; `null` for a table that is released once.
    pub series: Option<SeriesFacts>,
    /// Rows and columns that are published, made-up records not among the rows.
    pub size: InputSize,
    /// Every column with what was done to it.
    pub variables: Vec<Variable>,
    /// Records that were added and left out.
    pub changes: Changes,
    /// Above which probability of being found a record, or a person, is at risk.
    pub threshold: Threshold,
    /// How exposed records are, or persons where these may have several rows.
    pub risk: Exposed,
    /// Singling out, linkability and inference.
    pub criteria: Vec<Criteria>,
    /// Attacks that were tried; `null` where none were asked for.
    pub attacks: Option<Attempts>,
    /// What remains.
    pub residual: Said,
    /// What was lost.
    pub utility: Lost,
    /// The files and their digests.
    pub files: Files,
    /// By what, when and where the run was made.
    pub computed: Computed,
}

/// What only a person can know.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByHand {
    /// What the published table is for.
    pub purpose: Option<String>,
    /// Who gets it.
    pub recipient: Option<String>,
    /// How it is made available: to everybody, under an agreement, in a secure room.
    pub context: Option<String>,
    /// By which law.
    pub legal_basis: Option<String>,
    /// Who supervised the anonymization, and what qualifies that person.
    pub supervisor: Option<String>,
    /// What other information is reasonably available about the same people.
    pub other_information: Option<String>,
    /// Measures beside the table: agreements, access control, what happens after an incident.
    pub safeguards: Option<String>,
    /// Whether what remains is accepted, and why.
    pub conclusion: Option<String>,
    /// When all this is looked at again.
    pub review_date: Option<String>,
    /// Who signs.
    pub signature: Signature,
}

/// Who signs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// That person's name.
    pub name: Option<String>,
    /// The function.
    pub function: Option<String>,
    /// Where it was signed.
    pub place: Option<String>,
    /// When.
    pub date: Option<String>,
}

/// What was found: the finding and all checks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Found {
    /// Whether the table may be published.
    pub passed: bool,
    /// What holds, at its weakest.
    pub sentence: Said,
    /// Why it is no more.
    pub why: Option<Said>,
    /// The attacker against whom it holds.
    pub against: Option<Said>,
    /// Those against whom it does not hold.
    pub against_not: Option<Said>,
    /// How many people are published, and how many are not.
    pub published: Option<Said>,
    /// The checks of the audit.
    pub checks: Vec<Check>,
}

/// What is guaranteed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guarantee {
    /// The privacy model with its parameter.
    pub model: Model,
    /// Conditions on the values of the first sensitive column.
    pub conditions: Vec<ConditionReport>,
    /// The same of further sensitive columns.
    pub conditions_of: Vec<ConditionsOf>,
    /// Sets of quasi-identifiers with a larger k.
    pub sets: Vec<SetReport>,
    /// Its exact words and limits.
    pub words: Vec<Said>,
    /// The place in a series of releases.
    pub series: Option<SeriesPlace>,
}

/// Conditions on a further sensitive column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConditionsOf {
    /// The column.
    pub column: String,
    /// The conditions.
    pub conditions: Vec<ConditionReport>,
}

/// A threshold of risk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Threshold {
    /// The probability.
    pub probability: f64,
    /// Who goes by it.
    pub source: Said,
}

/// Risk before and after.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exposed {
    /// What is counted.
    pub counts: Counts,
    /// Of the source, by the quasi-identifiers as they stand there; `null` where it was not computed (out of core).
    pub before: Option<RiskFigures>,
    /// Of the published table. Made-up records count as people.
    pub after: RiskFigures,
    /// An attacker who does not know who is in the table: largest probability; `null` where no population is known.
    pub journalist: Option<f64>,
    /// Largest share of a sensitive value in a group.
    pub highest_attribute_disclosure: Option<f64>,
}

/// What figures of risk count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counts {
    /// Records.
    Records,
    /// Persons, who may have several rows.
    Persons,
}

/// Risk for an attacker who knows the quasi-identifiers of a person and that the person is in the table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RiskFigures {
    /// The smallest group of equal quasi-identifiers; for rows of their own the fewest rows that may be one record.
    pub smallest: usize,
    /// How many are alone in their group.
    pub alone: usize,
    /// Probability for the most exposed one.
    pub highest: f64,
    /// Its mean.
    pub mean: f64,
    /// How many are above the threshold.
    pub at_risk: usize,
    /// Their share.
    pub at_risk_share: f64,
}

/// One of the three questions of the Article 29 Working Party (WP 216).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Criterion {
    /// Finding a person's row.
    SinglingOut,
    /// Connecting rows with another list of the same people.
    Linkability,
    /// Learning a value.
    Inference,
}

/// What an attacker reaches of one of the three.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Criteria {
    /// Which.
    pub criterion: Criterion,
    /// What is risked.
    pub risk: Said,
    /// How far it goes.
    pub reached: Said,
    /// The same in numbers.
    pub figures: Figures,
    /// For which attacker.
    pub attacker: Option<Said>,
}

/// Numbers of one of the three; those that do not apply, or that the report does not have, are `null`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figures {
    /// How many stand alone.
    pub alone: Option<usize>,
    /// Among how many everybody is, at least.
    pub among: Option<usize>,
    /// Of how many a value is certain.
    pub told: Option<usize>,
    /// How many are expected to be found.
    pub expected: Option<f64>,
    /// Share of the people who are matched rightly, at most.
    pub share: Option<f64>,
    /// Probability for the most exposed one.
    pub probability: Option<f64>,
}

impl Figures {
    /// Everybody is among so many.
    #[must_use]
    pub fn one_of(among: usize) -> Self {
        Self { among: Some(among), ..Self::sure(1.0 / among.max(1) as f64) }
    }

    /// The most exposed one is found, or guessed, with this probability.
    #[must_use]
    pub fn sure(probability: f64) -> Self {
        Self { probability: Some(probability), ..Self::default() }
    }
}

/// What was lost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lost {
    /// The loss that was minimised.
    pub loss: Loss,
    /// What was reached.
    pub reached: f64,
    /// 100 SSE / SST.
    pub information_loss_percent: Option<f64>,
    /// Mean certainty penalty of a published cell, 0 to 1.
    pub certainty_penalty: Option<f64>,
    /// Percent of the loss that could be avoided at most; `null` if nothing is proven.
    pub gap_percent: Option<f64>,
}

/// The files of the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Files {
    /// The file that was read, and SHA-256 of the private salt and its digest.
    pub source: File,
    /// The published table.
    pub table: File,
    /// The report; `null` if it was not written.
    pub report: Option<File>,
    /// The ledger after this release; `null` for a table that is released once. Of a sealed one the digest is of what was sealed.
    pub ledger: Option<File>,
    /// The short code of these digests.
    pub code: String,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Its name without its folder; `null` for standard input and output.
    pub name: Option<String>,
    /// SHA-256, in hexadecimal digits; `null` if there is none.
    pub sha256: Option<String>,
}

/// By what, when and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Computed {
    /// UTC, as in `2026-05-01T14:03:22Z`.
    pub at: String,
    /// What carried out the run.
    pub program: Program,
    /// Its version.
    pub version: String,
    /// Revision of its algorithms.
    pub revision: u32,
    /// The method by its name.
    pub method: String,
    /// What the method did.
    pub explanation: Said,
    /// Whether the same source, settings and seed give the same bytes again.
    pub reproducible: bool,
    /// Where the classes were computed.
    #[serde(rename = "where")]
    pub place: Option<Searched>,
    /// What was sent elsewhere for that, and before in the same session.
    pub sent: Vec<Sent>,
}

/// What carries out a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Program {
    /// The command line.
    #[default]
    CommandLine,
    /// The page, in a browser.
    Page,
}
