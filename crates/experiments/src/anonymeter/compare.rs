//! The rates of both tools, held against each other.

use anyhow::{Context, Result};

/// The two-sided quantile of the normal distribution for 95 %.
const QUANTILE: f64 = 1.959_963_984_540_054;

/// An attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attack {
    Univariate,
    Multivariate,
    Linkability,
    Inference,
}

impl Attack {
    pub(super) const ALL: [Self; 4] =
        [Self::Univariate, Self::Multivariate, Self::Linkability, Self::Inference];

    /// As `peers/attacks.py` calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Univariate => "univariate",
            Self::Multivariate => "multivariate",
            Self::Linkability => "linkability",
            Self::Inference => "inference",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|attack| attack.name() == name)
    }
}

/// Who is attacked, or how.
pub(super) const KINDS: [&str; 3] = ["main", "control", "naive"];

/// How often an attack succeeded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rate {
    pub(super) attacks: f64,
    pub(super) successes: f64,
}

impl Rate {
    pub(super) fn new(attacks: f64, successes: f64) -> Self {
        Self { attacks, successes }
    }

    /// Successes / attacks; 0 of no attack.
    pub(super) fn share(self) -> f64 {
        if self.attacks > 0.0 { self.successes / self.attacks } else { 0.0 }
    }

    /// The ends of Wilson's interval.
    pub(super) fn interval(self) -> (f64, f64) {
        let (n, square) = (self.attacks, QUANTILE * QUANTILE);
        let centre = (self.successes + square / 2.0) / (n + square);
        let varied = self.share() * (1.0 - self.share()).max(0.0) * n;
        let error = QUANTILE / (n + square) * (varied + square / 4.0).sqrt();
        // Without a success, or without a failure, the end is the rate itself, and not the rounding beside it.
        let low = if self.successes <= 0.0 { 0.0 } else { (centre - error).max(0.0) };
        let high = if self.successes >= n { 1.0 } else { (centre + error).min(1.0) };
        (low, high)
    }

    /// Whether the intervals have a rate in common.
    pub(super) fn meets(self, other: Self) -> bool {
        let ((a, b), (c, d)) = (self.interval(), other.interval());
        a <= d && c <= b
    }

    /// Whether each rate lies in the other's interval.
    pub(super) fn agrees(self, other: Self) -> bool {
        let within = |rate: Self, (low, high): (f64, f64)| low <= rate.share() && rate.share() <= high;
        within(self, other.interval()) && within(other, self.interval())
    }
}

/// What a tool found of a table by an attack.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) table: String,
    pub(super) attack: Attack,
    /// Whether equal distances, if there are any, are broken at random.
    pub(super) drawn: bool,
    /// By [`KINDS`].
    pub(super) rates: [Rate; 3],
}

/// Both tools.
#[derive(Clone, Debug)]
pub(super) struct Compared {
    pub(super) ours: Found,
    /// With equal distances broken at random.
    pub(super) theirs: Found,
    /// As the package breaks them, for attacks by distance.
    pub(super) sorted: Option<Found>,
}

/// Compares the attacks on one table.
///
/// # Errors
/// If Anonymeter has not told one of them.
pub(super) fn table(name: &str, ours: &[Found], theirs: &[Found]) -> Result<Vec<Compared>> {
    let of = |attack: Attack, drawn: bool| {
        theirs
            .iter()
            .find(|found| found.table == name && found.attack == attack && found.drawn == drawn)
            .cloned()
    };
    let compared = |found: &Found| {
        let theirs = of(found.attack, true)
            .with_context(|| format!("Anonymeter tells nothing of {} of {name}", found.attack.name()))?;
        Ok(Compared { ours: found.clone(), theirs, sorted: of(found.attack, false) })
    };
    ours.iter().map(compared).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_agree_within_both_intervals() {
        let rate = |successes: f64| Rate::new(100.0, successes);
        assert!(rate(50.0).agrees(rate(58.0)) && !rate(50.0).agrees(rate(62.0)));
        assert!(rate(50.0).meets(rate(62.0)) && !rate(50.0).meets(rate(75.0)));
        // Of ten attacks half says little of a hundred, and a hundred much of ten.
        assert!(!Rate::new(10.0, 5.0).agrees(rate(30.0)) && rate(0.0).agrees(rate(0.0)));
        // Newcombe 1998: 15 of 148.
        let (low, high) = Rate::new(148.0, 15.0).interval();
        assert!((low - 0.0624).abs() < 5e-5 && (high - 0.1605).abs() < 5e-5);
    }
}
