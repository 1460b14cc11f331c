//! How many records of a class are real, before there are classes: against every partition of small tables.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::{BTreeMap, BTreeSet};

use lookalike_core::{
    audit::disclosure::real_records,
    eligibility::{Changes, additions, deletions, hybrid_exact},
};

/// Real records and counterfeits of each value that are not in a class yet.
type Left = Vec<(u64, u64)>;

/// Least real records of a class, and number of classes with one.
type Found = (u64, u64);

/// All that can come of dealing what is left to so many classes of m different values each.
fn all(
    left: &Left,
    classes: u64,
    m: usize,
    known: &mut BTreeMap<(Left, u64), BTreeSet<Found>>,
) -> BTreeSet<Found> {
    if classes == 0 {
        return BTreeSet::from([(u64::MAX, 0)]);
    }
    let key = (left.clone(), classes);
    if let Some(found) = known.get(&key) {
        return found.clone();
    }
    let mut found = BTreeSet::new();
    // Per value: not in this class, its real record, a counterfeit.
    for choice in 0..3_usize.pow(left.len() as u32) {
        let chosen: Vec<usize> = (0..left.len()).map(|v| choice / 3_usize.pow(v as u32) % 3).collect();
        if chosen.iter().filter(|c| **c > 0).count() != m {
            continue;
        }
        let rest: Option<Left> = left
            .iter()
            .zip(&chosen)
            .map(|(&(real, fake), c)| {
                let rest = match c {
                    1 => (real.checked_sub(1)?, fake),
                    2 => (real, fake.checked_sub(1)?),
                    _ => (real, fake),
                };
                // No class twice: what is left must fit into the others.
                (rest.0 + rest.1 < classes).then_some(rest)
            })
            .collect();
        let Some(rest) = rest else { continue };
        let real = chosen.iter().filter(|c| **c == 1).count() as u64;
        for (least, single) in all(&rest, classes - 1, m, known) {
            found.insert((least.min(real), single + u64::from(real == 1)));
        }
    }
    known.insert(key, found.clone());
    found
}

/// Additions and the exact hybrid of all small counts, zero counts included.
#[test]
fn every_partition_of_small_tables() {
    let (mut compared, mut open, mut single) = (0, 0, 0);
    for (l, most, m) in
        [(2, 9, 2), (3, 6, 2), (3, 6, 3), (4, 4, 2), (4, 4, 3), (4, 4, 4), (5, 3, 4), (5, 3, 3)]
    {
        for code in 0..u64::pow(most + 1, l) {
            let counts: Vec<u64> = (0..l).map(|v| code / u64::pow(most + 1, v) % (most + 1)).collect();
            // The order of the values decides nothing but ties.
            if counts.iter().sum::<u64>() == 0 || !counts.is_sorted_by(|a, b| a >= b) {
                continue;
            }
            for changes in [additions(&counts, m).unwrap(), hybrid_exact(&counts, m).unwrap()] {
                if changes.added() == 0 {
                    continue;
                }
                let told = real_records(&counts, &changes.additions, &changes.deletions, m).unwrap();
                let Changes { additions, deletions } = &changes;
                let left: Left =
                    counts.iter().zip(additions).zip(deletions).map(|((c, a), d)| (c - d, *a)).collect();
                let cap = left.iter().map(|(real, fake)| real + fake).max().unwrap();
                let found = all(&left, cap, m as usize, &mut BTreeMap::new());
                let of = |which: fn(&Found) -> u64| {
                    let all: BTreeSet<u64> = found.iter().map(which).collect();
                    (*all.first().unwrap(), *all.last().unwrap())
                };
                let (least, singles) = (of(|f| f.0), of(|f| f.1));
                assert_eq!((told.least, told.least_at_best), least, "{counts:?} m = {m} {changes:?}");
                assert_eq!((told.single, told.single_at_most), singles, "{counts:?} m = {m} {changes:?}");
                compared += 1;
                open += usize::from(least.0 < least.1 || singles.0 < singles.1);
                single += usize::from(singles.0 > 0);
            }
        }
    }
    assert!(compared > 200 && open > 30 && single > 30, "{compared} {open} {single}");
}

#[test]
fn by_hand() {
    let told = |counts: &[u64], changes: &Changes, m| {
        let r = real_records(counts, &changes.additions, &changes.deletions, m).unwrap();
        (r.least, r.least_at_best, r.single, r.single_at_most)
    };
    // Eight of ten pairs hold a counterfeit, whatever the pairs.
    assert_eq!(told(&[10, 2], &additions(&[10, 2], 2).unwrap(), 2), (1, 1, 8, 8));
    assert_eq!(told(&[10, 2], &deletions(&[10, 2], 2).unwrap(), 2), (2, 2, 0, 0));
    // {5, 4, 3, 3} in five classes with 5 counterfeits of three values: one a class, or two in two classes.
    assert_eq!(told(&[5, 3, 1, 1], &additions(&[5, 3, 1, 1], 3).unwrap(), 3), (1, 2, 0, 2));
    // More counterfeits than any of the ways would add, and too few values.
    assert_eq!(real_records(&[3, 1], &[0, 5], &[0, 0], 2), None);
    assert_eq!(real_records(&[3, 1], &[0, 0], &[0, 0], 2), None);
    assert_eq!(real_records(&[1, 1], &[0, 0], &[2, 0], 2), None);
}
