//! The predictor-corrector method of Mehrotra (SIAM J. Optim. 2, 1992) for `min c x, A x = b, x >= 0`.

use super::{normal::Normal, programme::Programme};
use crate::{Error, master::Limits};

/// Iterations after which it gives up; 15 to 25 are usual.
const MOST: usize = 200;

/// What it aims at: relative residuals and gap.
const AIM: f64 = 1e-10;

/// What it accepts if it gets no further.
const ACCEPT: f64 = 1e-8;

/// Iterations without a better point after which it stops: with an acceptable one, and without.
const FEW: usize = 2;
const MANY: usize = 40;

/// How far a step goes towards the boundary, at least.
const STEP: f64 = 0.99;

/// A direction whose cost falls while its rows stay 0, to this accuracy, proves the dual infeasible.
const RAY: f64 = 1e-9;

/// A primal and dual solution.
#[derive(Clone)]
pub(super) struct Point {
    pub(super) x: Vec<f64>,
    pub(super) y: Vec<f64>,
    z: Vec<f64>,
}

/// What is left of the conditions at a point.
struct Residuals {
    primal: Vec<f64>,
    dual: Vec<f64>,
    /// The largest of the relative residuals and the relative gap.
    worst: f64,
    product: f64,
}

pub(super) fn solve(programme: &Programme, limits: &Limits<'_>) -> Result<Point, Error> {
    let mut normal = Normal::new(programme);
    let mut point = start(programme, &mut normal);
    let mut best: Option<(f64, Point)> = None;
    let mut stalled = 0;
    for _ in 0..MOST {
        if (limits.stop)() {
            return Err(Error::Stopped);
        }
        let residuals = residuals(programme, &point);
        if !residuals.worst.is_finite() {
            break;
        }
        if best.as_ref().is_none_or(|(worst, _)| residuals.worst < *worst) {
            best = Some((residuals.worst, point.clone()));
            stalled = 0;
        } else {
            stalled += 1;
        }
        let patience = if best.as_ref().is_some_and(|(worst, _)| *worst <= ACCEPT) { FEW } else { MANY };
        if residuals.worst <= AIM || stalled > patience {
            break;
        }
        if is_ray(programme, &point.x) {
            return Err(Error::Infeasible);
        }
        step(programme, &mut normal, &mut point, &residuals);
    }
    match best {
        Some((worst, point)) if worst <= ACCEPT => Ok(point),
        other => Err(Error::Backend {
            backend: "interior point",
            why: match other {
                Some((worst, _)) => format!("it stops at a relative error of {worst:.1e}"),
                None => String::from("its numbers overflow"),
            },
        }),
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn largest(v: &[f64]) -> f64 {
    v.iter().fold(0.0, |m, a| m.max(a.abs()))
}

fn minus(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// Mehrotra's starting point: least squares, moved inside.
fn start(programme: &Programme, normal: &mut Normal<'_>) -> Point {
    normal.factor(vec![1.0; programme.cost.len()]);
    let mut x = programme.transposed(&normal.solve(&programme.b));
    let y = normal.solve(&programme.times(&programme.cost));
    let mut z = minus(&programme.cost, &programme.transposed(&y));
    let inside = |v: &[f64]| v.iter().fold(0.0_f64, |m, a| m.max(-1.5 * a));
    let (dx, dz) = (inside(&x), inside(&z));
    let shifted: f64 = x.iter().zip(&z).map(|(x, z)| (x + dx) * (z + dz)).sum();
    let sum = |v: &[f64], d: f64| v.iter().map(|a| a + d).sum::<f64>();
    // Not on the boundary even if the least squares solution is.
    let more = |total: f64, d: f64| d + (0.5 * shifted / total.max(1e-300)).max(1e-3);
    let (mx, mz) = (more(sum(&z, dz), dx), more(sum(&x, dx), dz));
    x.iter_mut().for_each(|a| *a += mx);
    z.iter_mut().for_each(|a| *a += mz);
    Point { x, y, z }
}

fn residuals(programme: &Programme, point: &Point) -> Residuals {
    let primal = minus(&programme.b, &programme.times(&point.x));
    let mut dual = minus(&programme.cost, &programme.transposed(&point.y));
    for (d, z) in dual.iter_mut().zip(&point.z) {
        *d -= z;
    }
    let (cost, value) = (dot(&programme.cost, &point.x), dot(&programme.b, &point.y));
    let worst = (largest(&primal) / (1.0 + largest(&programme.b)))
        .max(largest(&dual) / (1.0 + largest(&programme.cost)))
        .max((cost - value).abs() / (1.0 + value.abs()));
    // A comparison with NaN is false: said explicitly.
    let worst = if (cost - value).is_nan() { f64::NAN } else { worst };
    Residuals { primal, dual, worst, product: dot(&point.x, &point.z) }
}

fn is_ray(programme: &Programme, x: &[f64]) -> bool {
    let gain = -dot(&programme.cost, x);
    let scale = 1.0 + largest(&programme.cost);
    gain > 0.0 && largest(&programme.times(x)) * scale <= RAY * gain
}

/// One step: the affine direction tells how far to centre, the second solve corrects.
fn step(programme: &Programme, normal: &mut Normal<'_>, point: &mut Point, residuals: &Residuals) {
    let len = point.x.len() as f64;
    normal.factor(point.x.iter().zip(&point.z).map(|(x, z)| x / z).collect());
    let affine: Vec<f64> = point.x.iter().zip(&point.z).map(|(x, z)| -x * z).collect();
    let (dx, _, dz) = direction(programme, normal, point, residuals, &affine);
    let (ax, az) = (reach(&point.x, &dx), reach(&point.z, &dz));
    let product: f64 = (0..point.x.len())
        .map(|i| (point.x[i] + ax.min(1.0) * dx[i]) * (point.z[i] + az.min(1.0) * dz[i]))
        .sum();
    let centring = (product / residuals.product).powi(3);
    let mu = centring * residuals.product / len;
    let target: Vec<f64> = (0..affine.len()).map(|i| mu + affine[i] - dx[i] * dz[i]).collect();
    let (dx, dy, dz) = direction(programme, normal, point, residuals, &target);
    let share = STEP.max(1.0 - residuals.product / len);
    let (ax, az) = ((share * reach(&point.x, &dx)).min(1.0), (share * reach(&point.z, &dz)).min(1.0));
    for (x, d) in point.x.iter_mut().zip(&dx) {
        *x += ax * d;
    }
    for (y, d) in point.y.iter_mut().zip(&dy) {
        *y += az * d;
    }
    for (z, d) in point.z.iter_mut().zip(&dz) {
        *z += az * d;
    }
}

/// The direction that removes the residuals and brings `x z` to `x z + target`.
fn direction(
    programme: &Programme,
    normal: &Normal<'_>,
    point: &Point,
    residuals: &Residuals,
    target: &[f64],
) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let ratio = |i: usize| (point.x[i] * residuals.dual[i] - target[i]) / point.z[i];
    let moved: Vec<f64> = (0..target.len()).map(ratio).collect();
    let mut right = programme.times(&moved);
    for (r, p) in right.iter_mut().zip(&residuals.primal) {
        *r += p;
    }
    let dy = normal.solve(&right);
    let dz = minus(&residuals.dual, &programme.transposed(&dy));
    let dx = (0..target.len()).map(|i| (target[i] - point.x[i] * dz[i]) / point.z[i]).collect();
    (dx, dy, dz)
}

/// The longest step that keeps `v + step d` non-negative.
fn reach(v: &[f64], d: &[f64]) -> f64 {
    v.iter().zip(d).filter(|(_, d)| **d < 0.0).fold(1e10, |m, (v, d)| f64::min(m, -v / d))
}
