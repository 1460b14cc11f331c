//! What the user asks for.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use crate::dialect::{ClassColumn, Formulas, LineEnds, Output, Separator};
pub use crate::domain::Domain;
pub use crate::kind::Kind;
pub use crate::method::{
    Bubble, Carried, CarryOptions, ColumnGenerationOptions, Construction, DecomposeOptions, Extent,
    FreeformMethod, InBlocks, Method, MethodAsked, MethodName, MethodOption, Misplaced, SortOrder, SubSolver,
};
#[cfg(feature = "openapi")]
pub use crate::method::{ConstructionForm, MethodForm};
pub use crate::rule::{Share, ValueCondition};

/// Everything that decides a run, apart from the table itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Columns that an attacker may know. Never empty in a valid run.
    pub quasi: Vec<String>,
    /// The column whose values are to be protected; needed by m-invariance.
    pub sensitive: Option<String>,
    /// Columns that are published although they have no role; they are audited as quasi-identifiers.
    #[serde(default)]
    pub keep: Vec<String>,
    /// Columns that are published cell by cell as they are. They are no quasi-identifiers: the guarantee holds against an attacker
    /// who does not know them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unchanged: Vec<String>,
    /// Kinds that overrule what is inferred from the cells, by column name.
    #[serde(default)]
    pub kinds: BTreeMap<String, Kind>,
    /// Values of ordered columns from least to greatest, by column name; such a column is ordinal.
    #[serde(default)]
    pub orders: BTreeMap<String, Vec<String>>,
    /// Digits to which cells are filled up on the left with zeros while the table is read, by column name; such a column is one of
    /// labels unless it has an order.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub pad: BTreeMap<String, u8>,
    /// Labels by the codes that stand for them, which are put in place of the codes while the table is read, by column name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, BTreeMap<String, String>>,
    /// The guarantee.
    pub model: Model,
    /// Conditions on how the sensitive values of every class are distributed, beside k-anonymity; all of them must hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<ValueCondition>,
    /// The same of further sensitive columns, by column: their cells are published as they are ([`Settings::unchanged`]), and every
    /// class keeps these conditions on them, too.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub conditions_of: BTreeMap<String, Vec<ValueCondition>>,
    /// Sets of quasi-identifiers with a larger k, beside the guarantee, which is for an attacker who knows them all; with
    /// [`Scheme::Classes`] no two of them have a common column.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<QuasiSet>,
    /// What a record stands for in the population: for the figures of risk.
    #[serde(default, skip_serializing_if = "Sample::is_none")]
    pub sample: Sample,
    /// Whether each class is generalised by itself, or each column as a whole.
    #[serde(default, skip_serializing_if = "Scheme::is_usual")]
    pub scheme: Scheme,
    /// What a class costs.
    #[serde(default)]
    pub loss: Loss,
    /// Weight of each quasi-identifier in the loss; empty means equal. Non-negative, sum 1.
    #[serde(default)]
    pub weights: BTreeMap<String, f64>,
    /// How classes are found, and what the method is told.
    #[serde(default)]
    pub method: Method,
    /// How a class is published.
    #[serde(default)]
    pub publish: Publish,
    /// Columns that are published in another form than `publish` says.
    #[serde(default)]
    pub publish_columns: BTreeMap<String, Publish>,
    /// Generalisation hierarchies by column name: a row a value, with its generalisations from fine to coarse.
    #[serde(default)]
    pub hierarchies: BTreeMap<String, Vec<Vec<String>>>,
    /// Top and bottom coding by column name.
    #[serde(default)]
    pub coding: BTreeMap<String, Coding>,
    /// The values that columns may have, by column name: the denominators of the certainty penalty.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub domains: BTreeMap<String, Domain>,
    /// Whether whole records may be left out instead of widening classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suppress: Option<Suppress>,
    /// What to do when the table is not m-eligible.
    #[serde(default)]
    pub eligibility: Repair,
    /// How that is done.
    #[serde(default)]
    pub changes: ChangeOptions,
    /// Which cells count as missing, and what happens to them.
    #[serde(default)]
    pub missing: Missing,
    /// What a row of the table is; `None` asks where a column looks like the key of a person and has a value twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows_are: Option<RowsAre>,
    /// The form of the published table as a file; as in the input where nothing is said.
    #[serde(default, skip_serializing_if = "Output::is_as_input")]
    pub output: Output,
    /// The column with the class labels.
    #[serde(default, skip_serializing_if = "ClassColumn::is_usual")]
    pub class_column: ClassColumn,
    /// Above which probability of being found a record counts as at risk; [`USUAL`](crate::threshold::USUAL) where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk_threshold: Option<f64>,
    /// How long to search.
    #[serde(default)]
    pub budget: Budget,
    /// How much work a bound is worth that comes beside the search.
    #[serde(default, skip_serializing_if = "BoundWork::is_usual")]
    pub bound: BoundWork,
    /// Whether the duals behind the bound are wanted, for a certificate.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub duals: bool,
    /// Seed of every random choice; `None` asks the caller for entropy from the operating system.
    #[serde(default)]
    pub seed: Option<u64>,
}

impl Settings {
    /// Whether a condition goes by the hierarchy of this sensitive column's values.
    #[must_use]
    pub fn goes_by_hierarchy(&self, column: &str) -> bool {
        let own = self.sensitive.as_ref().is_some_and(|name| name == column);
        let own = if own { self.conditions.as_slice() } else { &[] };
        let further = self.conditions_of.get(column).into_iter().flatten();
        own.iter().chain(further).any(ValueCondition::is_hierarchical)
    }

    /// Whether classes keep conditions on sensitive values beside the guarantee.
    #[must_use]
    pub fn has_conditions(&self) -> bool {
        !self.conditions.is_empty() || !self.conditions_of.is_empty()
    }

    /// Settings that say the guarantee and nothing else.
    #[must_use]
    pub fn of(model: Model) -> Self {
        Self {
            quasi: Vec::new(),
            sensitive: None,
            keep: Vec::new(),
            unchanged: Vec::new(),
            kinds: BTreeMap::new(),
            orders: BTreeMap::new(),
            pad: BTreeMap::new(),
            labels: BTreeMap::new(),
            model,
            conditions: Vec::new(),
            conditions_of: BTreeMap::new(),
            sets: Vec::new(),
            sample: Sample::default(),
            scheme: Scheme::default(),
            loss: Loss::default(),
            weights: BTreeMap::new(),
            method: Method::default(),
            publish: Publish::default(),
            publish_columns: BTreeMap::new(),
            hierarchies: BTreeMap::new(),
            coding: BTreeMap::new(),
            domains: BTreeMap::new(),
            suppress: None,
            eligibility: Repair::default(),
            changes: ChangeOptions::default(),
            missing: Missing::default(),
            rows_are: None,
            output: Output::default(),
            class_column: ClassColumn::default(),
            risk_threshold: None,
            budget: Budget::default(),
            bound: BoundWork::default(),
            duals: false,
            seed: None,
        }
    }

    /// Above which probability of being found a record counts as at risk.
    #[must_use]
    pub fn threshold(&self) -> f64 {
        self.risk_threshold.unwrap_or(crate::threshold::USUAL)
    }

    /// Whether the duals behind the bound are wanted, for a certificate.
    #[must_use]
    pub const fn wants_duals(&self) -> bool {
        self.duals || self.method.wants_duals()
    }
}

/// What a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Names a person; never published.
    Identifier,
    /// An attacker may know it.
    QuasiIdentifier,
    /// To be protected.
    Sensitive,
    /// No role, but published, and audited as a quasi-identifier.
    Keep,
    /// Published cell by cell as it is; the guarantee does not count on an attacker who knows it.
    Unchanged,
}

/// The guarantee that every published record gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "name", deny_unknown_fields)]
pub enum Model {
    /// First release of an m-invariant series: every class holds at least `m` records, all with different
    /// sensitive values (m-unique; Tobar 2023, Definition II.1).
    MInvariance {
        /// Least number of different sensitive values in a class, at least 2.
        m: usize,
    },
    /// Every record shares its published quasi-identifiers with at least `k - 1` others.
    KAnonymity {
        /// Least class size, at least 2.
        k: usize,
    },
}

/// What is generalised alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheme {
    /// The records of a class: one value may be published in different ways.
    #[default]
    Classes,
    /// All records: each column is published at one level of its hierarchy (full-domain recoding).
    FullDomain,
}

/// What a record of a sample stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Sample {
    /// The column that says for how many people of the population a record stands (sampling weight); published as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<String>,
    /// The column with the key of a record's household.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub household: Option<String>,
}

impl Sample {
    /// Whether nothing is said.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.weight.is_none() && self.household.is_none()
    }
}

/// Quasi-identifiers that an attacker may know without the others, and how many records are alike in them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct QuasiSet {
    /// The columns.
    pub columns: Vec<String>,
    /// At least so many records share each combination of their published cells; more than the guarantee's k.
    pub k: usize,
}

impl Scheme {
    /// Whether it is what is meant where nothing is said.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// The loss of a class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Loss {
    /// Sum of squared distances to the centroid, over z-scored attributes.
    #[default]
    Sse,
    /// Normalised certainty penalty: for each record the widths of its class, as parts of the whole range, and for a
    /// category the number of further values in the class over the size of the domain; times the weights.
    Ncp,
    /// As [`Loss::Ncp`], a category being as many binaries as it has values, each of weight 1/|domain|: c >= 2 values
    /// cost c/|domain| instead of (c - 1)/|domain|.
    NcpBinary,
}

/// How the quasi-identifiers of a class are published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Publish {
    /// Numbers as `[18-20]`, labels as `{FLU, HIV}`.
    #[default]
    Range,
    /// Numbers and labels as sets of the values that occur.
    Set,
    /// Numbers in two columns, `age_min` and `age_max`: the ends of their range, equal where it is one value; labels as sets.
    MinMax,
    /// The same with `age_mid` beside, the middle of the range; ordered labels have none.
    MinMaxMid,
    /// Numbers as their mean, rounded to the column's own resolution; labels as sets.
    Centroid,
    /// Columns with a hierarchy as the lowest common generalisation of their values; others as with
    /// [`Publish::Range`].
    Hierarchy,
}

impl Publish {
    /// Whether a range is published as two columns.
    #[must_use]
    pub fn is_in_two(self) -> bool {
        matches!(self, Self::MinMax | Self::MinMaxMid)
    }
}

/// Top and bottom coding of a column of numbers: what lies at or beyond a limit is published as `<=20`, `>=90`, and
/// counts in the loss as the limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Coding {
    /// Numbers of at most this are coded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bottom: Option<f64>,
    /// Numbers of at least this are coded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top: Option<f64>,
}

/// Suppression of whole records as an alternative to wide classes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suppress {
    /// What each suppressed record costs, in units of the loss; above 0. `None`: with [`Scheme::FullDomain`] all that a record can
    /// lose; with classes the least price at which no more records are suppressed than may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<f64>,
    /// How many may be suppressed; `None` is no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// The same as a share of the records (of the persons, where these have several rows), 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
}

impl Suppress {
    /// How many of so many records may be suppressed. A share is rounded down.
    #[must_use]
    pub fn most(&self, records: usize) -> usize {
        // What rounding has made of a whole number is one.
        let of_share = |share: f64| (share * records as f64 + 1e-9).floor().max(0.0) as usize;
        self.limit.unwrap_or(usize::MAX).min(self.share.map_or(usize::MAX, of_share)).min(records)
    }
}

/// What to do when the table is not m-eligible, that is, when one sensitive value is held by more than 1/m of
/// the records (Tobar 2024).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Repair {
    /// Stop and say so.
    #[default]
    Error,
    /// Add the fewest counterfeit records.
    Add,
    /// Delete the fewest records.
    Delete,
    /// Add and delete so that the number of changes is least.
    Hybrid,
}

/// How a table is made m-eligible.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChangeOptions {
    /// Whether counterfeits have quasi-identifiers.
    pub counterfeit_points: CounterfeitPoints,
    /// Which records of a value are deleted.
    pub delete: DeletionChoice,
    /// Sensitive values in the order in which they are changed among equals; all others follow, sorted.
    pub prefer: Vec<String>,
    /// Which of several equally good hybrids is taken.
    pub ties: Ties,
    /// Which values are faked.
    pub fake: Fake,
    /// What changes cost; the hybrid minimises the sum.
    pub costs: ChangeCosts,
    /// Fewest real records of each class, where there are counterfeits; one if nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_real: Option<usize>,
    /// The largest probability that a value may have for a person, even if all counterfeits are recognised, and for a person who was
    /// deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_belief: Option<Share>,
}

impl ChangeOptions {
    /// Real records that each class is to have: what is asked for, and so many that each value has no more than the largest probability;
    /// at least 1.
    #[must_use]
    pub fn real_asked(&self) -> usize {
        // A third is 0.3333 to people.
        let for_belief = self.max_belief.map_or(1, |most| (1.0 / most.get() - 1e-3).ceil().max(1.0) as usize);
        self.min_real.unwrap_or(1).max(for_belief).max(1)
    }
}

/// Whether counterfeits have quasi-identifiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CounterfeitPoints {
    /// They have none; the class's real records decide what is published.
    #[default]
    None,
    /// Drawn from the records with the same sensitive value; the class is recoded so that it covers them.
    Drawn,
}

/// Which records of a too frequent value are deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeletionChoice {
    /// Drawn at random from the seed.
    #[default]
    Random,
    /// Those that are farthest from records with other values. Whoever knows the table can predict them.
    LeastLoss,
}

/// Which of several equally good hybrids is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ties {
    /// The one with the fewest deletions.
    #[default]
    FewestDeletions,
    /// The one with the fewest counterfeits.
    FewestAdditions,
}

/// Which values are faked, among those that have room below the largest published count and cost the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fake {
    /// The rarest ones, evenly (Algorithm 1).
    #[default]
    Rarest,
    /// The most frequent ones, as far as they have room. As many counterfeits now; later releases find records that
    /// take their places.
    Frequent,
}

/// What changes cost. The j-th change of one kind of one value costs `add + (j - 1) add_growth`, deletions alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChangeCosts {
    /// The first counterfeit of a value; at least 1.
    pub add: u64,
    /// What each further counterfeit of the same value costs more than the one before.
    pub add_growth: u64,
    /// The first deletion of a value; at least 1.
    pub delete: u64,
    /// What each further deletion of the same value costs more than the one before.
    pub delete_growth: u64,
    /// Values whose first counterfeit costs something else.
    pub add_of: BTreeMap<String, u64>,
    /// Values whose first deletion costs something else.
    pub delete_of: BTreeMap<String, u64>,
}

impl Default for ChangeCosts {
    fn default() -> Self {
        Self {
            add: 1,
            add_growth: 0,
            delete: 1,
            delete_growth: 0,
            add_of: BTreeMap::new(),
            delete_of: BTreeMap::new(),
        }
    }
}

/// Which cells count as missing, and what happens to their rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Missing {
    /// Cell contents, after trimming and in any case, that mean "not known".
    pub markers: Vec<String>,
    /// Policy for the sensitive column.
    pub sensitive: MissingPolicy,
    /// Policy for the quasi-identifiers.
    pub quasi: MissingPolicy,
    /// Policies that overrule these two, by column name.
    pub columns: BTreeMap<String, MissingPolicy>,
}

impl Default for Missing {
    fn default() -> Self {
        Self {
            markers: crate::missing::usual(),
            sensitive: MissingPolicy::Error,
            quasi: MissingPolicy::Error,
            columns: BTreeMap::new(),
        }
    }
}

/// What happens to a row with a missing cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MissingPolicy {
    /// The run stops with a message that names the cells and the choices.
    #[default]
    Error,
    /// The row is not published.
    Drop,
    /// "Missing" is a value of its own.
    Value,
}

/// What a row of the table is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowsAre {
    /// A person each, whatever a column looks like.
    People,
    /// A person each, whose key this column holds. Refused where a key occurs twice.
    Of(String),
    /// An event of a person, such as a stay or a visit; this column holds the key of the person, and persons may have several.
    /// Classes count persons, and all rows of a person are in one.
    EventsOf(String),
}

impl RowsAre {
    /// The column that holds the key of the person, if one is named.
    #[must_use]
    pub fn key(&self) -> Option<&String> {
        match self {
            Self::People => None,
            Self::Of(key) | Self::EventsOf(key) => Some(key),
        }
    }
}

/// How long to search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Budget {
    /// A number of moves in proportion to the records; the same input, seed and revision give the same answer
    /// anywhere. 5 is the default; 0 is the construction alone.
    Effort(f64),
    /// Wall-clock seconds; such a run is not reproducible, and the report says so.
    Seconds(f64),
}

impl Default for Budget {
    fn default() -> Self {
        Self::Effort(5.0)
    }
}

/// How much work a bound is worth that comes beside the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum BoundWork {
    /// None: an answer says how far it can be from the best one only where its search proves that.
    Off,
    /// Some, beside what the search takes.
    #[default]
    Quick,
    /// Many times as much, and half of a time limit.
    Full,
}

impl BoundWork {
    /// Whether it is what is meant where nothing is said.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_written_by_name_and_what_is_missing_or_unknown_is_said() {
        for (model, json) in [
            (Model::MInvariance { m: 3 }, r#"{"name":"m-invariance","m":3}"#),
            (Model::KAnonymity { k: 5 }, r#"{"name":"k-anonymity","k":5}"#),
        ] {
            assert_eq!(serde_json::to_string(&model).unwrap(), json);
            assert_eq!(serde_json::from_str::<Model>(json).unwrap(), model);
        }
        let why = |json: &str| serde_json::from_str::<Model>(json).unwrap_err().to_string();
        assert!(why(r#"{"name":"m-invariance","k":3}"#).starts_with("unknown field `k`, expected `m`"));
        assert!(why(r#"{"name":"m-invariance"}"#).starts_with("missing field `m`"));
        assert!(why(r#"{"name":"l-diversity"}"#).starts_with("unknown variant `l-diversity`, expected"));
        assert!(why(r#"{"k":3}"#).starts_with("missing field `name`"));
    }
}
