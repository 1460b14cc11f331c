//! Risk in the population that a sample was drawn from, and that of households.

use std::collections::BTreeMap;

use lookalike_audit::{SampleRisk, households, sample_risk, weights};
use lookalike_model::{
    report::{HouseholdReport, SampleReport},
    settings::Sample,
};
use lookalike_table::{Column, Table};

use super::{
    order::Class,
    rounding::{mean_to_two_digits, tenths_up, two_digits},
};
use crate::{
    Error,
    prepare::{Prepared, known},
};

/// Refuses weights and keys of households that are none, before anything is searched.
///
/// # Errors
/// If a column is missing; as [`weights`] and [`households`].
pub(crate) fn check(table: &Table, sample: &Sample, markers: &[String]) -> Result<(), Error> {
    if let Some(name) = &sample.weight {
        weights(column(table, name)?)?;
    }
    if let Some(name) = &sample.household {
        households(column(table, name)?, markers)?;
    }
    Ok(())
}

fn column<'a>(table: &'a Table, name: &str) -> Result<&'a Column, Error> {
    known(table, name)
}

/// The figures of the published classes, if the settings say what a record stands for.
///
/// # Errors
/// As [`check`].
pub(super) fn report(
    table: &Table,
    prepared: &Prepared,
    classes: &[Class],
) -> Result<Option<SampleReport>, Error> {
    let Sample { weight, household } = &prepared.settings.sample;
    if prepared.settings.sample.is_none() {
        return Ok(None);
    }
    let all = match weight {
        Some(name) => weights(column(table, name)?)?,
        None => vec![1.0; table.rows],
    };
    let homes = match household {
        Some(name) => Some(households(column(table, name)?, &prepared.schema.markers)?),
        None => None,
    };
    // Classes that are published alike are one group.
    let mut numbers: BTreeMap<&[String], u32> = BTreeMap::new();
    let (mut groups, mut rows) = (Vec::new(), Vec::new());
    for class in classes {
        let next = numbers.len() as u32;
        let group = *numbers.entry(&class.cells).or_insert(next);
        groups.extend(class.rows.iter().map(|_| group));
        rows.extend(class.rows.iter().map(|&row| row as usize));
    }
    let of_rows: Vec<f64> = rows.iter().map(|&row| all[row]).collect();
    let homes: Option<Vec<u32>> = homes.map(|of| rows.iter().map(|&row| of[row]).collect());
    let found = sample_risk(&groups, &of_rows, homes.as_deref());
    let mut published = vec![false; table.rows];
    for &row in &rows {
        published[row] = true;
    }
    let mut others: Vec<f64> = (0..table.rows).filter(|&row| !published[row]).map(|row| all[row]).collect();
    others.sort_by(f64::total_cmp);
    // The sum of no numbers would be -0.
    let left_out = others.iter().fold(0.0, |sum, weight| sum + weight);
    Ok(Some(told(&found, (weight, household), left_out)))
}

fn told(
    found: &SampleRisk,
    (weight, household): (&Option<String>, &Option<String>),
    left_out: f64,
) -> SampleReport {
    SampleReport {
        weight: weight.clone(),
        people: two_digits(found.people),
        left_out: two_digits(left_out),
        highest: tenths_of(found.highest),
        mean: mean_to_two_digits(found.mean),
        expected: two_digits(found.expected),
        households: household.clone().zip(found.households).map(|(column, of)| HouseholdReport {
            column,
            households: of.households,
            highest: tenths_of(of.highest),
            mean: mean_to_two_digits(of.mean),
            expected: two_digits(of.expected),
        }),
    }
}

/// A probability rounded up: to two digits where it is below a tenth, else to the next tenth.
fn tenths_of(p: f64) -> f64 {
    if p >= 0.1 {
        return tenths_up(p);
    }
    let rounded = two_digits(p);
    if rounded >= p { rounded } else { two_digits(p * 1.05) }
}
