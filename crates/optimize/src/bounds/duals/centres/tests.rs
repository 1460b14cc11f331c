//! The search by centres against all classes of small tables.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use lookalike_model::{instance::Instance, job::Job, rule::Rule};
use rand::{Rng as _, RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::{super::super::kinds::Kinds, Flat, Sweep};

const LEAST: usize = 3;

/// A table of records in a few dimensions, some of them at one point, and duals of its records.
struct Case {
    dims: usize,
    points: Vec<f64>,
    colours: Vec<u32>,
}

impl Case {
    fn drawn(rng: &mut ChaCha8Rng) -> Self {
        let (dims, records) = (rng.random_range(1..=3), rng.random_range(6..=11));
        let points = (0..dims * records).map(|_| f64::from(rng.random_range(0..5_u32))).collect();
        let mut colours: Vec<u32> = (0..records as u32).map(|i| i % 5).collect();
        for i in (1..colours.len()).rev() {
            colours.swap(i, rng.random_range(0..=i));
        }
        Self { dims, points, colours }
    }

    /// What a class costs beyond its duals, for each of its records; `None` if it is none.
    fn mean(&self, class: &[usize], duals: &[f64]) -> Option<f64> {
        let q = class.len() as f64;
        let repeated = (1..class.len())
            .any(|at| class[..at].iter().any(|&other| self.colours[other] == self.colours[class[at]]));
        if repeated || class.len() < LEAST || class.len() > 2 * LEAST - 1 {
            return None;
        }
        let mut cost = 0.0;
        for axis in 0..self.dims {
            let x = |&i: &usize| self.points[i * self.dims + axis];
            let mean = class.iter().map(x).sum::<f64>() / q;
            cost += class.iter().map(|i| (x(i) - mean).powi(2)).sum::<f64>();
        }
        Some((cost - class.iter().map(|&i| duals[i]).sum::<f64>()) / q)
    }

    /// The least of that over all classes with a record.
    fn least(&self, record: usize, duals: &[f64]) -> f64 {
        let n = self.colours.len();
        let of = |set: u32| (0..n).filter(|i| set >> i & 1 == 1).collect::<Vec<usize>>();
        (0..1_u32 << n)
            .filter(|set| set >> record & 1 == 1)
            .filter_map(|set| self.mean(&of(set), duals))
            .fold(f64::INFINITY, f64::min)
    }
}

#[test]
fn what_it_finds_is_the_least_of_all_classes() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut found = 0;
    for _ in 0..120 {
        let case = Case::drawn(&mut rng);
        let rule = Rule::all_different(LEAST);
        let job =
            Job { colours: case.colours.clone(), ..Job::of(case.dims, case.points.clone(), rule.clone()) };
        let Ok(instance) = Instance::from_job(&job) else { continue };
        let kinds = Kinds::new(&instance, &rule);
        let Some(flat) = Flat::new(&instance, &kinds) else { continue };
        let of_kinds: Vec<f64> = kinds.all.iter().map(|_| rng.random_range(-1.0..4.0)).collect();
        let mut duals = vec![0.0; case.colours.len()];
        kinds.each(&instance, |kind, record| duals[record as usize] = of_kinds[kind as usize]);
        let colours: Vec<u32> = kinds.all.iter().map(|kind| kind.tint.unwrap().0).collect();
        let slack = [0.0, 0.05, 0.5][rng.next_u32() as usize % 3];
        let mut sweep = Sweep::new(&flat, &colours, vec![f64::INFINITY; of_kinds.len()], slack);
        let mut rounds = 0;
        while !sweep.advance(&flat, (&colours, &of_kinds), &(LEAST..2 * LEAST)) {
            rounds += 1;
            assert!(rounds < 100_000, "boxes are halved for ever");
        }
        for (kind, (bound, others)) in kinds.all.iter().zip(sweep.end(&flat)) {
            let least = case.least(kind.head as usize, &duals);
            if least.is_infinite() {
                assert!(bound.is_infinite());
                continue;
            }
            assert!(bound <= least + 1e-9, "{bound} is above {least}");
            assert!(bound >= least - slack - 1e-9, "{bound} is below {least} by more than {slack}");
            // The class that comes with it is one, and is as good.
            let class: Vec<usize> = others
                .iter()
                .map(|&other| kinds.all[other as usize].head as usize)
                .chain([kind.head as usize])
                .collect();
            let mean = case.mean(&class, &duals).unwrap();
            assert!(mean <= least + slack + 1e-9, "{mean} is above {least} by more than {slack}");
            found += 1;
        }
    }
    assert!(found > 400, "{found}");
}
