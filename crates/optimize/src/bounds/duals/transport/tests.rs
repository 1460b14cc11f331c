//! The duals of a transport against all classes of small tables.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use lookalike_model::{instance::Instance, job::Job, rule::Rule};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::{super::super::kinds::Kinds, Flat, Question, Transport};

/// A table, where no value is that of more than the m-th part.
struct Case {
    m: usize,
    dims: usize,
    points: Vec<f64>,
    colours: Vec<u32>,
}

impl Case {
    fn drawn(rng: &mut ChaCha8Rng) -> Self {
        let (m, dims) = (rng.random_range(2..=4), rng.random_range(1..=3));
        let records = m * rng.random_range(2..=12 / m);
        let points = (0..dims * records).map(|_| f64::from(rng.random_range(0..6_u32))).collect();
        let colours = (0..records as u32).map(|i| i % m as u32).collect();
        Self { m, dims, points, colours }
    }

    fn cost(&self, class: &[usize]) -> f64 {
        let q = class.len() as f64;
        let of_axis = |axis: usize| {
            let x = |&i: &usize| self.points[i * self.dims + axis];
            let mean = class.iter().map(x).sum::<f64>() / q;
            class.iter().map(|i| (x(i) - mean).powi(2)).sum::<f64>()
        };
        (0..self.dims).map(of_axis).sum()
    }

    fn is_class(&self, class: &[usize]) -> bool {
        let mut colours: Vec<u32> = class.iter().map(|&i| self.colours[i]).collect();
        colours.sort_unstable();
        colours.dedup();
        class.len() >= self.m && colours.len() == class.len()
    }

    /// The least loss of a partition, by what is left of the records.
    fn optimum(&self) -> f64 {
        let n = self.colours.len();
        let of = |set: usize| (0..n).filter(|i| set >> i & 1 == 1).collect::<Vec<usize>>();
        let costs: Vec<Option<f64>> =
            (0..1 << n).map(of).map(|class| self.is_class(&class).then(|| self.cost(&class))).collect();
        let mut least = vec![f64::INFINITY; 1 << n];
        least[0] = 0.0;
        for set in 1..1_usize << n {
            let first = 1 << set.trailing_zeros();
            let mut part = set;
            while part > 0 {
                if let Some(cost) = costs[part].filter(|_| part & first != 0) {
                    least[set] = least[set].min(cost + least[set & !part]);
                }
                part = (part - 1) & set;
            }
        }
        least[(1 << n) - 1]
    }
}

#[test]
fn no_class_costs_less_than_its_duals() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let (mut parts, mut seen) = (0.0, 0);
    for _ in 0..150 {
        let case = Case::drawn(&mut rng);
        let rule = Rule::all_different(case.m);
        let job =
            Job { colours: case.colours.clone(), ..Job::of(case.dims, case.points.clone(), rule.clone()) };
        let instance = Instance::from_job(&job).unwrap();
        let kinds = Kinds::new(&instance, &rule);
        let optimum = case.optimum();
        let Some(flat) = Flat::new(&instance, &kinds).filter(|_| optimum > 0.0) else { continue };
        let colours: Vec<u32> = kinds.all.iter().map(|kind| kind.tint.unwrap().0).collect();
        let records: Vec<f64> = kinds.all.iter().map(|kind| kind.records as f64).collect();
        let question = Question { flat: &flat, colours: &colours, records: &records };
        let scale = optimum / case.colours.len() as f64;
        let Some(mut transport) = Transport::new(&question, case.m, scale, (600, 4)) else { continue };
        let mut best = 0.0_f64;
        let mut steps = 0;
        loop {
            steps += 1;
            assert!(steps < 10_000, "it never ends");
            let Some(more) = transport.advance() else { continue };
            let of_kinds = transport.duals();
            let mut duals = vec![0.0; case.colours.len()];
            kinds.each(&instance, |kind, record| duals[record as usize] = of_kinds[kind as usize]);
            for set in 1_usize..1 << duals.len() {
                let class: Vec<usize> = (0..duals.len()).filter(|i| set >> i & 1 == 1).collect();
                if case.is_class(&class) {
                    let (sum, cost) = (class.iter().map(|&i| duals[i]).sum::<f64>(), case.cost(&class));
                    assert!(sum <= cost + 1e-9, "{class:?} costs {cost}, its duals are {sum}");
                }
            }
            best = best.max(duals.iter().sum());
            if !more {
                break;
            }
        }
        assert!(best <= optimum + 1e-9, "{best} is above {optimum}");
        (parts, seen) = (parts + best / optimum, seen + 1);
    }
    // A bound of nothing would hold, too.
    assert!(seen > 100 && parts / f64::from(seen) > 0.5, "{} of {seen}", parts / f64::from(seen));
}
