//! Liang 2020's programme against its own example, cases by hand, and brute force over all partitions.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests; the lint's exception for tests covers test functions only"
)]

use lookalike_lp::{
    Backend, Error,
    general::{Attribute, Kind, Limits, Programme, solve},
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

fn number(lower: f64, upper: f64, whole: bool, weight: f64) -> Attribute {
    Attribute { weight, kind: Kind::Number { lower, upper, whole } }
}

/// Definitions 4 and 8, from the numbers.
fn loss(attributes: &[Attribute], values: &[f64], class: &[usize]) -> f64 {
    let width = attributes.len();
    let record: f64 = attributes
        .iter()
        .enumerate()
        .map(|(j, a)| {
            let mut own: Vec<f64> = class.iter().map(|&i| values[i * width + j]).collect();
            own.sort_by(f64::total_cmp);
            own.dedup();
            let part = match a.kind {
                Kind::Number { lower, upper, .. } if upper > lower => {
                    (own[own.len() - 1] - own[0]) / (upper - lower)
                }
                Kind::Number { .. } => 0.0,
                Kind::Category { levels, binary: true } if own.len() > 1 => {
                    own.len() as f64 / f64::from(levels)
                }
                Kind::Category { levels, .. } => (own.len() - 1) as f64 / f64::from(levels),
            };
            a.weight * part
        })
        .sum();
    class.len() as f64 * record
}

fn total(attributes: &[Attribute], values: &[f64], labels: &[u32]) -> f64 {
    let classes = labels.iter().max().unwrap() + 1;
    let members = |c| (0..labels.len()).filter(move |&i| labels[i] == c).collect::<Vec<_>>();
    (0..classes).map(members).filter(|m| !m.is_empty()).map(|m| loss(attributes, values, &m)).sum()
}

#[test]
fn the_papers_table_1() {
    // Mary, Alice, Betsy, David, Tom, James, Eric: age, sex, zip code.
    let values = [
        [37., 0., 22071.],
        [35., 0., 22098.],
        [36., 0., 23061.],
        [61., 1., 55107.],
        [63., 1., 55099.],
        [66., 1., 55324.],
        [63., 1., 55229.],
    ]
    .concat();
    let attributes = [number(35., 66., true, 1.), number(0., 1., true, 1.), number(22071., 55324., true, 1.)];
    for backend in backends() {
        for start in [&[][..], &[0, 0, 0, 1, 1, 1, 1], &[0, 0, 0, 0, 0, 0, 0]] {
            let programme = Programme { attributes: &attributes, values: &values, k: 3, start };
            let found = solve(&programme, backend, Limits::none()).unwrap();
            assert!(found.complete);
            assert_eq!(found.labels.unwrap(), [0, 0, 0, 3, 3, 3, 3], "{backend:?}");
        }
    }
}

#[test]
fn brute_force_finds_nothing_cheaper() {
    let mut rng = ChaCha8Rng::seed_from_u64(31);
    let mut larger = 0;
    for case in 0..250 {
        let k = rng.random_range(2..4usize);
        // microlp takes seconds for seven records and three attributes.
        let n = rng.random_range(k..if case % 5 == 0 { 8 } else { 7 });
        let attributes: Vec<Attribute> = (0..rng.random_range(1..4usize))
            .map(|_| {
                let weight = [0.2, 0.5, 1.0][rng.random_range(0..3usize)];
                match rng.random_range(0..4u32) {
                    0 => Attribute { weight, kind: Kind::Category { levels: 4, binary: false } },
                    1 => Attribute { weight, kind: Kind::Category { levels: 3, binary: true } },
                    2 => number(-3.0, 7.0, true, weight),
                    _ => number(0.0, 1.0, false, weight),
                }
            })
            .collect();
        let mut values = Vec::new();
        for _ in 0..n {
            for a in &attributes {
                values.push(match a.kind {
                    Kind::Category { levels, .. } => f64::from(rng.random_range(0..levels)),
                    Kind::Number { whole: true, .. } => f64::from(rng.random_range(-3..8i32)),
                    Kind::Number { .. } => rng.random::<f64>(),
                });
            }
        }
        let (least, best) =
            best_partition(n, |class| (class.len() >= k).then(|| loss(&attributes, &values, class))).unwrap();
        let start: Vec<u32> = match case % 3 {
            0 => Vec::new(),
            1 => vec![0; n],
            _ => best.iter().map(|&label| label as u32).collect(),
        };
        for backend in backends() {
            if n > 6 && backend == Backend::Microlp {
                continue;
            }
            let programme = Programme { attributes: &attributes, values: &values, k, start: &start };
            let found = solve(&programme, backend, Limits::none()).unwrap();
            let labels = found.labels.unwrap();
            let reached = total(&attributes, &values, &labels);
            assert!(
                found.complete && (reached - least).abs() < 1e-5,
                "{backend:?}: {reached} against {least}"
            );
            larger += usize::from((0..n as u32).any(|c| labels.iter().filter(|&&l| l == c).count() > k));
        }
    }
    assert!(larger > 50, "{larger}");
}

#[test]
fn wrong_input_is_refused() {
    let attributes = [number(0.0, 1.0, false, 1.0)];
    let good = Programme { attributes: &attributes, values: &[0.0, 0.5, 1.0], k: 2, start: &[] };
    for backend in backends() {
        assert!(solve(&good, backend, Limits::none()).unwrap().complete);
        let refused = |programme: Programme| {
            assert!(
                matches!(solve(&programme, backend, Limits::none()), Err(Error::Input { .. })),
                "{programme:?}"
            );
        };
        refused(Programme { k: 4, ..good.clone() });
        refused(Programme { k: 1, ..good.clone() });
        refused(Programme { values: &[0.0, 0.5, 1.5], ..good.clone() });
        refused(Programme { values: &[0.0, f64::NAN, 1.0], ..good.clone() });
        refused(Programme { start: &[0, 0], ..good.clone() });
        refused(Programme { attributes: &[], ..good.clone() });
        refused(Programme { attributes: &[number(0.0, 1.0, false, -1.0)], ..good.clone() });
        refused(Programme { attributes: &[number(0.0, 1.0, true, 1.0)], ..good.clone() });
    }
}
