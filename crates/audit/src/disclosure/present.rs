//! The most that anybody can learn about a person who is in a class: the worst of all sources that fit.
//!
//! Additions fill the rarest values up to a common level. So with L the smallest published count, only values with L
//! records (*low*) and, because of a remainder, with L + 1 records (*next*) may have been faked: at most L - 1 and L
//! of their records, since each value had one at least. All others (*high*) are real. There are counterfeits only if
//! n = m t, t being the largest count; then a value at least keeps t real records, and in a hybrid with t > 1 at
//! least min(A, ceil(m/2)) values do, or its cap would have been lower. Which of equally rare values gets the
//! remainder is not assumed to be known.

use super::{Known, RepairUsed, sources::Extremes};

/// The sources that fit the published counts, with [`super::Choice::Rarest`].
pub(super) struct Levels {
    known: Known,
    /// The smallest and the largest published count.
    level: u64,
    cap: u64,
    /// Values of each sort.
    all: Sorts,
    /// Values at the cap.
    at_cap: u64,
    /// n = m t: only then there may be counterfeits.
    full: bool,
}

/// Numbers of values of each sort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Sorts {
    low: u64,
    next: u64,
    high: u64,
}

/// Sort of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Low,
    Next,
    High,
}

impl Levels {
    /// `None` if no source fits.
    pub(super) fn of(counts: &[u64], known: &Known) -> Option<Self> {
        let Extremes { level, cap, full } = Extremes::of(counts, known)?;
        let mut sources = Self {
            known: *known,
            level,
            cap,
            all: Sorts::default(),
            at_cap: counts.iter().filter(|&&x| x == cap).count() as u64,
            full,
        };
        sources.all = sources.sorts(counts, 0..counts.len());
        Some(sources)
    }

    /// How many values of each sort there are among `values`.
    pub(super) fn sorts(&self, counts: &[u64], values: impl Iterator<Item = usize>) -> Sorts {
        let mut sorts = Sorts::default();
        for value in values {
            let sort = match counts[value] - self.level {
                0 => &mut sorts.low,
                1 => &mut sorts.next,
                _ => &mut sorts.high,
            };
            *sort += 1;
        }
        sorts
    }

    /// Values some of whose records may be counterfeits.
    pub(super) fn suspects(&self) -> usize {
        if self.full { self.suspects_of(&self.all) as usize } else { 0 }
    }

    fn suspects_of(&self, sorts: &Sorts) -> u64 {
        sorts.next + if self.level > 1 { sorts.low } else { 0 }
    }

    /// Fewest records of a class of which it is certain that they are real: all that may be faked at once are not.
    pub(super) fn certainly_real(&self, class: &Sorts) -> usize {
        let size = class.low + class.next + class.high;
        if !self.full {
            return size as usize;
        }
        let doubtful = |amount: u64| {
            let forced = self.capped_sort().map_or(0, |sort| {
                let outside = self.all.of(sort) - class.of(sort);
                self.unfaked(amount).saturating_sub(outside)
            });
            self.suspects_of(class).saturating_sub(forced).min(amount)
        };
        let most = match self.known.counterfeits {
            Some(amount) => doubtful(amount),
            None => (1..=self.known.m.div_ceil(2)).chain([u64::MAX]).map(doubtful).max().unwrap_or(0),
        };
        (size - most) as usize
    }

    /// The highest probability of a value of a class.
    pub(super) fn highest(&self, class: &Sorts) -> Option<f64> {
        let amounts: Vec<Option<u64>> = match self.known.counterfeits {
            _ if !self.full => vec![Some(0)],
            Some(amount) => vec![Some(amount)],
            // Beyond ceil(m/2) more counterfeits change no condition: as many as help.
            None => (0..=self.known.m.div_ceil(2)).map(Some).chain([None]).collect(),
        };
        let sorts = || [Sort::Low, Sort::Next, Sort::High].into_iter().filter(|sort| class.of(*sort) > 0);
        let all = amounts.iter().flat_map(|&amount| sorts().map(move |sort| (sort, amount)));
        all.filter_map(|(sort, amount)| self.posterior(class, sort, amount)).reduce(f64::max)
    }

    /// The highest probability of a value of this sort, with `amount` counterfeits in total (`None`: as many as help);
    /// `None` if no source fits.
    fn posterior(&self, class: &Sorts, sort: Sort, amount: Option<u64>) -> Option<f64> {
        let room = |sort: Sort| match sort {
            Sort::Low => u128::from(self.level - 1),
            Sort::Next => u128::from(self.level),
            Sort::High => 0,
        };
        let others = class.without(sort);
        // Values that must keep all their records real: the value itself first, then some outside the class.
        let capped = self.capped_sort();
        let mut unfaked = if amount == Some(0) { 0 } else { self.unfaked(amount.unwrap_or(u64::MAX)) };
        if capped.is_none() && unfaked > self.at_cap {
            return None;
        }
        let mut itself = room(sort);
        let (mut inside, mut outside) = (others, self.all.minus(class));
        if let Some(capped) = capped {
            if capped == sort && unfaked > 0 {
                (unfaked, itself) = (unfaked - 1, 0);
            }
            let away = unfaked.min(outside.of(capped));
            *outside.of_mut(capped) -= away;
            *inside.of_mut(capped) = inside.of(capped).checked_sub(unfaked - away)?;
        }
        // The rest are faked as much as can be, low values first: one of L records weighs more than one of L + 1.
        let low_room = u128::from(inside.low) * room(Sort::Low);
        let next_room = u128::from(inside.next) * room(Sort::Next);
        let amount = amount.map_or(low_room + next_room, u128::from);
        let low = amount.min(low_room);
        let next = (amount - low).min(next_room);
        let elsewhere =
            u128::from(outside.low) * room(Sort::Low) + u128::from(outside.next) * room(Sort::Next);
        let own = (amount - low - next).saturating_sub(elsewhere);
        if own > itself {
            return None;
        }
        let level = self.level as f64;
        let records = if sort == Sort::Low { level } else { level + 1.0 };
        let own_share = if own == 0 { 1.0 } else { 1.0 - own as f64 / records };
        let other_shares = (others.low + others.next + others.high) as f64
            - low as f64 / level
            - next as f64 / (level + 1.0);
        Some(own_share / (own_share + other_shares))
    }

    /// The sort of the values at the cap, if it is one that may have been faked.
    fn capped_sort(&self) -> Option<Sort> {
        match self.cap - self.level {
            0 => Some(Sort::Low),
            1 => Some(Sort::Next),
            _ => None,
        }
    }

    /// How many values must have kept t real records, with this many counterfeits.
    fn unfaked(&self, amount: u64) -> u64 {
        match self.known.way {
            RepairUsed::Hybrid if self.cap > 1 => amount.min(self.known.m.div_ceil(2)).max(1),
            _ => 1,
        }
    }
}

impl Sorts {
    fn of(&self, sort: Sort) -> u64 {
        match sort {
            Sort::Low => self.low,
            Sort::Next => self.next,
            Sort::High => self.high,
        }
    }

    fn of_mut(&mut self, sort: Sort) -> &mut u64 {
        match sort {
            Sort::Low => &mut self.low,
            Sort::Next => &mut self.next,
            Sort::High => &mut self.high,
        }
    }

    fn without(mut self, sort: Sort) -> Self {
        *self.of_mut(sort) -= 1;
        self
    }

    fn minus(&self, other: &Self) -> Self {
        Self { low: self.low - other.low, next: self.next - other.next, high: self.high - other.high }
    }
}
