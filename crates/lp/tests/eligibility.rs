//! The eligibility programme against brute force, against itself with another back end, and worked examples.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests; the lint's exception for tests covers test functions only"
)]

use lookalike_lp::{
    Backend, Error,
    eligibility::{Allowed, Changes, Costs, MAX_COUNT, fewest_changes, fewest_changes_weighted},
};
use proptest::prelude::*;

/// Every back end that was compiled in.
fn backends() -> Vec<Backend> {
    vec![
        Backend::Microlp,
        #[cfg(feature = "highs")]
        Backend::Highs,
    ]
}

fn is_eligible(counts: &[u64], m: u64) -> bool {
    counts.iter().max().copied().unwrap_or(0) * m <= counts.iter().sum()
}

/// The least cost over all published counts `x` with a record and no `x_i` above `max c + 1`.
fn brute_force(counts: &[u64], m: u64, allowed: Allowed, costs: &Costs) -> Option<u128> {
    if counts.iter().sum::<u64>() == 0 {
        return Some(0);
    }
    let top = counts.iter().max().copied().unwrap_or(0) + 1;
    let mut x = vec![0; counts.len()];
    let mut best: Option<u128> = None;
    loop {
        let changes = Changes {
            additions: x.iter().zip(counts).map(|(x, c): (&u64, &u64)| x.saturating_sub(*c)).collect(),
            deletions: x.iter().zip(counts).map(|(x, c)| c.saturating_sub(*x)).collect(),
        };
        let permitted =
            (allowed.additions || changes.added() == 0) && (allowed.deletions || changes.deleted() == 0);
        if permitted && x.iter().sum::<u64>() > 0 && is_eligible(&x, m) {
            let cost = costs.of(&changes);
            best = Some(best.map_or(cost, |b| b.min(cost)));
        }
        let Some(i) = x.iter().position(|&v| v < top) else { return best };
        x[i] += 1;
        x[..i].fill(0);
    }
}

fn allowed() -> impl Strategy<Value = Allowed> {
    prop::sample::select(vec![Allowed::ADDITIONS, Allowed::DELETIONS, Allowed::BOTH])
}

fn costs(values: usize) -> impl Strategy<Value = Costs> {
    let cost = || prop::collection::vec(1_u64..5, values);
    (cost(), cost()).prop_map(|(addition, deletion)| Costs { addition, deletion })
}

fn small() -> impl Strategy<Value = (Vec<u64>, Costs)> {
    prop::collection::vec(0_u64..5, 1..6).prop_flat_map(|c| {
        let len = c.len();
        (Just(c), costs(len))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn brute_force_finds_nothing_cheaper((counts, costs) in small(), m in 1_u64..6, allowed in allowed()) {
        let unit = Costs::unit(counts.len());
        for (costs, weighted) in [(&unit, false), (&costs, true)] {
            let oracle = brute_force(&counts, m, allowed, costs);
            for backend in backends() {
                let found = if weighted {
                    fewest_changes_weighted(&counts, m, allowed, costs, backend)
                } else {
                    fewest_changes(&counts, m, allowed, backend)
                };
                match (found, oracle) {
                    (Ok(changes), Some(oracle)) => {
                        prop_assert_eq!(costs.of(&changes), oracle);
                        let after = changes.apply(&counts);
                        prop_assert!(after.is_some_and(|x| is_eligible(&x, m)));
                    }
                    (found, oracle) => prop_assert!(
                        found == Err(Error::Infeasible) && oracle.is_none(), "{:?} {:?}", found, oracle
                    ),
                }
            }
        }
    }
}

/// What both back ends find: total number, and total cost with costs made from `seed`.
#[cfg(feature = "highs")]
fn found_by_both(counts: &[u64], m: u64, allowed: Allowed, seed: u64) -> [[Result<u128, Error>; 2]; 2] {
    let cost = |i: usize, salt: u64| 1 + (seed / (i as u64 + salt)) % 7;
    let costs = Costs {
        addition: (0..counts.len()).map(|i| cost(i, 1)).collect(),
        deletion: (0..counts.len()).map(|i| cost(i, 3)).collect(),
    };
    [Backend::Microlp, Backend::Highs].map(|backend| {
        [
            fewest_changes(counts, m, allowed, backend).map(|c| u128::from(c.total())),
            fewest_changes_weighted(counts, m, allowed, &costs, backend).map(|c| costs.of(&c)),
        ]
    })
}

#[cfg(feature = "highs")]
proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn back_ends_agree(
        counts in prop::collection::vec(prop_oneof![0_u64..10, 0_u64..5_000, 0..=10_000_000_u64], 1..40),
        m in 1_u64..20,
        allowed in allowed(),
        seed in 0_u64..1_000_000,
    ) {
        let [microlp, highs] = found_by_both(&counts, m, allowed, seed);
        prop_assert!(microlp.iter().all(|r| matches!(r, Ok(_) | Err(Error::Infeasible))), "{:?}", microlp);
        prop_assert_eq!(microlp, highs);
    }

    #[test]
    fn back_ends_fail_rather_than_err_towards_a_billion(
        counts in prop::collection::vec(prop_oneof![0_u64..10, 0_u64..5_000, 0..=MAX_COUNT], 1..40),
        m in 1_u64..20,
        allowed in allowed(),
        seed in 0_u64..1_000_000,
    ) {
        let [microlp, highs] = found_by_both(&counts, m, allowed, seed);
        for pair in microlp.into_iter().zip(highs) {
            match pair {
                (Err(Error::Backend { .. }), _) | (_, Err(Error::Backend { .. })) => {}
                (microlp, highs) => prop_assert_eq!(microlp, highs),
            }
        }
    }
}

fn after(counts: &[u64], m: u64, allowed: Allowed, backend: Backend) -> Vec<u64> {
    fewest_changes(counts, m, allowed, backend).unwrap().apply(counts).unwrap()
}

fn total(counts: &[u64], m: u64, allowed: Allowed, backend: Backend) -> u64 {
    fewest_changes(counts, m, allowed, backend).unwrap().total()
}

#[test]
fn the_papers_examples() {
    for b in backends() {
        // Table I and its three repairs in Table II. Additions may go to other values, deletions have no choice.
        assert_eq!(total(&[5, 3, 1, 1], 3, Allowed::ADDITIONS, b), 5);
        assert_eq!(after(&[5, 3, 1, 1], 3, Allowed::DELETIONS, b), [2, 2, 1, 1]);
        assert_eq!(total(&[5, 3, 1, 1], 3, Allowed::BOTH, b), 3);
        // Section III-C.
        assert_eq!(total(&[10, 9, 7, 1], 3, Allowed::ADDITIONS, b), 3);
        assert_eq!(total(&[10, 9, 7, 1], 3, Allowed::DELETIONS, b), 3);
        assert_eq!(total(&[10, 9, 7, 1], 3, Allowed::BOTH, b), 2);
        // Section IV-B.
        assert_eq!(after(&[10, 2], 2, Allowed::ADDITIONS, b), [10, 10]);
    }
}

#[test]
fn algorithm_3_is_beaten_where_it_errs() {
    for b in backends() {
        assert_eq!(total(&[38, 5, 5, 3, 2, 2, 1, 1, 1, 1, 1, 1], 9, Allowed::BOTH, b), 43);
        assert_eq!(total(&[26, 23, 16, 2, 2, 1, 1, 1, 1], 7, Allowed::BOTH, b), 59);
        assert_eq!(total(&[3, 3, 3, 2, 2, 2, 1, 1], 7, Allowed::BOTH, b), 3);
    }
}

#[test]
fn the_table_is_never_emptied() {
    for b in backends() {
        // Deleting all three records would cost 3.
        assert_eq!(total(&[3, 0, 0, 0, 0], 5, Allowed::BOTH, b), 6);
        assert_eq!(fewest_changes(&[3, 0, 0, 0, 0], 5, Allowed::DELETIONS, b), Err(Error::Infeasible));
        // But an empty one stays empty.
        assert_eq!(fewest_changes(&[0, 0], 5, Allowed::BOTH, b), Ok(Changes::none(2)));
    }
}

#[test]
fn counts_of_a_billion() {
    for b in backends() {
        let counts = [MAX_COUNT, MAX_COUNT, MAX_COUNT, 3, 2, 1];
        assert_eq!(total(&counts, 6, Allowed::ADDITIONS, b), 3 * MAX_COUNT - 6);
        assert_eq!(after(&counts, 6, Allowed::DELETIONS, b), [1; 6]);
        assert_eq!(after(&counts, 4, Allowed::DELETIONS, b), [6, 6, 6, 3, 2, 1]);
    }
}

#[test]
fn many_values() {
    // 3,000 values with 1,000 different counts: l constraints of the published form would each be dense.
    let counts: Vec<u64> = (0..3_000).map(|i| 1 + (i * i) % 1_000).collect();
    for b in backends() {
        let totals =
            [Allowed::ADDITIONS, Allowed::DELETIONS, Allowed::BOTH].map(|a| total(&counts, 2_000, a, b));
        assert!(totals[2] <= totals[0].min(totals[1]), "{totals:?}");
        assert_eq!(totals[0], 2_000 * counts.iter().max().unwrap() - counts.iter().sum::<u64>());
    }
}

#[test]
fn input_that_cannot_be_solved_exactly_is_refused() {
    for b in backends() {
        for (counts, m) in [(vec![MAX_COUNT + 1, 1], 2), (vec![1, 1], 0)] {
            assert!(matches!(fewest_changes(&counts, m, Allowed::BOTH, b), Err(Error::Input { .. })));
        }
        let mut costs = Costs::unit(2);
        costs.deletion[1] = 0;
        assert!(matches!(
            fewest_changes_weighted(&[1, 2], 2, Allowed::BOTH, &costs, b),
            Err(Error::Input { .. })
        ));
        assert!(matches!(
            fewest_changes_weighted(&[1, 2], 2, Allowed::BOTH, &Costs::unit(3), b),
            Err(Error::Input { .. })
        ));
    }
}
