//! Attributes as columns of numbers, each with what its ends cost.

use super::{Kind, Programme};

/// A column of numbers: an attribute, or one value of a category.
pub(super) struct Column {
    pub(super) values: Vec<f64>,
    pub(super) lower: f64,
    pub(super) upper: f64,
    pub(super) whole: bool,
    /// What one unit of the upper end costs a record, and what one unit of the lower end saves.
    pub(super) high: f64,
    pub(super) low: f64,
}

/// The columns that cost something.
pub(super) fn columns(programme: &Programme) -> Vec<Column> {
    let width = programme.attributes.len();
    let mut columns = Vec::new();
    for (j, attribute) in programme.attributes.iter().enumerate() {
        let values: Vec<f64> = programme.values.iter().skip(j).step_by(width).copied().collect();
        match attribute.kind {
            Kind::Number { lower, upper, whole } if upper > lower => {
                let unit = attribute.weight / (upper - lower);
                columns.push(Column { values, lower, upper, whole, high: unit, low: unit });
            }
            Kind::Number { .. } => {}
            Kind::Category { levels, binary } => {
                let unit = attribute.weight / f64::from(levels);
                for level in (0..levels).map(f64::from) {
                    // A value that nobody has costs nothing.
                    if values.contains(&level) {
                        let values = values.iter().map(|&x| f64::from(u8::from(x == level))).collect();
                        let low = if binary { unit } else { 0.0 };
                        columns.push(Column { values, lower: 0.0, upper: 1.0, whole: true, high: unit, low });
                    }
                }
            }
        }
    }
    columns
}
