//! What differs between two states of a ledger: who came, came back, left, changed and stayed.

use std::collections::BTreeMap;

use super::Ledger;

/// People of the last release of two states of one series. Names are in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Between<'a> {
    /// Releases of the older state.
    pub from: usize,
    /// Releases of the newer one.
    pub to: usize,
    /// In the newer last release alone.
    pub came: Vec<&'a str>,
    /// How many of them had been published before.
    pub back: usize,
    /// In the older last release alone.
    pub left: Vec<&'a str>,
    /// In both, with another sensitive value.
    pub changed: Vec<&'a str>,
    /// In both, with the same value.
    pub stayed: usize,
}

impl Ledger {
    /// What differs between this state and a later one of the same series.
    #[must_use]
    pub fn until<'a>(&'a self, later: &'a Self) -> Between<'a> {
        let (before, after) = (self.present(), later.present());
        let came: Vec<&str> = after.keys().filter(|name| !before.contains_key(*name)).copied().collect();
        let left: Vec<&str> = before.keys().filter(|name| !after.contains_key(*name)).copied().collect();
        let both = before.iter().filter_map(|(name, value)| Some((*name, *value, *after.get(name)?)));
        let (changed, stayed): (Vec<_>, Vec<_>) = both.partition(|(_, before, after)| before != after);
        Between {
            from: self.releases.len(),
            to: later.releases.len(),
            back: came.iter().filter(|name| self.individuals.contains_key(**name)).count(),
            came,
            left,
            changed: changed.into_iter().map(|(name, ..)| name).collect(),
            stayed: stayed.len(),
        }
    }

    /// Everybody in the last release, with the sensitive value.
    fn present(&self) -> BTreeMap<&str, &str> {
        let number = self.number();
        let last = self.individuals.iter().filter_map(|(name, stays)| Some((name, stays.last()?)));
        let there = last.filter(|(_, stay)| number > 0 && stay.last == number);
        let value = |place: u32| self.values.get(place as usize).map_or("", String::as_str);
        there.map(|(name, stay)| (name.as_str(), value(stay.value))).collect()
    }
}
