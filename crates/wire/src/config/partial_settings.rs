//! Settings that may be incomplete: what flags, fields or a file say of them.

use std::collections::BTreeMap;

use lookalike_model::settings::{
    BoundWork, Budget, ChangeCosts, ChangeOptions, ClassColumn, Coding, CounterfeitPoints, DeletionChoice,
    Domain, Fake, Kind, Loss, Method, Missing, MissingPolicy, Model, Output, Publish, QuasiSet, Repair,
    RowsAre, Sample, Scheme, Settings, Share, Suppress, Ties, ValueCondition,
};
use serde::{Deserialize, Serialize};

/// What is said of [`Settings`], in the shape in which they are written; never a seed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Told {
    /// Quasi-identifiers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quasi: Option<Vec<String>>,
    /// The sensitive column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensitive: Option<String>,
    /// Columns that are published without a role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep: Option<Vec<String>>,
    /// Columns that are published unchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unchanged: Option<Vec<String>>,
    /// Kinds by column.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub kinds: BTreeMap<String, Kind>,
    /// Values of ordered columns, from least to greatest.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub orders: BTreeMap<String, Vec<String>>,
    /// Digits to which cells are filled up on the left with zeros, by column.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub pad: BTreeMap<String, u8>,
    /// Labels by their codes, by column.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, BTreeMap<String, String>>,
    /// The guarantee.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<Model>,
    /// Conditions on sensitive values beside it: one list, not one condition after the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Vec<ValueCondition>>,
    /// Conditions on further sensitive columns, by column: a list each.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub conditions_of: BTreeMap<String, Vec<ValueCondition>>,
    /// Sets of quasi-identifiers with a larger k: one list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sets: Option<Vec<QuasiSet>>,
    /// What a record of a sample stands for.
    #[serde(skip_serializing_if = "Sample::is_none")]
    pub sample: Sample,
    /// Whether each class is generalised by itself, or each column as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheme: Option<Scheme>,
    /// What a class costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<Loss>,
    /// Weights by column.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub weights: BTreeMap<String, f64>,
    /// How classes are found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<Method>,
    /// How a class is published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publish: Option<Publish>,
    /// The same by column.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub publish_columns: BTreeMap<String, Publish>,
    /// Generalisation hierarchies by column.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub hierarchies: BTreeMap<String, HierarchyTold>,
    /// Top and bottom coding by column.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub coding: BTreeMap<String, Coding>,
    /// Declared domains by column.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub domains: BTreeMap<String, Domain>,
    /// Whether records may be left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppress: Option<Suppress>,
    /// What to do when the table is not m-eligible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eligibility: Option<Repair>,
    /// How that is done.
    #[serde(skip_serializing_if = "is_default")]
    pub changes: ChangesTold,
    /// What counts as missing.
    #[serde(skip_serializing_if = "is_default")]
    pub missing: MissingTold,
    /// What a row of the table is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows_are: Option<RowsAre>,
    /// The form of the published table as a file.
    #[serde(skip_serializing_if = "is_default")]
    pub output: Output,
    /// The column with the class labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class_column: Option<ClassColumn>,
    /// Above which probability of being found a record counts as at risk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk_threshold: Option<f64>,
    /// How long to search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
    /// How much work a bound is worth that comes beside the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<BoundWork>,
}

/// A hierarchy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum HierarchyTold {
    /// A row a value, with its generalisations from fine to coarse.
    Rows(Vec<Vec<String>>),
    /// In a file of its own.
    File {
        /// Its name, relative to the configuration's folder.
        file: String,
    },
}

/// What is said of [`ChangeOptions`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChangesTold {
    /// Whether counterfeits have quasi-identifiers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterfeit_points: Option<CounterfeitPoints>,
    /// Which records of a value are deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delete: Option<DeletionChoice>,
    /// Sensitive values in the order in which they are changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefer: Option<Vec<String>>,
    /// Which of several equally good hybrids is taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ties: Option<Ties>,
    /// Which values are faked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fake: Option<Fake>,
    /// What changes cost.
    #[serde(skip_serializing_if = "is_default")]
    pub costs: CostsTold,
    /// Fewest real records of each class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_real: Option<usize>,
    /// The largest probability of a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_belief: Option<Share>,
}

/// What is said of [`ChangeCosts`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CostsTold {
    /// The first counterfeit of a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub add: Option<u64>,
    /// What each further one costs more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub add_growth: Option<u64>,
    /// The first deletion of a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delete: Option<u64>,
    /// What each further one costs more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delete_growth: Option<u64>,
    /// Values whose first counterfeit costs something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub add_of: Option<BTreeMap<String, u64>>,
    /// Values whose first deletion costs something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delete_of: Option<BTreeMap<String, u64>>,
}

/// What is said of [`Missing`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MissingTold {
    /// Cell contents that mean "not known".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub markers: Option<Vec<String>>,
    /// Policy for the sensitive column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensitive: Option<MissingPolicy>,
    /// Policy for the quasi-identifiers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quasi: Option<MissingPolicy>,
    /// Policies by column.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, MissingPolicy>,
}

fn is_default<T: Default + PartialEq>(told: &T) -> bool {
    *told == T::default()
}

impl From<&Settings> for Told {
    /// All that settings say, but for the seed.
    fn from(settings: &Settings) -> Self {
        let Settings {
            quasi,
            sensitive,
            keep,
            unchanged,
            kinds,
            orders,
            pad,
            labels,
            model,
            conditions,
            conditions_of,
            sets,
            sample,
            scheme,
            loss,
            weights,
            method,
            publish,
            publish_columns,
            hierarchies,
            coding,
            domains,
            suppress,
            eligibility,
            changes,
            missing,
            rows_are,
            output,
            class_column,
            risk_threshold,
            budget,
            bound,
            // It belongs to a run, not to a file.
            duals: _,
            seed: _,
        } = settings.clone();
        let rows = hierarchies.into_iter().map(|(column, rows)| (column, HierarchyTold::Rows(rows)));
        Self {
            quasi: Some(quasi),
            sensitive,
            keep: Some(keep),
            unchanged: Some(unchanged),
            kinds,
            orders,
            pad,
            labels,
            model: Some(model),
            conditions: (!conditions.is_empty()).then_some(conditions),
            conditions_of,
            sets: (!sets.is_empty()).then_some(sets),
            sample,
            scheme: (!scheme.is_usual()).then_some(scheme),
            loss: Some(loss),
            weights,
            method: Some(method),
            publish: Some(publish),
            publish_columns,
            hierarchies: rows.collect(),
            coding,
            domains,
            suppress,
            eligibility: Some(eligibility),
            changes: changes.into(),
            missing: missing.into(),
            rows_are,
            output,
            class_column: (!class_column.is_usual()).then_some(class_column),
            risk_threshold,
            budget: Some(budget),
            bound: (!bound.is_usual()).then_some(bound),
        }
    }
}

impl From<ChangeOptions> for ChangesTold {
    fn from(options: ChangeOptions) -> Self {
        let ChangeOptions { counterfeit_points, delete, prefer, ties, fake, costs, min_real, max_belief } =
            options;
        let ChangeCosts { add, add_growth, delete: first, delete_growth, add_of, delete_of } = costs;
        Self {
            counterfeit_points: Some(counterfeit_points),
            delete: Some(delete),
            prefer: Some(prefer),
            ties: Some(ties),
            fake: Some(fake),
            costs: CostsTold {
                add: Some(add),
                add_growth: Some(add_growth),
                delete: Some(first),
                delete_growth: Some(delete_growth),
                add_of: Some(add_of),
                delete_of: Some(delete_of),
            },
            min_real,
            max_belief,
        }
    }
}

impl From<Missing> for MissingTold {
    fn from(missing: Missing) -> Self {
        let Missing { markers, sensitive, quasi, columns } = missing;
        Self { markers: Some(markers), sensitive: Some(sensitive), quasi: Some(quasi), columns }
    }
}

impl From<ChangesTold> for ChangeOptions {
    /// What is not said has its default.
    fn from(told: ChangesTold) -> Self {
        let ChangesTold { counterfeit_points, delete, prefer, ties, fake, costs, min_real, max_belief } =
            told;
        let usual = ChangeCosts::default();
        Self {
            counterfeit_points: counterfeit_points.unwrap_or_default(),
            delete: delete.unwrap_or_default(),
            prefer: prefer.unwrap_or_default(),
            ties: ties.unwrap_or_default(),
            fake: fake.unwrap_or_default(),
            costs: ChangeCosts {
                add: costs.add.unwrap_or(usual.add),
                add_growth: costs.add_growth.unwrap_or(usual.add_growth),
                delete: costs.delete.unwrap_or(usual.delete),
                delete_growth: costs.delete_growth.unwrap_or(usual.delete_growth),
                add_of: costs.add_of.unwrap_or_default(),
                delete_of: costs.delete_of.unwrap_or_default(),
            },
            min_real,
            max_belief,
        }
    }
}

impl From<MissingTold> for Missing {
    /// What is not said has its default.
    fn from(told: MissingTold) -> Self {
        let (MissingTold { markers, sensitive, quasi, columns }, usual) = (told, Self::default());
        Self {
            markers: markers.unwrap_or(usual.markers),
            sensitive: sensitive.unwrap_or(usual.sensitive),
            quasi: quasi.unwrap_or(usual.quasi),
            columns,
        }
    }
}

impl Told {
    /// The settings with this guarantee; what is not said has its default. Hierarchies in files of their own are left out.
    pub(super) fn complete(self, model: Model, seed: Option<u64>) -> Settings {
        let rows = |(column, told)| match told {
            HierarchyTold::Rows(rows) => Some((column, rows)),
            HierarchyTold::File { .. } => None,
        };
        // Of the sensitive column it is the same to name it; a further one is published cell by cell.
        let mut conditions = self.conditions.unwrap_or_default();
        let mut conditions_of = self.conditions_of;
        if let Some(own) = self.sensitive.as_ref().and_then(|name| conditions_of.remove(name)) {
            conditions.extend(own);
        }
        let mut unchanged = self.unchanged.unwrap_or_default();
        // So are sampling weights: without them the sample says nothing of its population.
        let as_they_are = conditions_of.keys().chain(&self.sample.weight);
        let further = as_they_are.filter(|name| !unchanged.contains(name)).cloned();
        let further: Vec<String> = further.collect();
        unchanged.extend(further);
        let scheme = self.scheme.unwrap_or_default();
        Settings {
            quasi: self.quasi.unwrap_or_default(),
            sensitive: self.sensitive,
            keep: self.keep.unwrap_or_default(),
            unchanged,
            kinds: self.kinds,
            orders: self.orders,
            pad: self.pad,
            labels: self.labels,
            model,
            conditions,
            conditions_of,
            sets: self.sets.unwrap_or_default(),
            sample: self.sample,
            scheme,
            // One level a column is chosen by what its labels lose.
            loss: self.loss.unwrap_or(if scheme == Scheme::FullDomain { Loss::Ncp } else { Loss::default() }),
            weights: self.weights,
            method: self.method.unwrap_or_default(),
            publish: self.publish.unwrap_or_default(),
            publish_columns: self.publish_columns,
            hierarchies: self.hierarchies.into_iter().filter_map(rows).collect(),
            coding: self.coding,
            domains: self.domains,
            suppress: self.suppress,
            eligibility: self.eligibility.unwrap_or_default(),
            changes: self.changes.into(),
            missing: self.missing.into(),
            rows_are: self.rows_are,
            output: self.output,
            class_column: self.class_column.unwrap_or_default(),
            risk_threshold: self.risk_threshold,
            budget: self.budget.unwrap_or_default(),
            bound: self.bound.unwrap_or_default(),
            duals: false,
            seed,
        }
    }

    /// This over another: what both say is taken from this one. What is said by column is taken column by column, but for
    /// weights, which belong together; what is said of changes field by field, costs too; an order and a kind that contradict
    /// each other are one thing.
    pub(super) fn over(self, mut below: Self) -> Self {
        below.orders.retain(|name, _| self.kinds.get(name).is_none_or(|kind| *kind == Kind::Ordinal));
        below.kinds.retain(|name, _| !self.orders.contains_key(name));
        Self {
            quasi: self.quasi.or(below.quasi),
            sensitive: self.sensitive.or(below.sensitive),
            keep: self.keep.or(below.keep),
            unchanged: self.unchanged.or(below.unchanged),
            kinds: merged(self.kinds, below.kinds),
            orders: merged(self.orders, below.orders),
            pad: merged(self.pad, below.pad),
            labels: merged(self.labels, below.labels),
            model: self.model.or(below.model),
            conditions: self.conditions.or(below.conditions),
            conditions_of: merged(self.conditions_of, below.conditions_of),
            sets: self.sets.or(below.sets),
            sample: Sample {
                weight: self.sample.weight.or(below.sample.weight),
                household: self.sample.household.or(below.sample.household),
            },
            scheme: self.scheme.or(below.scheme),
            loss: self.loss.or(below.loss),
            weights: if self.weights.is_empty() { below.weights } else { self.weights },
            method: self.method.or(below.method),
            publish: self.publish.or(below.publish),
            publish_columns: merged(self.publish_columns, below.publish_columns),
            hierarchies: merged(self.hierarchies, below.hierarchies),
            coding: merged(self.coding, below.coding),
            domains: merged(self.domains, below.domains),
            suppress: self.suppress.or(below.suppress),
            eligibility: self.eligibility.or(below.eligibility),
            changes: self.changes.over(below.changes),
            missing: MissingTold {
                markers: self.missing.markers.or(below.missing.markers),
                sensitive: self.missing.sensitive.or(below.missing.sensitive),
                quasi: self.missing.quasi.or(below.missing.quasi),
                columns: merged(self.missing.columns, below.missing.columns),
            },
            rows_are: self.rows_are.or(below.rows_are),
            output: self.output.over(below.output),
            class_column: self.class_column.or(below.class_column),
            risk_threshold: self.risk_threshold.or(below.risk_threshold),
            budget: self.budget.or(below.budget),
            bound: self.bound.or(below.bound),
        }
    }
}

impl ChangesTold {
    fn over(self, below: Self) -> Self {
        let (costs, general) = (self.costs, below.costs);
        Self {
            counterfeit_points: self.counterfeit_points.or(below.counterfeit_points),
            delete: self.delete.or(below.delete),
            prefer: self.prefer.or(below.prefer),
            ties: self.ties.or(below.ties),
            fake: self.fake.or(below.fake),
            costs: CostsTold {
                add: costs.add.or(general.add),
                add_growth: costs.add_growth.or(general.add_growth),
                delete: costs.delete.or(general.delete),
                delete_growth: costs.delete_growth.or(general.delete_growth),
                add_of: both(costs.add_of, general.add_of),
                delete_of: both(costs.delete_of, general.delete_of),
            },
            min_real: self.min_real.or(below.min_real),
            max_belief: self.max_belief.or(below.max_belief),
        }
    }
}

/// The entries of both; where both have one, that of the first.
fn merged<T>(first: BTreeMap<String, T>, mut below: BTreeMap<String, T>) -> BTreeMap<String, T> {
    below.extend(first);
    below
}

fn both<T>(
    first: Option<BTreeMap<String, T>>,
    below: Option<BTreeMap<String, T>>,
) -> Option<BTreeMap<String, T>> {
    match (first, below) {
        (Some(first), Some(below)) => Some(merged(first, below)),
        (first, below) => first.or(below),
    }
}
