//! How the cells of a column are compared: as labels, numbers, dates or ranks.

use crate::{Column, DateFormat, Noun, NumberFormat, is_missing};

/// How the cells of a column are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Equal or not.
    Labels,
    /// By their numbers.
    Numbers(NumberFormat),
    /// By their time, in the unit of the format.
    Dates(DateFormat),
    /// By their place in this list, which holds every value of the column.
    Ranks(Vec<String>),
}

impl Reading {
    /// The number, time (in the unit of its format, from 1970 on) or rank (from 0) of a cell; `None` if it has none.
    #[must_use]
    pub fn value(&self, cell: &str) -> Option<f64> {
        match self {
            Self::Labels => None,
            Self::Numbers(format) => format.parse(cell),
            Self::Dates(format) => format.parse(cell),
            Self::Ranks(order) => {
                let cell = cell.trim();
                order.iter().position(|value| value == cell).map(|rank| rank as f64)
            }
        }
    }

    /// Whether a cell has no value because it is a whole number with more digits than are told apart.
    #[must_use]
    pub fn is_too_long(&self, cell: &str) -> bool {
        matches!(self, Self::Numbers(format) if format.is_long(cell))
    }

    /// A published range from one cell to another: `[18-20]`, `[2024-01-05 - 2024-02-01]`, `[Primary - Tertiary]`. A
    /// label's hyphen that could be taken for the one in the middle is escaped with a backslash, so that no two ranges
    /// look alike.
    #[must_use]
    pub fn range(&self, low: &str, high: &str) -> String {
        let (low, high) = (low.trim(), high.trim());
        match self {
            Self::Numbers(_) => format!("[{low}-{high}]"),
            Self::Dates(_) => format!("[{low} - {high}]"),
            Self::Labels | Self::Ranks(_) => format!("[{} - {}]", escaped(low), escaped(high)),
        }
    }

    /// What this cell, which has no value, would have to be, for messages.
    #[must_use]
    pub fn noun_for(&self, cell: &str) -> Noun {
        if self.is_too_long(cell) { Noun::ExactNumber } else { self.noun() }
    }

    /// What a cell would have to be, for messages.
    #[must_use]
    pub fn noun(&self) -> Noun {
        match self {
            Self::Labels => Noun::Label,
            Self::Numbers(_) => Noun::FiniteNumber,
            Self::Dates(_) => Noun::Date,
            Self::Ranks(_) => Noun::InOrder,
        }
    }
}

/// Most cells that [`misfits`] returns.
pub const MISFITS_CAP: usize = 10;

/// The first known cells, at most [`MISFITS_CAP`], that have no value in a reading: 0-based row and cell.
#[must_use]
pub fn misfits(column: &Column, markers: &[String], reading: &Reading) -> Vec<(usize, String)> {
    cells_where(column, |cell| !is_missing(cell, markers) && reading.value(cell).is_none())
}

/// The first cells, at most [`MISFITS_CAP`], of which something holds.
pub(crate) fn cells_where(column: &Column, holds: impl Fn(&str) -> bool) -> Vec<(usize, String)> {
    let odd: Vec<bool> = column.values.iter().map(holds).collect();
    if !odd.contains(&true) {
        return Vec::new();
    }
    let cells = column.cells.iter().enumerate().filter(|(_, code)| odd[**code as usize]);
    cells.take(MISFITS_CAP).map(|(row, _)| (row, column.cell(row).to_owned())).collect()
}

fn escaped(label: &str) -> String {
    let mut text = String::with_capacity(label.len());
    let mut before = None;
    let mut rest = label.chars();
    while let Some(c) = rest.next() {
        let alone = |c: Option<char>| c.is_none_or(|c| c == ' ');
        if c == '\\' || (c == '-' && alone(before) && alone(rest.clone().next())) {
            text.push('\\');
        }
        text.push(c);
        before = Some(c);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_labels_never_look_alike() {
        let ranks = Reading::Ranks(Vec::new());
        assert_eq!(ranks.range("Primary", "Post-secondary"), "[Primary - Post-secondary]");
        let labels = ["a", "a -", "- a", "a - a", "-", "a \\-", "\\"];
        let mut all: Vec<String> =
            labels.iter().flat_map(|l| labels.iter().map(|h| ranks.range(l, h))).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), labels.len() * labels.len());
    }

    #[test]
    fn ranks_are_places_in_the_order() {
        let ranks = Reading::Ranks(vec![String::from("low"), String::from("high")]);
        assert_eq!(
            (ranks.value(" high "), ranks.value("low"), ranks.value("High")),
            (Some(1.0), Some(0.0), None)
        );
    }
}
