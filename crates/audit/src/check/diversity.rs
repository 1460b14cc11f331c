//! l-diversity (Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam, ACM TKDD 1(1), 2007).

use lookalike_table::text::counted;

use super::{Diversity, Grouping, secret::Secret};
use crate::{Check, groups::Groups};

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
    let (one, many) = grouping.words();
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
    let all = counted(groups.sizes.len(), one, many);
    let told = |x: f64| match kind {
        Diversity::Distinct => counted(x as usize, "different known value", "different known values"),
        Diversity::Entropy if x == 0.0 => String::from("no known value"),
        Diversity::Entropy => format!("an entropy of log {x:.4}"),
        Diversity::Recursive { .. } if x == f64::INFINITY => {
            format!("fewer than {}", counted(l, "known value", "known values"))
        }
        Diversity::Recursive { .. } => format!("a ratio of {x:.4}"),
    };
    let needed = match kind {
        Diversity::Distinct => format!("at least {l} needed"),
        Diversity::Entropy => format!("at least log {l} needed"),
        Diversity::Recursive { c } => format!("less than {c} needed"),
    };
    let mut finding = match worst {
        None => format!("there is no {one}"),
        Some(worst) => format!("{all}, the worst with {}; {needed}", told(worst)),
    };
    let broken = failed().count();
    if broken > 0 {
        finding = format!(
            "{finding}; {} not diverse enough",
            counted(broken, &format!("{one} is"), &format!("{many} are"))
        );
    }
    let name = match kind {
        Diversity::Distinct => format!("every {one} is distinct {l}-diverse"),
        Diversity::Entropy => format!("every {one} is entropy {l}-diverse"),
        Diversity::Recursive { c } => format!("every {one} is recursively ({c}, {l})-diverse"),
    };
    let witness = |(group, x): (usize, &f64)| format!("{}: {}", groups.describe(group), told(*x));
    (Check::new(&name, finding, failed().map(witness)), worst)
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
