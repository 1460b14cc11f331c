//! How a table is made m-eligible: only what the repair makes use of.

use std::collections::BTreeMap;

use lookalike_model::{
    rule::Share,
    settings::{ChangeCosts, ChangeOptions, Repair},
};

use super::{Field, Wrong, number::decimal};
use crate::form::{Form, ModelChoice, RowsChoice};

/// The repair; only m-invariance has one, and not where persons have several rows.
pub(super) fn repair(form: &Form) -> Repair {
    match form.model {
        ModelChoice::MInvariance if form.rows_are == RowsChoice::OfPersons => Repair::Error,
        ModelChoice::MInvariance => form.eligibility,
        ModelChoice::KAnonymity => Repair::Error,
    }
}

pub(super) fn changes(form: &Form, wrong: &mut Wrong) -> ChangeOptions {
    let mut options = ChangeOptions::default();
    let (repair, form) = (repair(form), &form.changes);
    if matches!(repair, Repair::Delete | Repair::Hybrid) {
        options.delete = form.delete;
    }
    if matches!(repair, Repair::Add | Repair::Hybrid) {
        options.counterfeit_points = form.points;
        options.fake = form.fake;
        options.prefer = lines(&form.prefer).map(str::to_owned).collect();
        options.costs = ChangeCosts {
            add: cost(Field::AddCost, &form.add, 1, wrong),
            add_growth: cost(Field::AddGrowth, &form.add_growth, 0, wrong),
            add_of: costs(Field::AddOf, &form.add_of, wrong),
            ..ChangeCosts::default()
        };
    }
    if repair != Repair::Error {
        let (real, belief) = (form.min_real.trim(), form.max_belief.trim());
        options.min_real = real.parse().ok().filter(|n| *n >= 1);
        if options.min_real.is_none() && !real.is_empty() {
            wrong.add(Field::MinReal, t!(WRONG_MUST_BE_WHOLE_NUMBER_2, least = 1));
        }
        options.max_belief = decimal(belief).and_then(|p| Share::try_from(p).ok());
        if options.max_belief.is_none() && !belief.is_empty() {
            wrong.add(Field::MaxBelief, t!(WRONG_NO_PROBABILITY));
        }
    }
    if repair == Repair::Hybrid {
        options.ties = form.ties;
        options.costs.delete = cost(Field::DeleteCost, &form.delete_cost, 1, wrong);
        options.costs.delete_growth = cost(Field::DeleteGrowth, &form.delete_growth, 0, wrong);
        options.costs.delete_of = costs(Field::DeleteOf, &form.delete_of, wrong);
    }
    options
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').map(str::trim).filter(|line| !line.is_empty())
}

/// A whole number of at least `least`; the least where nothing is typed.
fn cost(field: Field, text: &str, least: u64, wrong: &mut Wrong) -> u64 {
    let text = text.trim();
    let number = if text.is_empty() { Some(least) } else { text.parse().ok() };
    number.filter(|n| *n >= least).unwrap_or_else(|| {
        wrong.add(field, t!(WRONG_MUST_BE_WHOLE_NUMBER_2, least = least));
        least
    })
}

/// `value = cost`, one a line.
fn costs(field: Field, text: &str, wrong: &mut Wrong) -> BTreeMap<String, u64> {
    let mut costs = BTreeMap::new();
    for line in lines(text) {
        let pair = line.rsplit_once('=').map(|(value, cost)| (value.trim(), cost.trim().parse::<u64>()));
        match pair {
            Some((value, Ok(cost))) if cost > 0 && !value.is_empty() => {
                if costs.insert(value.to_owned(), cost).is_some() {
                    wrong.add(field, t!(WRONG_HAS_TWO_COSTS_LEAVE, value = value));
                }
            }
            _ => wrong.add(field, t!(WRONG_NOT_VALUE_WITH_ITS, line = line)),
        }
    }
    costs
}
