//! Costs and preferences: from the names of the settings to the values' codes.

use lookalike_model::settings::{ChangeCosts, Repair, Settings, Share};
use lookalike_words::Name;

use super::misfit::Misfit;
use crate::{
    Error,
    eligibility::{Among, Limits, Rate, Rates, Wanted},
};

/// What the settings ask for, on `values` (the text of each code).
pub(crate) fn wanted(settings: &Settings, values: &[String]) -> Result<Wanted, Error> {
    let options = &settings.changes;
    let costs = &options.costs;
    if settings.eligibility == Repair::Error {
        // Nothing is changed, so nothing can be preferred: said, not ignored.
        if !options.prefer.is_empty() || *costs != ChangeCosts::default() {
            return Err(Misfit::WishesWithoutChanges.into());
        }
        return Ok(Wanted::fewest(Repair::Error));
    }
    let mut order = Vec::new();
    for name in &options.prefer {
        let code =
            code(name, values, |value, values, more| Misfit::PreferredByNobody { value, values, more })?;
        if order.contains(&code) {
            return Err(Misfit::PreferredTwice { value: name.as_str().into() }.into());
        }
        order.push(code);
    }
    if !order.is_empty() {
        let others: Vec<usize> = (0..values.len()).filter(|code| !order.contains(code)).collect();
        order.extend(others);
    }
    Ok(Wanted {
        way: settings.eligibility,
        rates: rates(costs, values)?,
        order,
        among: Among { ties: options.ties, fake: options.fake },
        limits: Limits {
            real: options.real_asked() as u64,
            absent: options.max_belief.filter(|most| most.get() < 1.0).map(Share::get),
        },
    })
}

/// The costs per value; `None` if every change costs 1.
fn rates(costs: &ChangeCosts, values: &[String]) -> Result<Option<Rates>, Error> {
    if *costs == ChangeCosts::default() {
        return Ok(None);
    }
    let mut rates = Rates {
        addition: vec![Rate { first: costs.add, growth: costs.add_growth }; values.len()],
        deletion: vec![Rate { first: costs.delete, growth: costs.delete_growth }; values.len()],
    };
    let costless = |value, values, more| Misfit::CostOfNobody { value, values, more };
    for (name, &first) in &costs.add_of {
        rates.addition[code(name, values, costless)?].first = first;
    }
    for (name, &first) in &costs.delete_of {
        rates.deletion[code(name, values, costless)?].first = first;
    }
    let all = || rates.addition.iter().chain(&rates.deletion);
    if all().any(|rate| rate.first == 0 || rate.first > MAX_COST || rate.growth > MAX_COST) {
        return Err(Misfit::Costs { most: MAX_COST }.into());
    }
    Ok(Some(rates))
}

/// No cost may be larger.
const MAX_COST: u64 = lookalike_lp::eligibility::MAX_COST;

/// How many values a message names.
const NAMED: usize = 20;

/// The code of a value; `nobody` makes the error for one that no record holds, of its name, the names that there are, and
/// whether there are more.
fn code(
    name: &str,
    values: &[String],
    nobody: impl Fn(Name, Vec<Name>, bool) -> Misfit,
) -> Result<usize, Error> {
    values.binary_search_by(|value| value.as_str().cmp(name)).map_err(|_| {
        let shown = values.iter().take(NAMED).map(|value| value.as_str().into()).collect();
        nobody(name.into(), shown, values.len() > NAMED).into()
    })
}
