//! Xiao and Tao's assignment, on counts alone: which values make the next balanced bucket, and how many records of each.

/// Alpha records of each of the beta most frequent values: with the least `beta >= m`, and for it the largest alpha,
/// that leave the remainder m-eligible. `counts` is in descending order. `None` if there is none, which no m-eligible
/// table knows (Tobar 2024, Proposition 1). O(l log C).
pub(super) fn next_bucket(counts: &[usize], m: usize) -> Option<(usize, usize)> {
    let left: usize = counts.iter().sum();
    let count = |rank: usize| counts.get(rank).copied().unwrap_or(0);
    let occurring = counts.iter().take_while(|&&c| c > 0).count();
    (m..=occurring).find_map(|beta| {
        // The remainder must satisfy m * max <= rest for its two candidates of the largest count.
        let keeps = |alpha: usize| {
            let rest = left - alpha * beta;
            m * (count(0) - alpha) <= rest && m * count(beta) <= rest
        };
        // Both conditions are monotone in alpha once beta is fixed, except that the first gets easier with beta = m and
        // harder above it; alpha = 1 decides whether this beta works at all.
        let most = count(beta - 1);
        if !keeps(1) {
            return None;
        }
        let (mut low, mut high) = (1, most);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if keeps(middle) { low = middle } else { high = middle - 1 }
        }
        Some((low, beta))
    })
}

/// The classes of an m-eligible table by its counts alone: sets of values with the number of classes that hold just
/// them, one record each. Sets hold `m` to `2m - 1` values. `None` if the counts are not m-eligible.
#[must_use]
pub fn signatures(counts: &[u64], m: usize) -> Option<Vec<(Vec<u32>, u64)>> {
    let mut left: Vec<(usize, u32)> = counts.iter().zip(0..).map(|(&c, value)| (c as usize, value)).collect();
    let mut found = Vec::new();
    loop {
        // Among equally frequent values the first ones are taken first.
        left.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let sorted: Vec<usize> = left.iter().map(|&(c, _)| c).collect();
        if sorted.first().is_none_or(|&c| c == 0) {
            return Some(found);
        }
        let (alpha, beta) = next_bucket(&sorted, m)?;
        let mut values: Vec<u32> = left[..beta].iter().map(|&(_, value)| value).collect();
        while values.len() >= 2 * m {
            let mut part = values.split_off(values.len() - m);
            part.sort_unstable();
            found.push((part, alpha as u64));
        }
        values.sort_unstable();
        found.push((values, alpha as u64));
        for (count, _) in &mut left[..beta] {
            *count -= alpha;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn by_hand() {
        // Counts {4, 2, 2}, m = 2: the first two twice, then the first with the third twice.
        assert_eq!(next_bucket(&[4, 2, 2], 2), Some((2, 2)));
        assert_eq!(signatures(&[4, 2, 2], 2), Some(vec![(vec![0, 1], 2), (vec![0, 2], 2)]));
        assert_eq!(signatures(&[3, 1, 1], 2), None);
        // Four of four values, m = 2: two sets of two.
        assert_eq!(signatures(&[0, 0], 2), Some(Vec::new()));
    }

    proptest! {
        #[test]
        fn every_record_is_in_one_class(counts in prop::collection::vec(0_u64..40, 1..12), m in 2_usize..6) {
            let total: u64 = counts.iter().sum();
            let eligible = counts.iter().all(|&c| c * m as u64 <= total);
            let Some(found) = signatures(&counts, m) else {
                prop_assert!(!eligible);
                return Ok(());
            };
            prop_assert!(eligible);
            let mut used = vec![0; counts.len()];
            for (values, classes) in &found {
                prop_assert!((m..2 * m).contains(&values.len()) && values.windows(2).all(|w| w[0] < w[1]));
                for &value in values {
                    used[value as usize] += classes;
                }
            }
            prop_assert_eq!(used, counts);
        }
    }
}
