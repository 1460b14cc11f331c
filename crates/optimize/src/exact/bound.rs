//! The lower bound: the value of duals that are proven feasible, rounded down.
//!
//! Let lambda, sigma >= 0 be such that no class has a reduced cost below -e. Sum up rc(C) >= -e over the classes of
//! any partition of n records into at most n / m classes: its loss is at least
//!
//! > sum over records of lambda - sum over cuts of sigma floor(M / p) - (n / m) e.
//!
//! The value of the master never enters. Every number in this sum and in the reduced costs carries at most some
//! thousand rounding errors of relative size 1.1e-16, so 1e-12 of the sum of absolute values is taken off as well.

use super::{cuts::ActiveCuts, pricing::Sweep, problem::Problem};

/// Relative allowance for rounding.
const ROUNDING: f64 = 1e-12;

/// The bound that a finished sweep proves, `None` if it proves none. `tolerance` is that of the sweep's requests.
#[must_use]
pub fn proven(problem: &Problem, cuts: &ActiveCuts, sweep: &Sweep, tolerance: f64) -> Option<f64> {
    (sweep.proven() && problem.bounded).then(|| value(problem, cuts, &sweep.duals, tolerance))
}

/// What duals are worth of which no class has a reduced cost below minus `tolerance`, rounded down.
pub(super) fn value(problem: &Problem, cuts: &ActiveCuts, duals: &[f64], tolerance: f64) -> f64 {
    let (mut sum, mut size) = (0.0, 0.0);
    for (t, &lambda) in duals.iter().enumerate() {
        let part = lambda * problem.multiplicity(t) as f64;
        sum += part;
        size += part.abs();
    }
    let price = cuts.price();
    let classes = (problem.instance.records() / problem.min) as f64;
    let bound = sum - price - classes * tolerance - ROUNDING * (size + price);
    // Losses are sums of squares; and a sum that overflowed bounds nothing.
    if bound.is_finite() { bound.max(0.0) } else { 0.0 }
}
