//! A table judged in parts: each part by itself, wherever it is, and one verdict on the whole of what they found.
//!
//! A part begins and ends between two groups, and is told how many rows and classes come before it. What a part hands on is
//! figures alone, and only a part in which no check fails hands them on. That parts are all of the table, in its order, and cut no
//! group in two, is seen from their ends.

use std::{collections::BTreeMap, io::Read};

use super::{
    Judged, Verdict,
    error::{Error, Senseless},
    group_checks::Seen,
    order,
    question::Question,
    reader::Rows,
    row::Row,
    state::Judge,
    verdict::Reader,
    words,
};

/// What comes before a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Before {
    /// Rows.
    pub rows: usize,
    /// Classes.
    pub classes: usize,
}

/// What was found in a part in which no check fails.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedPart {
    /// What comes before it.
    pub before: Before,
    /// Its rows.
    pub rows: usize,
    /// Its classes; 0 without a column of them.
    pub labels: usize,
    /// The quasi-identifiers of its first and its last row.
    pub ends: [Vec<String>; 2],
    /// Of its groups.
    pub groups: PartOf,
    /// Of its classes.
    pub classes: PartOf,
    /// The sensitive values with their rows, in the order of first appearance.
    pub values: Vec<(String, usize)>,
}

/// Figures of the groups of a part, or of its classes: those of [`Seen`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartOf {
    /// Sizes, and how many have each.
    pub sizes: BTreeMap<usize, usize>,
    /// The largest share of a value: its rows and all.
    pub worst: Option<(usize, usize)>,
    /// The same among the rows whose value is known; 0 without such.
    pub worst_known: f64,
    /// Rows that hold the most frequent value of their group.
    pub usual: usize,
    /// How many have known values that are one and the same.
    pub single: usize,
    /// Fewest different values, all and known.
    pub different: Option<(usize, usize)>,
}

impl Seen {
    fn part(&self) -> PartOf {
        PartOf {
            sizes: self.sizes.clone(),
            worst: self.worst,
            worst_known: self.worst_known,
            usual: self.usual,
            single: self.single,
            different: self.different,
        }
    }

    /// Takes in what others have seen.
    fn join(&mut self, other: &PartOf) {
        for (&size, &count) in &other.sizes {
            *self.sizes.entry(size).or_insert(0) += count;
        }
        // a/b > c/d as integers: shares are compared exactly.
        let larger =
            |(a, b): (usize, usize), (c, d): (usize, usize)| a as u128 * d as u128 > c as u128 * b as u128;
        self.worst = match (self.worst, other.worst) {
            (Some(one), Some(two)) => Some(if larger(two, one) { two } else { one }),
            (one, two) => one.or(two),
        };
        self.worst_known = self.worst_known.max(other.worst_known);
        self.usual += other.usual;
        self.single += other.single;
        self.different = match (self.different, other.different) {
            (Some(one), Some(two)) => Some((one.0.min(two.0), one.1.min(two.1))),
            (one, two) => one.or(two),
        };
    }
}

/// Judges a part of a release, header and all, as [`super::judge_stream`] judges the whole; the verdict, if a check fails.
///
/// # Errors
/// As [`super::judge_stream`]; and for conditions on sensitive values, which need all groups at once.
pub fn judge_part(
    source: impl Read,
    question: &Question,
    before: Before,
) -> Result<Result<JudgedPart, Verdict>, Error> {
    whole_only(question)?;
    let (mut rows, header) = Rows::new(source, question.dialect)?;
    let judge = Judge::new(&header, Reader::Strict, question)?;
    // Without a column of them classes are not counted.
    let before = if judge.roles.class.is_some() { before } else { Before { classes: 0, ..before } };
    let mut judge = judge.beginning(before);
    let (mut row, mut ends) = (Row::default(), [Vec::new(), Vec::new()]);
    let quasi =
        |judge: &Judge| judge.roles.quasi.iter().map(|&at| judge.before.cell(at).to_owned()).collect();
    while rows.next(&mut row)? {
        judge.take(&mut row);
        if judge.rows == before.rows + 1 {
            ends[0] = quasi(&judge);
        }
    }
    if judge.rows > before.rows {
        ends[1] = quasi(&judge);
    }
    judge.complete();
    let part = JudgedPart {
        before,
        rows: judge.rows - before.rows,
        labels: judge.labels.0 - before.classes,
        ends,
        groups: judge.groups.seen.part(),
        classes: judge.classes.seen.part(),
        values: judge.values.rows().map(|(code, rows)| (judge.values.text(code).to_owned(), rows)).collect(),
    };
    let judged = judge.finish()?;
    Ok(if judged.verdict.passed { Ok(part) } else { Err(judged.verdict) })
}

/// The verdict on a table of which these parts were judged, in any order, by this question. A part that is missing, or that begins
/// where another one has not ended, fails it like a row that is out of order.
///
/// # Errors
/// As [`judge_part`].
pub fn judge_parts(
    header: &[String],
    question: &Question,
    mut parts: Vec<JudgedPart>,
) -> Result<Judged, Error> {
    whole_only(question)?;
    let mut judge = Judge::new(header, Reader::Strict, question)?;
    parts.sort_by_key(|part| part.before.rows);
    let mut last: Option<&[String]> = None;
    let mut so_far = Before::default();
    for part in &parts {
        let name = question.quasi.first().map_or("", String::as_str);
        if part.before != so_far {
            judge.unsorted.note(|| words::unsorted(so_far.rows, name));
        } else if let Some(last) = last {
            let differing =
                last.iter().zip(&part.ends[0]).map(|(a, b)| order::compare(a, b)).find(|o| o.is_ne());
            if differing.is_none_or(std::cmp::Ordering::is_gt) {
                judge.unsorted.note(|| words::unsorted(so_far.rows, name));
            }
        }
        so_far = Before { rows: so_far.rows + part.rows, classes: so_far.classes + part.labels };
        last = Some(&part.ends[1]);
        judge.groups.seen.join(&part.groups);
        judge.classes.seen.join(&part.classes);
        for (text, rows) in &part.values {
            judge.values.add(text, *rows);
        }
    }
    (judge.rows, judge.labels.0) = (so_far.rows, so_far.classes);
    judge.unnamed.forget();
    judge.finish()
}

fn whole_only(question: &Question) -> Result<(), Error> {
    if question.conditions.all.is_empty() {
        Ok(())
    } else {
        Err(Error::Senseless(Senseless::ConditionsInParts))
    }
}
