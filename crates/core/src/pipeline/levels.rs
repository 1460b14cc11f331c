//! What can be combined with one level for a whole column, and with sets of quasi-identifiers.

use lookalike_model::{
    rule::ValueCondition,
    settings::{Loss, Method, Model, Publish, QuasiSet, RowsAre, Scheme, Settings},
};
use lookalike_words::Name;

use super::combinations::{ByClasses, BySets, Conflict, Made, in_ends};

/// What a record can lose: the sum of the weights. A price of a suppressed record is no less.
pub(crate) const MOST_TO_LOSE: f64 = 1.0;

/// Whether settings ask for what the page neither does nor shows: a configuration of it must not lose that on the way.
///
/// # Errors
/// [`Conflict::SuppressTwice`].
pub fn only_here(settings: &Settings) -> Result<(), Conflict> {
    // Its field takes one of both.
    if settings.suppress.is_some_and(|suppress| suppress.limit.is_some() && suppress.share.is_some()) {
        return Err(Conflict::SuppressTwice);
    }
    Ok(())
}

/// What one level for a whole column excludes.
pub(super) fn fit(settings: &Settings, made: Made) -> Result<(), Conflict> {
    if settings.scheme == Scheme::Classes {
        return of_classes(settings, made);
    }
    sets(settings)?;
    let suppress = settings.suppress;
    let other = |form: &Publish| *form != Publish::Hierarchy;
    let form = other(&settings.publish) && settings.publish != Publish::default()
        || settings.publish_columns.values().any(other);
    let table = [
        (matches!(settings.model, Model::MInvariance { .. }), ByClasses::MInvariance),
        (settings.loss != Loss::Ncp, ByClasses::Loss),
        (settings.method != Method::default(), ByClasses::Method),
        (made == Made::Series, ByClasses::Series),
        (made == Made::OutOfCore, ByClasses::OutOfCore),
        (settings.wants_duals(), ByClasses::Certificate),
        (!settings.bound.is_usual(), ByClasses::Bound),
        (matches!(settings.rows_are, Some(RowsAre::EventsOf(_))), ByClasses::Persons),
        (!settings.keep.is_empty(), ByClasses::Keep),
        (form, ByClasses::Form),
        (
            suppress.and_then(|suppress| suppress.price).is_some_and(|price| price < MOST_TO_LOSE),
            ByClasses::Price,
        ),
        (suppress.is_some() && compares(settings), ByClasses::WholeTable),
    ];
    let asked: Vec<ByClasses> = table.into_iter().filter_map(|(asked, what)| asked.then_some(what)).collect();
    if asked.is_empty() { Ok(()) } else { Err(Conflict::Levels { asked }) }
}

/// What sets of quasi-identifiers exclude where classes are sought.
fn of_classes(settings: &Settings, made: Made) -> Result<(), Conflict> {
    if settings.sets.is_empty() {
        return Ok(());
    }
    sets(settings)?;
    let table = [
        (matches!(settings.model, Model::MInvariance { .. }), BySets::MInvariance),
        (made == Made::OutOfCore, BySets::OutOfCore),
        (settings.wants_duals(), BySets::Certificate),
        (matches!(settings.rows_are, Some(RowsAre::EventsOf(_))), BySets::Persons),
        (!settings.keep.is_empty(), BySets::Keep),
        (settings.suppress.is_some(), BySets::Suppress),
        (settings.method.is_freeform(), BySets::OwnRows),
        (in_ends(settings), BySets::Ends),
    ];
    let asked: Vec<BySets> = table.into_iter().filter_map(|(asked, what)| asked.then_some(what)).collect();
    if !asked.is_empty() {
        return Err(Conflict::SetsOfClasses { asked });
    }
    let mut named: Vec<&String> = settings.sets.iter().flat_map(|set| &set.columns).collect();
    named.sort_unstable();
    match named.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Conflict::SetsShare { name: Name::from(pair[0].as_str()) }),
        None => Ok(()),
    }
}

/// Refuses sets that ask for nothing, or for what is asked for elsewhere.
fn sets(settings: &Settings) -> Result<(), Conflict> {
    let (Model::KAnonymity { k: least } | Model::MInvariance { m: least }) = settings.model;
    let mut seen: Vec<Vec<&String>> = Vec::new();
    for QuasiSet { columns, k } in &settings.sets {
        let mut sorted: Vec<&String> = columns.iter().collect();
        sorted.sort_unstable();
        if let Some(name) = columns.iter().find(|name| !settings.quasi.contains(name)) {
            return Err(Conflict::SetOfOther { name: Name::from(name.as_str()) });
        }
        if columns.is_empty() || sorted.windows(2).any(|pair| pair[0] == pair[1]) || seen.contains(&sorted) {
            let columns = columns.iter().map(|name| Name::from(name.as_str())).collect();
            return Err(Conflict::SetTwice { columns });
        }
        if *k <= least || columns.len() == settings.quasi.len() {
            let columns = columns.iter().map(|name| Name::from(name.as_str())).collect();
            return Err(Conflict::SetForNothing { columns, k: *k, least });
        }
        seen.push(sorted);
    }
    Ok(())
}

/// Whether a condition compares a class with the published table.
pub(super) fn compares(settings: &Settings) -> bool {
    all_conditions(settings).any(of_whole_table)
}

/// Conditions on all sensitive columns.
fn all_conditions(settings: &Settings) -> impl Iterator<Item = &ValueCondition> {
    settings.conditions.iter().chain(settings.conditions_of.values().flatten())
}

/// Whether a condition compares a class with the published table, which suppressed records change.
fn of_whole_table(condition: &ValueCondition) -> bool {
    match condition {
        ValueCondition::DistinctDiversity { .. }
        | ValueCondition::EntropyDiversity { .. }
        | ValueCondition::RecursiveDiversity { .. }
        | ValueCondition::Frequency { .. } => false,
        ValueCondition::Spread { .. }
        | ValueCondition::TCloseness { .. }
        | ValueCondition::BasicBetaLikeness { .. }
        | ValueCondition::EnhancedBetaLikeness { .. }
        | ValueCondition::DeltaDisclosure { .. } => true,
    }
}
