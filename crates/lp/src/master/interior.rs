//! What the interior point back ends share.

use super::{Pool, Solution};

/// Moves an answer that holds to a tolerance into the boxes and the non-negative numbers.
pub(super) fn solution(
    pool: &Pool,
    lambda: &[f64],
    sigma: &[f64],
    x: &[f64],
    artificial: &[f64],
) -> Solution {
    let boxes = pool.lower().iter().zip(pool.upper());
    let duals: Vec<f64> = lambda.iter().zip(boxes).map(|(d, (&l, &u))| d.clamp(l, u)).collect();
    let sigmas: Vec<f64> = sigma.iter().map(|s| s.max(0.0)).collect();
    let value = pool.dual_value(&duals, &sigmas);
    let positive = |x: &[f64]| -> Vec<f64> { x.iter().map(|x| x.max(0.0)).collect() };
    let artificial = positive(artificial).iter().sum();
    Solution { value, duals, sigmas, x: positive(x), artificial: Some(artificial) }
}
