//! The attacker who knows how many records of each value were faked and deleted.

/// What that attacker learns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Informed {
    /// Highest probability of a sensitive value of a person who is known to be in a class.
    pub present: f64,
    /// Highest probability of a sensitive value of a person who is known to be in the source, but is found in no class.
    /// `None` if nothing was deleted.
    pub absent: Option<f64>,
}

/// The most that he can learn from any class of m records, before there are classes; all numbers by value.
///
/// `source` are the counts before the repair. A place with value v is real with probability
/// `rho_v = 1 - additions_v / published_v`; the person at one of the class's places holds v with probability
/// `rho_v / sum rho`. The worst class has a value that is never faked and the m - 1 values most often faked. `None` if
/// fewer than m values are published.
#[must_use]
pub fn from_counts(source: &[u64], additions: &[u64], deletions: &[u64], m: u64) -> Option<Informed> {
    let mut real = real_shares(source, additions, deletions);
    real.retain(|rho| !rho.is_nan());
    real.sort_by(f64::total_cmp);
    let others = usize::try_from(m).ok()?.checked_sub(1)?;
    let (last, rest) = real.split_last()?;
    let rest = rest.get(..others)?;
    Some(Informed { present: last / (last + rest.iter().sum::<f64>()), absent: absent(deletions) })
}

/// What he learns from the classes there are; `classes` holds the values of each.
#[must_use]
pub fn in_classes<'a>(
    source: &[u64],
    additions: &[u64],
    deletions: &[u64],
    classes: impl Iterator<Item = &'a [usize]>,
) -> Informed {
    let real = real_shares(source, additions, deletions);
    let of_class = |class: &[usize]| {
        let mut shares: Vec<f64> = class.iter().map(|&value| real[value]).collect();
        // Sorted: the order of a class's records cannot change the sum.
        shares.sort_by(f64::total_cmp);
        shares.last().map_or(0.0, |highest| highest / shares.iter().sum::<f64>())
    };
    Informed { present: classes.map(of_class).fold(0.0, f64::max), absent: absent(deletions) }
}

/// Share of each value's published records that are real; NaN for a value that is not published.
fn real_shares(source: &[u64], additions: &[u64], deletions: &[u64]) -> Vec<f64> {
    let of_value = |((&c, &a), &d): ((&u64, &u64), &u64)| {
        let real = c.saturating_sub(d) as f64;
        real / (real + a as f64)
    };
    source.iter().zip(additions).zip(deletions).map(of_value).collect()
}

fn absent(deletions: &[u64]) -> Option<f64> {
    let total: u64 = deletions.iter().sum();
    let most = deletions.iter().max()?;
    (total > 0).then(|| *most as f64 / total as f64)
}
