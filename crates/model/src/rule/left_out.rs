//! How many records must go before a table keeps a condition that it does not keep.

use super::ValueCondition;

/// Values at most: a table of more of them keeps what is asked for, or comes nowhere near it.
const MOST_VALUES: usize = 10_000;

impl ValueCondition {
    /// The fewest records that must be left out, whichever they are, for at least `least` others to keep all of these conditions on one
    /// column; `None` if that is not possible. What compares with the table is kept by all of it, whichever records it has. `counts`: how
    /// often each value occurs.
    ///
    /// Records of the most frequent values go first, so that what is left is as even as it can be: of all ways to leave out so many
    /// records that one has the least largest share, the least ratio and the most entropy (its counts are majorized by those of every
    /// other). So only the height to which the counts are cut down must be searched, and how many of the values at that height
    /// lose one record more. O(v (v + log h)) for the greatest count h of v values; with more than 10,000 values it is not looked for.
    #[must_use]
    pub fn fewest_left_out(conditions: &[Self], least: usize, counts: &[u32]) -> Option<usize> {
        let left = Self::left(conditions, least, counts)?;
        let gone = counts.iter().zip(&left).map(|(held, left)| u64::from(held - left)).sum::<u64>();
        usize::try_from(gone).ok()
    }

    /// How often each value occurs once these records are left out.
    #[must_use]
    pub fn left(conditions: &[Self], least: usize, counts: &[u32]) -> Option<Vec<u32>> {
        let values = counts.iter().filter(|count| **count > 0).count();
        // Fewer records have no more values.
        let too_few =
            |condition: &Self| matches!(condition, Self::DistinctDiversity { l } if values < l.get());
        if values > MOST_VALUES || conditions.iter().any(too_few) {
            return None;
        }
        let keeps = |left: &[u32]| conditions.iter().all(|condition| condition.keeps_alone(left));
        let mut order: Vec<usize> = (0..counts.len()).filter(|&value| counts[value] > 0).collect();
        order.sort_by_key(|&value| std::cmp::Reverse(counts[value]));
        let held: Vec<u32> = order.iter().map(|&value| counts[value]).collect();
        let cut = |height: u32| held.iter().map(|count| (*count).min(height)).collect::<Vec<u32>>();
        // Lower cuts are more even, so that those that are kept are the lowest ones.
        let (mut kept, mut broken) = (0, held.first().copied()? + 1);
        while broken - kept > 1 {
            let height = kept + (broken - kept) / 2;
            if keeps(&cut(height)) { kept = height } else { broken = height }
        }
        if kept == 0 {
            return None;
        }
        // Of the values at the height above some may stay there: the last of them are lowered first, so that the counts stay in order.
        let mut left = cut(broken);
        let high = left.partition_point(|count| *count == broken);
        for at in (0..high).rev() {
            left[at] = kept;
            if keeps(&left) {
                break;
            }
        }
        if high == 0 {
            left = cut(kept);
        }
        let size = left.iter().map(|count| u64::from(*count)).sum::<u64>();
        let mut of = vec![0; counts.len()];
        for (value, count) in order.into_iter().zip(left) {
            of[value] = count;
        }
        (size >= least as u64).then_some(of)
    }

    /// Whether values that occur so often, descending, keep the condition, as far as leaving records out matters to it.
    fn keeps_alone(&self, counts: &[u32]) -> bool {
        let size: u32 = counts.iter().sum();
        let n = f64::from(size);
        self.allows(match *self {
            Self::EntropyDiversity { .. } => {
                let logs = counts.iter().filter(|count| **count > 0).map(|count| f64::from(*count));
                libm::exp(libm::log(n) - logs.map(|count| count * libm::log(count)).sum::<f64>() / n)
            }
            Self::RecursiveDiversity { l, .. } => {
                let rare: u32 = counts.iter().skip(l.get() - 1).sum();
                if rare == 0 { f64::INFINITY } else { f64::from(counts[0]) / f64::from(rare) }
            }
            Self::Frequency { .. } => f64::from(counts[0]) / n,
            Self::DistinctDiversity { .. }
            | Self::TCloseness { .. }
            | Self::BasicBetaLikeness { .. }
            | Self::EnhancedBetaLikeness { .. }
            | Self::Spread { .. }
            | Self::DeltaDisclosure { .. } => return true,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rule::{Effective, Positive, Several, Share};

    fn fewest(condition: ValueCondition, counts: &[u32]) -> Option<usize> {
        ValueCondition::fewest_left_out(&[condition], 1, counts)
    }

    /// All ways to leave records out, by the definitions.
    fn by_force(counts: &[u32], keeps: &dyn Fn(&[u32]) -> bool) -> Option<usize> {
        fn go(
            left: &mut Vec<u32>,
            at: usize,
            gone: usize,
            best: &mut Option<usize>,
            keeps: &dyn Fn(&[u32]) -> bool,
        ) {
            if at == left.len() {
                if left.iter().sum::<u32>() > 0 && best.is_none_or(|best| gone < best) && keeps(left) {
                    *best = Some(gone);
                }
                return;
            }
            let all = left[at];
            for kept in 0..=all {
                left[at] = kept;
                go(left, at + 1, gone + (all - kept) as usize, best, keeps);
            }
            left[at] = all;
        }
        let mut best = None;
        go(&mut counts.to_vec(), 0, 0, &mut best, keeps);
        best
    }

    #[test]
    fn all_conditions_and_the_size_count() {
        let alpha = ValueCondition::Frequency { alpha: Share::try_from(0.5).unwrap() };
        let entropy = ValueCondition::EntropyDiversity { l: Effective::try_from(2.9).unwrap() };
        // 2, 2 and 1 are the first counts of entropy 2.87; only 1, 1 and 1 reach 2.9.
        assert_eq!(ValueCondition::fewest_left_out(&[alpha, entropy], 3, &[5, 2, 1]), Some(5));
        assert_eq!(ValueCondition::fewest_left_out(&[alpha, entropy], 4, &[5, 2, 1]), None);
        assert_eq!(ValueCondition::fewest_left_out(&[alpha], 4, &[5, 2, 1]), Some(2));
        let distinct = ValueCondition::DistinctDiversity { l: Several::try_from(4).unwrap() };
        assert_eq!(ValueCondition::fewest_left_out(&[alpha, distinct], 2, &[5, 2, 1]), None);
    }

    #[test]
    fn by_hand() {
        let alpha = |alpha| ValueCondition::Frequency { alpha: Share::try_from(alpha).unwrap() };
        // 6 of 10 are too many for a half; 4 of 8 are not.
        assert_eq!(fewest(alpha(0.5), &[6, 3, 1]), Some(2));
        assert_eq!(fewest(alpha(0.6), &[6, 3, 1]), Some(0));
        // Two values are never each below a half.
        assert_eq!(fewest(alpha(0.4), &[6, 3]), None);
        let distinct = ValueCondition::DistinctDiversity { l: Several::try_from(4).unwrap() };
        assert_eq!(fewest(distinct, &[6, 3, 1]), None);
    }

    proptest! {
        #[test]
        fn no_way_leaves_out_fewer(
            counts in prop::collection::vec(1u32..7, 1..5), alpha in 0.15f64..0.9, l in 1.05f64..4.0, c in 0.3f64..3.0,
            of in 2usize..4,
        ) {
            let share = ValueCondition::Frequency { alpha: Share::try_from(alpha).unwrap() };
            prop_assert_eq!(fewest(share, &counts), by_force(&counts, &|left| {
                let size: u32 = left.iter().sum();
                f64::from(*left.iter().max().unwrap()) <= alpha * f64::from(size) + 1e-12
            }));
            let entropy = ValueCondition::EntropyDiversity { l: Effective::try_from(l).unwrap() };
            prop_assert_eq!(fewest(entropy, &counts), by_force(&counts, &|left| {
                let size = f64::from(left.iter().sum::<u32>());
                let shares = left.iter().filter(|count| **count > 0).map(|count| f64::from(*count) / size);
                shares.map(|p| -p * p.ln()).sum::<f64>() >= l.ln() - 1e-12
            }));
            let recursive = ValueCondition::RecursiveDiversity { c: Positive::try_from(c).unwrap(), l: Several::try_from(of).unwrap() };
            prop_assert_eq!(fewest(recursive, &counts), by_force(&counts, &|left| {
                let mut sorted = left.to_vec();
                sorted.sort_unstable_by(|a, b| b.cmp(a));
                let rare: u32 = sorted.iter().skip(of - 1).sum();
                f64::from(sorted[0]) < c * f64::from(rare)
            }));
        }
    }
}
