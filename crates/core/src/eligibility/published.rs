//! The methods of the literature beside the optimum, for every `m`.

use lookalike_model::survey::{Hybrid, PublishedRow};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::{Changes, additions, cach_table, deletions, hybrid_exact, hybrid_greedy, random_counterfeits};

/// Steps of Algorithm 3, which is O(l) a change, and draws of random counterfeits: beyond, there is no figure.
const STEPS: u128 = 200_000_000;
const DRAWS: u64 = 20_000_000;

/// What Algorithms 1 to 3 of Tobar 2024, its references \[14\] and \[18\], and the exact hybrid change: one row an `m`. The
/// random counterfeits of each `m` are drawn from `seed`, one stream an `m`.
///
/// Algorithm 3 is left out where it would take more than 2 * 10^8 steps, random counterfeits where 2 * 10^7 draws do not
/// suffice (for m = l they gain nothing on average).
#[must_use]
pub fn published(counts: &[u64], ms: impl IntoIterator<Item = u64>, seed: u64) -> Vec<PublishedRow> {
    ms.into_iter().map(|m| row(counts, m, seed)).collect()
}

fn row(counts: &[u64], m: u64, seed: u64) -> PublishedRow {
    let optimum = hybrid_exact(counts, m).ok();
    let steps = |changes: &Changes| u128::from(changes.added() + changes.deleted()) * counts.len() as u128;
    let short = optimum.as_ref().is_some_and(|changes| steps(changes) <= STEPS);
    let algorithm_3 = if short { hybrid_greedy(counts, m).ok() } else { None };
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(m);
    let drawn = random_counterfeits(counts, m, DRAWS, &mut rng).ok().flatten();
    PublishedRow {
        m,
        algorithm_1: additions(counts, m).ok().map(|changes| changes.added()),
        algorithm_2: deletions(counts, m).ok().map(|changes| changes.deleted()),
        algorithm_3: algorithm_3.as_ref().map(hybrid),
        random_counterfeits: drawn.map(|changes| changes.added()),
        cach_table: cach_table(counts, m).ok().flatten().map(|changes| changes.deleted()),
        optimum: optimum.as_ref().map(hybrid),
    }
}

fn hybrid(changes: &Changes) -> Hybrid {
    let (additions, deletions) = (changes.added(), changes.deleted());
    Hybrid { additions, deletions, changes: additions + deletions }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's examples, and the smallest table where Algorithm 3 misses.
    #[test]
    fn the_paper_beside_the_optimum() {
        let at = |counts: &[u64], m| published(counts, [m], 1)[0];
        let row = at(&[5, 3, 1, 1], 3);
        assert_eq!((row.m, row.algorithm_1, row.algorithm_2, row.cach_table), (3, Some(5), Some(4), None));
        assert_eq!(row.algorithm_3, row.optimum);
        assert_eq!(row.optimum.map(|h| h.changes), Some(3));
        // A draw adds one record, and may raise the maximum.
        assert!(row.random_counterfeits >= Some(5));
        assert_eq!(row, at(&[5, 3, 1, 1], 3));
        let missed = at(&[3, 3, 3, 2, 2, 2, 1, 1], 7);
        assert_eq!(
            (missed.algorithm_3.map(|h| h.changes), missed.optimum.map(|h| h.changes)),
            (Some(4), Some(3))
        );
        // One record of the most frequent value out: {2, 2, 2, 2}, m = 4.
        assert_eq!(at(&[3, 2, 2, 2], 4).cach_table, Some(1));
        // Nothing to be done, and nothing that can be done.
        let free = at(&[2, 2], 2);
        assert_eq!(
            (free.algorithm_1, free.random_counterfeits, free.cach_table),
            (Some(0), Some(0), Some(0))
        );
        let beyond = at(&[2, 2], 3);
        assert_eq!((beyond.algorithm_1, beyond.optimum, beyond.random_counterfeits), (None, None, None));
        // Too long for one step after the other.
        let huge = at(&[10_000_000_000, 1], 2);
        assert_eq!((huge.algorithm_3, huge.algorithm_1), (None, Some(9_999_999_999)));
    }
}
