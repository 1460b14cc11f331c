//! All admissible classes among a few records, depth-first, with running values.

use std::sync::Arc;

use lookalike_model::{
    instance::Instance,
    loss::{Loss, LossTable},
};

/// A class among the records of a neighbourhood: its members as bits, and its loss.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) members: u32,
    pub(super) loss: f64,
}

/// What is looked for, and what has been found.
pub(super) struct Enumeration<'a, L: Loss> {
    instance: &'a Instance,
    loss: L,
    /// One slot a depth: the class of the members chosen down to there.
    table: L::Table,
    records: &'a [u32],
    distinct: bool,
    /// Fewest real records of a class.
    min_real: usize,
    /// Fewest and most records of a class that keeps no signature; one that does has its signature's size.
    sizes: (usize, usize),
    /// Members down to which a class may grow.
    deepest: usize,
    /// Classes that cost more are left out.
    most: f64,
    members: Vec<u32>,
    pub(super) found: Vec<Candidate>,
    /// Sets looked at.
    pub(super) steps: u64,
}

impl<'a, L: Loss> Enumeration<'a, L> {
    /// All classes of `sizes.0` to `sizes.1` of the records, of different colours if `distinct`, that hold `min_real` real records
    /// and cost at most `most`; in a series also those of exactly the signature that their members keep. At most 32
    /// records.
    pub(super) fn run(
        instance: &'a Arc<Instance>,
        loss: L,
        records: &'a [u32],
        distinct: bool,
        (sizes, min_real): ((usize, usize), usize),
        most: f64,
    ) -> Self {
        let kept = records.iter().filter_map(|&i| instance.signature(instance.bound(i))).map(<[u32]>::len);
        let deepest = kept.max().unwrap_or(0).max(sizes.1);
        let mut table = loss.table(instance, deepest + 1);
        table.refresh(0, &[]);
        let mut search = Self {
            instance,
            loss,
            table,
            records,
            distinct,
            min_real,
            sizes,
            deepest,
            most,
            members: Vec::with_capacity(deepest),
            found: Vec::new(),
            steps: 0,
        };
        search.visit(0, 0.0, 0, 0);
        search
    }

    /// Adds each later record to the members; `base` is what these add to any class, `reals` how many of them are real,
    /// `bound` the signature that they keep.
    fn visit(&mut self, set: u32, base: f64, reals: usize, bound: u32) {
        let depth = self.members.len();
        let next = 32 - set.leading_zeros() as usize;
        // Enough records must be left to reach the least size.
        let last = self.records.len().min((self.records.len() + depth + 1).saturating_sub(self.sizes.0));
        for at in next..last {
            let i = self.records[at];
            let colour = self.instance.colours[i as usize];
            if self.distinct && self.members.iter().any(|&j| self.instance.colours[j as usize] == colour) {
                continue;
            }
            let Some(bound) = self.joins(i, bound) else { continue };
            self.steps += 1;
            let (set, reals) = (set | 1 << at, reals + usize::from(self.instance.is_real(i)));
            let base = base + self.loss.record(self.instance, i);
            let size = depth + 1;
            let (least, largest) = self
                .instance
                .signature(bound)
                .map_or(self.sizes, |signature| (signature.len(), signature.len()));
            if (least..=largest).contains(&size) && reals >= self.min_real {
                let loss = self.table.value_after(depth as u32, &self.members, Some(i), None) + base;
                if loss <= self.most {
                    self.found.push(Candidate { members: set, loss: loss.max(0.0) });
                }
            }
            if size < if bound == 0 { self.deepest } else { largest } {
                self.members.push(i);
                self.table.refresh(depth as u32 + 1, &self.members);
                self.visit(set, base, reals, bound);
                self.members.pop();
            }
        }
    }

    /// The signature that the members keep together with record `i`; `None` if no class of a series holds them all.
    fn joins(&self, i: u32, bound: u32) -> Option<u32> {
        let own = self.instance.bound(i);
        if bound != 0 && own != 0 && own != bound {
            return None;
        }
        let both = bound.max(own);
        let Some(signature) = self.instance.signature(both) else { return Some(both) };
        let of_it = |&j: &u32| signature.binary_search(&self.instance.colours[j as usize]).is_ok();
        // What joined before a signature was known is looked at when it is.
        let fits = of_it(&i) && (bound != 0 || self.members.iter().all(of_it));
        fits.then_some(both)
    }
}
