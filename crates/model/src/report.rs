//! The publishable report and the private record of a run.
//!
//! [`Report`] holds nothing that narrows down a person: no input hash, no seed, no raw statistic, no count from
//! before a repair, no row number. [`Private`] holds what the data holder needs to explain and repeat the run.
//!
//! Where counterfeits were added, a figure of the real records alone is an equation in the number of counterfeits of each
//! class. The report then has the loss to two significant digits and no other figure that the published table does not
//! show; the report with all figures is in [`Private::exact`].

use std::{collections::BTreeMap, sync::Arc};

use lookalike_words::Said;
use serde::{Deserialize, Serialize};

use crate::{
    assessment::{Disclosure, Exposure, Informed, Statistic, Utility},
    job::{BoundOf, Status},
    ledger::{Chained, Mode, Vacancies},
    proof::ColumnWork,
    rule::ValueCondition,
    sent::{Searched, Sent},
    settings::{Loss, MethodName, MissingPolicy, Model, Publish, Settings},
    unchanged::UnchangedReport,
};
pub use crate::{
    dialect::{Dialect, Formulas, LineEnds, Separator},
    reader::Reader,
};

/// Version of the shape of `report.json`.
pub const REPORT_VERSION: u32 = 2;

/// `report.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`REPORT_VERSION`].
    pub schema_version: u32,
    /// Size of the published table.
    pub input: InputSize,
    /// The guarantee.
    pub model: Model,
    /// Conditions on the sensitive values of every class and group, beside the guarantee.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<ConditionReport>,
    /// Further sensitive columns, whose cells are published as they are, with the conditions on them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<FurtherReport>,
    /// Sets of quasi-identifiers with a larger k.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<SetReport>,
    /// Risk in the population of which the records are a sample, and that of households; `None` if neither is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<SampleReport>,
    /// The attacker against whom it holds, and the one against whom it does not; says nothing in older reports.
    #[serde(default)]
    pub against: Said,
    /// What a class costs.
    pub loss: Loss,
    /// How classes were found.
    pub method: MethodUsed,
    /// How classes are published.
    pub publish: Publish,
    /// Version of the software.
    pub version: String,
    /// [`crate::REVISION`] of the algorithms; 0 in reports of earlier versions, which do not say.
    #[serde(default)]
    pub revision: u32,
    /// Threads that the search was given.
    pub threads: usize,
    /// Which solver answered the eligibility programme, or `null` when none was needed.
    pub lp_backend: Option<String>,
    /// The loss that was reached.
    pub objective: Objective,
    /// A proven lower bound, or `null`: nothing is proven (0 is no bound of a loss above 0), or counterfeits were added.
    pub bound: Option<ReportBound>,
    /// What another machine says of the search and this one has not checked; `None` if no other machine took part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claimed: Option<ReportClaim>,
    /// Sizes of the classes.
    pub classes: Classes,
    /// Persons, where these may have several rows: classes and risks then count persons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persons: Option<PersonsReport>,
    /// What was changed so that the guarantee is possible.
    pub changes: Changes,
    /// What counts as missing, and what became of it.
    #[serde(default)]
    pub missing: MissingReport,
    /// What the audit found in the published bytes.
    pub audit: Audit,
    /// Risk figures of the published table.
    pub risk: Risk,
    /// What an attacker gains who knows columns that are published unchanged; `None` if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unchanged: Option<UnchangedReport>,
    /// What the repair for eligibility discloses; `null` under k-anonymity.
    pub disclosure: Option<Disclosure>,
    /// How useful the published table is.
    pub utility: Utility,
    /// Seconds by phase.
    pub seconds: Seconds,
    /// Why the search stopped; `null` if counterfeits were added, since what is proven of the loss depends on where they
    /// are.
    pub status: Option<Status>,
    /// Whether the same input, settings, seed and revision give the same bytes again: no clock and no person had a part in
    /// how the search went.
    pub reproducible: bool,
    /// What the reader should know.
    pub warnings: Vec<Said>,
    /// The place in a series of releases, if it is one of a series.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<SeriesPlace>,
    /// What holds in place of the model's guarantee where each record has a generalised row of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub freeform: Option<FreeformReport>,
    /// The level of each column, where one was chosen for the whole column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_domain: Option<FullDomainReport>,
    /// Where the classes were computed; `None` in reports of earlier versions, which do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub searched: Option<Searched>,
    /// SHA-256 of the published table, of all its bytes, in hexadecimal digits; `None` in reports of earlier versions, which do not
    /// say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table_sha256: Option<String>,
}

impl Report {
    /// Whether classes keep conditions on sensitive values beside the guarantee.
    #[must_use]
    pub fn has_conditions(&self) -> bool {
        !self.conditions.is_empty() || !self.further.is_empty()
    }

    /// Whether sensitive values that persons hold together count as one: what is proven is then of partitions by groups of
    /// values.
    #[must_use]
    pub fn links_values(&self) -> bool {
        self.persons.and_then(|persons| persons.linked).is_some_and(|linked| linked.are_several())
    }
}

/// A condition on the sensitive values of every class and group.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConditionReport {
    /// The condition, with the parameter that was asked for.
    pub condition: ValueCondition,
    /// What the worst class or group of the published table reaches; `null` where no number says it.
    pub reached: Option<f64>,
}

/// A further sensitive column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FurtherReport {
    /// Its name.
    pub column: String,
    /// The conditions on its values.
    pub conditions: Vec<ConditionReport>,
    /// Largest share of one of its values in a group of equal published quasi-identifiers: so surely it is guessed at worst.
    pub highest_disclosure: f64,
    /// Records whose value is certain to whoever knows the value of the first sensitive column, too; `None` if there is no such column, and in
    /// reports of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<usize>,
}

/// Risk of re-identification in the population of which the records are a sample, for whoever knows the quasi-identifiers of its people and not who was
/// asked. To two significant digits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SampleReport {
    /// The column with the sampling weights; without one each record stands for itself.
    pub weight: Option<String>,
    /// How many people the published records stand for.
    pub people: f64,
    /// How many people the records stand for that are left out.
    pub left_out: f64,
    /// Risk of the most exposed record.
    pub highest: f64,
    /// Mean over the records.
    pub mean: f64,
    /// Records that an attacker who tries all of them is expected to re-identify.
    pub expected: f64,
    /// Households, if the settings name their key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub households: Option<HouseholdReport>,
}

/// Risk that a household is found by one of its members, who are linked to each other. To two significant digits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HouseholdReport {
    /// The column with their key.
    pub column: String,
    /// How many there are.
    pub households: usize,
    /// Risk of the most exposed one.
    pub highest: f64,
    /// Mean over the records, each with the risk of its household.
    pub mean: f64,
    /// Records that are expected to be in a household that is found.
    pub expected: f64,
}

/// Quasi-identifiers that are known without the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetReport {
    /// The columns.
    pub columns: Vec<String>,
    /// So many published records were to be alike in them.
    pub k: usize,
    /// How many are, at least.
    pub smallest: usize,
    /// Groups of records that are alike in them.
    pub groups: usize,
}

/// What holds where each record has a generalised row of its own, instead of k-anonymity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FreeformReport {
    /// The guarantee that holds.
    pub guarantee: Said,
    /// Fewest published rows that may be one record, for an attacker who knows all original quasi-identifiers.
    pub least_matches: usize,
    /// Fewest rows that are published alike. Below k: the table itself is not k-anonymous.
    pub smallest_group: usize,
}

/// Columns that are published at one level each (full-domain recoding).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FullDomainReport {
    /// The level of each quasi-identifier.
    pub columns: Vec<ColumnLevel>,
    /// Records that are suppressed, since too few are published alike with them or these break a condition.
    pub suppressed: usize,
    /// Most records that may be suppressed.
    pub most_suppressed: usize,
    /// What a suppressed record costs; 1 is all that a record can lose.
    pub price: f64,
    /// What was minimised: the loss of the published records, and the price of the suppressed ones.
    pub cost: f64,
    /// What no choice of levels costs less than; `null` if nothing is proven.
    pub bound: Option<f64>,
    /// Choices of levels there are.
    pub nodes: u64,
    /// Choices that were looked at.
    pub looked_at: u64,
    /// Whether all others are excluded by proof, so that none costs less.
    pub complete: bool,
}

/// The level at which a column is published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnLevel {
    /// The column.
    pub column: String,
    /// Its level: 0 is the values themselves.
    pub level: usize,
    /// The coarsest level of its hierarchy.
    pub highest: usize,
}

/// The place of a release in a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeriesPlace {
    /// Number of the release, from 1.
    pub release: u32,
    /// Which updates are expected, and with them what is promised.
    pub mode: Mode,
    /// What takes the places of people who left; reports of earlier versions do not say.
    #[serde(default)]
    pub vacancies: Vacancies,
}

/// Rows and columns of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputSize {
    /// Rows that were published, counterfeits not among them (the count before drops is private).
    pub rows: usize,
    /// Published columns, `class` not counted.
    pub columns: usize,
}

/// How classes were found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodUsed {
    /// What was asked for.
    pub name: MethodName,
    /// What was done; only that it is not told if counterfeits were added.
    pub explanation: Said,
    /// The parameters of the search that are not the defaults: name and value, such as `local.annealing.end` and `0.02`.
    /// Without them a run with the same settings gives other classes.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, String>,
}

/// The loss that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Objective {
    /// The loss that was minimised.
    pub loss: Loss,
    /// Its value; to two significant digits if counterfeits were added, and the other figures then follow from it or are
    /// `null`.
    pub value: f64,
    /// Sum of squared errors within classes, real records only, z-scored.
    pub sse: Option<f64>,
    /// Sum of squared errors of the whole table.
    pub sst: Option<f64>,
    /// 100 sse / sst; 0 when sst is 0.
    pub information_loss_percent: Option<f64>,
    /// Normalised certainty penalty of the classes as they are published, with the weights of the loss, summed over the real
    /// records; `null` where it is not that of the published table. [`Utility::ncp_total`] is another figure: columns count
    /// alike there.
    pub ncp_total: Option<f64>,
    /// Its mean over the real records, 0 to 1.
    pub gcp_mean: Option<f64>,
}

/// A proven lower bound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReportBound {
    /// The loss it bounds.
    pub loss: Loss,
    /// No partition loses less; at most the loss that was reached.
    pub value: f64,
    /// 100 value / sst.
    pub information_loss_percent: Option<f64>,
    /// 100 (reached - bound) / reached, 0 to 100; 0 when reached is 0.
    pub gap_percent: f64,
    /// The proof.
    pub proven_by: Said,
    /// What it is a bound of.
    #[serde(with = "of")]
    pub of: BoundOf,
    /// What was done for it; `None` where it took no column generation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<ColumnWork>,
}

/// What another machine says of the search and this one has not checked. It proves nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReportClaim {
    /// The lower bound it claims. `None` if it claims none, if its bound was checked, or if counterfeits were added: with
    /// all its digits it would help to tell them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    /// What it is a bound of.
    #[serde(with = "of")]
    pub of: BoundOf,
}

/// What a bound is of, as reports have it: "whole problem" or "decomposed problem".
mod of {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    use super::BoundOf;

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
    pub(super) fn serialize<S: Serializer>(of: &BoundOf, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(of.words())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BoundOf, D::Error> {
        let words = String::deserialize(deserializer)?;
        let all = [BoundOf::WholeProblem, BoundOf::DecomposedProblem];
        let of = all.into_iter().find(|of| of.words() == words);
        of.ok_or_else(|| D::Error::custom(format!("a bound is not of \"{words}\"")))
    }
}

/// Sizes of the classes; counterfeits count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Classes {
    /// Number of classes.
    pub count: usize,
    /// Smallest class.
    pub min_size: usize,
    /// Largest class.
    pub max_size: usize,
    /// Median size.
    pub median_size: f64,
    /// Fewest real records in a class; `null` if counterfeits were added.
    pub min_real: Option<usize>,
    /// Classes with a single real record, whose values are published as they are; `null` if counterfeits were added.
    pub single_real: Option<usize>,
}

/// Persons who may have several rows. The number of rows of a person is not hidden: the last four figures say how far it
/// tells who somebody is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PersonsReport {
    /// Persons that are published.
    pub count: usize,
    /// Persons that were suppressed, with all their rows, for the price of a record.
    #[serde(default)]
    pub suppressed: usize,
    /// Fewest persons of a class.
    pub min_in_class: usize,
    /// Most persons of a class.
    pub max_in_class: usize,
    /// Squared errors of all rows within the published classes, in the coordinates of the loss, which is over persons.
    pub sse_of_rows: f64,
    /// Squared errors of all rows of the table.
    pub sst_of_rows: f64,
    /// Under m-invariance how sensitive values are linked by persons who hold several of them; left out if persons were
    /// suppressed for the price of a record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linked: Option<LinkedValues>,
    /// Most rows of a person.
    pub most_rows: usize,
    /// Largest share of the rows of a class that are one person's; to two significant digits.
    pub largest_share: f64,
    /// Persons whose number of rows nobody else has who is published with the same quasi-identifiers.
    pub alone_by_rows: usize,
    /// Groups of equal published quasi-identifiers in which no two persons have the same number of rows.
    pub groups_told_by_rows: usize,
}

/// Sensitive values that are linked by persons who hold them together, and count as one to the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkedValues {
    /// Different sensitive values.
    pub values: usize,
    /// Groups of values that are linked; a value that is linked with no other is one.
    pub groups: usize,
    /// Most values of a group.
    pub largest: usize,
}

impl LinkedValues {
    /// Whether any two values count as one: what is proven is then of partitions by groups of values.
    #[must_use]
    pub const fn are_several(&self) -> bool {
        self.groups < self.values
    }
}

/// What was changed so that the guarantee is possible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes {
    /// Counterfeit records added.
    pub counterfeits: usize,
    /// Records deleted for eligibility.
    pub deletions: usize,
    /// Records dropped for missing values.
    pub suppressed: usize,
    /// Records suppressed since their classes would have lost more than their price.
    #[serde(default)]
    pub suppressed_for_loss: usize,
    /// Real records that each class was to have beside counterfeits, if more than one; not in a report that is published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_real: Option<usize>,
}

/// What counts as missing, and what became of it; nothing that the published table does not show.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingReport {
    /// Cell contents, after trimming, that mean "not known".
    pub markers: Vec<String>,
    /// The published columns, in their order.
    pub columns: Vec<MissingColumn>,
}

/// What became of the missing cells of a published column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingColumn {
    /// Its name.
    pub column: String,
    /// Error: the input has none. Drop: their rows are not published. Value: "missing" is a value of its own.
    pub policy: MissingPolicy,
    /// Published rows that say "missing" here, alone or among other values.
    pub rows: usize,
}

/// The missing cells of a column of the input: private.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingCounts {
    /// Its name.
    pub column: String,
    /// What happened to their rows.
    pub policy: MissingPolicy,
    /// Missing cells of the input.
    pub cells: usize,
    /// Rows that were dropped for this column; a row may be counted for several.
    pub dropped: usize,
}

/// What the audit found in the published bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Audit {
    /// All checks hold.
    pub passed: bool,
    /// The checks, in order.
    pub checks: Vec<Check>,
    /// Who read the bytes; [`Reader::General`] in older reports.
    #[serde(default)]
    pub reader: Reader,
    /// The form of the published bytes; commas, line feeds and no byte-order mark where nothing is said.
    #[serde(default, skip_serializing_if = "Dialect::is_plain")]
    pub dialect: Dialect,
}

/// One check of the audit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// What was checked.
    pub name: Said,
    /// Whether it holds.
    pub passed: bool,
    /// What was found, with the worst case.
    pub finding: Said,
}

/// Risk figures of the published table, for an attacker who knows the quasi-identifiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Risk {
    /// Size of the smallest group of equal published quasi-identifiers.
    pub smallest_group: usize,
    /// 1 / `smallest_group`: the most exposed record is re-identified with at most this probability.
    pub highest_reidentification: f64,
    /// Number of groups / number of records: the mean over all records.
    pub mean_reidentification: f64,
    /// Largest share of one sensitive value within a group, when there is a sensitive column.
    pub highest_attribute_disclosure: Option<f64>,
    /// The same among the records of a group whose sensitive value is known: for an attacker who rules "missing" out.
    /// `None` if none is missing, and in reports of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highest_known_disclosure: Option<f64>,
    /// The same where values that people read as one are one: equal numbers, and what differs in white space, case or hyphens only. `None` if no two
    /// are, and in reports of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highest_alike_disclosure: Option<f64>,
    /// Records that are alone in their group.
    pub uniques: usize,
    /// An attacker who knows that a person is in the table.
    pub prosecutor: Exposure,
    /// An attacker who does not; the same while nothing is known of the population.
    pub journalist: Exposure,
    /// Expected share of records that are matched with the right person.
    pub marketer: f64,
    /// Share of the population in the table; 1 if nothing is known.
    pub sample_fraction: f64,
    /// Above this probability a record counts as at risk.
    pub threshold: f64,
}

/// Seconds by phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Seconds {
    /// Roles, missing values, encoding, eligibility.
    pub prepare: f64,
    /// Search.
    pub solve: f64,
    /// Recoding and writing of bytes.
    pub recode: f64,
    /// Audit.
    pub audit: f64,
}

/// `private.json`. Its first field says what it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Private {
    /// Why not; first, so that nobody overlooks it.
    #[serde(rename = "do not publish")]
    pub notice: String,
    /// Version of the software.
    pub version: String,
    /// The settings, seed included.
    pub settings: Settings,
    /// Keyed hash of the input (BLAKE3, key derived from the seed).
    pub input_hash: String,
    /// Rows of the input file.
    pub input_rows: usize,
    /// Fate of each row that was not published as it is: 0-based data row and reason.
    pub fates: Vec<Fate>,
    /// Missing cells of the input, by column.
    #[serde(default)]
    pub missing: Vec<MissingCounts>,
    /// Counterfeits: sensitive value and class.
    pub counterfeits: Vec<Counterfeit>,
    /// The report with all figures, where the publishable one does not have them: counterfeits were added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<Box<Report>>,
    /// What the repair discloses to an attacker who knows the numbers of each value.
    pub informed: Option<Informed>,
    /// How means and variances changed.
    pub statistics: Vec<Statistic>,
    /// How exposed the people of the source were before anything was done, to somebody who knows the quasi-identifiers as they
    /// stand there; `None` in records of earlier versions and of runs out of core.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_risk: Option<Risk>,
    /// What is odd in the input, with row numbers.
    pub warnings: Vec<Said>,
    /// Details of failed checks: which rows and classes.
    pub witnesses: Vec<Said>,
    /// What was said of the first row of the file: it names the columns (`true`), or it is a record. `None` if nobody said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<bool>,
    /// In a series of releases what changed since the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<SeriesUpdates>,
    /// BLAKE3 of the ledger before this release as compact JSON, from the second release on: what its file calls `checksum`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ledger_before: Option<String>,
    /// The same of the ledger after this release; `None` in records of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ledger_after: Option<String>,
    /// The chain of its series after this release; `None` for a table that is released once, and in records of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain: Option<Chained>,
    /// Columns of the input that are not published, in its order.
    #[serde(default)]
    pub unpublished_columns: Vec<String>,
    /// What was sent elsewhere for the search; `None` if the classes were computed here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent: Option<Sent>,
    /// What was sent elsewhere before in the same session, for other results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sent_before: Vec<Sent>,
    /// What shows that a statement is about this source; `None` in records of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceDigest>,
}

/// The digest of a source, and the salt with which a statement names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceDigest {
    /// SHA-256 of the text that was read, in hexadecimal digits: of a CSV file in UTF-8 that is read from its first byte on, that of
    /// the file.
    pub sha256: String,
    /// Random hexadecimal digits, drawn anew for each run; empty until the host of the run has drawn them. A statement has the SHA-256
    /// of these digits followed by those above: without the salt no guess about the source can be tried.
    #[serde(default)]
    pub salt: String,
}

/// What changed since the last release of a series: private.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeriesUpdates {
    /// Number of this release, from 1.
    pub release: u32,
    /// Individuals that were never published before.
    pub new: usize,
    /// Individuals of the last release with the same value.
    pub stayed: usize,
    /// Individuals that are back with the value they had last.
    pub back: usize,
    /// Individuals with another value than before.
    pub changed: usize,
    /// Individuals of the last release that are gone.
    pub gone: usize,
    /// New records that wait for a later release.
    pub waiting: usize,
    /// Counterfeits that fill classes of old records.
    pub balancing: usize,
    /// Fewest values left for a published individual to an attacker who believes that values never change, and
    /// intersects the signatures of all releases; `None` if nobody's value changed.
    pub believer: Option<usize>,
    /// Individuals of this release whose value changed in it or before.
    #[serde(default)]
    pub ever_changed: usize,
    /// Those of them for whom this attacker is left with one value.
    #[serde(default)]
    pub left_with_one: usize,
}

/// Why a row is not published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fate {
    /// 0-based data row of the input.
    pub row: usize,
    /// "dropped: age is missing", "deleted for eligibility: ..."; many rows share one.
    #[serde(with = "shared")]
    pub reason: Arc<Said>,
}

/// A reason as it is written, for each row anew.
mod shared {
    use std::sync::Arc;

    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    use super::Said;

    pub(super) fn serialize<S: Serializer>(reason: &Arc<Said>, serializer: S) -> Result<S::Ok, S::Error> {
        reason.as_ref().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<Said>, D::Error> {
        Said::deserialize(deserializer).map(Arc::new)
    }
}

/// A counterfeit record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counterfeit {
    /// Its sensitive value.
    pub sensitive: String,
    /// The class label in the published table.
    pub class: u32,
    /// The 0-based input row that its quasi-identifiers were drawn from, if it has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drawn_from: Option<usize>,
}
