//! From cells to points.
//!
//! Numbers, dates (as day numbers) and ordered labels (as ranks) are z-scored with the mean and the standard deviation
//! of the kept real rows. A category is one-hot, its dummies sharing the scale 1/sqrt(sum p(1-p)), so that every
//! attribute has total variance 1; with two values one dummy carries it all, which is the usual z-scored 0/1. A number that may be missing gets a dummy for "missing"
//! beside its z-score (0 where missing), both scaled to total variance 1. Coded numbers count as their limit; a category
//! with a hierarchy is encoded by `encode_hierarchy`.
//! All sums run over sorted distinct values with their counts: the order of rows cannot change a bit of the result.

use lookalike_model::job::Attribute;
use lookalike_table::{Column, ColumnSpec, Reading, Role, Schema, Table};
use lookalike_words::Said;

use super::{
    Whole,
    encode_hierarchy::hierarchical,
    limits::{LARGEST, MOST_COORDINATES, most_of_means},
    misfit::Misfit,
    missing::missing_values,
    recoding::Recoding,
};
use crate::{Error, ReleaseWarning};

/// Encoded quasi-identifiers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Encoded {
    /// One entry an attribute of the point: its value for each row, weights included. Never empty.
    pub(crate) columns: Vec<Vec<f64>>,
    /// What each of `columns` is.
    pub(crate) attributes: Vec<Attribute>,
    /// Name of the column that each of `columns` belongs to; none of one that stands for no column.
    pub(crate) of: Vec<String>,
    /// What a reader of the report should know.
    pub(crate) warnings: Vec<Said>,
    /// Why points have no mean, where a column has more labels than coordinates.
    pub(crate) without_mean: Option<Misfit>,
}

/// What becomes of the labels of a column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Coded {
    /// Coordinates of each dictionary entry; none if there is no variance.
    Coordinates(Vec<Vec<f64>>),
    /// Too many labels for that.
    Leaves(Distant),
}

/// Labels as leaves of a tree, by their distances instead of by coordinates.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Distant {
    /// Place of each dictionary entry among those that occur in the rows; 0 for one that does not.
    pub(crate) places: Vec<f64>,
    /// Squared distance of each leaf and the next one, in an order in which that of two others is the largest between them.
    pub(crate) joins: Vec<f64>,
    /// Coordinates that there would be.
    pub(crate) labels: usize,
}

/// Encodes the quasi-identifiers of `rows`, of which there will be `means` where records are persons.
pub(crate) fn encode(
    table: &Table,
    schema: &Schema,
    recodings: &[Recoding],
    rows: &[u32],
    means: bool,
) -> Result<Encoded, Error> {
    let most = if means { most_of_means(rows.len()) } else { MOST_COORDINATES };
    let quasi: Vec<&ColumnSpec> = schema.columns.iter().filter(|c| c.role == Role::QuasiIdentifier).collect();
    let ranks = super::ranks::ranks(table, schema, recodings, rows);
    let mut encoded = Encoded::default();
    for (spec, rank) in quasi.iter().zip(ranks) {
        let column = &table.columns[spec.index];
        let mut counts = vec![0usize; column.values.len()];
        for &r in rows {
            counts[column.cells[r as usize] as usize] += 1;
        }
        let used: Vec<bool> = counts.iter().map(|&count| count > 0).collect();
        let missing = missing_values(&column.values, &schema.markers);
        let recoding = &recodings[spec.index];
        if let (Reading::Labels, Some(whole)) = (&spec.reading, &recoding.whole) {
            counts.clone_from(&whole.counts);
        }
        let coded = match (&spec.reading, &recoding.hierarchy) {
            (Reading::Labels, Some(hierarchy)) => {
                hierarchical(column, hierarchy, &counts, (&missing, &used), most)
            }
            (Reading::Labels, None) => category(column, &counts, (&missing, &used), most),
            (by_value, _) => Coded::Coordinates(number(column, by_value, recoding, &counts, &missing, rows)?),
        };
        // With equal weights 1/q the factor is 1: the usual unweighted SSE.
        let squared = spec.weight * quasi.len() as f64;
        let coordinates = match coded {
            Coded::Coordinates(coordinates) => coordinates,
            Coded::Leaves(Distant { places, joins, labels }) => {
                let joins = Some(joins.iter().map(|distance| distance * squared).collect());
                encoded.attributes.push(Attribute {
                    weight: spec.weight,
                    joins,
                    rank,
                    ..Attribute::default()
                });
                encoded
                    .columns
                    .push(rows.iter().map(|&r| places[column.cells[r as usize] as usize]).collect());
                encoded.of.push(spec.name.clone());
                let name = spec.name.as_str().into();
                encoded.without_mean.get_or_insert(Misfit::TooManyLabels { name, labels, most });
                continue;
            }
        };
        if coordinates.is_empty() {
            encoded.warnings.push(ReleaseWarning::constant(&spec.name));
        }
        let factor = squared.sqrt();
        for of_value in coordinates {
            encoded.of.push(spec.name.clone());
            encoded.attributes.push(Attribute { weight: spec.weight, rank, ..Attribute::default() });
            encoded
                .columns
                .push(rows.iter().map(|&r| of_value[column.cells[r as usize] as usize] * factor).collect());
        }
    }
    if encoded.columns.is_empty() {
        encoded.columns.push(vec![0.0; rows.len()]);
        encoded.of.push(String::new());
        encoded.attributes.push(Attribute { weight: 1.0, ..Attribute::default() });
    }
    Ok(encoded)
}

/// Coordinates of each dictionary entry of a column of numbers, day numbers or ranks; empty if it has no variance.
fn number(
    column: &Column,
    reading: &Reading,
    recoding: &Recoding,
    counts: &[usize],
    missing: &[bool],
    rows: &[u32],
) -> Result<Vec<Vec<f64>>, Error> {
    let mut known: Vec<(f64, usize)> = Vec::new();
    let mut parsed = vec![None; column.values.len()];
    for (code, text) in column.values.iter().enumerate() {
        if missing[code] || counts[code] == 0 {
            continue;
        }
        let Some(x) = reading.value(text).filter(|x| x.abs() <= LARGEST) else {
            let row = rows.iter().find(|&&r| column.cells[r as usize] as usize == code).map_or(0, |&r| r + 1);
            return Err(Misfit::too_large(column, row as usize, text, LARGEST).into());
        };
        let x = recoding.code(x);
        parsed[code] = Some(x);
        known.push((x, counts[code]));
    }
    known.sort_by(|a, b| a.0.total_cmp(&b.0));
    if recoding.whole.is_none() {
        let unit = unit(known.iter().map(|(x, _)| x.abs()).fold(0.0, f64::max));
        for x in known.iter_mut().map(|(x, _)| x).chain(parsed.iter_mut().flatten()) {
            *x *= unit;
        }
    }
    let absent: usize = (0..counts.len()).filter(|&c| missing[c]).map(|c| counts[c]).sum();
    let whole = recoding.whole.clone().unwrap_or_else(|| Whole::of_numbers(&known, absent));
    let (n, absent, mean, variance) = (whole.known, whole.absent, whole.mean, whole.variance);
    let varies = whole.varies();
    let z: Vec<f64> = parsed
        .iter()
        .map(|x| x.map_or(0.0, |x| if varies { (x - mean) / variance.sqrt() } else { 0.0 }))
        .collect();
    if absent == 0 {
        return Ok(if varies { vec![z] } else { Vec::new() });
    }
    let share = n as f64 / (n + absent) as f64;
    if n == 0 {
        return Ok(Vec::new());
    }
    // Variance of the z-scores over all rows is `share`, that of the scaled dummy 1.
    let total = (if varies { share } else { 0.0 } + 1.0).sqrt();
    let dummy = dummy_scale(share);
    let mut coordinates = Vec::new();
    if varies {
        coordinates.push(z.iter().map(|x| x / total).collect());
    }
    coordinates.push(missing.iter().map(|&m| if m { dummy / total } else { 0.0 }).collect());
    Ok(coordinates)
}

/// What numbers are multiplied by before they are squared, if the largest is this: squares of numbers such as 1e-160 have few digits
/// left, or none. A power of two, which takes nothing from a number that has all its digits.
fn unit(largest: f64) -> f64 {
    const STEP: f64 = (1_u128 << 100) as f64;
    let mut unit = 1.0;
    while largest > 0.0 && largest * unit < 1e-50 {
        unit *= STEP;
    }
    unit
}

/// Scale that gives a 0/1 dummy with share `p` of ones the variance 1.
fn dummy_scale(p: f64) -> f64 {
    1.0 / (p * (1.0 - p)).sqrt()
}

/// A category, of which `counts` are the rows of the whole table, and those of the entries that are `used` are encoded, by
/// `most` coordinates; all missing markers are one value.
fn category(column: &Column, counts: &[usize], (missing, used): (&[bool], &[bool]), most: usize) -> Coded {
    let mut order: Vec<usize> = (0..counts.len()).filter(|&c| counts[c] > 0).collect();
    order.sort_by(|&a, &b| column.values[a].cmp(&column.values[b]));
    let mut levels: Vec<Vec<usize>> = Vec::new();
    let absent: Vec<usize> = order.iter().copied().filter(|&c| missing[c]).collect();
    if !absent.is_empty() {
        levels.push(absent);
    }
    levels.extend(order.into_iter().filter(|&c| !missing[c]).map(|c| vec![c]));
    if levels.len() < 2 {
        return Coded::Coordinates(Vec::new());
    }
    let total: usize = counts.iter().sum();
    let shares: Vec<f64> =
        levels.iter().map(|l| l.iter().map(|&c| counts[c]).sum::<usize>() as f64 / total as f64).collect();
    let dummies = if levels.len() == 2 { 1..2 } else { 0..levels.len() };
    let scale = if levels.len() == 2 {
        dummy_scale(shares[1])
    } else {
        1.0 / shares.iter().map(|p| p * (1.0 - p)).sum::<f64>().sqrt()
    };
    if levels.len() > most {
        let labels = levels.len();
        let mut places = vec![0.0; counts.len()];
        levels.retain(|level| level.iter().any(|&code| used[code]));
        for (place, level) in levels.iter().enumerate() {
            for &code in level {
                places[code] = place as f64;
            }
        }
        let joins = vec![2.0 * scale * scale; levels.len().saturating_sub(1)];
        return Coded::Leaves(Distant { places, joins, labels });
    }
    let coordinates = dummies
        .map(|d| {
            let mut of_value = vec![0.0; counts.len()];
            for &c in &levels[d] {
                of_value[c] = scale;
            }
            of_value
        })
        .collect();
    Coded::Coordinates(coordinates)
}
