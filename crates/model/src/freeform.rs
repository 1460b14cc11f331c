//! Answers without classes: each record is published as a generalised row of its own.

use serde::{Deserialize, Serialize};

use crate::{Error, instance::Instance, job::Job, loss::Loss, received::AnswerFault, rule::Least};

lookalike_words::messages! {
    in "model";

    /// Why matchings are no answer. Records, rows and matchings count from 0.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum MatchingFault {
        /// There are not k of them.
        Number {
            /// How many there are.
            matchings: usize,
            /// k.
            k: usize,
        },
        /// One has not each record.
        Records {
            /// The matching.
            matching: usize,
            /// Its records.
            records: usize,
            /// All records.
            of: usize,
        },
        /// One gives a row twice, or a row that does not exist.
        Row {
            /// The matching.
            matching: usize,
            /// The row.
            row: u32,
        },
        /// A record and a row are a pair in two of them.
        Pair {
            /// The record.
            record: usize,
        },
    }
}

/// Most records: the audit compares every record with every row, and the assignment holds n^2 costs (200 MB).
pub const MOST: usize = 5_000;

/// Matchings of records and published rows, no two of which share a pair. The row of a record covers all records that some
/// matching gives it, so each row covers as many records as there are matchings, and each record is covered by as many
/// rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Freeform {
    /// For each matching and record, in the job's order, the row it is matched with; the first matching is the identity.
    pub matchings: Vec<Vec<u32>>,
}

/// The k of a job for rows of their own.
///
/// # Errors
/// [`Error::KnowsNoSensitiveValues`] for a rule with conditions on values, [`Error::ProtectsNobody`] for k below 2.
pub fn k(job: &Job) -> Result<usize, Error> {
    if !job.rule.conditions.is_empty() {
        return Err(Error::KnowsNoSensitiveValues { method: job.method.name().name() });
    }
    match job.rule.min_size {
        k @ (0 | 1) => Err(Error::ProtectsNobody { least: Least::K { k } }),
        k => Ok(k),
    }
}

/// Checks that there are k matchings of n records, each a permutation, no pair in two of them.
///
/// # Errors
/// [`Error::Answer`] with the first violation.
pub fn verify(freeform: &Freeform, n: usize, k: usize) -> Result<(), Error> {
    let bad = |fault: MatchingFault| Err(Error::from(AnswerFault::Matching(fault)));
    let matchings = &freeform.matchings;
    if matchings.len() != k {
        return bad(MatchingFault::Number { matchings: matchings.len(), k });
    }
    for (at, matching) in matchings.iter().enumerate() {
        let mut taken = vec![false; n];
        if matching.len() != n {
            return bad(MatchingFault::Records { matching: at, records: matching.len(), of: n });
        }
        for &row in matching {
            match taken.get_mut(row as usize) {
                Some(taken) if !*taken => *taken = true,
                _ => return bad(MatchingFault::Row { matching: at, row }),
            }
        }
    }
    for record in 0..n {
        let mut rows: Vec<u32> = matchings.iter().map(|matching| matching[record]).collect();
        rows.sort_unstable();
        if rows.windows(2).any(|w| w[0] == w[1]) {
            return bad(MatchingFault::Pair { record });
        }
    }
    Ok(())
}

/// The records that each row covers, ascending.
pub fn covered(freeform: &Freeform) -> Vec<Vec<u32>> {
    let mut covered: Vec<Vec<u32>> = vec![Vec::new(); freeform.matchings.first().map_or(0, Vec::len)];
    for matching in &freeform.matchings {
        for (record, &row) in (0..).zip(matching) {
            covered[row as usize].push(record);
        }
    }
    for records in &mut covered {
        records.sort_unstable();
    }
    covered
}

/// The loss: that of each row's records as a class, in the mean of these. Where rows make classes of k records that cover
/// each other it is the loss of the classes.
pub fn loss(instance: &Instance, loss: &impl Loss, covered: &[Vec<u32>]) -> f64 {
    covered.iter().map(|records| loss.class(instance, records) / records.len().max(1) as f64).sum()
}
