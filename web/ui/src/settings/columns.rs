//! What is said of single columns, as far as their roles make use of it.

use std::collections::BTreeMap;

use lookalike_model::{
    info::TableInfo,
    settings::{Coding, Domain, Kind, MissingPolicy, Publish, ValueCondition},
};

use super::{
    Field, Wrong,
    conditions::OfColumn,
    number::{decimal, signed},
};
use crate::{
    form::{Choice, Form, Role},
    texts::words,
};

/// How far the sum of the weights may be from 1.
const WEIGHT_SUM: f64 = 1e-6;

/// What the settings hold by column.
#[derive(Default)]
pub(super) struct Columns {
    pub(super) kinds: BTreeMap<String, Kind>,
    pub(super) orders: BTreeMap<String, Vec<String>>,
    pub(super) weights: BTreeMap<String, f64>,
    pub(super) publish: BTreeMap<String, Publish>,
    pub(super) hierarchies: BTreeMap<String, Vec<Vec<String>>>,
    pub(super) coding: BTreeMap<String, Coding>,
    pub(super) domains: BTreeMap<String, Domain>,
    pub(super) missing: BTreeMap<String, MissingPolicy>,
}

pub(super) fn columns(table: &TableInfo, choices: &[Choice], form: &Form, wrong: &mut Wrong) -> Columns {
    let mut all = Columns::default();
    for (at, (column, choice)) in table.columns.iter().zip(choices).enumerate() {
        let name = &column.name;
        let mut add = |what: &str| wrong.add(Field::Column(at), format!("{name}: {what}"));
        if let (Some(policy), Role::Quasi | Role::Sensitive) = (choice.missing, choice.role) {
            all.missing.insert(name.clone(), policy);
        }
        if !matches!(choice.role, Role::Quasi | Role::Keep) {
            continue;
        }
        if let Some(rows) = &choice.hierarchy {
            all.hierarchies.insert(name.clone(), rows.to_vec());
        }
        if let Some(publish) = choice.publish {
            if publish == Publish::Hierarchy && choice.hierarchy.is_none() {
                add(t!(WRONG_BE_PUBLISHED_BY_ITS));
            }
            all.publish.insert(name.clone(), publish);
        }
        if choice.role != Role::Quasi {
            continue;
        }
        match &choice.kind {
            // The order alone says so.
            Some(Kind::Ordinal) if !choice.order.is_empty() => {
                all.orders.insert(name.clone(), choice.order.clone());
            }
            Some(Kind::Ordinal) => add(t!(WRONG_ITS_VALUES_NEED_ORDER)),
            Some(Kind::DateAs(format)) if format.trim().is_empty() => add(t!(WRONG_ITS_DATES_NEED_FORMAT)),
            Some(kind) => {
                all.kinds.insert(name.clone(), kind.clone());
            }
            None => {
                if let Some(question) = &column.question {
                    add(&t!(WRONG_CHOOSE_ITS_KIND, question = words(question)));
                }
            }
        }
        if let Some(coding) = coding(choice, &mut add) {
            all.coding.insert(name.clone(), coding);
        }
        match Domain::parse(&choice.domain) {
            Some(domain) => drop(all.domains.insert(name.clone(), domain)),
            None if choice.domain.trim().is_empty() => {}
            None => add(t!(WRONG_ITS_DOMAIN)),
        }
        if let Some(weight) = said_weight(choice, &mut add) {
            all.weights.insert(name.clone(), weight);
        }
    }
    check_hierarchies(&all, form, wrong);
    check_weights(choices, &all, wrong);
    all
}

/// How the values of secret columns lie to each other, where conditions go by it.
pub(super) fn arranged(
    table: &TableInfo,
    choices: &[Choice],
    (all, asked): (&mut Columns, &[OfColumn]),
    wrong: &mut Wrong,
) {
    for (at, (column, choice)) in table.columns.iter().zip(choices).enumerate() {
        let Some((name, conditions)) = asked.iter().find(|(name, _)| *name == column.name) else { continue };
        if conditions.iter().any(ValueCondition::is_ordered) && choice.kind == Some(Kind::Ordinal) {
            all.orders.insert(name.clone(), choice.order.clone());
        }
        if conditions.iter().any(ValueCondition::is_hierarchical) {
            match &choice.hierarchy {
                Some(rows) => drop(all.hierarchies.insert(name.clone(), rows.to_vec())),
                None => wrong.add(Field::Column(at), format!("{name}: {}", t!(WRONG_SECRET_NEEDS_HIERARCHY))),
            }
        }
    }
}

fn coding(choice: &Choice, add: &mut impl FnMut(&str)) -> Option<Coding> {
    let mut limit = |text: &str, wrong: &str| {
        if text.trim().is_empty() {
            return None;
        }
        let number = signed(text);
        if number.is_none() {
            add(wrong);
        }
        number
    };
    let (bottom, top) =
        (limit(&choice.bottom, t!(WRONG_BOTTOM_LIMIT)), limit(&choice.top, t!(WRONG_TOP_LIMIT)));
    if bottom.zip(top).is_some_and(|(bottom, top)| bottom >= top) {
        add(t!(WRONG_BOTTOM_LIMIT_MUST_LIE));
    }
    (bottom.is_some() || top.is_some()).then_some(Coding { bottom, top })
}

/// What a column counts in the loss, if that is said and is a number.
#[must_use]
pub fn weight(choice: &Choice) -> Option<f64> {
    decimal(&choice.weight)
}

fn said_weight(choice: &Choice, add: &mut impl FnMut(&str)) -> Option<f64> {
    let weight = weight(choice);
    if weight.is_none() && !choice.weight.trim().is_empty() {
        add(t!(WRONG_ITS_WEIGHT_MUST_BE));
    }
    weight
}

fn check_hierarchies(all: &Columns, form: &Form, wrong: &mut Wrong) {
    if form.publish == Publish::Hierarchy && all.hierarchies.is_empty() {
        let what = t!(WRONG_NO_COLUMN_HAS_HIERARCHY);
        wrong.add(Field::Publish, what);
    }
}

/// Weights belong together: all quasi-identifiers have one, or none has.
fn check_weights(choices: &[Choice], all: &Columns, wrong: &mut Wrong) {
    if all.weights.is_empty() {
        return;
    }
    let lacking = choices.iter().position(|c| c.role == Role::Quasi && c.weight.trim().is_empty());
    let sum: f64 = all.weights.values().sum();
    let last = choices.iter().rposition(|c| c.role == Role::Quasi && !c.weight.trim().is_empty());
    if let Some(at) = lacking {
        let what = t!(WRONG_SOME_QUASI_IDENTIFIERS_HAVE);
        wrong.add(Field::Column(at), what);
    } else if let (Some(at), true) = (last, (sum - 1.0).abs() > WEIGHT_SUM) {
        let sum = crate::format::number(sum);
        wrong.add(Field::Column(at), t!(WRONG_WEIGHTS_SUM_THEY_MUST, sum = sum));
    }
}
