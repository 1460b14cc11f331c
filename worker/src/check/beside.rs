//! What is asked beside the models: conditions on sensitive values, and sets of quasi-identifiers with a larger k.

use std::{
    collections::{BTreeMap, BTreeSet},
    str::FromStr,
};

use lookalike_core::{
    audit::{Arrangement, Model},
    check::condition,
    table::hierarchy::Hierarchy,
};
use lookalike_model::settings::{QuasiSet, Settings, ValueCondition};

use crate::{
    condition_flags::{ConditionArgs, Conditions},
    exit::Failure,
    flag_values::{FlagFault, List, Order},
    scheme::Set,
};

use super::fault::CheckFault;

/// The flags.
#[derive(Debug, clap::Args)]
pub(crate) struct BesideArgs {
    /// The sensitive values in order, for the ordered distance and for --spread; `COLUMN=LOW<HIGH` is for a further sensitive
    /// column, once for each
    #[arg(long, value_name = "LIST", help_heading = "Models")]
    order: Vec<ValueOrder>,
    /// Quasi-identifiers that an attacker may know without the others, and how many rows must be alike in them; once for each set
    #[arg(long, value_name = "K=COLUMNS", help_heading = "Models")]
    set: Vec<Set>,
    #[command(flatten, next_help_heading = "Models")]
    conditions: ConditionArgs,
}

/// The order of sensitive values.
#[derive(Clone, Debug, PartialEq)]
enum ValueOrder {
    /// Of the sensitive column.
    Sensitive(List),
    /// Of a column that is named.
    Column(Order),
}

impl FromStr for ValueOrder {
    type Err = FlagFault;

    fn from_str(text: &str) -> Result<Self, FlagFault> {
        let name = text.split('=').next().unwrap_or_default();
        // Values such as <=18 may be in a list, too.
        let named = name.starts_with('"') || !name.contains([',', '<', '>']);
        match text.parse::<Order>().ok().filter(|_| named) {
            Some(order) => Ok(Self::Column(order)),
            None => text.parse().map(Self::Sensitive),
        }
    }
}

impl ValueOrder {
    /// Its column, if there is one, and the values.
    fn of<'a>(&'a self, sensitive: Option<&'a str>) -> (Option<&'a str>, &'a [String]) {
        match self {
            Self::Sensitive(list) => (sensitive, list.0.as_slice()),
            Self::Column(order) => (Some(order.column.as_str()), order.values.as_slice()),
        }
    }

    /// Whether it is one of the sensitive column's values.
    fn is_of(&self, sensitive: Option<&str>) -> bool {
        match self {
            Self::Sensitive(_) => true,
            Self::Column(order) => sensitive == Some(order.column.as_str()),
        }
    }
}

impl BesideArgs {
    /// A flag of this kind, if one is given.
    pub(super) fn given(&self) -> Option<&'static str> {
        let flags = [("--order", !self.order.is_empty()), ("--set", !self.set.is_empty())];
        flags.into_iter().find_map(|(flag, given)| given.then_some(flag)).or_else(|| self.conditions.given())
    }

    /// Whether an order of the sensitive column's values is given.
    pub(super) fn orders_sensitive(&self, sensitive: Option<&str>) -> bool {
        self.order.iter().any(|order| order.is_of(sensitive))
    }

    /// What the flags ask, and the configuration where they ask nothing: flags of conditions replace those of the same column, flags of
    /// sets all sets.
    ///
    /// # Errors
    /// If a column has two orders, or one by which nothing goes.
    pub(super) fn over(
        &self,
        told: Beside,
        sensitive: Option<&str>,
        trees: &BTreeMap<&str, Hierarchy>,
    ) -> Result<Beside, Failure> {
        let Conditions { own, further } = self.conditions.said();
        let mut all = Beside { sensitive: sensitive.map(str::to_owned), ..told };
        if let Some(own) = own {
            all.conditions = own;
        }
        all.conditions_of.extend(further);
        if !self.set.is_empty() {
            all.sets = self.set.iter().map(|Set(set)| set.clone()).collect();
        }
        all.hierarchies.extend(trees.iter().map(|(name, tree)| ((*name).to_owned(), tree.rows())));
        let mut ordered = BTreeSet::new();
        for order in &self.order {
            // Without a sensitive column there is nothing to order: the audit says so of what needs one.
            let (Some(column), values) = order.of(sensitive) else { continue };
            if !ordered.insert(column) {
                return Err(Failure::input(CheckFault::OrderTwice { column: column.into() }));
            }
            if !order.is_of(sensitive) && !all.goes_by_order(column) {
                return Err(Failure::input(CheckFault::OrderUnused { column: column.into() }));
            }
            all.orders.insert(column.to_owned(), values.to_vec());
        }
        Ok(all)
    }
}

/// What is asked beside the models.
#[derive(Debug, Default)]
pub(super) struct Beside {
    /// The sensitive column.
    sensitive: Option<String>,
    /// Conditions on its values.
    conditions: Vec<ValueCondition>,
    /// Conditions on the values of further columns.
    conditions_of: BTreeMap<String, Vec<ValueCondition>>,
    /// Sets of quasi-identifiers.
    sets: Vec<QuasiSet>,
    /// Values by column, from least to greatest.
    orders: BTreeMap<String, Vec<String>>,
    /// Rows of hierarchies by column.
    hierarchies: BTreeMap<String, Vec<Vec<String>>>,
}

impl Beside {
    /// What a configuration asks.
    pub(super) fn of(settings: &Settings) -> Self {
        Self {
            sensitive: settings.sensitive.clone(),
            conditions: settings.conditions.clone(),
            conditions_of: settings.conditions_of.clone(),
            sets: settings.sets.clone(),
            orders: settings.orders.clone(),
            hierarchies: settings.hierarchies.clone(),
        }
    }

    /// Whether a condition on the sensitive column goes by the order of its values.
    pub(super) fn orders_sensitive(&self) -> bool {
        let further = self.sensitive.as_ref().is_some_and(|name| self.goes_by_order(name));
        further || self.conditions.iter().any(ValueCondition::is_ordered)
    }

    /// Whether a condition that names this column goes by the order of its values.
    fn goes_by_order(&self, column: &str) -> bool {
        self.conditions_of.get(column).into_iter().flatten().any(ValueCondition::is_ordered)
    }

    /// The sensitive values from least to greatest, if that is known.
    pub(super) fn order(&self) -> Option<&Vec<String>> {
        self.orders.get(self.sensitive.as_ref()?)
    }

    /// All of it as the audit has it.
    pub(super) fn models(&self) -> Vec<Model> {
        let sets = self.sets.iter().map(|set| Model::Set { columns: set.columns.clone(), k: set.k });
        let own = self.conditions.iter().map(|of| self.one(None, of));
        let further = self.conditions_of.iter();
        let further = further.flat_map(|(column, all)| all.iter().map(move |of| self.one(Some(column), of)));
        sets.chain(own).chain(further).collect()
    }

    /// A condition on the values of a column, which is the sensitive one if it is not named.
    fn one(&self, column: Option<&String>, of: &ValueCondition) -> Model {
        let name = column.or(self.sensitive.as_ref());
        let arranged = Arrangement {
            order: name.and_then(|name| self.orders.get(name)).cloned(),
            hierarchy: name.and_then(|name| self.hierarchies.get(name)).cloned(),
        };
        Model::Condition { column: column.cloned(), condition: condition(of), arranged }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_a_list_or_names_its_column() {
        let list = |values: &[&str]| {
            ValueOrder::Sensitive(List(values.iter().map(|value| String::from(*value)).collect()))
        };
        let of = |column: &str, values: &[&str]| {
            let values = values.iter().map(|value| String::from(*value)).collect();
            ValueOrder::Column(Order { column: column.into(), values })
        };
        let read = |text: &str| text.parse::<ValueOrder>().unwrap();
        assert_eq!(read("a,b,c"), list(&["a", "b", "c"]));
        assert_eq!(read("edu=low<mid<high"), of("edu", &["low", "mid", "high"]));
        assert_eq!(read("\"a,b\"=x<y"), of("a,b", &["x", "y"]));
        assert_eq!(read("<18,18-65,>65"), list(&["<18", "18-65", ">65"]));
        assert_eq!(read(">=65,<=18"), list(&[">=65", "<=18"]));
        assert_eq!(read("a=1,b=2"), list(&["a=1", "b=2"]));
    }
}
