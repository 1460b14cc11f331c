//! What the general programme has proven of a job, and what it was proven by.

use lookalike_model::job::{Bound, BoundOf};

use super::ProvenByProgramme;

/// What the back ends' tolerances may take off a bound, as a part of it or of 1.
const TOLERANCE: f64 = 1e-7;

/// The best bound so far.
pub(super) struct ProvenBound {
    /// No partition loses less than this.
    pub(super) value: f64,
    /// What it was proven by; `None` while nothing is proven.
    by: Option<ProvenByProgramme>,
    /// What tolerances took off the prices' sum.
    margin: f64,
}

impl ProvenBound {
    pub(super) fn none() -> Self {
        Self { value: 0.0, by: None, margin: 0.0 }
    }

    /// No class costs less than these prices, and this is the `loss` of a partition.
    pub(super) fn by_prices(&mut self, prices: &[f64], loss: f64) {
        let size: f64 = prices.iter().map(|price| price.abs()).sum();
        self.margin = TOLERANCE * size.max(1.0);
        self.raise(prices.iter().sum::<f64>() - self.margin, loss, ProvenByProgramme::Prices);
    }

    /// A solver that has not come to its end has this bound.
    pub(super) fn by_solver(&mut self, bound: f64, loss: f64, backend: &'static str) {
        let bound = bound - TOLERANCE * bound.abs().max(1.0);
        self.raise(bound, loss, ProvenByProgramme::Solver { backend });
    }

    /// A solver has found no partition that loses less than `loss`. Where the prices had said so before, but for what they lost to
    /// tolerances, they are what proves it.
    pub(super) fn completed(&mut self, loss: f64, backend: &'static str) {
        let by_prices = self.by == Some(ProvenByProgramme::Prices) && self.value + 2.0 * self.margin >= loss;
        if !by_prices {
            self.by = Some(ProvenByProgramme::Solver { backend });
        }
        self.value = loss;
    }

    fn raise(&mut self, bound: f64, loss: f64, by: ProvenByProgramme) {
        // Written so that NaN raises nothing.
        if bound > self.value {
            (self.value, self.by) = (bound.min(loss), Some(by));
        }
    }

    /// As an answer with this loss has it.
    pub(super) fn told(&self, loss: f64) -> Option<Bound> {
        let by = self.by?;
        Some(Bound { value: self.value.min(loss), proven_by: by.into(), of: BoundOf::WholeProblem })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(bound: &ProvenBound, loss: f64) -> (f64, String) {
        let bound = bound.told(loss).unwrap();
        (bound.value, bound.proven_by.to_string())
    }

    #[test]
    fn a_bound_names_what_proved_it() {
        let mut bound = ProvenBound::none();
        assert!(bound.told(4.0).is_none());
        bound.by_solver(f64::NAN, 4.0, "highs");
        assert!(bound.told(4.0).is_none(), "not a number proves nothing");
        bound.by_prices(&[1.0, 1.0], 4.0);
        let (value, by) = said(&bound, 4.0);
        assert!((1.999..2.0).contains(&value) && by.contains("prices"), "{value} {by}");
        // A lower bound of the solver changes nothing, a higher one is the solver's.
        bound.by_solver(1.5, 4.0, "highs");
        assert!(said(&bound, 4.0).1.contains("prices"));
        bound.by_solver(3.0, 4.0, "highs");
        let (value, by) = said(&bound, 4.0);
        assert!((2.999..3.0).contains(&value) && by.contains("highs"), "{value} {by}");
        bound.completed(3.5, "highs");
        assert_eq!(said(&bound, 3.5).0, 3.5);
    }

    #[test]
    fn prices_that_meet_the_loss_are_the_proof_even_after_the_solver() {
        let mut bound = ProvenBound::none();
        bound.by_prices(&[2.0, 2.0], 4.0);
        bound.completed(4.0, "highs");
        let (value, by) = said(&bound, 4.0);
        assert!(value == 4.0 && by.contains("prices"), "{by}");
        let mut below = ProvenBound::none();
        below.by_prices(&[2.0, 1.9], 4.0);
        below.completed(4.0, "highs");
        assert!(said(&below, 4.0).1.contains("highs"));
    }
}
