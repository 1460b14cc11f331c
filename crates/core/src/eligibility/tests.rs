//! Worked examples.

use lookalike_lp::{
    Backend,
    eligibility::{MAX_COUNT, fewest_changes},
};
use lookalike_model::settings::Repair;

use super::*;
use crate::Error;

pub(super) fn after(counts: &[u64], changes: &Changes) -> Vec<u64> {
    changes.apply(counts).expect("changes fit the counts")
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
    assert!(
        matches!(deletions(&counts, 5), Err(Error::NotEligible(why)) if *why == NotEligible::TooFewOccur { occurring: 1, values: 5, m: 5 })
    );
    assert_eq!(hybrid_exact(&[0, 0], 2), Ok(Changes::none(2)));
    assert_eq!(deletions(&[], 2), Ok(Changes::none(0)));
}

#[test]
fn too_few_values_are_an_error_that_names_the_largest_m() {
    let why = "only 4 distinct sensitive values; m = 5 needs at least 5; the largest feasible m is 4";
    let explained = |counts: &[u64], m| nearest(counts, m).unwrap().explain(Some("flu".into())).to_string();
    for result in [
        additions(&[5, 3, 1, 1], 5),
        deletions(&[5, 3, 1, 1], 5),
        hybrid_greedy(&[5, 3, 1, 1], 5),
        hybrid_exact(&[5, 3, 1, 1], 5),
        repair(&[5, 3, 1, 1], 5, &Wanted::fewest(Repair::Add), Backend::best()).map(|plan| plan.changes),
    ] {
        assert_eq!(result.unwrap_err().to_string(), why);
    }
    assert_eq!(explained(&[3, 3, 3, 3], 5), why);
    assert_eq!(explained(&[5, 3, 1, 1], 5), format!("{why} with changes and 2 without"));
    assert_eq!(
        explained(&[9], 2),
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
    let text = n.explain(Some("Prof-specialty".into())).to_string();
    assert!(
        text.starts_with(
            "\"Prof-specialty\" is held by 4,140 of 30,718 records; m = 8 allows at most 3,839; "
        ),
        "{text}"
    );
    assert!(
        text.contains("the largest m without changes is 7; m = 8 would take 2,402 counterfeits, or "),
        "{text}"
    );
    assert!(nearest(&counts, 7).is_none());
    assert_eq!(
        nearest(&[2, 1], 2).unwrap().explain(None).to_string(),
        "the most frequent sensitive value is held by 2 of 3 records; m = 2 allows at most 1; no m of 2 or more is possible without changes; \
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
            levels_all: false,
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
    assert_eq!(
        repair(&counts, 2, &Wanted::fewest(Repair::Hybrid), b),
        Ok(Plan { changes: Changes::none(4), backend: None })
    );
    assert!(matches!(repair(&counts, 3, &Wanted::fewest(Repair::Error), b), Err(Error::NotEligible(why))
            if matches!(*why, NotEligible::TooFrequent { count: 5, records: 10, .. })));
    for (way, changes) in [
        (Repair::Add, additions(&counts, 3).unwrap()),
        (Repair::Delete, deletions(&counts, 3).unwrap()),
        (Repair::Hybrid, hybrid_exact(&counts, 3).unwrap()),
    ] {
        assert_eq!(
            repair(&counts, 3, &Wanted::fewest(way), b),
            Ok(Plan { changes, backend: Some(b.name()) })
        );
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
