//! Conditions on the sensitive values of a class, from the definitions and in floating point, without any cleverness.

use crate::transport::transport;

/// Levels of the hierarchy of test values above them: neighbours in pairs, then in fours, then all. There are no more than eight.
const HEIGHT: usize = 3;

/// For each level above these values, of that hierarchy, the label of each: numbers without gaps.
#[must_use]
pub fn branches(values: &[usize]) -> Vec<Vec<u32>> {
    let numbered = |level: usize| {
        let mut labels: Vec<usize> = Vec::new();
        let number = |value: &usize| {
            let label = value >> level;
            let at = labels.iter().position(|&known| known == label);
            at.unwrap_or_else(|| {
                labels.push(label);
                labels.len() - 1
            }) as u32
        };
        values.iter().map(number).collect()
    };
    (1..=HEIGHT).map(numbered).collect()
}

/// A condition; what it means is in docs/conditions.md.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are those of the parameters")]
pub enum Wanted {
    Distinct { l: usize },
    Entropy { l: f64 },
    Recursive { c: f64, l: usize },
    Alpha { alpha: f64 },
    Spread { least: f64 },
    Equal { t: f64 },
    Ordered { t: f64 },
    Hierarchical { t: f64 },
    Beta { beta: f64 },
    EnhancedBeta { beta: f64 },
    Delta { delta: f64 },
}

impl Wanted {
    /// How much room a class leaves below the condition: at least 0, or above 0 where the condition is strict, if it is kept.
    /// Classes and table are their sensitive values: ranks, `0..ranks`. Infinite in either direction where no number says it.
    #[must_use]
    pub fn room(self, class: &[usize], table: &[usize], ranks: usize) -> f64 {
        let share =
            |of: &[usize], value: usize| of.iter().filter(|&&x| x == value).count() as f64 / of.len() as f64;
        let p: Vec<f64> = (0..ranks).map(|value| share(class, value)).collect();
        let q: Vec<f64> = (0..ranks).map(|value| share(table, value)).collect();
        let mut counts: Vec<usize> = (0..ranks)
            .map(|value| class.iter().filter(|&&x| x == value).count())
            .filter(|&c| c > 0)
            .collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let gains = || p.iter().zip(&q).filter(|(_, q)| **q > 0.0).map(|(p, q)| ((p - q) / q, *q));
        match self {
            Self::Distinct { l } => counts.len() as f64 - l as f64,
            Self::Entropy { l } => p.iter().filter(|p| **p > 0.0).map(|p| -p * p.ln()).sum::<f64>() - l.ln(),
            Self::Recursive { c, l } if counts.len() >= l => {
                c * counts[l - 1..].iter().sum::<usize>() as f64 - counts[0] as f64
            }
            Self::Recursive { .. } => f64::NEG_INFINITY,
            Self::Alpha { alpha } => alpha - p.iter().copied().fold(0.0, f64::max),
            Self::Spread { least } => {
                let range = |of: &[usize]| {
                    of.iter().max().zip(of.iter().min()).map_or(0.0, |(most, least)| (most - least) as f64)
                };
                if range(table) > 0.0 { range(class) / range(table) - least } else { f64::NEG_INFINITY }
            }
            Self::Equal { t } => t - p.iter().zip(&q).map(|(p, q)| (p - q).abs()).sum::<f64>() / 2.0,
            Self::Ordered { t } => {
                let upto = |of: &[f64], rank: usize| of[..=rank].iter().sum::<f64>();
                let apart = |rank: usize| (upto(&p, rank) - upto(&q, rank)).abs();
                t - (0..ranks).map(apart).sum::<f64>() / (ranks - 1).max(1) as f64
            }
            Self::Hierarchical { t } => {
                let count = |of: &[usize], value: usize| of.iter().filter(|&&x| x == value).count() as i128;
                let scaled = |of: &[usize], by: usize| -> Vec<i128> {
                    (0..ranks).map(|value| count(of, value) * by as i128).collect()
                };
                let up = |a: usize, b: usize| (0..=HEIGHT).find(|level| a >> level == b >> level);
                let work = transport(&scaled(class, table.len()), &scaled(table, class.len()), |a, b| {
                    up(a, b).unwrap_or(HEIGHT) as i128
                });
                t - work as f64 / (class.len() * table.len() * HEIGHT) as f64
            }
            Self::Beta { beta } => gains().map(|(gain, _)| beta - gain).fold(f64::INFINITY, f64::min),
            Self::EnhancedBeta { beta } => {
                gains().map(|(gain, q)| beta.min(-q.ln()) - gain).fold(f64::INFINITY, f64::min)
            }
            Self::Delta { delta } => {
                let logs = p.iter().zip(&q).filter(|(_, q)| **q > 0.0).map(|(p, q)| (p / q).ln().abs());
                delta - logs.fold(0.0, f64::max)
            }
        }
    }

    /// Whether equality is not enough.
    #[must_use]
    pub fn is_strict(self) -> bool {
        matches!(self, Self::Recursive { .. } | Self::Delta { .. })
    }

    /// Whether a class keeps it, rounding aside.
    #[must_use]
    pub fn holds(self, class: &[usize], table: &[usize], ranks: usize) -> bool {
        let room = self.room(class, table, ranks);
        if self.is_strict() { room > 1e-10 } else { room >= -1e-10 }
    }
}
