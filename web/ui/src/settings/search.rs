//! Budget, seed, and what the method is told.

use lookalike_model::settings::{Budget, Method, SearchOptions, Suppress};

use super::{Field, Wrong, number::decimal};
use crate::form::{BudgetChoice, SearchForm};

/// The largest whole number that a browser holds exactly.
const MAX_SEED: u64 = 9_007_199_254_740_991;

pub(super) fn budget(form: &SearchForm, wrong: &mut Wrong) -> Option<Budget> {
    match form.budget {
        BudgetChoice::Effort => match decimal(&form.effort) {
            Some(effort) => return Some(Budget::Effort(effort)),
            _ => wrong.add(Field::Effort, t!(WRONG_EFFORT_MUST_BE_NUMBER)),
        },
        BudgetChoice::Seconds => match decimal(&form.seconds) {
            Some(seconds) if seconds > 0.0 => return Some(Budget::Seconds(seconds)),
            _ => wrong.add(Field::Seconds, t!(WRONG_SECONDS_MUST_BE_NUMBER)),
        },
    }
    None
}

pub(super) fn seed(text: &str, wrong: &mut Wrong) -> Option<u64> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let seed = text.parse().ok().filter(|seed| *seed <= MAX_SEED);
    if seed.is_none() {
        wrong.add(Field::Seed, t!(WRONG_SEED_WHOLE_NUMBER_FROM));
    }
    seed
}

/// Whether records may be left out; a limit says nothing without a price.
pub(super) fn suppress(form: &SearchForm, wrong: &mut Wrong) -> Option<Suppress> {
    let limit = form.limit.trim();
    let most = limit.parse::<u32>().ok().map(|n| n as usize);
    if most.is_none() && !limit.is_empty() {
        wrong.add(Field::Limit, t!(WRONG_LIMIT_MUST_BE));
    }
    if form.price.trim().is_empty() {
        if !limit.is_empty() {
            wrong.add(Field::Price, t!(WRONG_LIMIT_NEEDS_PRICE));
        }
        return None;
    }
    let price = decimal(&form.price).filter(|price| *price > 0.0);
    if price.is_none() {
        wrong.add(Field::Price, t!(WRONG_PRICE_MUST_BE));
    }
    Some(Suppress { price: price?, limit: most })
}

/// Only what the method makes use of.
pub(super) fn options(form: &SearchForm, wrong: &mut Wrong) -> SearchOptions {
    let start = if form.method.is_construction() { None } else { form.start };
    let mut options = SearchOptions { start, ..SearchOptions::default() };
    if form.method == Method::ColumnGeneration {
        options.stop_gap_percent = decimal(&form.stop_gap).filter(|gap| *gap <= 100.0);
        if options.stop_gap_percent.is_none() && !form.stop_gap.trim().is_empty() {
            wrong.add(Field::StopGap, t!(WRONG_GAP_MUST_BE_NUMBER));
        }
    }
    if matches!(form.method, Method::Decompose | Method::ColumnGeneration) {
        let blocks = form.blocks.trim();
        options.blocks = blocks.parse::<u32>().ok().filter(|n| *n > 0).map(|n| n as usize);
        if options.blocks.is_none() && !blocks.is_empty() {
            wrong.add(Field::Blocks, t!(WRONG_BLOCKS_MUST_BE_WHOLE));
        }
        options.swap_first = form.swap_first && form.method == Method::Decompose;
    }
    // Without a field: what a configuration has said, as long as the method makes use of it.
    let named = |method| form.method == method || start == Some(method);
    if [Method::VarianceSort, Method::GreedySearch, Method::SplitAndCarry].into_iter().any(named) {
        options.order = form.unseen.order;
    }
    if named(Method::SplitAndCarry) {
        options.carry = form.unseen.carry;
    }
    options
}
