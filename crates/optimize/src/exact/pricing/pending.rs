//! What the cuts ask of a class that grows one type at a time.

use crate::exact::cuts::{ActiveCuts, SubsetRow};

/// How many of the class each cut holds, and what it will charge.
pub(super) struct Pending<'a> {
    cuts: &'a ActiveCuts,
    /// Per type: sigma of the cuts that hold it and charge at their next member, by divisor (2, 3). Empty without cuts.
    pend: Vec<[f64; 2]>,
    /// Per cut: how many of the class it holds, less what it charged for.
    held: Vec<u32>,
}

impl<'a> Pending<'a> {
    pub(super) fn new(cuts: &'a ActiveCuts) -> Self {
        let types = if cuts.sets.is_empty() { 0 } else { cuts.of.len() };
        Self { cuts, pend: vec![[0.0; 2]; types], held: vec![0; cuts.sets.len()] }
    }

    /// What one more `t` would be charged.
    #[inline]
    pub(super) fn of(&self, t: u32) -> f64 {
        if self.pend.is_empty() { 0.0 } else { self.pend[t as usize].iter().sum() }
    }

    /// Its share of what they charge if it is one of at most `count` more: q of them are charged ceil(q / divisor) times.
    #[inline]
    pub(super) fn share(&self, t: u32, count: usize) -> f64 {
        if self.pend.is_empty() {
            return 0.0;
        }
        let [pairs, triples] = self.pend[t as usize];
        match count {
            0 | 1 => pairs + triples,
            2 => 0.5 * (pairs + triples),
            _ => 0.5 * pairs + triples / 3.0,
        }
    }

    /// Puts a type in.
    pub(super) fn put(&mut self, t: u32) {
        if self.pend.is_empty() {
            return;
        }
        for &s in &self.cuts.of[t as usize] {
            let cut = &self.cuts.sets[s as usize];
            let held = &mut self.held[s as usize];
            *held += 1;
            let change = if *held == cut.divisor {
                *held = 0;
                -cut.sigma
            } else if *held + 1 == cut.divisor {
                cut.sigma
            } else {
                continue;
            };
            for &u in &cut.members {
                self.pend[u as usize][slot(cut)] += change;
            }
        }
    }

    /// Takes the last one out.
    pub(super) fn take(&mut self, t: u32) {
        if self.pend.is_empty() {
            return;
        }
        for &s in &self.cuts.of[t as usize] {
            let cut = &self.cuts.sets[s as usize];
            let held = &mut self.held[s as usize];
            let change = if *held + 1 == cut.divisor {
                *held -= 1;
                -cut.sigma
            } else if *held == 0 {
                *held = cut.divisor - 1;
                cut.sigma
            } else {
                *held -= 1;
                continue;
            };
            for &u in &cut.members {
                self.pend[u as usize][slot(cut)] += change;
            }
        }
    }
}

/// Place of a cut's divisor among those there are.
fn slot(cut: &SubsetRow) -> usize {
    usize::from(cut.divisor > 2)
}
