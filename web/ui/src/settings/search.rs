//! Budget, seed, and what the method is told.

use lookalike_model::settings::{Budget, Construction, Method, MethodAsked, MethodOption, Suppress};

use super::{Field, Wrong, number::decimal};
use crate::{
    form::{BudgetChoice, SearchForm},
    texts::words,
};

/// The largest whole number that a browser holds exactly.
pub(super) const MAX_SEED: u64 = 9_007_199_254_740_991;

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

/// Whether records may be left out: for a price, at most so many or such a share of them, or both.
pub(super) fn suppress(form: &SearchForm, wrong: &mut Wrong) -> Option<Suppress> {
    let (limit, price) = (form.limit.trim(), form.price.trim());
    let (mut most, mut share) = (None, None);
    if let Some(percent) = limit.strip_suffix('%') {
        share = decimal(percent).filter(|x| *x <= 100.0).map(|x| x / 100.0);
    } else {
        most = limit.parse::<u32>().ok().map(|n| n as usize);
    }
    if most.is_none() && share.is_none() && !limit.is_empty() {
        wrong.add(Field::Limit, t!(WRONG_LIMIT_MUST_BE));
        return None;
    }
    if limit.is_empty() && price.is_empty() {
        return None;
    }
    let each = decimal(price).filter(|price| *price > 0.0);
    if each.is_none() && !price.is_empty() {
        wrong.add(Field::Price, t!(WRONG_PRICE_MUST_BE));
        return None;
    }
    Some(Suppress { price: each, limit: most, share })
}

/// The method, with what it makes use of.
pub(super) fn method(form: &SearchForm, wrong: &mut Wrong) -> Option<Method> {
    let takes = |option| form.method.takes(option);
    let start = form.start.filter(|_| takes(MethodOption::Start));
    let mut asked = MethodAsked { name: Some(form.method), ..MethodAsked::default() };
    asked.start = start.and_then(Construction::named);
    if takes(MethodOption::StopGap) {
        asked.stop_gap_percent = decimal(&form.stop_gap).filter(|gap| *gap <= 100.0);
        if asked.stop_gap_percent.is_none() && !form.stop_gap.trim().is_empty() {
            wrong.add(Field::StopGap, t!(WRONG_GAP_MUST_BE_NUMBER));
        }
    }
    if takes(MethodOption::Blocks) {
        let blocks = form.blocks.trim();
        asked.blocks = blocks.parse::<u32>().ok().filter(|n| *n > 0).map(|n| n as usize);
        if asked.blocks.is_none() && !blocks.is_empty() {
            wrong.add(Field::Blocks, t!(WRONG_BLOCKS_MUST_BE_WHOLE));
        }
    }
    asked.swap_first = form.swap_first && takes(MethodOption::SwapFirst);
    // Without a field: what a configuration has said, as long as the method or its start makes use of it.
    let used = |option| takes(option) || start.is_some_and(|start| start.takes(option));
    asked.no_final_swap =
        form.unseen.no_final_swap && asked.blocks.is_some() && takes(MethodOption::NoFinalSwap);
    asked.order = form.unseen.order.filter(|_| used(MethodOption::Order));
    asked.carry = form.unseen.carry.filter(|_| used(MethodOption::Carry));
    match asked.method() {
        Ok(method) => Some(method),
        Err(why) => {
            wrong.add(Field::Method, words(&why.into()));
            None
        }
    }
}
