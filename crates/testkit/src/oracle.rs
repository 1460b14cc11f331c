//! The optimal partition by dynamic programming over all sets of records: O(3^n).

/// Most records that the oracles accept: 3^14 is five million.
pub const MAX_RECORDS: usize = 14;

/// The least total cost of a partition of `0..n` into admissible classes, and such a partition as the class of each
/// record, classes numbered by their first record. `cost` gets the ascending members of a class and is `None` if
/// the class is not admissible; the answer is `None` if there is no partition.
///
/// # Panics
/// If `n` exceeds [`MAX_RECORDS`].
pub fn best_partition(n: usize, mut cost: impl FnMut(&[usize]) -> Option<f64>) -> Option<(f64, Vec<usize>)> {
    assert!(n <= MAX_RECORDS, "{n} records are too many for brute force");
    let members = |set: usize| (0..n).filter(|i| set >> i & 1 == 1).collect::<Vec<_>>();
    let costs: Vec<Option<f64>> =
        (0..1 << n).map(|set| if set == 0 { None } else { cost(&members(set)) }).collect();

    // best[set]: least cost of a partition of `set`, and the class of its first record.
    let mut best: Vec<Option<(f64, usize)>> = vec![None; 1 << n];
    best[0] = Some((0.0, 0));
    for set in 1_usize..1 << n {
        let first = set & set.wrapping_neg();
        let others = set ^ first;
        // All classes of `first` within the set: its union with every subset of the others.
        let mut subset = others;
        loop {
            let class = first | subset;
            if let (Some(cost), Some((rest, _))) = (costs[class], best[set ^ class]) {
                let total = cost + rest;
                if best[set].is_none_or(|(least, _)| total < least) {
                    best[set] = Some((total, class));
                }
            }
            if subset == 0 {
                break;
            }
            subset = (subset - 1) & others;
        }
    }

    let mut labels = vec![0; n];
    let (total, _) = best[(1 << n) - 1]?;
    let (mut set, mut label) = ((1 << n) - 1, 0);
    while set != 0 {
        let (_, class) = best[set]?;
        for i in members(class) {
            labels[i] = label;
        }
        set ^= class;
        label += 1;
    }
    Some((total, labels))
}

/// The least SSE of a partition into classes of at least `min_size` records, infinite if there is none. With
/// `colours` the records of a class also differ in colour (m-unique with m = `min_size`).
///
/// `points` holds the records one after another, `dims` numbers each.
///
/// # Panics
/// If there are more than [`MAX_RECORDS`] records, or the lengths do not fit.
#[must_use]
pub fn best_partition_sse(points: &[f64], dims: usize, colours: Option<&[u32]>, min_size: usize) -> f64 {
    assert!(dims > 0 && points.len().is_multiple_of(dims), "{} numbers, {dims} a record", points.len());
    let n = points.len() / dims;
    assert!(colours.is_none_or(|c| c.len() == n), "a colour a record");
    let best = best_partition(n, |class| {
        let differ = colours.is_none_or(|c| {
            class.iter().enumerate().all(|(rank, &i)| class[..rank].iter().all(|&j| c[i] != c[j]))
        });
        (class.len() >= min_size && differ).then(|| sse(points, dims, class))
    });
    best.map_or(f64::INFINITY, |(total, _)| total)
}

/// The sum of squared distances of the records of `class` to their centroid, by the definition.
#[must_use]
pub fn sse(points: &[f64], dims: usize, class: &[usize]) -> f64 {
    (0..dims)
        .map(|d| {
            let mean = class.iter().map(|&i| points[i * dims + d]).sum::<f64>() / class.len() as f64;
            class.iter().map(|&i| (points[i * dims + d] - mean).powi(2)).sum::<f64>()
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::instances;

    #[test]
    fn by_hand_on_a_line() {
        // {0, 1, 2} and {10, 11}: 2 + 0.5.
        let line = [0.0, 10.0, 1.0, 11.0, 2.0];
        assert_eq!(best_partition_sse(&line, 1, None, 2), 2.5);
        // One class: mean 4.8, squares 23.04 + 27.04 + 14.44 + 38.44 + 7.84.
        assert!((best_partition_sse(&line, 1, None, 3) - 110.8).abs() < 1e-9);
        assert_eq!(best_partition_sse(&line, 1, None, 6), f64::INFINITY);
        // 0 and 1 are of one colour, and so are 10 and 11: {0, 10} and {1, 2, 11} cost 50 + 182/3, while
        // {0, 2, 10} and {1, 11} cost 56 + 50; {0, 11} and {1, 2, 10} 60.5 + 146/3; {0, 2, 11} and {1, 10}
        // 206/3 + 40.5.
        let colours = [0, 1, 0, 1, 2];
        let best = best_partition_sse(&line, 1, Some(&colours), 2);
        assert!((best - 106.0).abs() < 1e-9, "{best}");
        assert_eq!(best_partition_sse(&line, 1, Some(&[0, 0, 0, 1, 2]), 2), f64::INFINITY);
    }

    #[test]
    fn the_partition_has_the_cost_that_is_told() {
        let points = [0.0, 0.0, 5.0, 5.0, 1.0, 0.0, 5.0, 6.0];
        let (total, labels) =
            best_partition(4, |class| (class.len() >= 2).then(|| sse(&points, 2, class))).unwrap();
        assert_eq!((total, labels), (1.0, vec![0, 1, 0, 1]));
        assert_eq!(best_partition(0, |_| None), Some((0.0, Vec::new())));
    }

    /// Adds record after record to each class there is, or to a new one.
    fn all_partitions(
        n: usize,
        classes: &mut Vec<Vec<usize>>,
        i: usize,
        visit: &mut impl FnMut(&[Vec<usize>]),
    ) {
        if i == n {
            return visit(classes);
        }
        for c in 0..classes.len() {
            classes[c].push(i);
            all_partitions(n, classes, i + 1, visit);
            classes[c].pop();
        }
        classes.push(vec![i]);
        all_partitions(n, classes, i + 1, visit);
        classes.pop();
    }

    proptest! {
        #[test]
        fn enumeration_finds_the_same(instance in instances(7), min_size in 1_usize..4, coloured: bool) {
            let colours = coloured.then_some(instance.colours.as_slice());
            let mut least = f64::INFINITY;
            all_partitions(instance.len(), &mut Vec::new(), 0, &mut |classes| {
                let admissible = classes.iter().all(|class| {
                    let mut of_class: Vec<u32> = class.iter().map(|&i| instance.colours[i]).collect();
                    of_class.sort_unstable();
                    class.len() >= min_size && (!coloured || of_class.windows(2).all(|w| w[0] != w[1]))
                });
                if admissible {
                    let total = classes.iter().map(|c| sse(&instance.points, instance.dims, c)).sum();
                    least = least.min(total);
                }
            });
            let best = best_partition_sse(&instance.points, instance.dims, colours, min_size);
            prop_assert!(best == least || (best - least).abs() < 1e-9, "{} {}", best, least);
        }
    }
}
