//! The most that anybody can learn about a person who is in a class, where other values than the rarest may be faked.
//!
//! Of each value at most `room` records are counterfeits, and of the values at the cap t at least `unfaked` have none.
//! Every source that fits keeps to that, so the worst numbers of counterfeits that do so are a bound
//! (`docs/disclosure.md`).
//!
//! * [`Choice::Cheapest`]: every value had one record at least, so its room is x - 1; the value that decides the cap
//!   is not faked. There are costs for which any such source is published so: for who does not know the costs, the bound
//!   is exact.
//! * [`Choice::Frequent`]: values are filled up to the cap, the most frequent first, and the last one as far as the
//!   counterfeits reach. So only values at the cap and the most frequent one below it, if it is one, have room, down to
//!   the next published count.

use std::collections::BTreeMap;

use super::{Choice, Known, RepairUsed, sources::Extremes};

/// The sources that fit the published counts.
pub(super) struct Rooms {
    known: Known,
    cap: u64,
    /// For each published count its values, and how many of the records of one may be counterfeits. Values that
    /// are published alike are alike.
    all: BTreeMap<u64, Alike>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Alike {
    values: u64,
    room: u64,
}

impl Rooms {
    /// `None` if no source fits.
    pub(super) fn of(counts: &[u64], known: &Known) -> Option<Self> {
        let Extremes { cap, full, .. } = Extremes::of(counts, known)?;
        let mut all: BTreeMap<u64, Alike> = BTreeMap::new();
        for &count in counts {
            all.entry(count).or_default().values += 1;
        }
        // The most frequent value below the cap is the only one of its count, or none of them was faked.
        let below: Vec<(u64, u64)> =
            all.range(..cap).rev().take(2).map(|(&count, alike)| (count, alike.values)).collect();
        let partly = match below.as_slice() {
            [(count, 1), rest @ ..] => Some((*count, rest.first().map_or(1, |next| next.0))),
            _ => None,
        };
        for (&count, alike) in &mut all {
            alike.room = match known.choice {
                _ if !full => 0,
                Choice::Rarest | Choice::Cheapest => count - 1,
                Choice::Frequent if count == cap => {
                    cap - partly.map_or_else(|| below.first().map_or(1, |first| first.0), |(_, least)| least)
                }
                Choice::Frequent => partly.filter(|of| of.0 == count).map_or(0, |(_, least)| count - least),
            };
        }
        Some(Self { known: *known, cap, all })
    }

    /// Values some of whose records may be counterfeits.
    pub(super) fn suspects(&self) -> usize {
        self.all.values().filter(|alike| alike.room > 0).map(|alike| alike.values as usize).sum()
    }

    /// Fewest records of a class, given by the counts of its values, of which it is certain that they are real.
    pub(super) fn certainly_real(&self, class: &[u64]) -> usize {
        let at_cap = class.iter().filter(|&&count| count == self.cap).count() as u64;
        let outside = self.at_cap() - at_cap;
        let suspects = class.iter().filter(|&&count| self.room(count) > 0).count() as u64;
        let doubtful = |amount: u64| {
            let real = if self.room(self.cap) > 0 { self.unfaked(amount).saturating_sub(outside) } else { 0 };
            suspects.saturating_sub(real).min(amount)
        };
        class.len()
            - self.amounts().map(|amount| doubtful(amount.unwrap_or(u64::MAX))).max().unwrap_or(0) as usize
    }

    /// The highest probability of a value of a class; `None` if it has no value, or no source fits.
    pub(super) fn highest(&self, class: &[u64]) -> Option<f64> {
        let mut different = class.to_vec();
        different.dedup();
        let all = self.amounts().flat_map(|amount| different.iter().map(move |&count| (count, amount)));
        all.filter_map(|(count, amount)| self.posterior(class, count, amount)).reduce(f64::max)
    }

    /// The numbers of counterfeits there may be: `None` stands for as many as help. Beyond ceil(m/2) more of them change
    /// no condition.
    fn amounts(&self) -> impl Iterator<Item = Option<u64>> {
        let none = self.all.values().all(|alike| alike.room == 0);
        let (known, most) = (self.known.counterfeits, self.known.m.div_ceil(2));
        let open = known.is_none() && !none;
        let one = (!open).then(|| Some(known.unwrap_or(0)));
        let several = open.then(|| (0..=most).map(Some).chain([None]));
        one.into_iter().chain(several.into_iter().flatten())
    }

    /// The highest probability of a value of the class that is published `count` times, with `amount` counterfeits in
    /// total; `None` if there cannot be so many.
    fn posterior(&self, class: &[u64], count: u64, amount: Option<u64>) -> Option<f64> {
        // Values that keep all their records: itself first, then some outside the class, then some inside.
        let mut unfaked = if amount == Some(0) { 0 } else { self.unfaked(amount.unwrap_or(u64::MAX)) };
        if unfaked > self.at_cap() {
            return None;
        }
        let mut itself = u128::from(self.room(count));
        if count == self.cap && unfaked > 0 {
            (unfaked, itself) = (unfaked - 1, 0);
        }
        let inside_at_cap = class.iter().filter(|&&of| of == self.cap).count() as u64;
        let outside_at_cap = self.at_cap() - inside_at_cap;
        let away = unfaked.min(outside_at_cap);
        let mut kept = unfaked - away;
        if kept > inside_at_cap - u64::from(count == self.cap) {
            return None;
        }
        // The others of the class are faked as much as can be, the rarest first: one of few records weighs more.
        let mut left = amount.map(u128::from);
        let mut others = 0.0;
        let mut skipped = false;
        for &of in class {
            if of == count && !skipped {
                skipped = true;
                continue;
            }
            let mut room = u128::from(self.room(of));
            if of == self.cap && kept > 0 {
                (kept, room) = (kept - 1, 0);
            }
            let faked = left.map_or(room, |left| left.min(room));
            left = left.map(|left| left - faked);
            others += 1.0 - faked as f64 / of as f64;
        }
        // What is left over goes to values outside the class, and at last to itself.
        let elsewhere: u128 = self
            .all
            .iter()
            .map(|(&of, alike)| {
                let inside = class.iter().filter(|&&other| other == of).count() as u64;
                let kept = if of == self.cap { away } else { 0 };
                u128::from(alike.room) * u128::from(alike.values - inside - kept)
            })
            .sum();
        let own = left.unwrap_or(0).saturating_sub(elsewhere);
        if own > itself {
            return None;
        }
        let own_share = 1.0 - own as f64 / count as f64;
        Some(own_share / (own_share + others))
    }

    fn room(&self, count: u64) -> u64 {
        self.all.get(&count).map_or(0, |alike| alike.room)
    }

    fn at_cap(&self) -> u64 {
        self.all.get(&self.cap).map_or(0, |alike| alike.values)
    }

    /// How many values must have kept t real records, with this many counterfeits: a cap with the fewest changes rests
    /// on several, one of least cost on one.
    fn unfaked(&self, amount: u64) -> u64 {
        match (self.known.way, self.known.choice) {
            (RepairUsed::Hybrid, Choice::Frequent) if self.cap > 1 => {
                amount.min(self.known.m.div_ceil(2)).max(1)
            }
            _ => 1,
        }
    }
}
