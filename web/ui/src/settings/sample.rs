//! What a record stands for in the population.

use lookalike_model::{info::TableInfo, settings::Sample};

use super::{Field, Wrong, column};
use crate::form::{Choice, Form, Role};

/// The columns of weights and households. Weights are published as they are; the key of households may be.
pub(super) fn sample(table: &TableInfo, choices: &[Choice], form: &Form, wrong: &mut Wrong) -> Sample {
    let named = |name: &String| (!name.is_empty()).then(|| name.clone());
    let role = |name: &str| column(table, choices, name).map(|(_, choice)| choice.role);
    let (weight, household) = (named(&form.sample.weight), named(&form.sample.household));
    if let Some(name) = weight.as_deref().filter(|name| role(name) != Some(Role::Unchanged)) {
        wrong.add(Field::SamplingWeight, t!(WRONG_WEIGHT_ROLE, name = name));
    }
    let of_other =
        |name: &&str| !matches!(role(name), Some(Role::Unchanged | Role::NotPublished | Role::Identifier));
    if let Some(name) = household.as_deref().filter(of_other) {
        wrong.add(Field::Household, t!(WRONG_HOUSEHOLD_ROLE, name = name));
    }
    Sample { weight, household }
}
