//! The changes that were asked for, computed twice.

use lookalike_lp::{
    Backend,
    eligibility::{Allowed, fewest_changes_weighted},
};
use lookalike_model::settings::Repair;

use super::{
    Among, Changes, Costs, Limits, Rates, RepairFault, WantedFault, additions, deletions, explain,
    hybrid_exact, is_eligible, largest, least_cost, limits, total,
};
use crate::Error;

/// What changes are wanted, and which among equals.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// The kinds of changes.
    pub way: Repair,
    /// What they cost; `None`: 1 each.
    pub rates: Option<Rates>,
    /// All values, in the order in which they are changed among equals; empty means as they stand in `counts`.
    pub order: Vec<usize>,
    /// Which of several equally good answers is taken.
    pub among: Among,
    /// What classes and deletions must keep beside eligibility.
    pub limits: Limits,
}

impl Wanted {
    /// The fewest changes of these kinds, in the order of the values.
    #[must_use]
    pub fn fewest(way: Repair) -> Self {
        Self { way, rates: None, order: Vec::new(), among: Among::default(), limits: Limits::default() }
    }
}

/// The changes that a table gets, and who confirmed them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Changes per sensitive value.
    pub changes: Changes,
    /// Name of the back end that confirmed that none are cheaper; `None` if the table is eligible as it is, or if
    /// costs grow, which the integer programme does not know.
    pub backend: Option<&'static str>,
}

/// The cheapest changes of the kind asked for that make `counts` m-eligible.
///
/// The changes come from the closed forms ([`additions`], [`deletions`], [`hybrid_exact`], [`least_cost`]); the integer
/// programme of Tobar 2024, solved by `backend`, is an independent check that none are cheaper. It is not asked if the table
/// is eligible as it is, nor if costs grow or [`Limits`] make the changes dearer, which it does not know.
///
/// # Errors
/// [`Error::NotEligible`] if the table is not eligible and `wanted.way` is [`Repair::Error`], or if changes of that kind
/// do not reach `m` within the limits; [`Error::Wanted`] if the rates or the order do not fit the counts; [`Error::Lp`] if the back end
/// fails, or finds that the closed form is wrong.
pub fn repair(counts: &[u64], m: u64, wanted: &Wanted, backend: Backend) -> Result<Plan, Error> {
    if is_eligible(counts, m) {
        return Ok(Plan { changes: Changes::none(counts.len()), backend: None });
    }
    if wanted.way == Repair::Error {
        return Err(explain(counts, &[], m));
    }
    let cheapest = in_order(counts, m, wanted)?;
    let changes = if wanted.limits.hold(counts, &cheapest) {
        cheapest.clone()
    } else {
        limits::within(counts, m, wanted)?
    };
    if !changes.apply(counts).is_some_and(|after| is_eligible(&after, m)) {
        return Err(RepairFault::NotEligible { m }.into());
    }
    if !classes_hold_real_records(counts, m, &changes) {
        return Err(RepairFault::CounterfeitsAlone.into());
    }
    let rates = wanted.rates.clone().unwrap_or_else(|| Rates::unit(counts.len()));
    // The integer programme knows of no limits.
    let Some(costs) = rates.linear().filter(|_| changes == cheapest) else {
        return Ok(Plan { changes, backend: None });
    };
    confirm(counts, m, (&changes, wanted.way), &costs, backend)?;
    Ok(Plan { changes, backend: Some(backend.name()) })
}

/// Solves the integer programme, whose cheapest changes must cost what these do.
fn confirm(
    counts: &[u64],
    m: u64,
    (changes, way): (&Changes, Repair),
    costs: &Costs,
    backend: Backend,
) -> Result<(), Error> {
    let theirs = fewest_changes_weighted(counts, m, allowed(way), costs, backend)?;
    let (confirmed, closed) = (costs.of(&theirs), costs.of(changes));
    if confirmed == closed {
        return Ok(());
    }
    let (confirmed, closed) = (confirmed.into(), closed.into());
    Err(RepairFault::OtherCost { backend: backend.name(), m, confirmed, closed }.into())
}

/// Whether every class of every partition of the changed table holds a real record: there are no counterfeits; or the
/// table has just `m` records for each of its most frequent value, so that every class holds that value, and one such
/// value is never faked.
#[must_use]
pub fn classes_hold_real_records(counts: &[u64], m: u64, changes: &Changes) -> bool {
    if changes.added() == 0 {
        return true;
    }
    changes.apply(counts).is_some_and(|after| {
        let top = largest(&after);
        let real = after.iter().zip(&changes.additions).any(|(&x, &added)| x == top && added == 0);
        real && total(&after) == u128::from(m) * u128::from(top)
    })
}

fn allowed(way: Repair) -> Allowed {
    Allowed {
        additions: matches!(way, Repair::Add | Repair::Hybrid),
        deletions: matches!(way, Repair::Delete | Repair::Hybrid),
    }
}

/// The closed form on the values in the order that is wanted.
fn in_order(counts: &[u64], m: u64, wanted: &Wanted) -> Result<Changes, Error> {
    if wanted.order.is_empty() {
        return closed_form(counts, m, wanted, wanted.rates.as_ref());
    }
    let mut place = vec![usize::MAX; counts.len()];
    for (at, &value) in wanted.order.iter().enumerate() {
        match place.get_mut(value) {
            Some(free) if *free == usize::MAX => *free = at,
            _ => {
                return Err(WantedFault::OrderValue { value }.into());
            }
        }
    }
    if wanted.order.len() != counts.len() {
        return Err(WantedFault::OrderLength { named: wanted.order.len(), values: counts.len() }.into());
    }
    let permuted: Vec<u64> = wanted.order.iter().map(|&value| counts[value]).collect();
    let rates = wanted.rates.as_ref().map(|rates| rates.permuted(&wanted.order));
    let changes = closed_form(&permuted, m, wanted, rates.as_ref())?;
    let back = |amounts: &[u64]| place.iter().map(|&at| amounts[at]).collect();
    Ok(Changes { additions: back(&changes.additions), deletions: back(&changes.deletions) })
}

fn closed_form(counts: &[u64], m: u64, wanted: &Wanted, rates: Option<&Rates>) -> Result<Changes, Error> {
    match (wanted.way, rates) {
        (Repair::Error, _) => Err(explain(counts, &[], m)),
        (Repair::Delete, _) => deletions(counts, m),
        (Repair::Add, None) if wanted.among == Among::default() => additions(counts, m),
        (Repair::Hybrid, None) if wanted.among == Among::default() => hybrid_exact(counts, m),
        (way, None) => least_cost(counts, m, allowed(way), &Rates::unit(counts.len()), wanted.among),
        (way, Some(rates)) => least_cost(counts, m, allowed(way), rates, wanted.among),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_that_are_not_the_cheapest_are_not_confirmed() {
        // Four of six hold one value: two additions make the table 2-eligible, and so would three.
        let (counts, costs) = ([4, 1, 1], Costs { addition: vec![1; 3], deletion: vec![1; 3] });
        let additions = |second| Changes { additions: vec![0, second, 1], deletions: vec![0; 3] };
        let told = |changes| confirm(&counts, 2, (&changes, Repair::Add), &costs, Backend::Microlp);
        assert_eq!(told(additions(1)), Ok(()));
        let error = told(additions(2)).map_err(|error| error.to_string());
        assert!(error.is_err_and(|why| why.contains("cost 2, the closed form with 3; please report this")));
    }
}
