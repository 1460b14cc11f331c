//! How often Algorithm 3 misses the optimum, and by how much.

use anyhow::Result;
use lookalike_core::eligibility::{hybrid_exact, hybrid_greedy, is_eligible};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::decimal;
use crate::{Experiment, Row};

const DRAWS: usize = 1_000_000;

/// How counts are drawn.
#[derive(Clone, Copy)]
enum Draw {
    /// 4 to 14 values with 1 to 4 records.
    Ties,
    /// 3 to 12 values with 1 to 20 records.
    Uniform,
    /// 3 to 16 values, most of them rare, few with up to 300 records.
    Skewed,
    /// 3 to 8 values with 1 to 500 records.
    Large,
}

pub(super) fn experiment() -> Experiment {
    let draws = [
        ("4-14 values, 1-4 records each", Draw::Ties),
        ("3-12 values, 1-20 records each", Draw::Uniform),
        ("3-16 values, 1-300 records each, skewed", Draw::Skewed),
        ("3-8 values, 1-500 records each", Draw::Large),
    ];
    let rows = draws
        .map(|(name, draw)| Row { key: vec![name.to_owned()], compute: Box::new(move || measure(draw)) });
    Experiment {
        id: "excess",
        title: String::from("Algorithm 3 against the exact hybrid"),
        about: String::from(
            "A million random counts for each way of drawing them (seed 1), each with a random m from 2 to the number of \
             values. Cases are those that need a repair. Algorithm 3 compares integers, m times its sum R.",
        ),
        header: vec![
            "counts",
            "drawn",
            "cases",
            "Algorithm 3 worse",
            "share of cases",
            "most excess",
            "mean excess where worse",
            "most relative excess",
        ],
        rows: rows.into_iter().collect(),
        checked: vec![0],
        means: None,
        plots: Box::new(|_| Vec::new()),
    }
}

fn measure(draw: Draw) -> Result<Vec<String>> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (mut cases, mut worse, mut most, mut sum, mut relative) = (0_u64, 0_u64, 0_u64, 0_u64, 0.0_f64);
    for _ in 0..DRAWS {
        let counts = counts(draw, &mut rng);
        let m = rng.random_range(2..=counts.len() as u64);
        if is_eligible(&counts, m) {
            continue;
        }
        cases += 1;
        let exact = hybrid_exact(&counts, m)?.total();
        let excess = hybrid_greedy(&counts, m)?.total() - exact;
        if excess > 0 {
            worse += 1;
            sum += excess;
            most = most.max(excess);
            relative = relative.max(excess as f64 / exact as f64);
        }
    }
    Ok(vec![
        DRAWS.to_string(),
        cases.to_string(),
        worse.to_string(),
        format!("{} %", decimal(100.0 * worse as f64 / cases.max(1) as f64, 4)),
        most.to_string(),
        decimal(sum as f64 / worse.max(1) as f64, 3),
        format!("{} %", decimal(100.0 * relative, 2)),
    ])
}

fn counts(draw: Draw, rng: &mut ChaCha8Rng) -> Vec<u64> {
    let values = match draw {
        Draw::Ties => rng.random_range(4..=14),
        Draw::Uniform => rng.random_range(3..=12),
        Draw::Skewed => rng.random_range(3..=16),
        Draw::Large => rng.random_range(3..=8),
    };
    (0..values)
        .map(|_| match draw {
            Draw::Ties => rng.random_range(1..=4_u64),
            Draw::Uniform => rng.random_range(1..=20),
            Draw::Skewed => {
                let u: f64 = rng.random();
                1 + (299.99 * u * u * u * u) as u64
            }
            Draw::Large => rng.random_range(1..=500),
        })
        .collect()
}
