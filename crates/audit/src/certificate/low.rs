//! Arithmetic that errs downwards.
//!
//! The sum of K terms computed in `f64`, each itself the result of a few roundings, differs from the exact one by at
//! most `(K + c) u sum |terms|` to first order, u = 2^-53 (Higham, Accuracy and Stability, section 4.2). [`Low`] takes
//! twice that, with c = 16, which covers the terms of higher order and the rounding of the correction itself.

/// Downward rounding of sums of up to a given number of terms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Low {
    epsilon: f64,
}

impl Low {
    /// For sums of up to `terms` terms.
    pub(super) fn new(terms: usize) -> Self {
        Self { epsilon: (terms + 16) as f64 * f64::EPSILON }
    }

    /// At most the exact value of what was computed as `value` from terms whose absolute values add up to `mass`.
    pub(super) fn of(self, value: f64, mass: f64) -> f64 {
        value - self.epsilon * mass
    }
}

/// At most the squared distance of two points, never negative; infinite or NaN if it is too large for `f64`.
///
/// Per coordinate a difference, a square, a weight: four roundings, relative to a non-negative term. What underflows is
/// taken off as one smallest normal number a coordinate.
pub(super) fn squared_distance(a: &[f64], b: &[f64], weights: &[f64]) -> f64 {
    let terms = a.iter().zip(b).zip(weights).map(|((a, b), w)| w * ((a - b) * (a - b)));
    let sum: f64 = terms.sum();
    if !sum.is_finite() {
        return f64::NAN;
    }
    let low = Low::new(a.len()).of(sum, sum) - a.len() as f64 * f64::MIN_POSITIVE;
    low.max(0.0)
}
