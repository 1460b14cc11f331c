//! What a condition on sensitive values costs a move of annealing: `cargo run --release -p lookalike-optimize --example condition_costs`.
//!
//! 120,000 records in a plane with 500 sensitive values, k = 5. Moves a second are those between two efforts, so that start and bound do not count.

use std::time::Instant;

use lookalike_model::{
    Ctx,
    job::{Job, Ranks},
    rule::{Distance, Effective, Ground, Rule, ValueCondition},
    settings::{BoundWork, Budget, MethodName},
};
use lookalike_optimize::{Error, solve::solve};

const RECORDS: u32 = 120_000;
const VALUES: u32 = 500;

fn main() -> Result<(), Error> {
    let close = |t, distance| Distance::try_from(t).map(|t| ValueCondition::TCloseness { t, distance });
    let entropy = Effective::try_from(2.5).map(|l| ValueCondition::EntropyDiversity { l });
    let asked = [
        ("k alone", Vec::new()),
        ("entropy l = 2.5", entropy.into_iter().collect()),
        ("t = 0.2 by order", close(0.2, Ground::Ordered).into_iter().collect()),
        ("t = 0.2 by hierarchy", close(0.2, Ground::Hierarchical).into_iter().collect()),
        ("t = 0.9, equal", close(0.9, Ground::Equal).into_iter().collect()),
    ];
    let mut alone = 0.0;
    for (name, conditions) in asked {
        let (low, high) = (run(&conditions, 1.0)?, run(&conditions, 4.0)?);
        let nanoseconds = (high.1 - low.1) * 1e9 / (high.0 - low.0);
        if conditions.is_empty() {
            alone = nanoseconds;
        }
        println!(
            "{name}: {nanoseconds:.0} ns a move, {:.2} times that of k alone, {} classes, loss {:.1}",
            nanoseconds / alone,
            high.2,
            high.3
        );
    }
    Ok(())
}

/// Moves, seconds, classes and loss of a search.
fn run(conditions: &[ValueCondition], effort: f64) -> Result<(f64, f64, u32, f64), Error> {
    // Numbers that look random and are the same everywhere.
    let mix = |i: u32, by: u32| {
        f64::from(i.wrapping_mul(by).wrapping_add(i >> 7).wrapping_mul(0x9E37_79B1) >> 8) / 16_777_216.0
    };
    let points: Vec<f64> =
        (0..RECORDS).flat_map(|i| [mix(i, 2_654_435_761), mix(i, 2_246_822_519)]).collect();
    let value =
        |i: u32| (f64::midpoint(points[2 * i as usize], mix(i, 3_266_489_917)) * f64::from(VALUES)) as u32;
    // Each value is held by a record.
    let colours: Vec<u32> =
        (0..RECORDS).map(|i| if i < VALUES { i } else { value(i).min(VALUES - 1) }).collect();
    let job = Job {
        colours,
        ranks: Some(Ranks {
            colours: (0..VALUES).collect(),
            count: VALUES,
            places: Vec::new(),
            branches: [10, 100, VALUES]
                .map(|width| (0..VALUES).map(|value| value / width).collect())
                .to_vec(),
        }),
        method: MethodName::Annealing.into(),
        budget: Budget::Effort(effort),
        bound: BoundWork::Off,
        seed: 1,
        ..Job::of(2, points, Rule::with_values(5, conditions))
    };
    let began = Instant::now();
    let answer = solve(&job, &Ctx::silent())?;
    let classes = answer.labels.iter().max().map_or(0, |last| last + 1);
    Ok((answer.moves as f64, began.elapsed().as_secs_f64(), classes, answer.loss))
}
