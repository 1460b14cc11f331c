//! What a repair discloses that fakes other values than the rarest, against every small source.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use std::collections::BTreeMap;

use lookalike_core::{
    audit::disclosure::{Choice, Known, RepairUsed, absent_values, certainly_real, highest, in_classes},
    eligibility::{Allowed, Among, Changes, Rate, Rates, is_eligible, least_cost},
};
use lookalike_model::settings::{Fake, Ties};

/// All vectors of l counts of `least` to `most`.
fn vectors(l: usize, least: u64, most: u64) -> Vec<Vec<u64>> {
    (0..l).fold(vec![Vec::new()], |all, _| {
        all.iter().flat_map(|v| (least..=most).map(move |c| [v.as_slice(), &[c]].concat())).collect()
    })
}

/// All sets of at least `least` of `l` values.
fn signatures(l: usize, least: usize) -> Vec<Vec<usize>> {
    let set = |mask: usize| (0..l).filter(|v| mask >> v & 1 == 1).collect::<Vec<_>>();
    (0..1_usize << l).map(set).filter(|s| s.len() >= least).collect()
}

fn allowed(way: RepairUsed) -> Allowed {
    Allowed { additions: true, deletions: way == RepairUsed::Hybrid }
}

fn changes(counts: &[u64], m: u64, way: RepairUsed, rates: &Rates, among: Among) -> Changes {
    if is_eligible(counts, m) {
        return Changes::none(counts.len());
    }
    least_cost(counts, m, allowed(way), rates, among).unwrap()
}

fn present(source: &[u64], changes: &Changes, class: &[usize]) -> f64 {
    in_classes(source, &changes.additions, &changes.deletions, [class].into_iter()).present
}

/// Several sorts of costs for `l` values.
fn price_lists(l: usize) -> Vec<Rates> {
    let list = |first: fn(usize) -> u64, growth: u64| -> Vec<Rate> {
        (0..l).map(|v| Rate { first: first(v), growth }).collect()
    };
    let of = |addition: Vec<Rate>, deletion: Vec<Rate>| Rates { addition, deletion };
    vec![
        of(list(|_| 1, 1), list(|_| 1, 0)),
        of(list(|_| 3, 0), list(|_| 1, 2)),
        of(list(|v| 1 + v as u64, 0), list(|_| 2, 1)),
        of(list(|v| 5 - (v as u64).min(4), 1), list(|v| 1 + 3 * (v as u64 % 2), 0)),
    ]
}

/// Most frequent first, fewest changes; and costs of one's own: whatever the source, the bound holds, with the totals
/// published and without.
#[test]
fn no_source_is_worse_than_the_bound() {
    let (mut held, mut met) = (BTreeMap::new(), BTreeMap::new());
    for (l, most, m) in [(2, 8, 2), (3, 6, 2), (3, 6, 3), (4, 4, 3), (4, 4, 4), (5, 3, 4)] {
        let unit = [(Choice::Frequent, Rates::unit(l))];
        let priced = price_lists(l).into_iter().map(|rates| (Choice::Cheapest, rates));
        for (choice, rates) in unit.into_iter().chain(priced) {
            for (way, ties) in [
                (RepairUsed::Add, Ties::FewestDeletions),
                (RepairUsed::Hybrid, Ties::FewestDeletions),
                (RepairUsed::Hybrid, Ties::FewestAdditions),
            ] {
                let mut worst: BTreeMap<(Vec<u64>, u64, u64, Vec<usize>), f64> = BTreeMap::new();
                for source in vectors(l, 1, most) {
                    let fake = if choice == Choice::Frequent { Fake::Frequent } else { Fake::Rarest };
                    let found = changes(&source, m, way, &rates, Among { ties, fake });
                    let published = found.apply(&source).unwrap();
                    let (a, d) = (found.added(), found.deleted());
                    if d > 0 {
                        let known = Known { m, way, choice, counterfeits: Some(a), deletions: Some(d) };
                        let cut = found.deletions.iter().filter(|d| **d > 0).count();
                        assert!(absent_values(&published, &known).is_some_and(|all| all >= cut));
                    }
                    for class in signatures(l, m as usize) {
                        let real = class.iter().filter(|v| found.additions[**v] == 0).count();
                        for counterfeits in [Some(a), None] {
                            let known = Known { m, way, choice, counterfeits, deletions: None };
                            let bound = highest(&published, &class, &known).unwrap();
                            let told = present(&source, &found, &class);
                            assert!(
                                told <= bound + 1e-12,
                                "{source:?} {found:?} {known:?} {class:?}: {told} {bound}"
                            );
                            assert!(certainly_real(&published, &class, &known).unwrap() <= real);
                        }
                        let seen = (published.clone(), a, d, class.clone());
                        let so_far = worst.entry(seen).or_default();
                        *so_far = so_far.max(present(&source, &found, &class));
                    }
                }
                for ((published, a, d, class), worst) in worst {
                    let known = Known { m, way, choice, counterfeits: Some(a), deletions: Some(d) };
                    let bound = highest(&published, &class, &known).unwrap();
                    let key = format!("{choice:?}");
                    *held.entry(key.clone()).or_insert(0) += 1;
                    *met.entry(key).or_insert(0) += usize::from((worst - bound).abs() < 1e-12);
                }
            }
        }
    }
    // Most frequent first: the worst source nearly always is as bad as the bound.
    let share = |of: &str| met[of] as f64 / f64::from(held[of]);
    assert!(held["Frequent"] > 1000 && share("Frequent") > 0.9, "{held:?} {met:?}");
    assert!(held["Cheapest"] > 1000, "{held:?}");
}

/// Who does not know the costs: the bound is the worst of all ways to fake A records that leave one value at the cap
/// and a record of every value, and each of these ways is the cheapest under some costs.
#[test]
fn with_unknown_costs_the_bound_is_exact() {
    let mut compared = 0;
    for (l, most, m) in [(2, 6, 2), (3, 5, 2), (3, 5, 3), (4, 4, 3), (4, 3, 4)] {
        for published in vectors(l, 1, most) {
            let cap = published.iter().copied().max().unwrap();
            if published.iter().sum::<u64>() != m * cap {
                continue;
            }
            let mut by_total: BTreeMap<u64, Vec<Vec<u64>>> = BTreeMap::new();
            for faked in vectors(l, 0, most - 1) {
                let fits = faked.iter().zip(&published).all(|(a, x)| a < x)
                    && faked.iter().zip(&published).any(|(a, x)| *a == 0 && *x == cap);
                if fits {
                    by_total.entry(faked.iter().sum()).or_default().push(faked);
                }
            }
            for (total, all) in by_total {
                for faked in &all {
                    let source: Vec<u64> = published.iter().zip(faked).map(|(x, a)| x - a).collect();
                    assert_cheapest(&source, faked, m);
                }
                let known = Known {
                    m,
                    way: RepairUsed::Add,
                    choice: Choice::Cheapest,
                    counterfeits: Some(total),
                    deletions: Some(0),
                };
                for class in signatures(l, m as usize) {
                    let of = |faked: &Vec<u64>| {
                        let source: Vec<u64> = published.iter().zip(faked).map(|(x, a)| x - a).collect();
                        in_classes(&source, faked, &vec![0; l], [class.as_slice()].into_iter()).present
                    };
                    let worst = all.iter().map(of).fold(0.0, f64::max);
                    let bound = highest(&published, &class, &known).unwrap();
                    assert!(
                        (worst - bound).abs() < 1e-12,
                        "{published:?} {total} {class:?}: {worst} {bound}"
                    );
                    let real = all.iter().map(|a| class.iter().filter(|v| a[**v] == 0).count()).min();
                    assert_eq!(
                        certainly_real(&published, &class, &known),
                        real,
                        "{published:?} {total} {class:?}"
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 300, "{compared}");
}

/// The costs of the proof: the j-th counterfeit of v costs M - `a_v` + j, M being above all `a_v`.
fn assert_cheapest(source: &[u64], faked: &[u64], m: u64) {
    let most = 1 + faked.iter().max().unwrap();
    let addition = faked.iter().map(|a| Rate { first: most - a + 1, growth: 1 }).collect();
    let rates = Rates { addition, ..Rates::unit(source.len()) };
    let among = Among { ties: Ties::FewestDeletions, fake: Fake::Rarest };
    let found = least_cost(source, m, allowed(RepairUsed::Add), &rates, among).unwrap();
    assert_eq!(found.additions, faked, "{source:?} {rates:?}");
}
