//! What an attacker gains who knows columns of a person that are published unchanged, beside the quasi-identifiers.
//!
//! Such an attacker finds the person among the rows that have the same published quasi-identifiers and the same unchanged
//! cells: the *match group* of a row. A match is right with a probability of 1 over its rows. All of it is read off the published
//! bytes, by the judge's reader.
//!
//! Cost: linear in the cells, but for [`minimal`].

mod minimal;

use std::collections::BTreeMap;

use lookalike_words::Name;
use rustc_hash::FxHashMap;

pub use self::minimal::{LARGEST_SET, Minimal, minimal};
use crate::{Error, Question, judge::rows};

/// What an attacker gains.
#[derive(Clone, Debug, PartialEq)]
pub struct Gains {
    /// By each column alone, in the order of the question.
    pub columns: Vec<Gain>,
    /// By all of them together.
    pub together: Gain,
    /// Minimal sample uniques among these columns alone.
    pub minimal: Minimal,
}

/// What an attacker gains by columns that are known beside the quasi-identifiers.
#[derive(Clone, Debug, PartialEq)]
pub struct Gain {
    /// Rows that are alone in their match group.
    pub uniques: usize,
    /// The largest match probability of a row.
    pub highest: f64,
    /// The mean over the rows.
    pub mean: f64,
    /// Rows of the smallest match group of a class, and how many classes have it: 1 over it is the largest match probability
    /// of the class.
    pub classes: BTreeMap<usize, usize>,
    /// The largest mean match probability of a class.
    pub highest_mean: f64,
    /// Of the sensitive values, if there is a sensitive column.
    pub values: Option<Disclosed>,
}

/// What is told of sensitive values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disclosed {
    /// The largest share of one value in a match group.
    pub highest: f64,
    /// Rows whose match group holds one value alone.
    pub certain: usize,
}

/// What is gained by the columns `unchanged` of a release. Classes are those of the question's column; without one, the groups of
/// equal published quasi-identifiers.
///
/// # Errors
/// If a column is missing, or the bytes do not have the form of a release.
pub fn gains(published: &[u8], question: &Question, unchanged: &[String]) -> Result<Gains, Error> {
    let mut columns: Vec<Coder> = Vec::new();
    let header = rows(published, question.dialect, &mut |cells| {
        columns.resize_with(cells.len(), Coder::default);
        columns.iter_mut().zip(cells).for_each(|(column, cell)| column.push(cell));
    })?;
    let codes = |name: &String| {
        let found = header.iter().position(|other| other == name).and_then(|at| columns.get(at));
        found
            .map(|column| column.codes.as_slice())
            .ok_or_else(|| Error::NoColumn { column: Name::from(name.as_str()) })
    };
    let length = columns.first().map_or(0, |column| column.codes.len());
    let mut groups = vec![0; length];
    for name in &question.quasi {
        groups = joined(&groups, codes(name)?);
    }
    let class = question.class.as_ref().map(codes).transpose()?;
    let sensitive = question.sensitive.as_ref().map(codes).transpose()?;
    let known = unchanged.iter().map(codes).collect::<Result<Vec<_>, _>>()?;
    let classes = class.unwrap_or(&groups);
    let of = |matches: &[u32]| gain(matches, classes, sensitive);
    let mut all = groups.clone();
    for column in &known {
        all = joined(&all, column);
    }
    Ok(Gains {
        columns: known.iter().map(|column| of(&joined(&groups, column))).collect(),
        together: of(&all),
        minimal: minimal(&known),
    })
}

/// How many rows have codes that no other row has, all columns together.
#[must_use]
pub fn unique_rows(columns: &[&[u32]]) -> usize {
    let Some((first, rest)) = columns.split_first() else { return 0 };
    let all = rest.iter().fold(first.to_vec(), |all, column| joined(&all, column));
    sizes(&all).iter().filter(|&&size| size == 1).count()
}

/// The cells of a column as codes.
#[derive(Default)]
struct Coder {
    known: FxHashMap<Box<str>, u32>,
    codes: Vec<u32>,
}

impl Coder {
    fn push(&mut self, cell: &str) {
        let next = self.known.len() as u32;
        let code = match self.known.get(cell) {
            Some(&code) => code,
            None => *self.known.entry(cell.into()).or_insert(next),
        };
        self.codes.push(code);
    }
}

/// Codes of pairs: rows have the same one if they have the same in both.
pub(crate) fn joined(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut known: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let pairs = a.iter().copied().zip(b.iter().copied());
    pairs
        .map(|pair| {
            let next = known.len() as u32;
            *known.entry(pair).or_insert(next)
        })
        .collect()
}

/// How many rows have each code.
pub(crate) fn sizes(codes: &[u32]) -> Vec<usize> {
    let mut sizes = vec![0; codes.iter().max().map_or(0, |&most| most as usize + 1)];
    for &code in codes {
        sizes[code as usize] += 1;
    }
    sizes
}

fn gain(matches: &[u32], classes: &[u32], sensitive: Option<&[u32]>) -> Gain {
    let sizes_of = sizes(matches);
    let size = |row: usize| sizes_of[matches[row] as usize];
    let rows = matches.len();
    // Of each class: its rows, the smallest match group of one of them, the sum of their probabilities.
    let mut by_class: Vec<(usize, usize, f64)> = vec![(0, usize::MAX, 0.0); sizes(classes).len()];
    for (row, &class) in classes.iter().enumerate() {
        let class = &mut by_class[class as usize];
        *class = (class.0 + 1, class.1.min(size(row)), class.2 + 1.0 / size(row) as f64);
    }
    let mut distribution = BTreeMap::new();
    for (_, smallest, _) in by_class.iter().filter(|class| class.0 > 0) {
        *distribution.entry(*smallest).or_insert(0) += 1;
    }
    let means = by_class.iter().filter(|class| class.0 > 0).map(|class| class.2 / class.0 as f64);
    let smallest = sizes_of.iter().copied().filter(|&size| size > 0).min();
    Gain {
        uniques: sizes_of.iter().filter(|&&size| size == 1).count(),
        highest: smallest.map_or(0.0, |size| 1.0 / size as f64),
        mean: sizes_of.iter().filter(|&&size| size > 0).count() as f64 / rows.max(1) as f64,
        classes: distribution,
        highest_mean: means.fold(0.0, f64::max),
        values: sensitive.map(|values| disclosed(matches, &sizes_of, values)),
    }
}

fn disclosed(matches: &[u32], sizes_of: &[usize], values: &[u32]) -> Disclosed {
    let both = joined(matches, values);
    let held = sizes(&both);
    let shares = both.iter().zip(matches).map(|(&both, &of)| (held[both as usize], sizes_of[of as usize]));
    let share = |(held, size): (usize, usize)| held as f64 / size as f64;
    Disclosed {
        highest: shares.clone().map(share).fold(0.0, f64::max),
        certain: shares.filter(|(held, size)| held == size).count(),
    }
}
