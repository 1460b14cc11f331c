//! Brute force, the integer programme, and properties.

use lookalike_lp::{
    Backend,
    eligibility::{fewest_changes, fewest_changes_weighted},
};
use lookalike_model::settings::{Fake, Ties};
use proptest::prelude::*;

use super::{tests::after, *};
use crate::Error;

/// Least number or cost of changes over all published counts with a record; `None` if none is eligible.
fn brute_force(counts: &[u64], m: u64, costs: &Rates, additions: bool, deletions: bool) -> Option<u128> {
    let top = counts.iter().max().map_or(0, |c| c + 1);
    let mut x = vec![0_u64; counts.len()];
    let mut best = None;
    loop {
        let sum: u64 = x.iter().sum();
        let holds = x.iter().all(|v| m * v <= sum) && (sum > 0 || counts.iter().all(|&c| c == 0));
        let changes = Changes {
            additions: x.iter().zip(counts).map(|(x, c)| x.saturating_sub(*c)).collect(),
            deletions: counts.iter().zip(&x).map(|(c, x)| c.saturating_sub(*x)).collect(),
        };
        let permitted = (additions || changes.added() == 0) && (deletions || changes.deleted() == 0);
        if holds && permitted {
            let cost = costs.of(&changes);
            best = Some(best.map_or(cost, |b: u128| b.min(cost)));
        }
        let Some(i) = x.iter().position(|&v| v < top) else { return best };
        x[i] += 1;
        x[..i].fill(0);
    }
}

/// Algorithm 1 tuple by tuple.
fn additions_one_by_one(counts: &[u64], m: u64) -> Vec<u64> {
    let mut x = counts.to_vec();
    while !is_eligible(&x, m) {
        let rarest = (0..x.len()).min_by_key(|&i| (x[i], i)).expect("a value");
        x[rarest] += 1;
    }
    x
}

fn counts() -> impl Strategy<Value = Vec<u64>> {
    let count = prop_oneof![4 => 1_u64..6, 2 => 0_u64..60, 1 => 0_u64..100_000];
    prop::collection::vec(count, 1..16)
}

/// Counts with an `m` that the domain allows.
fn counts_and_m() -> impl Strategy<Value = (Vec<u64>, u64)> {
    counts().prop_flat_map(|c| {
        let l = c.len() as u64;
        (Just(c), 1..=l)
    })
}

/// Small counts with costs that may grow, and an `m`.
fn small() -> impl Strategy<Value = (Vec<u64>, Rates, u64)> {
    prop::collection::vec(0_u64..5, 1..6).prop_flat_map(|c| {
        let l = c.len();
        let rate = || {
            (1_u64..6, prop_oneof![Just(0_u64), 0_u64..4]).prop_map(|(first, growth)| Rate { first, growth })
        };
        let rates = move || prop::collection::vec(rate(), l);
        let rates = (rates(), rates()).prop_map(|(addition, deletion)| Rates { addition, deletion });
        (Just(c), rates, 1..=l as u64)
    })
}

fn back_ends() -> Vec<Backend> {
    // HiGHS is compiled in where the worker is built along.
    let mut all = vec![Backend::Microlp];
    if Backend::best() != Backend::Microlp {
        all.push(Backend::best());
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn brute_force_finds_nothing_better((counts, costs, m) in small()) {
        let unit = Rates::unit(counts.len());
        let total = |r: Result<Changes, Error>| r.ok().map(|c| unit.of(&c));
        prop_assert_eq!(total(additions(&counts, m)), brute_force(&counts, m, &unit, true, false));
        prop_assert_eq!(total(deletions(&counts, m)), brute_force(&counts, m, &unit, false, true));
        prop_assert_eq!(total(hybrid_exact(&counts, m)), brute_force(&counts, m, &unit, true, true));
        for (allowed, a, d) in
            [(Allowed::BOTH, true, true), (Allowed::ADDITIONS, true, false), (Allowed::DELETIONS, false, true)]
        {
            for (ties, fake) in [(Ties::FewestDeletions, Fake::Rarest), (Ties::FewestAdditions, Fake::Frequent)] {
                let cheapest = least_cost(&counts, m, allowed, &costs, Among { ties, fake }).ok();
                let cost = cheapest.as_ref().map(|changes| costs.of(changes));
                prop_assert_eq!(cost, brute_force(&counts, m, &costs, a, d));
                let Some(changes) = cheapest else { continue };
                prop_assert!(is_eligible(&after(&counts, &changes), m));
                prop_assert!(classes_hold_real_records(&counts, m, &changes) || counts.iter().sum::<u64>() == 0);
            }
        }
    }

    #[test]
    fn the_integer_programme_agrees((counts, m) in counts_and_m(), salt in 1_u64..1_000) {
        let costs = Costs {
            addition: (0..counts.len() as u64).map(|i| 1 + (salt * (i + 3)) % 11).collect(),
            deletion: (0..counts.len() as u64).map(|i| 1 + (salt * (i + 8)) % 7).collect(),
        };
        let rates = Rates::from(&costs);
        for backend in back_ends() {
            for (ours, allowed) in [
                (additions(&counts, m), Allowed::ADDITIONS),
                (deletions(&counts, m), Allowed::DELETIONS),
                (hybrid_exact(&counts, m), Allowed::BOTH),
            ] {
                let theirs = fewest_changes(&counts, m, allowed, backend);
                prop_assert_eq!(ours.map(|c| c.total()).ok(), theirs.map(|c| c.total()).ok());
                let ours = least_cost(&counts, m, allowed, &rates, Among::default()).map(|c| costs.of(&c));
                let theirs = fewest_changes_weighted(&counts, m, allowed, &costs, backend);
                prop_assert_eq!(ours.ok(), theirs.map(|c| costs.of(&c)).ok());
            }
        }
    }

    /// An independent way to the least growing cost: every cap, and each record added where the next one is cheapest.
    #[test]
    fn caps_one_by_one_are_no_cheaper(
        (counts, rates, m) in prop::collection::vec(0_u64..25, 1..9).prop_flat_map(|c| {
            let l = c.len();
            let rate = || (1_u64..30, 0_u64..9).prop_map(|(first, growth)| Rate { first, growth });
            let rates = (prop::collection::vec(rate(), l), prop::collection::vec(rate(), l));
            (Just(c), rates.prop_map(|(addition, deletion)| Rates { addition, deletion }), 1..=l as u64)
        })
    ) {
        let top = counts.iter().copied().max().unwrap_or(0);
        let costs = (1..=top).map(|t| {
            let mut x: Vec<u64> = counts.iter().map(|&c| c.min(t)).collect();
            let mut changes = Changes::none(x.len());
            for (deleted, c) in changes.deletions.iter_mut().zip(&counts) {
                *deleted = c.saturating_sub(t);
            }
            while x.iter().sum::<u64>() < m * t {
                let next = |i: usize| rates.addition[i].first + rates.addition[i].growth * changes.additions[i];
                let cheapest = (0..x.len()).filter(|&i| x[i] < t).min_by_key(|&i| next(i)).expect("room");
                x[cheapest] += 1;
                changes.additions[cheapest] += 1;
            }
            rates.of(&changes)
        });
        let ours = least_cost(&counts, m, Allowed::BOTH, &rates, Among::default()).expect("m values");
        prop_assert_eq!(rates.of(&ours), costs.min().unwrap_or(0));
    }

    /// Growing costs of deletion spread the deletions or replace them, never the reverse.
    #[test]
    fn penalised_repetition_deletes_no_more((counts, m) in counts_and_m(), growth in 1_u64..50) {
        let mut rates = Rates::unit(counts.len());
        let plain = least_cost(&counts, m, Allowed::BOTH, &rates, Among::default()).expect("m values");
        rates.deletion.fill(Rate { first: 1, growth });
        let penalised = least_cost(&counts, m, Allowed::BOTH, &rates, Among::default()).expect("m values");
        prop_assert!(penalised.deleted() <= plain.deleted());
        prop_assert!(rates.of(&penalised) <= rates.of(&plain));
    }

    #[test]
    fn every_way_reaches_m_and_the_hybrid_is_never_worse((counts, m) in counts_and_m()) {
        let exact = hybrid_exact(&counts, m).expect("m values");
        for other in [additions(&counts, m), deletions(&counts, m), hybrid_greedy(&counts, m)] {
            let Ok(other) = other else { continue };
            prop_assert!(is_eligible(&after(&counts, &other), m));
            // Algorithm 3 may empty a table with unused values, which the exact hybrid never does.
            if after(&counts, &other).iter().any(|&x| x > 0) {
                prop_assert!(exact.total() <= other.total());
            }
        }
        let x = after(&counts, &exact);
        prop_assert!(is_eligible(&x, m));
        // Nothing is added to and deleted from; a value at the cap is real.
        let cap = x.iter().copied().max().unwrap_or(0);
        for (i, &count) in counts.iter().enumerate() {
            prop_assert!(exact.additions[i] == 0 || exact.deletions[i] == 0);
            prop_assert!(exact.additions[i] == 0 || count < cap);
        }
        let cut = exact.deletions.iter().filter(|&&d| d > 0).count() as u64;
        prop_assert!(2 * cut < m.max(1) || cut == 0);
        prop_assert!(classes_hold_real_records(&counts, m, &exact) || total(&counts) == 0);
        prop_assert!(largest_m(&counts) <= counts.iter().filter(|&&c| c > 0).count() as u64);
        prop_assert_eq!(m <= largest_m(&counts) || total(&counts) == 0, is_eligible(&counts, m));
    }

    #[test]
    fn algorithm_1_fills_the_rarest((counts, m) in counts_and_m()) {
        let counts: Vec<u64> = counts.iter().map(|c| c % 300).collect();
        let ours = after(&counts, &additions(&counts, m).expect("m values"));
        prop_assert_eq!(ours, additions_one_by_one(&counts, m));
    }

    #[test]
    fn algorithm_2_cuts_at_the_highest_cap_that_holds((counts, m) in counts_and_m()) {
        let Ok(changes) = deletions(&counts, m) else { return Ok(()) };
        let x = after(&counts, &changes);
        let cap = x.iter().copied().max().unwrap_or(0);
        let cut = |t: u64| counts.iter().map(|&c| c.min(t)).collect::<Vec<_>>();
        prop_assert_eq!(&x, &cut(cap));
        prop_assert!(cut(cap + 1) == x || !is_eligible(&cut(cap + 1), m));
    }

    #[test]
    fn uniform_costs_are_the_plain_hybrid((counts, m) in counts_and_m(), cost in 1_u64..9) {
        let rate = vec![Rate { first: cost, growth: 0 }; counts.len()];
        let rates = Rates { addition: rate.clone(), deletion: rate };
        let ways = [
            (Allowed::BOTH, hybrid_exact(&counts, m)),
            (Allowed::ADDITIONS, additions(&counts, m)),
            (Allowed::DELETIONS, deletions(&counts, m)),
        ];
        for (allowed, plain) in ways {
            prop_assert_eq!(least_cost(&counts, m, allowed, &rates, Among::default()), plain);
        }
    }

    /// Ties decide who is changed, not what is published: the counts are the same up to their order.
    #[test]
    fn a_permuted_table_gets_the_permuted_answer(
        ((counts, m), permuted) in counts_and_m().prop_flat_map(|(c, m)| {
            let shuffled = Just(c.clone()).prop_shuffle();
            (Just((c, m)), shuffled)
        })
    ) {
        type Way = fn(&[u64], u64) -> Result<Changes, Error>;
        let ways: [Way; 4] = [additions, deletions, hybrid_greedy, hybrid_exact];
        for way in ways {
            let published = |counts: &[u64]| {
                way(counts, m).map(|changes| {
                    let mut x = after(counts, &changes);
                    x.sort_unstable();
                    (x, changes.added(), changes.deleted())
                })
            };
            prop_assert_eq!(published(&counts), published(&permuted));
        }
    }
}
