//! What the cuts ask of a class that grows one type at a time.

use crate::colgen::cuts::Cuts;

/// Which cuts hold an odd number of the class, and what they will charge.
pub(super) struct Pending<'a> {
    cuts: &'a Cuts,
    /// Per type: sigma of the cuts that hold it and an odd number of the class. Empty without cuts.
    pend: Vec<f64>,
    /// Per cut: whether it holds an odd number of the class.
    odd: Vec<bool>,
}

impl<'a> Pending<'a> {
    pub(super) fn new(cuts: &'a Cuts) -> Self {
        let types = if cuts.sets.is_empty() { 0 } else { cuts.of.len() };
        Self { cuts, pend: vec![0.0; types], odd: vec![false; cuts.sets.len()] }
    }

    /// What one more `t` would be charged.
    #[inline]
    pub(super) fn of(&self, t: u32) -> f64 {
        if self.pend.is_empty() { 0.0 } else { self.pend[t as usize] }
    }

    /// Puts a type in or takes it out.
    pub(super) fn toggle(&mut self, t: u32) {
        if self.pend.is_empty() {
            return;
        }
        for &s in &self.cuts.of[t as usize] {
            let cut = &self.cuts.sets[s as usize];
            let odd = &mut self.odd[s as usize];
            *odd = !*odd;
            let change = if *odd { cut.sigma } else { -cut.sigma };
            for &u in &cut.members {
                self.pend[u as usize] += change;
            }
        }
    }
}
