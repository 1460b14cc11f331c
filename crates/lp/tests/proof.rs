//! The programme that proves its bound, against brute force over all partitions.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests; the lint's exception for tests covers test functions only"
)]

use lookalike_lp::{
    Backend, Error,
    general::{Attribute, Kind, Limits, Programme, prove},
};
use lookalike_testkit::best_partition;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn backends() -> Vec<Backend> {
    vec![
        Backend::Microlp,
        #[cfg(feature = "highs")]
        Backend::Highs,
    ]
}

fn number(upper: f64, weight: f64) -> Attribute {
    Attribute { weight, kind: Kind::Number { lower: 0.0, upper, whole: false } }
}

fn category(levels: u32, binary: bool, weight: f64) -> Attribute {
    Attribute { weight, kind: Kind::Category { levels, binary } }
}

/// Definitions 4 and 8 and section 2.5, from the numbers.
fn loss(attributes: &[Attribute], values: &[f64], class: &[usize]) -> f64 {
    let width = attributes.len();
    let mut record = 0.0;
    for (j, a) in attributes.iter().enumerate() {
        let mut own: Vec<f64> = class.iter().map(|&i| values[i * width + j]).collect();
        own.sort_by(f64::total_cmp);
        own.dedup();
        let several = own.len() > 1;
        record += a.weight
            * match a.kind {
                Kind::Number { lower, upper, .. } => (own[own.len() - 1] - own[0]) / (upper - lower),
                Kind::Category { levels, binary: true } if several => own.len() as f64 / f64::from(levels),
                Kind::Category { levels, .. } => (own.len() - 1) as f64 / f64::from(levels),
            };
    }
    class.len() as f64 * record
}

fn total(attributes: &[Attribute], values: &[f64], labels: &[u32]) -> f64 {
    let mut names = labels.to_vec();
    names.sort_unstable();
    names.dedup();
    let members = |c| (0..labels.len()).filter(move |&i| labels[i] == c).collect::<Vec<_>>();
    names.into_iter().map(|c| loss(attributes, values, &members(c))).sum()
}

/// Attributes, and values of so many records on few steps, so that values and records are equal now and then.
fn table(rng: &mut ChaCha8Rng, n: usize) -> (Vec<Attribute>, Vec<f64>) {
    let attributes: Vec<Attribute> = (0..rng.random_range(1..4usize))
        .map(|_| {
            let weight = [0.2, 0.5, 1.0][rng.random_range(0..3usize)];
            match rng.random_range(0..4u32) {
                0 => category(4, false, weight),
                1 => category(3, true, weight),
                _ => number(6.0, weight),
            }
        })
        .collect();
    let mut values = Vec::new();
    for i in 0..n {
        if i > 0 && rng.random_range(0..5u32) == 0 {
            values.extend_from_within((i - 1) * attributes.len()..);
            continue;
        }
        for a in &attributes {
            values.push(match a.kind {
                Kind::Category { levels, .. } => f64::from(rng.random_range(0..levels)),
                Kind::Number { .. } => f64::from(rng.random_range(0..7u32)),
            });
        }
    }
    (attributes, values)
}

/// Prices that no class undercuts: each record pays the least mean cost of a record of its classes. A part of them does, too.
fn prices(attributes: &[Attribute], values: &[f64], k: usize, part: f64) -> Vec<f64> {
    let n = values.len() / attributes.len();
    let mut least = vec![f64::INFINITY; n];
    for set in 1_usize..1 << n {
        let class: Vec<usize> = (0..n).filter(|i| set >> i & 1 == 1).collect();
        if class.len() >= k {
            let mean = loss(attributes, values, &class) / class.len() as f64;
            for &i in &class {
                least[i] = least[i].min(mean);
            }
        }
    }
    least.into_iter().map(|price| part * price).collect()
}

#[test]
fn brute_force_finds_nothing_cheaper_and_no_bound_is_above_it() {
    let mut rng = ChaCha8Rng::seed_from_u64(77);
    let (mut improved, mut kept, mut fixed) = (0, 0, 0);
    for case in 0..240 {
        let k = rng.random_range(2..5usize);
        let n = rng.random_range(k..10usize);
        let (attributes, values) = table(&mut rng, n);
        let cost = |class: &[usize]| (class.len() >= k).then(|| loss(&attributes, &values, class));
        let (least, best) = best_partition(n, cost).unwrap();
        let start: Vec<u32> = match case % 4 {
            0 => Vec::new(),
            1 => vec![3; n],
            2 => (0..n).map(|i| (i / k).min(n / k - 1) as u32).collect(),
            _ => best.iter().map(|&label| label as u32).collect(),
        };
        let prices = prices(&attributes, &values, k, [1.0, 0.5, 0.0][case % 3]);
        let programme = Programme { attributes: &attributes, values: &values, k, start: &start };
        for backend in backends() {
            if backend == Backend::Microlp && (n > 7 || case % 2 == 1) {
                continue;
            }
            let found = prove(&programme, &prices, backend, Limits::none()).unwrap();
            assert!(found.complete, "{backend:?}");
            let known = if start.is_empty() { f64::INFINITY } else { total(&attributes, &values, &start) };
            let reached = found.labels.as_ref().map_or(known, |labels| {
                let size = |c| labels.iter().filter(|&&l| l == c).count();
                assert!(labels.iter().all(|&l| size(l) >= k));
                total(&attributes, &values, labels)
            });
            assert!(
                (reached.min(known) - least).abs() < 1e-6,
                "{backend:?} {case}: {reached} against {least}"
            );
            assert!(found.bound.min(known) <= least + 1e-6, "{backend:?} {case}: {} of {least}", found.bound);
            assert!(found.bound.min(known) >= least - 1e-6, "{backend:?} {case}: {} of {least}", found.bound);
            improved += usize::from(known.is_finite() && reached < known - 1e-6);
            kept += usize::from(reached >= known - 1e-6);
            fixed += usize::from(found.together < n * (n - 1) / 2);
        }
    }
    assert!(improved > 50 && kept > 100 && fixed > 15, "{improved} {kept} {fixed}");
}

#[test]
fn a_limit_leaves_a_bound_that_holds() {
    let mut rng = ChaCha8Rng::seed_from_u64(78);
    for _ in 0..40 {
        let (k, n) = (2, 9);
        let (attributes, values) = table(&mut rng, n);
        let cost = |class: &[usize]| (class.len() >= k).then(|| loss(&attributes, &values, class));
        let (least, _) = best_partition(n, cost).unwrap();
        let prices = prices(&attributes, &values, k, 1.0);
        let start = vec![0; n];
        let programme = Programme { attributes: &attributes, values: &values, k, start: &start };
        for backend in backends() {
            for limits in [Limits { nodes: 1, ..Limits::none() }, Limits { seconds: 0.0, ..Limits::none() }] {
                let found = prove(&programme, &prices, backend, limits).unwrap();
                assert!(found.bound <= least + 1e-6, "{backend:?} {limits:?}: {} of {least}", found.bound);
                if let Some(labels) = found.labels {
                    assert!(total(&attributes, &values, &labels) >= least - 1e-6);
                }
            }
        }
    }
}

#[test]
fn wrong_prices_are_refused() {
    let attributes = [number(3.0, 1.0)];
    let programme =
        Programme { attributes: &attributes, values: &[0.0, 0.0, 3.0, 3.0], k: 2, start: &[0, 0, 0, 0] };
    for backend in backends() {
        let refused = |prices: &[f64]| {
            let found = prove(&programme, prices, backend, Limits::none());
            assert!(matches!(found, Err(Error::Input { .. })), "{prices:?}: {found:?}");
        };
        refused(&[0.0; 3]);
        refused(&[0.0, 0.0, 0.0, f64::NAN]);
        // Two equal records cost nothing.
        refused(&[0.0, 0.1, 0.0, 0.0]);
        let found = prove(&programme, &[0.0; 4], backend, Limits::none()).unwrap();
        assert_eq!(found.bound, 0.0);
        let labels = found.labels.unwrap();
        assert!(labels[0] == labels[1] && labels[2] == labels[3] && labels[1] != labels[2]);
    }
}
