//! From a table to points, computed anew from the cells.
//!
//! With weights `w_c` that sum to 1 over q columns, column c contributes to the squared distance of two records `w_c` q times
//!
//! * numbers, days and ranks: the square of their difference, over its variance;
//! * labels: 0 if they are equal, else 2 / sum p (1 - p) over the shares p of the labels;
//! * numbers of which some are missing: the variance is that of the known ones, a missing one stands at their mean, and
//!   "missing or not" counts as labels of variance 1; the sum is divided by its own variance, 1 + the share known (1 if
//!   the known ones are all equal).
//!
//! Each column then has variance 1 before weighting. Shares, means and variances are those of the records of the
//! certificate. A column of one value contributes nothing.

use lookalike_table::{Column, Reading, Table, hierarchy::Hierarchy, is_missing};
use lookalike_words::{Cell, Name};

use super::{Misfit, Refusal};
use crate::{
    CellKind,
    measure::{Domain, kind},
};

/// A column that counts in the distance.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Its place in the table.
    pub column: usize,
    /// How its cells are compared.
    pub reading: Reading,
    /// Its weight; the weights of all sum to 1.
    pub weight: f64,
    /// Smaller numbers count as this.
    pub bottom: Option<f64>,
    /// Larger numbers count as this.
    pub top: Option<f64>,
    /// The values that it may have, where they are declared, coded; squared errors do not look at it.
    pub domain: Option<Domain>,
    /// The hierarchy by which it is published, under the certainty penalty; squared errors do not look at it.
    pub hierarchy: Option<Hierarchy>,
}

/// What the columns of a table mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Meaning {
    /// The columns that count in the distance.
    pub attributes: Vec<Attribute>,
    /// The column of colours, if they matter.
    pub colours: Option<usize>,
    /// Cell contents, after trimming, that mean "not known".
    pub markers: Vec<String>,
}

/// The records as points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    /// Coordinates, record by record.
    pub points: Vec<f64>,
    /// Weight of each coordinate in the squared distance.
    pub weights: Vec<f64>,
    /// Colour of each record, if there is a column of colours.
    pub colours: Option<Vec<u32>>,
}

impl Points {
    /// Sum of the squared distances of all records to their mean.
    #[must_use]
    pub fn total(&self) -> f64 {
        let dimensions = self.weights.len().max(1);
        let count = self.points.len() / dimensions;
        let along = |(d, weight): (usize, &f64)| {
            let values: Vec<f64> = (0..count).map(|i| self.points[i * dimensions + d]).collect();
            weight * variance(&values) * count as f64
        };
        self.weights.iter().enumerate().map(along).sum()
    }
}

/// Coordinates that a check holds at the most, those of all records: 2 GB.
const MOST: usize = 250_000_000;

/// One coordinate of all records, and its weight.
type Coordinate = (Vec<f64>, f64);

/// The points of the given 0-based rows of a table.
///
/// # Errors
/// [`Refusal::Mismatch`] for a row or column that the table does not have, and for a cell that has no number.
pub fn points(table: &Table, rows: &[u32], meaning: &Meaning) -> Result<Points, Refusal> {
    if let Some(&row) = rows.iter().find(|&&row| row as usize >= table.rows) {
        return Err(Refusal::Mismatch(Misfit::Row { row, rows: table.rows }));
    }
    let mut columns = meaning.attributes.iter().map(|a| a.column).chain(meaning.colours);
    if columns.any(|column| column >= table.columns.len()) {
        return Err(Refusal::Mismatch(Misfit::Column));
    }
    let many = meaning.attributes.len() as f64;
    let mut coordinates: Vec<Coordinate> = Vec::new();
    for attribute in &meaning.attributes {
        let column = &table.columns[attribute.column];
        let codes: Vec<u32> = rows.iter().map(|&row| column.cells[row as usize]).collect();
        let missing: Vec<bool> =
            column.values.iter().map(|cell| is_missing(cell, &meaning.markers)).collect();
        let of_column = match attribute.reading {
            Reading::Labels => labels(&merged(&codes, &missing), MOST / rows.len().max(1))?,
            _ => numbers(column, attribute, &codes, &missing)?,
        };
        let factor = attribute.weight * many;
        coordinates.extend(of_column.into_iter().map(|(values, weight)| (values, weight * factor)));
    }
    if coordinates.is_empty() {
        coordinates.push((vec![0.0; rows.len()], 0.0));
    }
    let colours = meaning.colours.map(|column| {
        let column = &table.columns[column];
        let missing: Vec<bool> =
            column.values.iter().map(|cell| is_missing(cell, &meaning.markers)).collect();
        let codes: Vec<u32> = rows.iter().map(|&row| column.cells[row as usize]).collect();
        merged(&codes, &missing)
    });
    Ok(Points {
        points: (0..rows.len()).flat_map(|i| coordinates.iter().map(move |c| c.0[i])).collect(),
        weights: coordinates.iter().map(|c| c.1).collect(),
        colours,
    })
}

/// A cell that has no value in the reading of its column.
pub(super) fn misfit(column: &Column, cell: &str, reading: &Reading) -> Refusal {
    let kind = if reading.is_too_long(cell) { CellKind::Exact } else { kind(reading) };
    let (column, cell) = (Name::from(column.name.as_str()), Cell::from(cell));
    Refusal::Mismatch(Misfit::Cell { column, cell, kind })
}

/// Codes with all missing cells as one value.
fn merged(codes: &[u32], missing: &[bool]) -> Vec<u32> {
    codes.iter().map(|&code| if missing[code as usize] { u32::MAX } else { code }).collect()
}

/// One 0/1 coordinate a label, if there are no more than `most`.
fn labels(codes: &[u32], most: usize) -> Result<Vec<Coordinate>, Refusal> {
    let mut different = codes.to_vec();
    different.sort_unstable();
    different.dedup();
    if different.len() > most {
        let (labels, records) = (different.len(), codes.len());
        return Err(Refusal::Mismatch(Misfit::TooManyLabels { labels, records, most }));
    }
    let indicators: Vec<Vec<f64>> = different
        .iter()
        .map(|label| codes.iter().map(|code| f64::from(u8::from(code == label))).collect())
        .collect();
    let spread: f64 = indicators.iter().map(|values| variance(values)).sum();
    // One label only.
    if different.len() < 2 {
        return Ok(Vec::new());
    }
    Ok(indicators.into_iter().map(|values| (values, 1.0 / spread)).collect())
}

fn numbers(
    column: &Column,
    attribute: &Attribute,
    codes: &[u32],
    missing: &[bool],
) -> Result<Vec<Coordinate>, Refusal> {
    let mut values = Vec::with_capacity(codes.len());
    for &code in codes {
        if missing[code as usize] {
            values.push(None);
            continue;
        }
        let cell = &column.values[code as usize];
        let Some(x) = attribute.reading.value(cell) else {
            return Err(misfit(column, cell, &attribute.reading));
        };
        let x = attribute.bottom.map_or(x, |limit| x.max(limit));
        values.push(Some(attribute.top.map_or(x, |limit| x.min(limit))));
    }
    let known: Vec<f64> = values.iter().flatten().copied().collect();
    let varies = known.iter().any(|x| *x != known[0]);
    let spread = variance(&known);
    let share = known.len() as f64 / values.len().max(1) as f64;
    let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
    let mut coordinates = Vec::new();
    if known.len() == values.len() {
        if varies {
            coordinates.push((known, 1.0 / spread));
        }
        return Ok(coordinates);
    }
    if known.is_empty() {
        return Ok(coordinates);
    }
    let total = 1.0 + if varies { share } else { 0.0 };
    if varies {
        coordinates.push((values.iter().map(|x| x.unwrap_or(mean)).collect(), 1.0 / (spread * total)));
    }
    let absent: Vec<f64> = values.iter().map(|x| f64::from(u8::from(x.is_none()))).collect();
    let weight = 1.0 / (variance(&absent) * total);
    coordinates.push((absent, weight));
    Ok(coordinates)
}

/// Mean squared distance to the mean.
fn variance(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / count
}
