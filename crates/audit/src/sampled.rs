//! Risk in the population that a sample was drawn from, by sampling weights; and that of households, whose members are found together.
//!
//! A record of a group of f records whose weights sum to F is one of some F people of the population. How many there are is not known: given f it has a
//! negative binomial distribution with success probability p = f / F, as in mu-ARGUS and sdcMicro (Benedetti and Franconi 1998), and the risk of the record is the mean of one over that number.
//! sdcMicro takes p / (f - (1 - p)) from f = 3 on; here the mean itself is computed. A household is found as soon as one of its members is, whatever becomes
//! of the others.

use lookalike_table::{Column, Table, is_missing};
use lookalike_words::{Cell, Name};
use rustc_hash::FxHashMap;

use crate::{
    Error,
    groups::{Groups, NO_GROUP},
    judge::number,
    suppressed::kept_rows,
};

/// The columns that say what a record stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sampled {
    /// How many people of the population a record stands for.
    pub weight: Option<String>,
    /// The key of its household.
    pub household: Option<String>,
}

impl Sampled {
    /// Whether nothing is said.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.weight.is_none() && self.household.is_none()
    }
}

/// Risk of re-identification in the population.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SampleRisk {
    /// Records that count.
    pub records: usize,
    /// How many people they stand for.
    pub people: f64,
    /// Risk of the most exposed record.
    pub highest: f64,
    /// Mean over the records.
    pub mean: f64,
    /// Records that an attacker who tries all of them is expected to re-identify.
    pub expected: f64,
    /// Records that are alone in their group.
    pub uniques: usize,
    /// How many of these are expected to be alone in the population, too.
    pub population_uniques: f64,
    /// Risk of households, if there are any.
    pub households: Option<HouseholdRisk>,
}

/// Risk that a household is found by one of its members.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HouseholdRisk {
    /// Households.
    pub households: usize,
    /// Risk of the most exposed one.
    pub highest: f64,
    /// Mean over the records, each with the risk of its household.
    pub mean: f64,
    /// Records that are expected to be in a household that is found.
    pub expected: f64,
}

/// The risk of a record in a group of `f` records, at least 1, that stand for `people`, no fewer than these.
#[must_use]
pub fn individual_risk(f: usize, people: f64) -> f64 {
    let count = f as f64;
    let p = (count / people).min(1.0);
    let q = 1.0 - p;
    // The mean is p B(p), where B is the integral of w^(f - 1) / (p + q w) over 0 to 1.
    if p >= 0.5 {
        // By powers of 1 - w: each term is the one before times q (n + 1) / (f + n + 1), at most half of it.
        let (mut term, mut sum) = (1.0 / count, 0.0);
        for n in 0..200 {
            sum += term;
            let at = f64::from(n);
            term *= q * (at + 1.0) / (count + at + 1.0);
        }
        return (p * sum).min(1.0);
    }
    // By parts: B(f) q = 1 / (f - 1) - p B(f - 1). Errors shrink by p / q below 1 at each step.
    let mut integral = (1.0 / p).ln() / q;
    for step in 1..f {
        integral = (1.0 / step as f64 - p * integral) / q;
    }
    (p * integral).clamp(0.0, 1.0)
}

/// The risk of records by their groups, each with its weight and, where there are households, the number of its own.
/// The slices are equally long: what one has more than another does not count.
#[must_use]
pub fn sample_risk(groups: &[u32], weights: &[f64], households: Option<&[u32]>) -> SampleRisk {
    debug_assert!(groups.len() == weights.len() && households.is_none_or(|of| of.len() == groups.len()));
    let mut members: FxHashMap<u32, Vec<f64>> = FxHashMap::default();
    for (&group, &weight) in groups.iter().zip(weights) {
        members.entry(group).or_default().push(weight);
    }
    // Sums in an order of the numbers themselves: that of the rows must not show in the last digit.
    let mut sizes: Vec<(usize, f64, u32)> = (members.into_iter())
        .map(|(group, mut weights)| {
            weights.sort_by(f64::total_cmp);
            (weights.len(), weights.iter().sum(), group)
        })
        .collect();
    sizes.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut of_group: FxHashMap<u32, f64> = FxHashMap::default();
    let mut found = SampleRisk { records: groups.len(), ..SampleRisk::default() };
    for (f, people, group) in sizes {
        let risk = individual_risk(f, people);
        of_group.insert(group, risk);
        found.people += people;
        found.highest = found.highest.max(risk);
        found.expected += risk * f as f64;
        if f == 1 {
            found.uniques += 1;
            // None of the population's others is in the group: p to the power of f.
            found.population_uniques += (1.0 / people).min(1.0);
        }
    }
    found.mean = found.expected / groups.len().max(1) as f64;
    found.households = households.map(|households| of_households(groups, &of_group, households));
    found
}

fn of_households(groups: &[u32], risks: &FxHashMap<u32, f64>, households: &[u32]) -> HouseholdRisk {
    let mut members: FxHashMap<u32, Vec<f64>> = FxHashMap::default();
    for (group, &household) in groups.iter().zip(households) {
        members.entry(household).or_default().push(risks[group]);
    }
    let mut found = HouseholdRisk { households: members.len(), ..HouseholdRisk::default() };
    let mut all: Vec<(usize, f64)> = (members.into_values())
        .map(|mut risks| {
            risks.sort_by(f64::total_cmp);
            (risks.len(), 1.0 - risks.iter().map(|risk| 1.0 - risk).product::<f64>())
        })
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    for (size, risk) in all {
        found.highest = found.highest.max(risk);
        found.expected += risk * size as f64;
    }
    found.mean = found.expected / groups.len().max(1) as f64;
    found
}

/// The weights of all rows of a column.
///
/// # Errors
/// [`Error::Weight`] for a cell that is no number above 0.
pub fn weights(column: &Column) -> Result<Vec<f64>, Error> {
    let of_values: Vec<Option<f64>> =
        (column.values.iter()).map(|text| number(text).filter(|x| x.is_finite() && *x > 0.0)).collect();
    (column.cells.iter().enumerate())
        .map(|(row, &code)| {
            of_values[code as usize].ok_or_else(|| Error::Weight {
                column: Name::from(column.name.as_str()),
                row: row + 1,
                value: Cell::from(&column.values[code as usize]),
            })
        })
        .collect()
}

/// The households of all rows of a column, by number.
///
/// # Errors
/// [`Error::Household`] for a cell that is missing.
pub fn households(column: &Column, markers: &[String]) -> Result<Vec<u32>, Error> {
    let missing: Vec<bool> = column.values.iter().map(|text| is_missing(text, markers)).collect();
    let mut places: FxHashMap<&str, u32> = FxHashMap::default();
    (column.cells.iter().enumerate())
        .map(|(row, &code)| {
            if missing[code as usize] {
                return Err(Error::Household { column: Name::from(column.name.as_str()), row: row + 1 });
            }
            let next = places.len() as u32;
            Ok(*places.entry(column.values[code as usize].trim()).or_insert(next))
        })
        .collect()
}

/// The risk of a table, published or raw, whose columns `quasi` an attacker knows. Rows all of whose cells there are among `suppressed` do not count.
///
/// # Errors
/// If a column is missing; as [`weights`] and [`households`].
pub fn sampled(
    table: &Table,
    (quasi, suppressed): (&[String], &[String]),
    of: &Sampled,
    markers: &[String],
) -> Result<SampleRisk, Error> {
    let column = |name: &String| {
        table.column(name).ok_or_else(|| Error::NoColumn { column: Name::from(name.as_str()) })
    };
    let columns: Vec<&Column> = quasi.iter().map(column).collect::<Result<_, _>>()?;
    let keep = kept_rows(table.rows, &columns, None, suppressed);
    let groups = Groups::among(&keep, columns);
    let weights = match &of.weight {
        Some(name) => weights(column(name)?)?,
        None => vec![1.0; table.rows],
    };
    let households = of.household.as_ref().map(|name| households(column(name)?, markers)).transpose()?;
    let rows: Vec<usize> = (0..table.rows).filter(|&row| groups.of[row] != NO_GROUP).collect();
    let of_rows: Vec<u32> = rows.iter().map(|&row| groups.of[row]).collect();
    let weights: Vec<f64> = rows.iter().map(|&row| weights[row]).collect();
    let households: Option<Vec<u32>> = households.map(|of| rows.iter().map(|&row| of[row]).collect());
    Ok(sample_risk(&of_rows, &weights, households.as_deref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the distribution: F - f has C(f + j - 1, j) p^f q^j.
    fn by_sum(f: usize, people: f64) -> f64 {
        let p = f as f64 / people;
        let mut term = p.powi(i32::try_from(f).unwrap());
        let mut sum = 0.0;
        for j in 0..3_000_000_u32 {
            let j = f64::from(j);
            sum += term / (f as f64 + j);
            term *= (1.0 - p) * (f as f64 + j) / (j + 1.0);
            if term < 1e-300 && j > f as f64 / p {
                break;
            }
        }
        sum
    }

    #[test]
    fn the_mean_of_one_over_the_population() {
        // By hand, with p = 1/4: (p / q) ln(1 / p) = ln(4) / 3, and p / q - (p / q)^2 ln(1 / p).
        assert!((individual_risk(1, 4.0) - 4.0_f64.ln() / 3.0).abs() < 1e-12);
        assert!((individual_risk(2, 8.0) - (1.0 / 3.0 - 4.0_f64.ln() / 9.0)).abs() < 1e-12);
        for (f, people) in [
            (1, 1.5),
            (1, 3000.0),
            (3, 3.2),
            (3, 9.0),
            (5, 7.0),
            (5, 10.1),
            (20, 45.0),
            (60, 61.0),
            (60, 900.0),
        ] {
            let (exact, found) = (by_sum(f, people), individual_risk(f, people));
            assert!((exact - found).abs() < 1e-9 * exact.max(1e-3), "{f} {people}: {found} for {exact}");
        }
        // A census.
        assert!((individual_risk(4, 4.0) - 0.25).abs() < 1e-12);
        assert!((individual_risk(1, 1.0) - 1.0).abs() < 1e-12);
        // A weight below 1 stands for nobody else.
        assert!((individual_risk(2, 1.5) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn households_are_found_by_any_member() {
        // Two groups of two, all of the population: a risk of 1/2 each; a household of one of each group, two of one.
        let found = sample_risk(&[0, 0, 1, 1], &[1.0; 4], Some(&[7, 8, 7, 9]));
        assert_eq!((found.records, found.uniques), (4, 0));
        assert!((found.expected - 2.0).abs() < 1e-12 && (found.highest - 0.5).abs() < 1e-12);
        let households = found.households.unwrap();
        assert_eq!(households.households, 3);
        assert!((households.highest - 0.75).abs() < 1e-12);
        // 0.75 for two of them, 0.5 for the others.
        assert!((households.expected - 2.5).abs() < 1e-12 && (households.mean - 0.625).abs() < 1e-12);
        // One of ten people: alone in the population with a probability of 1/10.
        let one = sample_risk(&[0], &[10.0], None);
        assert!((one.population_uniques - 0.1).abs() < 1e-12 && one.people == 10.0);
    }
}
