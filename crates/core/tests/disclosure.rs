//! What a repair discloses, against every small source: the formulas of `docs/disclosure.md` by brute force.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use std::collections::BTreeMap;

use lookalike_core::{
    audit::disclosure::{
        Choice, Known, RepairUsed, absent_values, certainly_real, from_counts, highest, in_classes,
    },
    eligibility::{Changes, additions, deletions, hybrid_exact, is_eligible},
};

const WAYS: [RepairUsed; 3] = [RepairUsed::Add, RepairUsed::Delete, RepairUsed::Hybrid];

/// What the method does to these counts.
fn changes(counts: &[u64], m: u64, way: RepairUsed) -> Changes {
    if is_eligible(counts, m) {
        return Changes::none(counts.len());
    }
    match way {
        RepairUsed::Untouched => Changes::none(counts.len()),
        RepairUsed::Add => additions(counts, m).unwrap(),
        RepairUsed::Delete => deletions(counts, m).unwrap(),
        RepairUsed::Hybrid => hybrid_exact(counts, m).unwrap(),
    }
}

/// All orders of `0..n`.
fn orders(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for shorter in orders(n - 1) {
        for at in 0..n {
            let mut order = shorter.clone();
            order.insert(at, n - 1);
            all.push(order);
        }
    }
    all
}

/// All vectors of l counts of 1 to `most`.
fn vectors(l: usize, most: u64) -> Vec<Vec<u64>> {
    (0..l).fold(vec![Vec::new()], |all, _| {
        all.iter().flat_map(|v| (1..=most).map(move |c| [v.as_slice(), &[c]].concat())).collect()
    })
}

/// Published counts, total counterfeits, total deletions.
type Seen = (Vec<u64>, u64, u64);

/// All sources with counts up to `most`, by what is seen of them, whatever order decides among ties.
fn worlds(l: usize, most: u64, m: u64, way: RepairUsed) -> BTreeMap<Seen, Vec<(Vec<u64>, Changes)>> {
    let mut worlds: BTreeMap<Seen, Vec<(Vec<u64>, Changes)>> = BTreeMap::new();
    for counts in vectors(l, most) {
        for order in orders(l) {
            let permuted: Vec<u64> = order.iter().map(|&v| counts[v]).collect();
            let found = changes(&permuted, m, way);
            let mut back = Changes::none(l);
            for (at, &v) in order.iter().enumerate() {
                back.additions[v] = found.additions[at];
                back.deletions[v] = found.deletions[at];
            }
            let seen = (back.apply(&counts).unwrap(), back.added(), back.deleted());
            let of_seen = worlds.entry(seen).or_default();
            let world = (counts.clone(), back);
            if !of_seen.contains(&world) {
                of_seen.push(world);
            }
        }
    }
    worlds
}

/// All sets of at least `least` of `l` values.
fn signatures(l: usize, least: usize) -> Vec<Vec<usize>> {
    (0..1_usize << l)
        .map(|mask| (0..l).filter(|v| mask >> v & 1 == 1).collect::<Vec<_>>())
        .filter(|s| s.len() >= least)
        .collect()
}

fn posterior(world: &(Vec<u64>, Changes), signature: &[usize]) -> f64 {
    let (counts, changes) = world;
    in_classes(counts, &changes.additions, &changes.deletions, [signature].into_iter()).present
}

/// With the totals published, the bound is the worst of all sources; without them too. Deletions can come from counts
/// above `most`, so only tables whose sources are all below are compared.
#[test]
fn the_bound_is_the_worst_source() {
    let mut compared = 0;
    for (l, most, m) in [(2, 9, 2), (3, 7, 2), (3, 7, 3), (4, 5, 3), (4, 5, 4), (5, 3, 4)] {
        for way in WAYS {
            let worlds = worlds(l, most, m, way);
            let mut unseen: BTreeMap<Vec<u64>, Vec<(Vec<u64>, Changes)>> = BTreeMap::new();
            for ((published, a, d), sources) in &worlds {
                unseen.entry(published.clone()).or_default().extend(sources.iter().cloned());
                // A source that is cut from a larger count is only here if it is below `most`.
                if published.iter().any(|&x| x + d > most) {
                    continue;
                }
                let known =
                    Known { m, way, choice: Choice::Rarest, counterfeits: Some(*a), deletions: Some(*d) };
                for signature in signatures(l, m as usize) {
                    let worst = sources.iter().map(|w| posterior(w, &signature)).fold(0.0, f64::max);
                    let bound = highest(published, &signature, &known).unwrap();
                    assert!(
                        (worst - bound).abs() < 1e-12,
                        "{published:?} {known:?} {signature:?}: {worst} {bound}"
                    );
                    compared += 1;
                }
            }
            for (published, sources) in &unseen {
                let known = Known { m, way, choice: Choice::Rarest, counterfeits: None, deletions: None };
                for signature in signatures(l, m as usize) {
                    let worst = sources.iter().map(|w| posterior(w, &signature)).fold(0.0, f64::max);
                    let bound = highest(published, &signature, &known).unwrap();
                    assert!(
                        (worst - bound).abs() < 1e-12,
                        "{published:?} {known:?} {signature:?}: {worst} {bound}"
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

/// Which values an absent person may have held, and how many records of a class may all be counterfeits at once.
#[test]
fn absence_and_certainty_by_all_sources() {
    let (mut absences, mut doubts) = (0, 0);
    for (l, most, m) in [(2, 7, 2), (3, 7, 2), (3, 6, 3), (4, 5, 3), (4, 5, 4), (5, 4, 5), (5, 3, 4)] {
        for way in WAYS {
            for ((published, a, d), sources) in &worlds(l, most, m, way) {
                if published.iter().any(|&x| x + d > most) {
                    continue;
                }
                let known =
                    Known { m, way, choice: Choice::Rarest, counterfeits: Some(*a), deletions: Some(*d) };
                let held = (0..l).filter(|&v| sources.iter().any(|(_, c)| c.deletions[v] > 0)).count();
                assert_eq!(
                    absent_values(published, &known),
                    Some(held).filter(|h| *h > 0),
                    "{published:?} {known:?}"
                );
                absences += usize::from(held > 0);
                for signature in signatures(l, m as usize) {
                    let real = |(_, c): &(Vec<u64>, Changes)| {
                        signature.iter().filter(|v| c.additions[**v] == 0).count()
                    };
                    let fewest = sources.iter().map(real).min();
                    let told = certainly_real(published, &signature, &known);
                    assert_eq!(told, fewest, "{published:?} {known:?} {signature:?}");
                    doubts += usize::from(fewest < Some(signature.len()));
                }
            }
        }
    }
    assert!(absences > 20 && doubts > 100, "{absences} {doubts}");
}

/// The informed attacker's formula: all ways to say which places are counterfeits are equally likely, and so are all
/// real places to be the person's.
#[test]
fn the_informed_posterior_by_placing_records() {
    // Classes as lists of values, and the counterfeits of each value.
    let cases: [(&[&[usize]], [u64; 4]); 4] = [
        (&[&[0, 1], &[0, 1], &[0, 1]], [0, 2, 0, 0]),
        (&[&[0, 1, 2], &[0, 1, 2], &[0, 1, 3]], [0, 1, 1, 0]),
        (&[&[0, 1, 2], &[0, 1, 3], &[0, 2, 3], &[0, 1]], [0, 2, 1, 1]),
        (&[&[0, 1, 2, 3], &[0, 1], &[1, 0, 2]], [1, 0, 1, 0]),
    ];
    for (classes, faked) in cases {
        let places: Vec<(usize, usize)> =
            classes.iter().enumerate().flat_map(|(c, values)| values.iter().map(move |&v| (c, v))).collect();
        let mut holds = vec![[0.0; 4]; classes.len()];
        for fakes in 0..1_usize << places.len() {
            let fake = |place: usize| fakes >> place & 1 == 1;
            let count =
                |v| places.iter().enumerate().filter(|(p, (_, w))| *w == v && fake(*p)).count() as u64;
            if (0..4).all(|v| count(v) == faked[v]) {
                for (_, &(class, value)) in places.iter().enumerate().filter(|(p, _)| !fake(*p)) {
                    holds[class][value] += 1.0;
                }
            }
        }
        let published = |v| places.iter().filter(|(_, w)| *w == v).count() as u64;
        let source: Vec<u64> = (0..4).map(|v| published(v) - faked[v]).collect();
        for (class, holds) in classes.iter().zip(&holds) {
            let most = holds.iter().copied().fold(0.0, f64::max) / holds.iter().sum::<f64>();
            let told = in_classes(&source, &faked, &[0; 4], [*class].into_iter());
            assert!((told.present - most).abs() < 1e-12, "{classes:?} {class:?}: {most}, {told:?}");
            assert_eq!(told.absent, None);
        }
    }
}

/// {10, 2} with m = 2 becomes {10, 10} with 8 counterfeits.
#[test]
fn ten_and_two() {
    let changes = additions(&[10, 2], 2).unwrap();
    assert_eq!(changes.additions, [0, 8]);
    // Who knows that the second value was faked 8 times in 10: 1 / (1 + 2/10) instead of 1/2.
    let informed = from_counts(&[10, 2], &changes.additions, &changes.deletions, 2).unwrap();
    assert!((informed.present - 1.0 / 1.2).abs() < 1e-12);
    // Nobody who sees the table and the 8 can be surer.
    let known =
        |a| Known { m: 2, way: RepairUsed::Add, choice: Choice::Rarest, counterfeits: a, deletions: Some(0) };
    assert!((highest(&[10, 10], &[0, 1], &known(Some(8))).unwrap() - informed.present).abs() < 1e-12);
    // Without it, 9 of 10 may be faked.
    assert!((highest(&[10, 10], &[0, 1], &known(None)).unwrap() - 1.0 / 1.1).abs() < 1e-12);
    // Deletions leave {2, 2}: the absent ones all had the first value.
    let cut = deletions(&[10, 2], 2).unwrap();
    assert_eq!(cut.deletions, [8, 0]);
    let told = from_counts(&[10, 2], &cut.additions, &cut.deletions, 2).unwrap();
    assert_eq!((told.present, told.absent), (0.5, Some(1.0)));
}

/// The examples of `docs/disclosure.md`: Table I of Tobar 2024, {5, 3, 1, 1} with m = 3, becomes {5, 4, 3, 3}.
#[test]
fn the_table_of_paper_2() {
    let source = [5, 3, 1, 1];
    let changes = additions(&source, 3).unwrap();
    assert_eq!(changes.additions, [0, 1, 2, 2]);
    let close = |x: f64, y: f64| assert!((x - y).abs() < 1e-12, "{x} {y}");
    let informed = |class: &[usize]| {
        in_classes(&source, &changes.additions, &changes.deletions, [class].into_iter()).present
    };
    close(informed(&[0, 2, 3]), 0.6);
    close(informed(&[0, 1, 2]), 1.0 / (1.0 + 3.0 / 4.0 + 1.0 / 3.0));
    let published = [5, 4, 3, 3];
    let known = Known {
        m: 3,
        way: RepairUsed::Add,
        choice: Choice::Rarest,
        counterfeits: Some(5),
        deletions: Some(0),
    };
    close(highest(&published, &[0, 2, 3], &known).unwrap(), 0.6);
    // Worst with the source {5, 1, 1, 3}, which is published alike.
    close(highest(&published, &[0, 1, 2], &known).unwrap(), 1.0 / (1.0 + 1.0 / 4.0 + 1.0 / 3.0));
    assert_eq!(changes.apply(&source).unwrap(), published);
    assert_eq!(additions(&[5, 1, 1, 3], 3).unwrap().apply(&[5, 1, 1, 3]).unwrap(), published);
    assert_eq!(certainly_real(&published, &[0, 1, 2], &known), Some(1));
    // Deletions alone: {2, 2, 1, 1}, one of two values; the hybrid {3, 3, 2, 1} tells by absence as well.
    let cut = deletions(&source, 3).unwrap();
    assert_eq!(cut.apply(&source).unwrap(), [2, 2, 1, 1]);
    let known = Known {
        m: 3,
        way: RepairUsed::Delete,
        choice: Choice::Rarest,
        counterfeits: Some(0),
        deletions: Some(4),
    };
    assert_eq!(absent_values(&[2, 2, 1, 1], &known), Some(2));
    close(from_counts(&source, &cut.additions, &cut.deletions, 3).unwrap().absent.unwrap(), 0.75);
}
