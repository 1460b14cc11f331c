//! What an attacker gains who knows columns of a person that are published unchanged, beside the quasi-identifiers.
//!
//! Such an attacker finds the person among the rows that have the same published quasi-identifiers and the same unchanged
//! cells: the *match group* of a row. A match is right with a probability of 1 over its rows. All of it is read off the published
//! bytes, by the judge's reader. Where persons may have several rows, [`gains_of_persons`] counts persons.
//!
//! Cost: linear in the cells, but for [`minimal`].

mod minimal;
mod persons;

use lookalike_words::Name;
use rustc_hash::FxHashMap;

pub use self::{
    minimal::{LARGEST_SET, Minimal, minimal},
    persons::gains_of_persons,
};
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

/// What an attacker gains by columns that are known beside the quasi-identifiers. Records are rows; where persons may have
/// several, they are persons.
#[derive(Clone, Debug, PartialEq)]
pub struct Gain {
    /// Records that are alone in a match group.
    pub uniques: usize,
    /// The largest match probability of a record.
    pub highest: f64,
    /// The mean over the records.
    pub mean: f64,
    /// The largest match probabilities in a class, from the largest on, and how many classes have each.
    pub classes: Vec<(f64, usize)>,
    /// The largest mean match probability of a class.
    pub highest_mean: f64,
    /// Of the sensitive values, if there is a sensitive column.
    pub values: Option<Disclosed>,
}

/// What is told of sensitive values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disclosed {
    /// The largest probability with which a record has one value.
    pub highest: f64,
    /// Records of which a value is told with certainty.
    pub certain: usize,
}

/// What is gained by the columns `unchanged` of a release. Classes are those of the question's column; without one, the groups of
/// equal published quasi-identifiers.
///
/// # Errors
/// If a column is missing, or the bytes do not have the form of a release.
pub fn gains(published: &[u8], question: &Question, unchanged: &[String]) -> Result<Gains, Error> {
    let mut columns: Vec<Coder> = Vec::new();
    let header = rows(published, question.dialect, &mut |_, cells| {
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
        minimal: minimal(&known, &each_its_own(length)),
    })
}

/// Owners of so many rows, each of which has one of its own.
#[must_use]
pub fn each_its_own(rows: usize) -> Vec<u32> {
    (0..rows as u32).collect()
}

/// How many owners have a row with codes, all columns together, that no other owner has. `owners` says whose each row is, by
/// numbers from 0.
#[must_use]
pub fn unique_owners(columns: &[&[u32]], owners: &[u32]) -> usize {
    let Some((first, rest)) = columns.split_first() else { return 0 };
    let all = rest.iter().fold(first.to_vec(), |all, column| joined(&all, column));
    let mut is = vec![false; owners.iter().max().map_or(0, |&last| last as usize + 1)];
    for (alone, &owner) in minimal::alone(&all, owners).into_iter().zip(owners) {
        is[owner as usize] |= alone;
    }
    is.into_iter().filter(|&is| is).count()
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
    let probabilities = (0..matches.len()).map(|row| 1.0 / size(row) as f64);
    Gain {
        uniques: sizes_of.iter().filter(|&&size| size == 1).count(),
        mean: sizes_of.iter().filter(|&&size| size > 0).count() as f64 / matches.len().max(1) as f64,
        values: sensitive.map(|values| disclosed(matches, &sizes_of, values)),
        ..by_class(probabilities.zip(classes.iter().copied()))
    }
}

/// The figures of match probabilities of records and of their classes; what else there is, is left open.
fn by_class(records: impl Iterator<Item = (f64, u32)>) -> Gain {
    // Of each class: its records, the largest probability of one of them, their sum.
    let mut by_class: FxHashMap<u32, (usize, f64, f64)> = FxHashMap::default();
    for (probability, class) in records {
        let class = by_class.entry(class).or_default();
        *class = (class.0 + 1, class.1.max(probability), class.2 + probability);
    }
    let mut largest: Vec<f64> = by_class.values().map(|class| class.1).collect();
    largest.sort_by(|a, b| b.total_cmp(a));
    let same = largest.chunk_by(|a, b| a.total_cmp(b).is_eq());
    Gain {
        uniques: 0,
        highest: largest.first().copied().unwrap_or(0.0),
        mean: 0.0,
        classes: same.map(|chunk| (chunk[0], chunk.len())).collect(),
        highest_mean: by_class.values().map(|class| class.2 / class.0 as f64).fold(0.0, f64::max),
        values: None,
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
