//! Costs and preferences: from the names of the settings to the values' codes.

use lookalike_model::settings::{ChangeCosts, Repair, Settings};

use crate::{
    Error,
    eligibility::{Among, Rate, Rates, Wanted},
};

/// What the settings ask for, on `values` (the text of each code).
pub(crate) fn wanted(settings: &Settings, values: &[String]) -> Result<Wanted, Error> {
    let options = &settings.changes;
    let costs = &options.costs;
    if settings.eligibility == Repair::Error {
        // Nothing is changed, so nothing can be preferred: said, not ignored.
        if !options.prefer.is_empty() || *costs != ChangeCosts::default() {
            return Err(Error::Input(String::from(
                "costs and preferences of changes are given, but no change is allowed; choose --eligibility \
                 add|delete|hybrid, or leave them out",
            )));
        }
        return Ok(Wanted::fewest(Repair::Error));
    }
    let mut order = Vec::new();
    for name in &options.prefer {
        let code = code(name, values, "preferred")?;
        if order.contains(&code) {
            return Err(Error::Input(format!("the sensitive value \"{name}\" is preferred twice")));
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
    for (name, &first) in &costs.add_of {
        rates.addition[code(name, values, "given a cost")?].first = first;
    }
    for (name, &first) in &costs.delete_of {
        rates.deletion[code(name, values, "given a cost")?].first = first;
    }
    let all = || rates.addition.iter().chain(&rates.deletion);
    if all().any(|rate| rate.first == 0 || rate.first > MAX_COST || rate.growth > MAX_COST) {
        return Err(Error::Input(format!("costs of changes go from 1 to {MAX_COST}, their growth from 0")));
    }
    Ok(Some(rates))
}

/// No cost may be larger.
const MAX_COST: u64 = lookalike_lp::eligibility::MAX_COST;

fn code(name: &str, values: &[String], what: &str) -> Result<usize, Error> {
    values.binary_search_by(|value| value.as_str().cmp(name)).map_err(|_| {
        let shown: Vec<String> = values.iter().take(20).map(|value| format!("\"{value}\"")).collect();
        let more = if values.len() > shown.len() { ", ..." } else { "" };
        Error::Input(format!(
            "the sensitive value \"{name}\" is {what}, but no record holds it; the values are {}{more}",
            shown.join(", ")
        ))
    })
}
