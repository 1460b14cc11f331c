//! The rounds of a job.

use std::sync::Arc;

use lookalike_model::{
    freeform::{Freeform, MOST},
    instance::Instance,
    loss::Loss,
    settings::FreeformMethod,
};

use super::{
    greedy::Greedy, hungarian::Hungarian, partial::Partial, round::Round, rows::Rows, sort_greedy::SortGreedy,
};
use crate::{Error, solve::Unfit};

/// The rounds of one job.
pub(crate) struct Rounds<L: Loss> {
    method: FreeformMethod,
    k: usize,
    rows: Rows<L>,
    matched: Partial,
    round: Option<Box<dyn Round<L>>>,
}

impl<L: Loss> Rounds<L> {
    /// Begins after the first matching, the identity.
    pub(crate) fn new(
        method: FreeformMethod,
        instance: &Arc<Instance>,
        loss: &L,
        k: usize,
    ) -> Result<Self, Error> {
        let n = instance.records();
        if n > MOST {
            return Err(Unfit::TooManyRecords { method: method.name().name(), records: n, most: MOST }.into());
        }
        Ok(Self { method, k, rows: Rows::new(instance, loss), matched: Partial::new(n), round: None })
    }

    /// The next piece: the pairs it looked at, about; `None` once there are k matchings.
    pub(crate) fn advance(&mut self) -> Option<usize> {
        if self.rows.matchings() == self.k {
            return None;
        }
        let mut round: Box<dyn Round<L>> = match self.round.take() {
            Some(round) => round,
            None => match self.method {
                FreeformMethod::Greedy => Box::new(Greedy::new()),
                FreeformMethod::SortGreedy => Box::new(SortGreedy::new()),
                FreeformMethod::Hungarian => Box::new(Hungarian::new(self.matched.len())),
            },
        };
        if let Some(looked) = round.advance(&self.rows, &mut self.matched) {
            self.round = Some(round);
            return Some(looked);
        }
        self.close();
        Some(self.matched.len())
    }

    /// Rounds that are matched, of all but the identity, from 0 to 1.
    pub(crate) fn fraction(&self) -> f64 {
        let begun = self.matched.share();
        ((self.rows.matchings() - 1) as f64 + begun) / (self.k - 1) as f64
    }

    /// The matchings, and how many of them were not made by the algorithm since it was stopped: each of these shifts the
    /// records, which are sorted, along the rows.
    pub(crate) fn leave(mut self) -> (Freeform, usize) {
        let late = self.k - self.rows.matchings();
        while self.rows.matchings() < self.k {
            let (n, shift) = (self.matched.len() as u32, self.rows.matchings() as u32);
            for record in 0..n {
                let row = (record + shift) % n;
                if self.matched.is_open(record, row) && !self.rows.paired(record, row) {
                    self.matched.place(record, row);
                }
            }
            self.close();
        }
        (Freeform { matchings: self.rows.into_matchings() }, late)
    }

    /// Ends a round: whoever found no row gets one, and rows cover what they are matched with.
    fn close(&mut self) {
        for record in self.matched.open() {
            self.matched.settle(&self.rows, record);
        }
        let n = self.matched.len();
        self.rows.cover(std::mem::replace(&mut self.matched, Partial::new(n)).into_rows());
    }
}
