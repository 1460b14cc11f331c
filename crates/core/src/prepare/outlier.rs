//! Outliers at which published ranges end.
//!
//! An extreme number tells more than its neighbours: the one person of 107 years is known to many. An outlier here is
//! a value at an end of a column that (1) lies more than three interquartile ranges beyond the quartile of its side
//! (Tukey's far out; the standard deviation stands for an interquartile range of 0), (2) is separated from the values
//! within by a gap of more than one such range, and (3) is, with all values beyond the gap, held by fewer records than
//! a class must have. That an end lies far out can be read off the published table; which value it is in which row is
//! for the data holder only.

use lookalike_table::{Column, ColumnSpec, Reading, Role, Schema, Table};
use lookalike_words::{Name, Said, messages};

use super::{
    Persons,
    recoding::{Coded, Recoding},
};

/// How far out, in interquartile ranges.
const FAR: f64 = 3.0;

/// How many rows a warning names.
const NAMED: usize = 5;

messages! {
    in "core";

    /// What is said of outliers.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum OutlierWarning {
        /// The lower end of a column of numbers lies far out.
        LowerNumber {
            /// The column.
            name: Name,
        },
        /// The upper end of a column of numbers lies far out.
        UpperNumber {
            /// The column.
            name: Name,
        },
        /// The lower end of a column of dates lies far out.
        Lower {
            /// The column.
            name: Name,
        },
        /// The upper end of a column of dates lies far out.
        Upper {
            /// The column.
            name: Name,
        },
        /// The outliers at the lower end of a column.
        LowerCells {
            /// The column.
            name: Name,
            /// The first of them.
            cells: Vec<OutlierCell>,
            /// Whether there are more.
            more: bool,
        },
        /// The outliers at the upper end of a column.
        UpperCells {
            /// The column.
            name: Name,
            /// The first of them.
            cells: Vec<OutlierCell>,
            /// Whether there are more.
            more: bool,
        },
    }

    /// An outlier.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum OutlierCell {
        /// A number or date.
        Cell {
            /// As it stands in the table.
            cell: String,
            /// Its row, from 1.
            row: usize,
        },
    }
}

/// Warnings about outliers.
#[derive(Debug, Default)]
pub(crate) struct Outliers {
    /// Say only what the published table shows anyway: which end of which column.
    pub(crate) public: Vec<Said>,
    /// With values and rows.
    pub(crate) private: Vec<Said>,
}

/// Looks at both ends of every column of numbers or dates whose values are published. `rows` are the published rows, `least`
/// the least size of a class. Where a person has several rows, the one at the end speaks for it.
pub(crate) fn outliers(
    table: &Table,
    (schema, recodings): (&Schema, &[Recoding]),
    rows: &[u32],
    persons: Option<&Persons>,
    least: usize,
) -> Outliers {
    let mut found = Outliers::default();
    for spec in &schema.columns {
        let recoding = &recodings[spec.index];
        if spec.role != Role::QuasiIdentifier
            || !matches!(spec.reading, Reading::Numbers(_) | Reading::Dates(_))
            || !recoding.in_ranges(&spec.reading)
        {
            continue;
        }
        let column = &table.columns[spec.index];
        let number = |&row: &u32| spec.reading.value(column.cell(row as usize));
        let mut numbers: Vec<f64> = rows.iter().filter_map(number).collect();
        numbers.sort_by(f64::total_cmp);
        let Some(range) = spread(&numbers) else { continue };
        for (sign, end) in [(-1.0, Coded::Bottom), (1.0, Coded::Top)] {
            let outmost = |own: &Vec<u32>| own.iter().filter_map(number).map(|x| sign * x).reduce(f64::max);
            let mirrored: Vec<f64> = match persons {
                Some(persons) => persons.rows.iter().filter_map(outmost).collect(),
                None => numbers.iter().map(|x| sign * x).collect(),
            };
            let Some(limit) = cut(mirrored, range, least).map(|x| sign * x) else { continue };
            let coded = numbers.iter().any(|&x| recoding.coded(x) == end);
            if !coded {
                let lies_out = |x: f64| sign * x >= sign * limit;
                let (public, private) = match end {
                    Coded::Bottom => (lower(spec), private(column, spec, rows, lies_out).lower()),
                    _ => (upper(spec), private(column, spec, rows, lies_out).upper()),
                };
                found.public.push(public.into());
                found.private.push(private.into());
            }
        }
    }
    found
}

/// Interquartile range of sorted numbers, quartiles by nearest rank; if it is 0 the standard deviation; `None` if all
/// numbers are equal.
fn spread(sorted: &[f64]) -> Option<f64> {
    let n = sorted.len();
    let rank = |quarters: usize| sorted.get((quarters * n).div_ceil(4).saturating_sub(1)).copied();
    let range = rank(3)? - rank(1)?;
    if range > 0.0 {
        return Some(range);
    }
    let mean = sorted.iter().sum::<f64>() / n as f64;
    let variance = sorted.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n as f64;
    (variance > 0.0).then(|| variance.sqrt())
}

/// The least of the outliers at the upper end.
fn cut(mut numbers: Vec<f64>, range: f64, least: usize) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let n = numbers.len();
    let fence = numbers[(3 * n).div_ceil(4).saturating_sub(1)] + FAR * range;
    // From the end inwards, as long as too few records lie beyond.
    (n.saturating_sub(least.saturating_sub(1)).max(1)..n)
        .find(|&at| numbers[at] > fence && numbers[at] - numbers[at - 1] > range)
        .map(|at| numbers[at])
}

/// That the lower end of a column lies far out, with what would hide it.
fn lower(spec: &ColumnSpec) -> OutlierWarning {
    let name: Name = spec.name.as_str().into();
    match spec.reading {
        Reading::Numbers(_) => OutlierWarning::LowerNumber { name },
        _ => OutlierWarning::Lower { name },
    }
}

/// That the upper end of a column lies far out, with what would hide it.
fn upper(spec: &ColumnSpec) -> OutlierWarning {
    let name: Name = spec.name.as_str().into();
    match spec.reading {
        Reading::Numbers(_) => OutlierWarning::UpperNumber { name },
        _ => OutlierWarning::Upper { name },
    }
}

/// The outliers of a column with their rows.
struct Found {
    name: Name,
    cells: Vec<OutlierCell>,
    more: bool,
}

impl Found {
    fn lower(self) -> OutlierWarning {
        let Self { name, cells, more } = self;
        OutlierWarning::LowerCells { name, cells, more }
    }

    fn upper(self) -> OutlierWarning {
        let Self { name, cells, more } = self;
        OutlierWarning::UpperCells { name, cells, more }
    }
}

fn private(column: &Column, spec: &ColumnSpec, rows: &[u32], out: impl Fn(f64) -> bool) -> Found {
    let lies_out = |row: &u32| spec.reading.value(column.cell(*row as usize)).is_some_and(&out);
    let mut rows: Vec<u32> = rows.iter().copied().filter(lies_out).collect();
    rows.sort_unstable();
    let cell = |&row: &u32| OutlierCell::Cell {
        cell: column.cell(row as usize).trim().to_owned(),
        row: row as usize + 1,
    };
    Found {
        name: spec.name.as_str().into(),
        cells: rows.iter().take(NAMED).map(cell).collect(),
        more: rows.len() > NAMED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn upper(numbers: &[f64], least: usize) -> Option<f64> {
        let mut sorted = numbers.to_vec();
        sorted.sort_by(f64::total_cmp);
        cut(sorted.clone(), spread(&sorted)?, least)
    }

    #[test]
    fn far_gapped_and_rare() {
        // Quartiles 12 and 16: range 4, fence 28.
        let body = [10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0];
        let with = |more: &[f64]| [body.as_slice(), more].concat();
        assert_eq!(upper(&body, 3), None);
        assert_eq!(upper(&with(&[40.0]), 3), Some(40.0));
        assert_eq!(upper(&with(&[27.0]), 3), None, "not far enough");
        assert_eq!(upper(&with(&[40.0, 41.0]), 3), Some(40.0), "two are fewer than three");
        assert_eq!(upper(&with(&[40.0, 41.0]), 2), None, "no gap below the last, and two are a class");
        assert_eq!(upper(&with(&[40.0; 3]), 3), None, "three share it");
        let slope: Vec<f64> = (18..45).step_by(3).map(f64::from).collect();
        assert_eq!(upper(&with(&slope), 3), None, "no gap");
    }

    #[test]
    fn mostly_one_value() {
        // The quartiles are 0, the standard deviation of 99 zeros and a 100 is 9.9.
        let mut numbers = vec![0.0; 99];
        numbers.push(100.0);
        assert_eq!(upper(&numbers, 2), Some(100.0));
        assert_eq!(upper(&[0.0; 5], 2), None);
        assert_eq!(upper(&[], 2), None);
        assert_eq!(upper(&[1.0], 2), None);
    }
}
