//! Verification: the certificate against the records.

use std::cmp::Ordering;

use lookalike_words::Figure;

use super::{
    Certificate, Loss, Misfit, Refusal, Rule, WidthKind, Widths, cover, errors,
    errors::Errors,
    extent::Places,
    kinds::Kinds,
    listed::Listed,
    low::Low,
    nodes::{Limits, Nodes},
    penalty::Penalties,
    roots,
};

/// Distances that a check keeps at the most, in all: 2 GB.
const MOST_DISTANCES: usize = 250_000_000;

/// What is added to a budget for sums of up to some thousand costs, which are rounded.
const ROUNDING: f64 = 1e-12;

/// The records whose partition is bounded.
#[derive(Clone, Copy, Debug)]
pub struct Data<'a> {
    /// Coordinates, record by record.
    pub points: &'a [f64],
    /// Weight of each coordinate in the squared distance, at least 0; their number is the number of dimensions.
    pub weights: &'a [f64],
    /// Colour (sensitive value) of each record; needed under [`Rule::Distinct`].
    pub colours: Option<&'a [u32]>,
}

/// What was proven.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verified {
    /// No admissible partition has a smaller loss. At least the certificate's claim, and its optimum where it claims one.
    pub bound: f64,
    /// Nodes that the search took.
    pub nodes: u64,
}

/// Proves the certificate's bound for `data` under `rule`, within these limits.
///
/// # Errors
/// A [`Refusal`]: the bound is then not verified, which does not mean that it is wrong.
pub fn verify<'a>(
    data: Data<'_>,
    rule: Rule,
    certificate: &Certificate,
    limits: impl Into<Limits<'a>>,
) -> Result<Verified, Refusal> {
    if certificate.loss != Loss::Sse {
        return refuse(Misfit::Loss { loss: certificate.loss, asked: Loss::Sse });
    }
    check(data.colours, rule, certificate)?;
    let records = certificate.duals.len();
    if data.points.len() != records * data.weights.len() {
        let (coordinates, dimensions) = (data.points.len(), data.weights.len());
        return refuse(Misfit::Coordinates { duals: records, coordinates, dimensions });
    }
    if data.weights.iter().any(|w| !w.is_finite() || *w < 0.0) {
        return refuse(Misfit::Weight);
    }
    if !data.points.iter().all(|v| v.is_finite()) {
        return refuse(Misfit::NotFinite);
    }
    let dimensions = data.weights.len();
    if dimensions == 0 {
        return refuse(Misfit::NoDimension);
    }
    let most = 2 * rule.least();
    near_enough(data, most)?;
    let (colours, nodes) = (colours(data.colours, rule), Nodes::new(limits.into()));
    let largest = sizes(rule, colours, records)?;
    let point = |i: u32| &data.points[i as usize * dimensions..][..dimensions];
    let kinds = Kinds::new(certificate, colours, |a, b| {
        let pairs = point(a).iter().zip(point(b));
        pairs.map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    });
    let points = (0..kinds.len() as u32).flat_map(|kind| point(kinds.head(kind)).iter().copied()).collect();
    let space = errors::Points { points, weights: data.weights };
    let errors = || Errors::new(&space, &kinds, certificate, largest, &nodes);
    roots::all(&errors()?, kinds.len())?;
    let verified = claimed(certificate, rule, nodes.spent())?;
    let list = |limit: f64, listed: &Listed| roots::all(&errors()?.listing(limit, listed), kinds.len());
    optimum(certificate, verified, (&kinds, &nodes), list)
}

/// The same for a certificate of the certainty penalty ([`Loss::Ncp`] or [`Loss::NcpBinary`], as the certificate says).
///
/// # Errors
/// As [`verify`].
pub fn verify_penalty<'a>(
    widths: &Widths,
    rule: Rule,
    certificate: &Certificate,
    limits: impl Into<Limits<'a>>,
) -> Result<Verified, Refusal> {
    let binary = match certificate.loss {
        Loss::Ncp => false,
        Loss::NcpBinary => true,
        Loss::Sse => return refuse(Misfit::Loss { loss: Loss::Sse, asked: Loss::Ncp }),
    };
    check(widths.colours.as_deref(), rule, certificate)?;
    let records = certificate.duals.len();
    for width in &widths.attributes {
        if width.values.len() != records {
            return refuse(Misfit::Values { duals: records, values: width.values.len() });
        }
        if !width.weight.is_finite() || width.weight < 0.0 || width.kind == WidthKind::Labels(0) {
            return refuse(Misfit::Weight);
        }
        if let WidthKind::Leaves(joins) = &width.kind {
            let number = |x: &f64| (0.0..=1.0 / f64::EPSILON).contains(x);
            let place = |x: &f64| *x >= 0.0 && *x <= joins.len() as f64 && x.fract() == 0.0;
            if !joins.iter().all(number) || !width.values.iter().all(place) {
                return refuse(Misfit::Value);
            }
        }
        if !width.values.iter().all(|v| v.abs() <= 1.0 / f64::EPSILON) {
            return refuse(Misfit::Value);
        }
    }
    let (colours, nodes) = (colours(widths.colours.as_deref(), rule), Nodes::new(limits.into()));
    let largest = sizes(rule, colours, records)?;
    let kinds = Kinds::new(certificate, colours, |a, b| {
        let values = widths.attributes.iter().map(|width| &width.values);
        let mut orders = values.map(|values| values[a as usize].total_cmp(&values[b as usize]));
        orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    });
    let places = Places::new(widths, &kinds, binary);
    let penalties = || Penalties::new(&places, &kinds, certificate, largest, &nodes);
    roots::all(&penalties()?, kinds.len())?;
    let verified = claimed(certificate, rule, nodes.spent())?;
    let list = |limit: f64, listed: &Listed| roots::all(&penalties()?.listing(limit, listed), kinds.len());
    optimum(certificate, verified, (&kinds, &nodes), list)
}

/// Proves the optimum that is claimed, if one is. `list` lists all classes of a reduced cost below a limit.
fn optimum(
    certificate: &Certificate,
    verified: Verified,
    (kinds, nodes): (&Kinds, &Nodes<'_>),
    list: impl Fn(f64, &Listed) -> Result<(), Refusal>,
) -> Result<Verified, Refusal> {
    let Some(optimum) = certificate.optimum.filter(|optimum| *optimum > verified.bound) else {
        return Ok(verified);
    };
    // What the duals prove is rounded down and has the tolerance of all classes taken off.
    let budget = (optimum - verified.bound) * (1.0 + ROUNDING);
    let listed = Listed::default();
    list(budget, &listed)?;
    cover::settle(listed.all(), kinds, certificate, (optimum, budget), nodes)?;
    Ok(Verified { bound: optimum, nodes: nodes.spent() })
}

fn refuse<T>(why: Misfit) -> Result<T, Refusal> {
    Err(Refusal::Mismatch(why))
}

/// The colours, where they matter.
fn colours(given: Option<&[u32]>, rule: Rule) -> Option<&[u32]> {
    given.filter(|_| matches!(rule, Rule::Distinct { .. }))
}

/// The largest size of a class to look at, if there is a partition at all.
fn sizes(rule: Rule, colours: Option<&[u32]>, records: usize) -> Result<usize, Refusal> {
    let (least, largest) = (rule.least(), largest(rule, colours, records));
    if largest < least {
        return refuse(Misfit::TooFrequent { least });
    }
    Ok(largest)
}

/// What duals prove that are feasible, unless more is claimed.
fn claimed(certificate: &Certificate, rule: Rule, nodes: u64) -> Result<Verified, Refusal> {
    let bound = bound(certificate, certificate.duals.len() / rule.least());
    if bound.is_nan() || certificate.bound > bound {
        return Err(Refusal::Claim { proven: bound, claimed: certificate.bound });
    }
    Ok(Verified { bound, nodes })
}

/// The largest size of a class that has to be looked at.
fn largest(rule: Rule, colours: Option<&[u32]>, records: usize) -> usize {
    let least = rule.least();
    let most = match colours {
        None => records,
        Some(colours) => {
            let mut sorted = colours.to_vec();
            sorted.sort_unstable();
            let frequent = sorted.chunk_by(|a, b| a == b).map(<[u32]>::len).max().unwrap_or(0);
            // Below the least size if the most frequent colour is too frequent.
            records.saturating_sub(frequent.saturating_sub(1) * least)
        }
    };
    most.min(2 * least - 1)
}

/// Rule, numbers and cuts.
fn check(colours: Option<&[u32]>, rule: Rule, certificate: &Certificate) -> Result<(), Refusal> {
    let records = certificate.duals.len();
    if certificate.rule != rule {
        return refuse(Misfit::Rule { rule: certificate.rule, asked: rule });
    }
    if rule.least() < 2 {
        return refuse(Misfit::TooSmall { least: rule.least() });
    }
    if records < rule.least() {
        return refuse(Misfit::TooFew { records });
    }
    let partners = 2 * rule.least() - 2;
    if records.saturating_mul(partners) > MOST_DISTANCES {
        return refuse(Misfit::TooMany { records, partners, most: MOST_DISTANCES });
    }
    match (rule, colours) {
        (Rule::Distinct { .. }, None) => return refuse(Misfit::NoColours),
        (_, Some(colours)) if colours.len() != records => {
            return refuse(Misfit::Colours { duals: records, colours: colours.len() });
        }
        _ => {}
    }
    let others = [&certificate.bound, &certificate.tolerance].into_iter().chain(&certificate.optimum);
    if !certificate.duals.iter().chain(others).all(|v| v.is_finite()) {
        return refuse(Misfit::NotFinite);
    }
    if certificate.tolerance < 0.0 {
        return refuse(Misfit::Tolerance { tolerance: Figure::shortest(certificate.tolerance) });
    }
    for (at, cut) in certificate.cuts.iter().enumerate() {
        let mut sorted = cut.records.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() != cut.records.len() || sorted.last().is_some_and(|&r| r as usize >= records) {
            return refuse(Misfit::CutRecords { cut: at });
        }
        if cut.divisor < 2 {
            return refuse(Misfit::CutDivisor { cut: at, divisor: cut.divisor });
        }
        if !cut.sigma.is_finite() || cut.sigma < 0.0 {
            return refuse(Misfit::CutSigma { cut: at, sigma: Figure::shortest(cut.sigma) });
        }
    }
    Ok(())
}

/// Whether sums of the squared distances of `most` records, each to all others, are numbers.
fn near_enough(data: Data<'_>, most: usize) -> Result<(), Refusal> {
    let dimensions = data.weights.len();
    let (mut sum, mut farthest) = (0.0, (0.0, 0, 0));
    for (axis, weight) in data.weights.iter().enumerate() {
        let mut all = data.points.iter().skip(axis).step_by(dimensions).enumerate();
        let Some((_, first)) = all.next() else { continue };
        let (mut low, mut high) = ((*first, 0), (*first, 0));
        for (at, &x) in all {
            low = if x < low.0 { (x, at) } else { low };
            high = if x > high.0 { (x, at) } else { high };
        }
        let apart = weight * ((high.0 - low.0) * (high.0 - low.0));
        sum += apart;
        // A weight of 0 makes no number of what is infinite.
        if apart.is_nan() || apart > farthest.0 {
            farthest = (apart, low.1, high.1);
        }
    }
    if (sum * (most * most) as f64).is_finite() {
        return Ok(());
    }
    let (_, one, other) = farthest;
    refuse(Misfit::TooFar { one: one.min(other), other: one.max(other) })
}

/// At most `sum lambda - sum sigma floor(|S| / p) - tolerance classes`.
pub(super) fn bound(certificate: &Certificate, classes: usize) -> f64 {
    let sigmas = certificate
        .cuts
        .iter()
        .map(|cut| -cut.sigma * (cut.records.len() / cut.divisor.max(1) as usize) as f64);
    let slack = -certificate.tolerance * classes as f64;
    let terms: Vec<f64> = certificate.duals.iter().copied().chain(sigmas).chain([slack]).collect();
    let mass: f64 = terms.iter().map(|t| t.abs()).sum();
    Low::new(terms.len()).of(terms.iter().sum(), mass)
}
