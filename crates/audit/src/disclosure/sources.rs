//! All sources that fit what is published, however values were chosen.

use super::{
    Choice, Known, RepairUsed,
    present::{Levels, Sorts},
    rooms::Rooms,
};

/// The highest probability of a value of a person who is known to be in a class with the values `signature`; `counts`
/// are the published counts of all values. `None` if no source fits, or the class has no value.
#[must_use]
pub fn highest(counts: &[u64], signature: &[usize], known: &Known) -> Option<f64> {
    let sources = Sources::of(counts, known)?;
    sources.highest(&sources.sorts(counts, signature.iter().copied()))
}

/// The fewest records of a class with the values `signature` of which it is certain that they are real; as [`highest`].
#[must_use]
pub fn certainly_real(counts: &[u64], signature: &[usize], known: &Known) -> Option<usize> {
    let sources = Sources::of(counts, known)?;
    Some(sources.certainly_real(&sources.sorts(counts, signature.iter().copied())))
}

/// The sources that fit the published counts.
pub(super) enum Sources {
    Levels(Levels),
    Rooms(Rooms),
}

/// What decides about a class; classes that are equal in it have the same figures.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sorted {
    /// Numbers of values of each sort.
    Levels(Sorts),
    /// Published counts of the values, ascending.
    Counts(Vec<u64>),
}

/// Smallest and largest published count, and whether there may be counterfeits.
pub(super) struct Extremes {
    pub(super) level: u64,
    pub(super) cap: u64,
    /// n = m t: only then there may be counterfeits.
    pub(super) full: bool,
}

impl Extremes {
    /// `None` if no source fits.
    pub(super) fn of(counts: &[u64], known: &Known) -> Option<Self> {
        let level = counts.iter().copied().min().filter(|&x| x > 0)?;
        let cap = counts.iter().copied().max()?;
        let total: u128 = counts.iter().map(|&x| u128::from(x)).sum();
        let needed = u128::from(known.m) * u128::from(cap);
        let may_fake =
            matches!(known.way, RepairUsed::Add | RepairUsed::Hybrid) && known.counterfeits != Some(0);
        let full = total == needed && may_fake;
        let surely_fakes = known.counterfeits.is_some_and(|a| a > 0);
        if total < needed || (surely_fakes && !full) {
            return None;
        }
        Some(Self { level, cap, full })
    }
}

impl Sources {
    /// `None` if no source fits.
    pub(super) fn of(counts: &[u64], known: &Known) -> Option<Self> {
        Some(match known.choice {
            Choice::Rarest => Self::Levels(Levels::of(counts, known)?),
            Choice::Frequent | Choice::Cheapest => Self::Rooms(Rooms::of(counts, known)?),
        })
    }

    /// What decides about a class with these values.
    pub(super) fn sorts(&self, counts: &[u64], values: impl Iterator<Item = usize>) -> Sorted {
        match self {
            Self::Levels(levels) => Sorted::Levels(levels.sorts(counts, values)),
            Self::Rooms(_) => {
                let mut of_class: Vec<u64> = values.map(|value| counts[value]).collect();
                of_class.sort_unstable();
                Sorted::Counts(of_class)
            }
        }
    }

    /// Values some of whose records may be counterfeits.
    pub(super) fn suspects(&self) -> usize {
        match self {
            Self::Levels(levels) => levels.suspects(),
            Self::Rooms(rooms) => rooms.suspects(),
        }
    }

    /// Fewest records of a class of which it is certain that they are real.
    pub(super) fn certainly_real(&self, class: &Sorted) -> usize {
        match (self, class) {
            (Self::Levels(levels), Sorted::Levels(class)) => levels.certainly_real(class),
            (Self::Rooms(rooms), Sorted::Counts(class)) => rooms.certainly_real(class),
            // Classes are sorted by the sources that they are judged by: nothing is certain.
            _ => 0,
        }
    }

    /// The highest probability of a value of a class; `None` if it has no value, or no source fits.
    pub(super) fn highest(&self, class: &Sorted) -> Option<f64> {
        match (self, class) {
            (Self::Levels(levels), Sorted::Levels(class)) => levels.highest(class),
            (Self::Rooms(rooms), Sorted::Counts(class)) => rooms.highest(class),
            _ => None,
        }
    }
}
