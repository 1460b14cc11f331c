//! l-diversity (Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam, ACM TKDD 1(1), 2007).

use lookalike_words::Figure;

use super::{Diversity, secret::Secret};
use crate::{Check, Diverse, Grouping, Needed, Observation, Promise, Subject, Witness, groups::Groups};

/// Entropies are sums of logarithms: a uniform distribution must reach its own l.
const TOLERANCE: f64 = 1e-12;

/// Whether every group is l-diverse, and what the worst one reaches.
pub(crate) fn check(
    groups: &Groups,
    secret: &Secret,
    l: usize,
    kind: Diversity,
    grouping: Grouping,
) -> (Check, Option<f64>) {
    let reached: Vec<f64> = secret
        .counts(groups)
        .iter()
        .map(|counts| {
            let mut counts: Vec<usize> = counts.iter().map(|&(_, count)| count).collect();
            counts.sort_unstable_by(|a, b| b.cmp(a));
            measure(&counts, l, kind)
        })
        .collect();
    let holds = |x: f64| match kind {
        Diversity::Distinct => x >= l as f64,
        Diversity::Entropy => x >= l as f64 * (1.0 - TOLERANCE),
        Diversity::Recursive { c } => x < c,
    };
    let worse =
        |a: f64, b: f64| if matches!(kind, Diversity::Recursive { .. }) { a.max(b) } else { a.min(b) };
    let worst = reached.iter().copied().reduce(worse);
    let failed = || reached.iter().enumerate().filter(|(_, x)| !holds(**x));
    let told = |x: f64| match kind {
        Diversity::Distinct => Diverse::Values { values: x as usize },
        Diversity::Entropy if x == 0.0 => Diverse::Unknown,
        Diversity::Entropy => Diverse::Entropy { of: Figure::fixed(x, 4) },
        Diversity::Recursive { .. } if x == f64::INFINITY => Diverse::Few { l },
        Diversity::Recursive { .. } => Diverse::Ratio { ratio: Figure::fixed(x, 4) },
    };
    let (needed, promise) = match kind {
        Diversity::Distinct => (Needed::Values { l }, Promise::DistinctDiversity { l, grouping }),
        Diversity::Entropy => (Needed::Entropy { l }, Promise::EntropyDiversity { l, grouping }),
        Diversity::Recursive { c } => {
            let c = Figure::shortest(c);
            (Needed::Ratio { c: c.clone() }, Promise::RecursiveDiversity { c, l, grouping })
        }
    };
    let all = groups.sizes.len();
    let finding = match (worst.map(told), failed().count()) {
        (None, _) => Observation::Nothing { grouping },
        (Some(worst), 0) => Observation::Diverse { grouping, all, worst, needed },
        (Some(worst), broken) => Observation::NotDiverse { grouping, all, worst, needed, broken },
    };
    let witness =
        |(group, x): (usize, &f64)| Witness::NotDiverse { of: groups.describe(group), diverse: told(*x) };
    (Check::new(Subject::Promise(promise), finding, failed().map(witness)), worst)
}

/// What a group reaches; `counts` are those of its known values, the largest first.
///
/// * distinct: number of values;
/// * entropy: e to the entropy, the number of equally frequent values with the same entropy; 0 without a value;
/// * recursive: `r_1 / (r_l + ... + r_n)`, which must be less than c; infinite with fewer than l values.
fn measure(counts: &[usize], l: usize, kind: Diversity) -> f64 {
    match kind {
        Diversity::Distinct => counts.len() as f64,
        Diversity::Entropy => {
            let n = counts.iter().sum::<usize>() as f64;
            let entropy = counts.iter().map(|&count| {
                let p = count as f64 / n;
                -p * libm::log(p)
            });
            if counts.is_empty() { 0.0 } else { libm::exp(entropy.sum()) }
        }
        Diversity::Recursive { .. } => match counts.get(l - 1..) {
            Some(tail) if !tail.is_empty() => counts[0] as f64 / tail.iter().sum::<usize>() as f64,
            _ => f64::INFINITY,
        },
    }
}
