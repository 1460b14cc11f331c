//! What flags say of single columns, as the settings have it.

use std::collections::BTreeMap;

use lookalike_model::settings::Kind;

use crate::{
    args::{Order, Pairs, named},
    exit::Failure,
};

/// The weights that a flag gives.
pub(crate) fn weights(given: &Pairs) -> Result<BTreeMap<String, f64>, Failure> {
    let mut weights = BTreeMap::new();
    for (name, value) in &given.0 {
        let weight = value.parse().ok().filter(|weight: &f64| weight.is_finite()).ok_or_else(|| {
            Failure::Input(format!("the weight of {name:?} is {value:?}, which is no number"))
        })?;
        weights.insert(name.clone(), weight);
    }
    Ok(weights)
}

/// The orders that flags give.
pub(crate) fn orders(given: &[Order]) -> Result<BTreeMap<String, Vec<String>>, Failure> {
    let mut orders = BTreeMap::new();
    for order in given {
        if orders.insert(order.column.clone(), order.values.clone()).is_some() {
            return Err(Failure::Input(format!("an order is given twice for {:?}", order.column)));
        }
    }
    Ok(orders)
}

/// The kinds that a flag gives.
pub(crate) fn kinds(given: &Pairs) -> Result<BTreeMap<String, Kind>, Failure> {
    let mut kinds = BTreeMap::new();
    for (name, value) in &given.0 {
        let kind = named(value)
            .map_err(|_| Failure::Input(format!("the kind of {name:?} is {value:?}; a kind is {KINDS}")))?;
        kinds.insert(name.clone(), kind);
    }
    Ok(kinds)
}

/// The kinds that a column can be declared to have.
const KINDS: &str = "integer, real, number, date, date-dmy, date-mdy, category or ordinal";
