//! Counterfeits against loss: with more classes each has fewer real records, and these lie closer together. Short searches
//! with ever more classes, until two in a row do not pay. A heuristic: a longer search may find another number better.

use lookalike_model::{
    job::{Answer, Status},
    settings::{Budget, Settings},
    verify::verify,
};
use lookalike_words::Figure;

use super::Prepared;
use crate::{Error, republish::SeriesFault};

/// Effort of a trial.
const EFFORT: f64 = 0.3;

/// Parts of the classes that a trial adds, the smallest first.
const PARTS: [u64; 6] = [64, 32, 16, 8, 4, 2];

/// Trials in a row that do not pay, after which there are no more.
const FAILURES: u8 = 2;

/// How many classes of new records beyond those that are needed pay.
#[derive(Debug)]
pub(super) struct Trials {
    /// What a counterfeit costs, in the unit of the loss.
    price: f64,
    /// Further classes to be tried, the next one last; `None` before the first trial, which adds none.
    plan: Option<Vec<u64>>,
    /// The trial that runs, or the best one at the end.
    more: u64,
    best: u64,
    least: f64,
    failures: u8,
    ended: bool,
}

impl Trials {
    /// At this price of a counterfeit.
    pub(super) fn new(price: f64) -> Result<Self, Error> {
        if !price.is_finite() || price < 0.0 {
            return Err(SeriesFault::Price { price: Figure::shortest(price) }.into());
        }
        Ok(Self { price, plan: None, more: 0, best: 0, least: f64::INFINITY, failures: 0, ended: false })
    }

    /// Whether a trial is under way.
    pub(super) fn runs(&self) -> bool {
        !self.ended
    }

    /// Further classes: of the trial, or those that pay.
    pub(super) fn more(&self) -> u64 {
        self.more
    }

    /// A trial is a short run.
    pub(super) fn settings(&self, settings: &Settings) -> Settings {
        let budget = if self.ended { settings.budget } else { Budget::Effort(EFFORT) };
        Settings { budget, ..settings.clone() }
    }

    /// Takes the answer to the trial's job, and says what comes next.
    ///
    /// # Errors
    /// As [`verify`].
    pub(super) fn judge(&mut self, prepared: &Prepared, answer: &Answer) -> Result<(), Error> {
        verify(prepared.job(), answer)?;
        let cost = answer.loss + self.price * prepared.counterfeits.len() as f64;
        if cost < self.least {
            (self.least, self.best, self.failures) = (cost, self.more, 0);
        } else {
            self.failures += 1;
        }
        let plan = self.plan.get_or_insert_with(|| {
            let classes = answer.labels.iter().max().map_or(0, |last| u64::from(*last) + 1);
            PARTS.iter().rev().map(|part| classes / part).collect()
        });
        let best = self.best;
        let mut next = || loop {
            match plan.pop() {
                Some(more) if more == best => {}
                other => break other,
            }
        };
        // Whoever stops a run wants its release now.
        let stop = self.failures == FAILURES || answer.status == Status::Cancelled;
        let following = if stop { None } else { next() };
        self.ended = following.is_none();
        self.more = following.unwrap_or(best);
        Ok(())
    }
}
