//! Risk in the population and that of households as data for programs: one record, whichever door it was asked through.

use serde_json::{Value, json};

use super::Findings;

/// The figures for programs, null if nothing says what a row stands for; `docs/checks.md` says what they mean. Risks are from 0 to 1.
#[must_use]
pub fn sample_record(found: &Findings) -> Value {
    let Some((of, risk)) = &found.sampled else { return Value::Null };
    json!({
        "weight": of.weight,
        "people": risk.people,
        "highest": risk.highest,
        "mean": risk.mean,
        "expected": risk.expected,
        "uniques": risk.uniques,
        "population_uniques": risk.population_uniques,
        "households": of.household.as_ref().zip(risk.households).map(|(column, of)| json!({
            "column": column,
            "households": of.households,
            "highest": of.highest,
            "mean": of.mean,
            "expected": of.expected,
        })),
    })
}
