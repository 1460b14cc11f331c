//! t-closeness (Li, Li, Venkatasubramanian, ICDE 2007): earth mover's distance between the sensitive values of a group
//! and those of the whole table, suppressed rows included, since they are published too.

use lookalike_words::Figure;

use super::secret::Secret;
use crate::{Check, Grouping, Observation, Promise, Subject, Witness, groups::Groups};

/// Sums of shares are exact to about this much.
const TOLERANCE: f64 = 1e-12;

/// Whether every group is t-close to the whole table, and what the worst one reaches.
///
/// A group without a known value has distance 1.
pub(crate) fn check(
    groups: &Groups,
    secret: &Secret,
    t: f64,
    ordered: bool,
    grouping: Grouping,
) -> (Check, Option<f64>) {
    let known = secret.totals.iter().sum::<usize>().max(1) as f64;
    let table: Vec<f64> = secret.totals.iter().map(|&count| count as f64 / known).collect();
    let reached: Vec<f64> = secret
        .counts(groups)
        .iter()
        .map(|counts| {
            let ranks = secret.ranks.as_ref().filter(|_| ordered);
            match ranks {
                _ if counts.is_empty() => 1.0,
                None => equal(counts, &table),
                Some(ranks) => by_rank(counts, &table, ranks, secret.rank_count),
            }
        })
        .collect();
    let worst = reached.iter().copied().reduce(f64::max);
    let failed = || reached.iter().enumerate().filter(|(_, x)| **x > t + TOLERANCE);
    let (all, values) = (groups.sizes.len(), secret.values);
    let (figure, most) = (|x| Figure::fixed(x, 4), Figure::shortest(t));
    let finding = match (worst.map(figure), failed().count()) {
        (None, _) => Observation::Nothing { grouping },
        (Some(distance), 0) => Observation::Close { grouping, all, distance, values, most },
        (Some(distance), broken) => Observation::NotClose { grouping, all, distance, values, most, broken },
    };
    let name = Subject::Promise(Promise::TCloseness { t: Figure::shortest(t), ordered, grouping });
    let witness =
        |(group, x): (usize, &f64)| Witness::Distant { of: groups.describe(group), distance: figure(*x) };
    (Check::new(name, finding, failed().map(witness)), worst)
}

/// Half the sum of |p - q|.
fn equal(counts: &[(u32, usize)], table: &[f64]) -> f64 {
    let n = counts.iter().map(|(_, count)| count).sum::<usize>() as f64;
    // Where the group has more than the table; the rest of the difference is as large.
    let more = counts.iter().map(|&(value, count)| (count as f64 / n - table[value as usize]).max(0.0));
    more.sum()
}

/// Sum over the ranks of |cumulated p - cumulated q|, over the largest difference of ranks.
fn by_rank(counts: &[(u32, usize)], table: &[f64], ranks: &[u32], rank_count: usize) -> f64 {
    let n = counts.iter().map(|(_, count)| count).sum::<usize>() as f64;
    let mut difference = vec![0.0; rank_count];
    for (value, share) in table.iter().enumerate() {
        difference[ranks[value] as usize] -= share;
    }
    for &(value, count) in counts {
        difference[ranks[value as usize] as usize] += count as f64 / n;
    }
    let (mut moved, mut work) = (0.0_f64, 0.0);
    for x in difference {
        moved += x;
        work += moved.abs();
    }
    work / rank_count.saturating_sub(1).max(1) as f64
}
