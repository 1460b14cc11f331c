//! Worked examples, brute force, the integer programme, and properties.

use lookalike_lp::{
    Backend,
    eligibility::{Allowed, MAX_COUNT, fewest_changes, fewest_changes_weighted},
};
use lookalike_wire::settings::Repair;
use proptest::prelude::*;

use super::*;

fn after(counts: &[u64], changes: &Changes) -> Vec<u64> {
    changes.apply(counts).expect("changes fit the counts")
}

/// Least number or cost of changes over all published counts with a record; `None` if none is eligible.
fn brute_force(counts: &[u64], m: u64, costs: &Costs, additions: bool, deletions: bool) -> Option<u128> {
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

#[test]
fn table_1_and_its_repairs() {
    let counts = [5, 3, 1, 1];
    assert_eq!((is_eligible(&counts, 2), is_eligible(&counts, 3), largest_m(&counts)), (true, false, 2));
    assert_eq!(after(&counts, &additions(&counts, 3).unwrap()), [5, 4, 3, 3]);
    assert_eq!(after(&counts, &deletions(&counts, 3).unwrap()), [2, 2, 1, 1]);
    assert_eq!(after(&counts, &hybrid_exact(&counts, 3).unwrap()), [3, 3, 2, 1]);
    assert_eq!(after(&counts, &hybrid_greedy(&counts, 3).unwrap()), [3, 3, 2, 1]);
}

#[test]
fn the_papers_further_examples() {
    let counts = [10, 9, 7, 1];
    assert_eq!(after(&counts, &additions(&counts, 3).unwrap()), [10, 9, 7, 4]);
    assert_eq!(after(&counts, &deletions(&counts, 3).unwrap()), [8, 8, 7, 1]);
    assert_eq!(after(&counts, &hybrid_exact(&counts, 3).unwrap()), [9, 9, 7, 2]);
    assert_eq!(after(&[10, 2], &additions(&[10, 2], 2).unwrap()), [10, 10]);
    // Proposition 10: with m = l all counts become equal.
    for changes in [additions(&counts, 4), deletions(&counts, 4), hybrid_exact(&counts, 4)] {
        let x = after(&counts, &changes.unwrap());
        assert!(x.iter().all(|&v| v == x[0]), "{x:?}");
    }
}

#[test]
fn algorithm_3_is_not_optimal() {
    let cases: [(&[u64], u64, u64, u64); 3] = [
        (&[38, 5, 5, 3, 2, 2, 1, 1, 1, 1, 1, 1], 9, 44, 43),
        (&[26, 23, 16, 2, 2, 1, 1, 1, 1], 7, 60, 59),
        (&[3, 3, 3, 2, 2, 2, 1, 1], 7, 4, 3),
    ];
    for (counts, m, greedy, exact) in cases {
        assert_eq!(hybrid_greedy(counts, m).unwrap().total(), greedy);
        assert_eq!(hybrid_exact(counts, m).unwrap().total(), exact);
        let programme = fewest_changes(counts, m, Allowed::BOTH, Backend::best()).unwrap();
        assert_eq!(programme.total(), exact);
    }
}

/// All ways to write `n` as at most `parts` counts, none above `most`, in descending order.
fn tables(n: u64, most: u64, parts: usize, counts: &mut Vec<u64>, visit: &mut impl FnMut(&[u64])) {
    if n == 0 {
        return visit(counts);
    }
    if parts > 0 {
        for c in 1..=most.min(n) {
            counts.push(c);
            tables(n - c, c, parts - 1, counts, visit);
            counts.pop();
        }
    }
}

#[test]
fn algorithm_3_errs_in_32_small_cases() {
    let (mut cases, mut worse, mut least) = (0, 0, u64::MAX);
    for n in 1..=20 {
        tables(n, n, 12, &mut Vec::new(), &mut |counts| {
            for m in (2..=counts.len() as u64).filter(|&m| !is_eligible(counts, m)) {
                let excess =
                    hybrid_greedy(counts, m).unwrap().total() - hybrid_exact(counts, m).unwrap().total();
                assert!(excess <= 1, "{counts:?} {m}");
                cases += 1;
                worse += excess;
                least = if excess > 0 { least.min(n) } else { least };
            }
        });
    }
    assert_eq!((cases, worse, least), (9_435, 32, 17));
}

#[test]
fn ties_follow_the_order_of_the_values() {
    // Six counterfeits: the level of 3 is reached with four, the two left over go to the first two values.
    assert_eq!(additions(&[2, 1, 5, 2], 4).unwrap().additions, [3, 4, 0, 3]);
    assert_eq!(additions(&[1, 1, 1, 5], 3).unwrap().additions, [3, 2, 2, 0]);
    // The cap may be 2 (two deletions) or 3 (one deletion, one counterfeit): fewest deletions wins.
    let changes = hybrid_exact(&[4, 2, 2], 3).unwrap();
    assert_eq!((changes.deletions, changes.additions), (vec![2, 0, 0], vec![0, 0, 0]));
    let changes = hybrid_exact(&[3, 2], 2).unwrap();
    assert_eq!((changes.deletions, changes.additions), (vec![0, 0], vec![0, 1]));
}

#[test]
fn the_table_is_never_emptied() {
    let counts = [3, 0, 0, 0, 0];
    assert_eq!(hybrid_exact(&counts, 5).unwrap().total(), 6);
    assert!(matches!(deletions(&counts, 5), Err(Error::Infeasible(why)) if why.contains("only 1 of 5")));
    assert_eq!(hybrid_exact(&[0, 0], 2), Ok(Changes::none(2)));
    assert_eq!(deletions(&[], 2), Ok(Changes::none(0)));
}

#[test]
fn too_few_values_are_an_error_that_names_the_largest_m() {
    let why = "only 4 distinct sensitive values; m = 5 needs at least 5; the largest feasible m is 4";
    for result in [
        additions(&[5, 3, 1, 1], 5),
        deletions(&[5, 3, 1, 1], 5),
        hybrid_greedy(&[5, 3, 1, 1], 5),
        hybrid_exact(&[5, 3, 1, 1], 5),
        repair(&[5, 3, 1, 1], 5, Repair::Add, Backend::best()).map(|plan| plan.changes),
    ] {
        assert_eq!(result, Err(Error::Infeasible(String::from(why))));
    }
    assert_eq!(nearest(&[3, 3, 3, 3], 5).unwrap().explain("flu"), why);
    assert_eq!(
        nearest(&[5, 3, 1, 1], 5).unwrap().explain("flu"),
        format!("{why} with changes and 2 without")
    );
    assert_eq!(
        nearest(&[9], 2).unwrap().explain("flu"),
        "only 1 distinct sensitive value; m = 2 needs at least 2, and no m of 2 or more is feasible"
    );
}

#[test]
fn an_ineligible_table_is_explained() {
    // Occupation in Adult: 4,140 of 30,718.
    let mut counts = vec![4140];
    counts.extend([4099, 4066, 3770, 3650, 3295, 2002, 1597, 1370, 994, 928, 649, 149, 9]);
    let n = nearest(&counts, 8).unwrap();
    assert_eq!((n.value, n.count, n.records, n.at_most, n.largest_m), (0, 4140, 30_718, 3839, 7));
    let text = n.explain("Prof-specialty");
    assert!(
        text.starts_with("Prof-specialty is held by 4140 of 30718 records; m = 8 allows at most 3839; "),
        "{text}"
    );
    assert!(
        text.contains("the largest m without changes is 7; m = 8 would take 2402 counterfeits, or "),
        "{text}"
    );
    assert!(nearest(&counts, 7).is_none());
    assert_eq!(
        nearest(&[2, 1], 2).unwrap().explain("flu"),
        "flu is held by 2 of 3 records; m = 2 allows at most 1; no m of 2 or more is possible without changes; \
         m = 2 would take 1 counterfeit, or 1 deletion"
    );
}

#[test]
fn survey_of_table_1() {
    let rows = survey(&[5, 3, 1, 1], [2, 3, 5]);
    assert!(rows[0].eligible);
    assert_eq!(rows[0].hybrid, Some(Hybrid { additions: 0, deletions: 0 }));
    assert_eq!(
        rows[1],
        SurveyRow {
            m: 3,
            eligible: false,
            additions: Some(5),
            deletions: Some(4),
            hybrid: Some(Hybrid { additions: 1, deletions: 2 }),
            share: Some(0.3),
        }
    );
    assert_eq!(
        (rows[2].additions, rows[2].deletions, rows[2].hybrid, rows[2].share),
        (None, None, None, None)
    );
}

#[test]
fn repair_does_what_was_asked_for() {
    let b = Backend::best();
    let counts = [5, 3, 1, 1];
    assert_eq!(repair(&counts, 2, Repair::Hybrid, b), Ok(Plan { changes: Changes::none(4), backend: None }));
    assert!(
        matches!(repair(&counts, 3, Repair::Error, b), Err(Error::Infeasible(why)) if why.contains("5 of 10"))
    );
    for (way, changes) in [
        (Repair::Add, additions(&counts, 3).unwrap()),
        (Repair::Delete, deletions(&counts, 3).unwrap()),
        (Repair::Hybrid, hybrid_exact(&counts, 3).unwrap()),
    ] {
        assert_eq!(repair(&counts, 3, way, b), Ok(Plan { changes, backend: Some(b.name()) }));
    }
}

#[test]
fn counts_of_a_billion_do_not_overflow() {
    let counts = [MAX_COUNT, MAX_COUNT, MAX_COUNT, 3, 2, 1];
    assert_eq!(additions(&counts, 6).unwrap().total(), 3 * MAX_COUNT - 6);
    assert_eq!(after(&counts, &deletions(&counts, 4).unwrap()), [6, 6, 6, 3, 2, 1]);
    assert_eq!(hybrid_exact(&counts, 4).unwrap().total(), MAX_COUNT - 6);
    // Even counts that add up to more than 2^64.
    let huge = [u64::MAX, u64::MAX / 2, 1];
    assert_eq!(largest_m(&huge), 1);
    assert!(is_eligible(&after(&huge, &hybrid_exact(&huge, 3).unwrap()), 3));
    assert!(is_eligible(&after(&huge, &deletions(&huge, 2).unwrap()), 2));
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

fn small() -> impl Strategy<Value = (Vec<u64>, Costs, u64)> {
    prop::collection::vec(0_u64..5, 1..6).prop_flat_map(|c| {
        let l = c.len();
        let cost = move || prop::collection::vec(1_u64..6, l);
        let costs = (cost(), cost()).prop_map(|(addition, deletion)| Costs { addition, deletion });
        (Just(c), costs, 1..=l as u64)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn brute_force_finds_nothing_better((counts, costs, m) in small()) {
        let unit = Costs::unit(counts.len());
        let total = |r: Result<Changes, Error>| r.ok().map(|c| unit.of(&c));
        prop_assert_eq!(total(additions(&counts, m)), brute_force(&counts, m, &unit, true, false));
        prop_assert_eq!(total(deletions(&counts, m)), brute_force(&counts, m, &unit, false, true));
        prop_assert_eq!(total(hybrid_exact(&counts, m)), brute_force(&counts, m, &unit, true, true));
        let weighted = cheapest(&counts, m, &costs).expect("m values");
        prop_assert!(is_eligible(&after(&counts, &weighted), m));
        prop_assert_eq!(Some(costs.of(&weighted)), brute_force(&counts, m, &costs, true, true));
    }

    #[test]
    fn the_integer_programme_agrees((counts, m) in counts_and_m(), salt in 1_u64..1_000) {
        for (ours, allowed) in [
            (additions(&counts, m), Allowed::ADDITIONS),
            (deletions(&counts, m), Allowed::DELETIONS),
            (hybrid_exact(&counts, m), Allowed::BOTH),
        ] {
            let theirs = fewest_changes(&counts, m, allowed, Backend::best());
            prop_assert_eq!(ours.map(|c| c.total()).ok(), theirs.map(|c| c.total()).ok());
        }
        let costs = Costs {
            addition: (0..counts.len() as u64).map(|i| 1 + (salt * (i + 3)) % 11).collect(),
            deletion: (0..counts.len() as u64).map(|i| 1 + (salt * (i + 8)) % 7).collect(),
        };
        let ours = cheapest(&counts, m, &costs).map(|c| costs.of(&c));
        let theirs = fewest_changes_weighted(&counts, m, Allowed::BOTH, &costs, Backend::best());
        prop_assert_eq!(ours.ok(), theirs.map(|c| costs.of(&c)).ok());
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
        let costs = Costs { addition: vec![cost; counts.len()], deletion: vec![cost; counts.len()] };
        prop_assert_eq!(cheapest(&counts, m, &costs), hybrid_exact(&counts, m));
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
