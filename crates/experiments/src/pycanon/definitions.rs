//! Where pyCANON's definitions differ from ours (docs/conditions.md, "Beside pyCANON"), and what is asked in place of its figure.
//!
//! A difference is recognised by the counts alone, of which both definitions are computed: pyCANON's as its source has them
//! (`_l_diversity.py`, `_beta_likeness.py`, `aux_anonymity.py` of 1.3.6), ours as the papers have them.

use super::{
    measure::{ANY, Asked, Measure, NEAR},
    tables::Tally,
};

/// What differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Difference {
    /// e to the entropy is a whole number, and comes out a little below it before pyCANON rounds it down.
    EntropyRounded,
    /// pyCANON sorts counts upwards.
    RecursiveUpwards,
    /// A value gains more than -ln q(v), which no beta allows.
    EnhancedLimit,
    /// A group lacks a value of the table, which no delta allows; pyCANON leaves it out.
    AbsentValue,
    /// Of a column that holds one number pyCANON divides by zero.
    OneNumber,
}

impl Difference {
    pub(super) const ALL: [Self; 5] = [
        Self::EntropyRounded,
        Self::RecursiveUpwards,
        Self::EnhancedLimit,
        Self::AbsentValue,
        Self::OneNumber,
    ];

    /// The difference, and what `check` must say where it occurs.
    pub(super) fn about(self) -> &'static str {
        match self {
            Self::EntropyRounded => {
                "entropy l: pyCANON rounds down; a whole number that comes out slightly too low loses 1. One more than \
                 its figure holds, two more do not"
            }
            Self::RecursiveUpwards => {
                "recursive c: pyCANON sorts the counts in ascending order, so its c refers to the rarest value. The \
                 least whole c of the paper's definition holds, c - 1 does not"
            }
            Self::EnhancedLimit => {
                "enhanced beta: a value gains more than its own -ln q(v); pyCANON returns the lesser of the largest gain \
                 and the largest -ln q(v). No beta holds"
            }
            Self::AbsentValue => "delta: a group lacks a value, which pyCANON leaves out. No delta holds",
            Self::OneNumber => {
                "t: a column holds a single number; pyCANON divides by zero and has no figure. The distance of that column \
                 is 0"
            }
        }
    }
}

/// The difference that shows in the sensitive columns, if there is one, with what is asked then; `figure` is pyCANON's.
///
/// # Errors
/// If pyCANON's figure is not what its own definition gives.
pub(super) fn difference(
    measure: Measure,
    figure: f64,
    columns: &[&Tally],
) -> Result<Option<(Difference, Asked)>, String> {
    let nothing = Asked { holds: None, fails: Some(ANY) };
    let (difference, theirs, asked) = match measure {
        Measure::EntropyL => {
            let whole = least_entropy_l(columns).round();
            if (least_entropy_l(columns) - whole).abs() > NEAR || figure >= whole {
                return Ok(None);
            }
            (Difference::EntropyRounded, whole - 1.0, measure.asked(whole))
        }
        Measure::Recursive if fewest(columns.iter().copied()) > 1 => {
            let ours = least_c(columns, |counts| counts.sort_unstable_by(|a, b| b.cmp(a)));
            let theirs = least_c(columns, |counts| counts.sort_unstable());
            if ours == theirs {
                return Ok(None);
            }
            (Difference::RecursiveUpwards, theirs, measure.asked(ours))
        }
        Measure::EnhancedBeta => {
            let broken = |tally: &&Tally| gains(tally).any(|(gain, share)| gain > -share.ln() + NEAR);
            if !columns.iter().any(broken) {
                return Ok(None);
            }
            let theirs = |tally: &&Tally| {
                let gain = gains(tally).map(|of| of.0).fold(0.0, f64::max);
                let rarest = tally.whole.iter().map(|&count| share(count, &tally.whole)).fold(1.0, f64::min);
                gain.min(-rarest.ln())
            };
            (Difference::EnhancedLimit, columns.iter().map(theirs).fold(0.0, f64::max), nothing)
        }
        Measure::Delta => {
            if !columns.iter().any(|tally| tally.groups.iter().flatten().any(|count| *count == 0)) {
                return Ok(None);
            }
            let held = |tally| gains(tally).filter(|of| of.0 > -1.0);
            let theirs = columns.iter().flat_map(|tally| held(tally)).map(|of| of.0.ln_1p().abs());
            (Difference::AbsentValue, theirs.fold(0.0, f64::max), nothing)
        }
        Measure::T => {
            if !columns.iter().any(|tally| tally.numbers && tally.whole.len() == 1) {
                return Ok(None);
            }
            (Difference::OneNumber, f64::NAN, measure.asked(farthest(columns)))
        }
        Measure::K | Measure::Alpha | Measure::DistinctL | Measure::BasicBeta | Measure::Recursive => {
            return Ok(None);
        }
    };
    if (theirs - figure).abs() < NEAR || (theirs.is_nan() && figure.is_nan()) {
        return Ok(Some((difference, asked)));
    }
    Err(format!("pyCANON says {figure}, its definition gives {theirs}"))
}

/// The fewest different values of a group.
pub(super) fn fewest<'a>(columns: impl Iterator<Item = &'a Tally>) -> usize {
    let different = |group: &Vec<usize>| group.iter().filter(|count| **count > 0).count();
    columns.flat_map(|tally| &tally.groups).map(different).min().unwrap_or(0)
}

/// e to the least entropy of a group.
fn least_entropy_l(columns: &[&Tally]) -> f64 {
    let of = |group: &Vec<usize>| {
        let shares = group.iter().filter(|count| **count > 0).map(|&count| share(count, group));
        (-shares.map(|p| p * p.ln()).sum::<f64>()).exp()
    };
    columns.iter().flat_map(|tally| &tally.groups).map(of).fold(f64::INFINITY, f64::min)
}

/// The least whole c with r(1) < c (r(l) + r(l + 1) + ...) in all groups, l being the fewest different values of any; `sort` says
/// which count is the first.
fn least_c(columns: &[&Tally], sort: impl Fn(&mut Vec<usize>)) -> f64 {
    let l = fewest(columns.iter().copied());
    let of = |group: &Vec<usize>| {
        let mut counts: Vec<usize> = group.iter().copied().filter(|count| *count > 0).collect();
        sort(&mut counts);
        counts[0] / counts[l - 1..].iter().sum::<usize>() + 1
    };
    columns.iter().flat_map(|tally| &tally.groups).map(of).max().unwrap_or(0) as f64
}

/// For each group and value of the table the relative gain (p - q) / q, and q.
fn gains(tally: &Tally) -> impl Iterator<Item = (f64, f64)> {
    tally.groups.iter().flat_map(|group| {
        group.iter().zip(&tally.whole).map(|(&count, &all)| {
            let q = share(all, &tally.whole);
            ((share(count, group) - q) / q, q)
        })
    })
}

/// The largest distance of a group from the whole table, by order where values are numbers.
fn farthest(columns: &[&Tally]) -> f64 {
    let distance = |tally: &Tally, group: &[usize]| {
        let apart = group.iter().zip(&tally.whole).map(|(&p, &q)| share(p, group) - share(q, &tally.whole));
        if !tally.numbers {
            return 0.5 * apart.map(f64::abs).sum::<f64>();
        }
        let mut moved = 0.0;
        let work = apart.map(|x| {
            moved += x;
            f64::abs(moved)
        });
        work.sum::<f64>() / (tally.whole.len() - 1).max(1) as f64
    };
    let of = |tally: &&Tally| tally.groups.iter().map(|group| distance(tally, group)).fold(0.0, f64::max);
    columns.iter().map(of).fold(0.0, f64::max)
}

fn share(count: usize, of: &[usize]) -> f64 {
    count as f64 / of.iter().sum::<usize>() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of docs/conditions.md: q = (1/2, 1/4, 1/4), a class of counts (3, 0, 1), and the rest.
    fn tally() -> Tally {
        Tally { numbers: true, whole: vec![4, 2, 2], groups: vec![vec![3, 0, 1], vec![1, 2, 1]] }
    }

    #[test]
    fn figures_by_hand() {
        let tally = tally();
        assert_eq!(fewest([&tally].into_iter()), 2);
        assert!((least_entropy_l(&[&tally]) - 4.0 / 3.0_f64.powf(0.75)).abs() < 1e-12);
        // 3 < c 1 and 2 < c (1 + 1); upwards 1 < c 3 and 1 < c (1 + 2).
        assert!((least_c(&[&tally], |counts| counts.sort_unstable_by(|a, b| b.cmp(a))) - 4.0).abs() < 1e-12);
        assert!((least_c(&[&tally], |counts| counts.sort_unstable()) - 1.0).abs() < 1e-12);
        // By order both are at (1/4 + 0) / 2.
        assert!((farthest(&[&tally]) - 0.125).abs() < 1e-12);
        assert!((farthest(&[&Tally { numbers: false, ..tally }]) - 0.25).abs() < 1e-12);
    }

    #[test]
    fn differences_are_those_of_the_counts() {
        let tally = tally();
        let found = |measure, figure| difference(measure, figure, &[&tally]);
        let none = Asked { holds: None, fails: Some(ANY) };
        let upwards = Asked { holds: Some(4.0), fails: Some(3.0) };
        assert_eq!(found(Measure::Recursive, 1.0), Ok(Some((Difference::RecursiveUpwards, upwards))));
        // The second value doubles in the second group: ln 2, as in the paper, but the first group lacks it.
        assert_eq!(found(Measure::Delta, 2.0_f64.ln()), Ok(Some((Difference::AbsentValue, none))));
        assert!(found(Measure::Delta, 0.5).is_err(), "that is not its definition's figure");
        // It gains 1 of at most ln 4: a beta of 1 will do.
        assert_eq!(found(Measure::EnhancedBeta, 1.0), Ok(None));
        for measure in [
            Measure::K,
            Measure::Alpha,
            Measure::DistinctL,
            Measure::BasicBeta,
            Measure::EntropyL,
            Measure::T,
        ] {
            assert_eq!(found(measure, 0.1), Ok(None), "{measure:?}");
        }
    }

    #[test]
    fn limits_of_frequent_values_one_number_and_whole_entropies() {
        let none = Asked { holds: None, fails: Some(ANY) };
        // The first value gains 1 of at most ln 2.
        let alone = Tally { numbers: true, whole: vec![2, 2], groups: vec![vec![2, 0], vec![0, 2]] };
        let found = difference(Measure::EnhancedBeta, 2.0_f64.ln(), &[&alone]);
        assert_eq!(found, Ok(Some((Difference::EnhancedLimit, none))));
        let one = Tally { numbers: true, whole: vec![3], groups: vec![vec![1], vec![2]] };
        let found = difference(Measure::T, f64::NAN, &[&one, &alone]);
        assert_eq!(found, Ok(Some((Difference::OneNumber, Measure::T.asked(0.5)))));
        let even = Tally { numbers: false, whole: vec![2, 2], groups: vec![vec![2, 2]] };
        let asked = Asked { holds: Some(2.0), fails: Some(3.0) };
        assert_eq!(
            difference(Measure::EntropyL, 1.0, &[&even]),
            Ok(Some((Difference::EntropyRounded, asked)))
        );
        assert_eq!(difference(Measure::EntropyL, 2.0, &[&even]), Ok(None));
    }
}
