//! A column of published or original cells, as numbers or as labels.

use std::collections::BTreeMap;

use lookalike_table::{Column, Dictionary, Kind, infer, text::quoted};

use super::{Atom, Cell, Reading, cell::parse_labels, parse_cell};

/// A column whose cells can be measured; entries as in the column's dictionary.
pub(super) enum Parsed {
    /// All numbers.
    Numbers(Vec<Numbers>),
    /// Labels.
    Labels {
        /// What each cell may be: indices into `labels`, ascending; `None` if suppressed.
        cells: Vec<Option<Vec<u32>>>,
        /// The different labels, sorted; all missing markers are the label "".
        labels: Vec<String>,
    },
}

/// A cell of a column of numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Numbers {
    /// Nothing is published.
    Suppressed,
    /// Not known in the original either.
    Missing,
    /// A number or a range, both ends included; `missing` if it may also be not known.
    Range { low: f64, high: f64, missing: bool },
    /// A set of two numbers or more, ascending; as above.
    Set { members: Vec<f64>, missing: bool },
}

impl Parsed {
    /// Parses the cells that occur. The error says which cell has a form that is not known.
    pub(super) fn of(column: &Column, reading: &Reading) -> Result<Self, String> {
        let parse = match reading.kinds.get(&column.name) {
            Some(Kind::Category) => parse_labels,
            _ => parse_cell,
        };
        let cells: Vec<Cell> = column.values.iter().map(|text| parse(text, reading)).collect();
        if let Some(at) = cells.iter().position(|cell| *cell == Cell::Unknown) {
            return Err(format!("{} is of a form that is not known", quoted(&column.values[at])));
        }
        match kind(column, &cells, reading) {
            Kind::Category => Self::labels(cells),
            // Also whatever other numeric kinds there are.
            _ => Self::numbers(cells),
        }
        .ok_or_else(|| String::from("ranges of numbers stand beside labels"))
    }

    fn numbers(cells: Vec<Cell>) -> Option<Self> {
        let number = |cell: Cell| {
            let Cell::OneOf(atoms) = cell else { return Some(Numbers::Suppressed) };
            let missing = atoms.contains(&Atom::Missing);
            let known: Vec<&Atom> = atoms.iter().filter(|a| **a != Atom::Missing).collect();
            match known.as_slice() {
                [] => Some(Numbers::Missing),
                [Atom::Number(x, _)] => Some(Numbers::Range { low: *x, high: *x, missing }),
                [Atom::Range(low, high)] => Some(Numbers::Range { low: *low, high: *high, missing }),
                several => {
                    let value = |atom: &&Atom| if let Atom::Number(x, _) = atom { Some(*x) } else { None };
                    let mut members: Vec<f64> = several.iter().map(value).collect::<Option<_>>()?;
                    members.sort_by(f64::total_cmp);
                    Some(Numbers::Set { members, missing })
                }
            }
        };
        Some(Self::Numbers(cells.into_iter().map(number).collect::<Option<_>>()?))
    }

    fn labels(cells: Vec<Cell>) -> Option<Self> {
        let text = |atom: Atom| match atom {
            Atom::Missing => Some(String::new()),
            Atom::Number(_, text) | Atom::Label(text) => Some(text),
            Atom::Range(..) => None,
        };
        let texts = cells.into_iter().map(|cell| match cell {
            Cell::OneOf(atoms) => atoms.into_iter().map(text).collect::<Option<Vec<_>>>().map(Some),
            _ => Some(None),
        });
        let texts: Vec<Option<Vec<String>>> = texts.collect::<Option<_>>()?;
        let mut index: BTreeMap<String, u32> =
            texts.iter().flatten().flatten().map(|label| (label.clone(), 0)).collect();
        index.values_mut().zip(0..).for_each(|(at, next)| *at = next);
        let codes = |set: Vec<String>| {
            let mut codes: Vec<u32> = set.iter().map(|label| index[label]).collect();
            codes.sort_unstable();
            codes.dedup();
            codes
        };
        let cells = texts.into_iter().map(|set| set.map(codes)).collect();
        Some(Self::Labels { cells, labels: index.into_keys().collect() })
    }
}

/// As declared; else numbers if there is a range, or if all atoms are numbers and no codes.
fn kind(column: &Column, cells: &[Cell], reading: &Reading) -> Kind {
    if let Some(kind) = reading.kinds.get(&column.name) {
        return *kind;
    }
    let atoms =
        || cells.iter().filter_map(|c| if let Cell::OneOf(atoms) = c { Some(atoms) } else { None }).flatten();
    if atoms().any(|atom| matches!(atom, Atom::Range(..))) {
        return Kind::Real;
    }
    let values: Dictionary = atoms()
        .filter_map(|atom| match atom {
            Atom::Number(_, text) | Atom::Label(text) => Some(text),
            _ => None,
        })
        .collect();
    let cells = (0..values.len() as u32).collect();
    infer(&Column { name: column.name.clone(), values, cells }, &[]).kind
}

impl Numbers {
    /// Least and largest number.
    pub(super) fn span(&self) -> Option<(f64, f64)> {
        match self {
            Self::Suppressed | Self::Missing => None,
            Self::Range { low, high, .. } => Some((*low, *high)),
            Self::Set { members, .. } => Some((*members.first()?, *members.last()?)),
        }
    }

    /// Mean and variance of a number that may be any of the cell's, all equally likely; `step` is 1 for whole numbers
    /// and 0 for others.
    pub(super) fn moments(&self, step: f64) -> Option<(f64, f64)> {
        match self {
            Self::Suppressed | Self::Missing => None,
            Self::Range { low, high, .. } => {
                let width = high - low;
                Some((f64::midpoint(*low, *high), width * (width + 2.0 * step) / 12.0))
            }
            Self::Set { members, .. } => {
                let n = members.len() as f64;
                let mean = members.iter().sum::<f64>() / n;
                Some((mean, members.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n))
            }
        }
    }

    /// Share of the cell's numbers between `from` and `to`, all equally likely.
    pub(super) fn share_within(&self, from: f64, to: f64, step: f64) -> f64 {
        let within = |x: f64| from <= x && x <= to;
        match self {
            Self::Suppressed | Self::Missing => 0.0,
            Self::Range { low, high, .. } if low == high => f64::from(u8::from(within(*low))),
            Self::Range { low, high, .. } => {
                let overlap = high.min(to) - low.max(from) + step;
                (overlap / (high - low + step)).max(0.0)
            }
            Self::Set { members, .. } => {
                members.iter().filter(|x| within(**x)).count() as f64 / members.len() as f64
            }
        }
    }

    /// Whether the number may be `x`; `None` stands for "not known".
    pub(super) fn covers(&self, x: Option<f64>) -> bool {
        match (self, x) {
            (Self::Suppressed, _) | (Self::Missing, None) => true,
            (Self::Missing, Some(_)) => false,
            (Self::Range { missing, .. } | Self::Set { missing, .. }, None) => *missing,
            (Self::Range { low, high, .. }, Some(x)) => *low <= x && x <= *high,
            (Self::Set { members, .. }, Some(x)) => members.contains(&x),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whole numbers of a range, counted one by one.
        #[test]
        fn shares_and_moments_by_counting(a in -9..9_i32, w in 0..9_i32, c in -12..12_i32, v in 0..12_i32) {
            let members: Vec<f64> = (a..=a + w).map(f64::from).collect();
            let (from, to) = (f64::from(c), f64::from(c + v));
            let n = members.len() as f64;
            let within = members.iter().filter(|x| from <= **x && **x <= to).count() as f64 / n;
            let mean = members.iter().sum::<f64>() / n;
            let variance = members.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
            let range = Numbers::Range { low: f64::from(a), high: f64::from(a + w), missing: false };
            let set = Numbers::Set { members, missing: false };
            for cell in [range, set] {
                prop_assert!((cell.share_within(from, to, 1.0) - within).abs() < 1e-12);
                let (m, s) = cell.moments(1.0).unwrap();
                prop_assert!((m - mean).abs() < 1e-12 && (s - variance).abs() < 1e-9);
                prop_assert!(cell.covers(Some(f64::from(a))) && !cell.covers(Some(f64::from(a + w + 1))));
            }
        }
    }
}
