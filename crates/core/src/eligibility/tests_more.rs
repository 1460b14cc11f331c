//! Preferences, waiting, the survey, and what the literature does.

use lookalike_lp::Backend;
use lookalike_model::settings::{Fake, Repair, Ties};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::Error;

fn wanted(way: Repair, order: &[usize], ties: Ties) -> Wanted {
    Wanted {
        way,
        rates: None,
        order: order.to_vec(),
        among: Among { ties, fake: Fake::default() },
        ..Wanted::fewest(way)
    }
}

#[test]
fn the_preferred_value_is_faked_first() {
    // Eight counterfeits level the last three at 3 or 4; the leftovers go to the first in order.
    let counts = [5, 1, 1, 1];
    let changed = |order: &[usize]| {
        let plan = repair(&counts, 3, &wanted(Repair::Add, order, Ties::default()), Backend::best()).unwrap();
        plan.changes.additions
    };
    assert_eq!(changed(&[]), [0, 3, 2, 2]);
    assert_eq!(changed(&[3, 0, 1, 2]), [0, 2, 2, 3]);
    assert_eq!(changed(&[2, 3, 1, 0]), [0, 2, 3, 2]);
    for bad in [vec![0, 1, 2], vec![0, 1, 2, 2], vec![0, 1, 2, 4]] {
        let asked = wanted(Repair::Add, &bad, Ties::default());
        assert!(matches!(repair(&counts, 3, &asked, Backend::best()), Err(Error::Wanted(_))), "{bad:?}");
    }
}

#[test]
fn ties_between_hybrids_are_decided_as_asked() {
    // {3, 2}, m = 2: one deletion, or one counterfeit.
    let changes =
        |ties| repair(&[3, 2], 2, &wanted(Repair::Hybrid, &[], ties), Backend::best()).unwrap().changes;
    assert_eq!(changes(Ties::FewestDeletions), Changes { additions: vec![0, 1], deletions: vec![0, 0] });
    assert_eq!(changes(Ties::FewestAdditions), Changes { additions: vec![0, 0], deletions: vec![1, 0] });
}

#[test]
fn growing_costs_stop_the_repeated_deletion_of_one_value() {
    // {10, 2}, m = 2: eight changes in any mixture. A deletion that costs 1, 2, 3, ... beside counterfeits of cost 3
    // is taken three times, the third at equal cost only when fewest additions are wanted.
    let mut rates = Rates::unit(2);
    rates.addition.fill(Rate { first: 3, growth: 0 });
    rates.deletion.fill(Rate { first: 1, growth: 1 });
    for (ties, deleted) in [(Ties::FewestDeletions, 2), (Ties::FewestAdditions, 3)] {
        let changes =
            least_cost(&[10, 2], 2, Allowed::BOTH, &rates, Among { ties, ..Among::default() }).unwrap();
        assert_eq!(changes, Changes { additions: vec![0, 8 - deleted], deletions: vec![deleted, 0] });
    }
    // The integer programme knows no growth: nobody confirms.
    let asked = Wanted { rates: Some(rates), ..Wanted::fewest(Repair::Hybrid) };
    assert_eq!(repair(&[10, 2], 2, &asked, Backend::best()).unwrap().backend, None);
}

#[test]
fn frequent_values_may_be_faked_first() {
    let faked = |counts: &[u64], m, way, fake| {
        let asked = Wanted { among: Among { fake, ..Among::default() }, ..Wanted::fewest(way) };
        repair(counts, m, &asked, Backend::best()).unwrap().changes
    };
    // Five counterfeits: ACNE is filled up to 5, ADHD gets the others.
    let counts = [5, 3, 1, 1];
    assert_eq!(faked(&counts, 3, Repair::Add, Fake::Rarest).additions, [0, 1, 2, 2]);
    assert_eq!(faked(&counts, 3, Repair::Add, Fake::Frequent).additions, [0, 2, 3, 0]);
    // The cap of the hybrid is 3: one counterfeit, for a value below it.
    let hybrid = faked(&counts, 3, Repair::Hybrid, Fake::Frequent);
    assert_eq!((hybrid.additions, hybrid.deletions), (vec![0, 0, 1, 0], vec![2, 0, 0, 0]));
}

#[test]
fn counterfeits_alone_would_be_noticed() {
    let changes =
        |additions: &[u64]| Changes { additions: additions.to_vec(), deletions: vec![0; additions.len()] };
    assert!(classes_hold_real_records(&[2, 1], 2, &changes(&[0, 1])));
    // Eligible, but two of the three classes could be {fake a, fake b}.
    assert!(!classes_hold_real_records(&[1, 1], 2, &changes(&[2, 2])));
    // Every value at the cap is faked.
    assert!(!classes_hold_real_records(&[1, 0], 2, &changes(&[1, 2])));
}

#[test]
fn records_may_wait() {
    assert_eq!(hold(&[2, 1, 1], 2), Ok(Held::None));
    assert_eq!(hold(&[5, 1, 1], 2), Ok(Held::Some(vec![3, 0, 0])));
    // Two of four values occur: deletions cannot reach 3, waiting can; counterfeits of unused values can too.
    assert_eq!(hold(&[3, 2, 0, 0], 3), Ok(Held::All));
    assert_eq!(Hybrid::from(&hybrid_exact(&[3, 2, 0, 0], 3).unwrap()), Hybrid { additions: 2, deletions: 1 });
    assert!(matches!(hold(&[3, 2], 3), Err(Error::NotEligible(_))));
}

#[test]
fn random_counterfeits_take_more() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut draw = |counts: &[u64], m, limit| random_counterfeits(counts, m, limit, &mut rng).unwrap();
    assert_eq!(draw(&[2, 2], 2, 9), Some(Changes::none(2)));
    // With m = l every draw of the top value is undone by m - 1 others only: ten draws cannot fill eight by chance often.
    assert_eq!(draw(&[10, 2], 2, 7), None);
    for _ in 0..50 {
        let changes = draw(&[9, 2, 2, 2], 2, 10_000).unwrap();
        assert!(changes.added() >= 3 && is_eligible(&changes.apply(&[9, 2, 2, 2]).unwrap(), 2));
    }
}

#[test]
fn the_cach_table_helps_at_the_brink_only() {
    // 2 * 4 > 7, and one record less is enough: 2 * 3 <= 6.
    assert_eq!(cach_table(&[4, 2, 1], 2).unwrap().unwrap().deletions, [1, 0, 0]);
    assert_eq!(cach_table(&[5, 2, 1], 2).unwrap(), None);
    assert_eq!(cach_table(&[2, 2], 2).unwrap(), Some(Changes::none(2)));
    // Nothing would be left.
    assert_eq!(cach_table(&[1, 0], 2).unwrap(), None);
}

proptest! {
    #[test]
    fn the_cach_table_is_the_best_choice_of_one_record_a_value(
        (counts, m) in prop::collection::vec(0_u64..7, 2..8).prop_flat_map(|c| {
            let l = c.len() as u64;
            (Just(c), 2..=l)
        })
    ) {
        let out = |set: u32, i: usize| u64::from(set >> i & 1);
        let fewest = (0..1_u32 << counts.len())
            .filter(|&set| (0..counts.len()).all(|i| out(set, i) <= counts[i]))
            .filter(|&set| {
                let x: Vec<u64> = counts.iter().enumerate().map(|(i, c)| c - out(set, i)).collect();
                is_eligible(&x, m) && (total(&x) > 0 || total(&counts) == 0)
            })
            .map(|set| u64::from(set.count_ones()))
            .min();
        prop_assert_eq!(cach_table(&counts, m).unwrap().map(|c| c.deleted()), fewest);
    }

    #[test]
    fn the_survey_counts_what_the_ways_do(
        counts in prop::collection::vec(prop_oneof![0_u64..9, 0_u64..100_000], 0..14), extra in 0_u64..3
    ) {
        for row in survey(&counts, 1..=counts.len() as u64 + extra) {
            let m = row.m;
            prop_assert_eq!(row.additions, additions(&counts, m).ok().map(|c| c.added()));
            prop_assert_eq!(row.deletions, deletions(&counts, m).ok().map(|c| c.deleted()));
            prop_assert_eq!(row.hybrid, hybrid_exact(&counts, m).ok().map(|c| Hybrid::from(&c)));
            prop_assert_eq!(row.levels_all, m == counts.len() as u64 && !row.eligible && total(&counts) > 0);
        }
    }

    /// A permuted order is the permuted answer.
    #[test]
    fn an_order_renames_the_values(
        (counts, order, m) in prop::collection::vec(0_u64..40, 2..9).prop_flat_map(|c| {
            let l = c.len();
            (Just(c), Just((0..l).collect::<Vec<_>>()).prop_shuffle(), 2..=l as u64)
        })
    ) {
        let permuted: Vec<u64> = order.iter().map(|&value| counts[value]).collect();
        for way in [Repair::Add, Repair::Hybrid] {
            let ours = repair(&counts, m, &wanted(way, &order, Ties::default()), Backend::Microlp).unwrap().changes;
            let plain = repair(&permuted, m, &Wanted::fewest(way), Backend::Microlp).unwrap().changes;
            let renamed: Vec<u64> = order.iter().map(|&value| ours.additions[value]).collect();
            prop_assert_eq!(renamed, plain.additions);
        }
    }
}
