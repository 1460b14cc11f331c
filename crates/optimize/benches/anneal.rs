//! Proposed moves a second of one annealing chain: 1,500 records of three attributes shaped like census data (two
//! integers and a sex) with 13 colours, m = 3 and 7; microaggregation of 13 attributes, k = 3; and 120,000 records with 500 colours,
//! k = 20 alone and beside conditions on the colours of a class.
//!
//! `cargo bench -p lookalike-optimize --bench anneal`; elements are moves.

use std::{hint::black_box, sync::Arc};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lookalike_model::{
    instance::Instance,
    job::{JOB_VERSION, Job, Ranks},
    loss::Sse,
    neighbours::Neighbours,
    rule::{Distance, Effective, Ground, Rule, ValueCondition},
    settings::{Budget, Loss, Method},
};
use lookalike_optimize::{
    construct::{classic, unite},
    local::{
        anneal::{Chain, Shared, Shares},
        params::Moves,
        state::State,
    },
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const MOVES: u64 = 200_000;

fn instance(records: usize, dims: usize, colours: u32) -> Arc<Instance> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut rows: Vec<(Vec<f64>, u32)> = (0..records)
        .map(|_| {
            let mut point: Vec<f64> =
                (0..dims).map(|_| f64::from(rng.random_range(0..73u32)) / 14.0).collect();
            if dims == 3 {
                point[1] = f64::from(u8::from(rng.random_bool(0.67))) * 2.1;
                point[2] = f64::from(rng.random_range(1..17u32)) / 2.6;
            }
            // Skewed: the largest colour holds about a seventh, as occupations do.
            let colour = rng.random_range(0..colours).min(rng.random_range(0..colours));
            (point, colour)
        })
        .collect();
    for (c, row) in rows.iter_mut().take(colours as usize).enumerate() {
        row.1 = c as u32;
    }
    rows.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap_or(std::cmp::Ordering::Equal));
    let job = Job {
        version: JOB_VERSION,
        dims,
        points: rows.iter().flat_map(|r| r.0.clone()).collect(),
        colours: rows.iter().map(|r| r.1).collect(),
        rule: Rule::at_least(2),
        loss: Loss::Sse,
        method: Method::default(),
        budget: Budget::Effort(1.0),
        attributes: Vec::new(),
        ranks: Some(Ranks { colours: (0..colours).collect(), count: colours, ..Ranks::default() }),
        further: Vec::new(),
        series: None,
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        lattice: None,
        sets: Vec::new(),
        seed: 1,
    };
    Arc::new(Instance::from_job(&job).unwrap_or_else(|e| unreachable!("{e}")))
}

fn chain(instance: &Arc<Instance>, rule: &Rule) -> Chain<Sse> {
    let shared = Arc::new(Shared::new(Neighbours::new(instance, &Sse, 40), Shares::whole(&Moves::default())));
    let start = unite(instance, rule, classic(instance, &rule.relaxed(), 1)).0;
    let mut chain = Chain::new(State::new(instance, &Sse, rule, &start), &shared, 1, 1);
    chain.run(MOVES, 0.0);
    chain
}

fn moves(c: &mut Criterion) {
    let mut group = c.benchmark_group("anneal");
    group.throughput(Throughput::Elements(MOVES)).sample_size(20);
    let census = instance(1500, 3, 13);
    for m in [3, 5] {
        let mut chain = chain(&census, &Rule::all_different(m));
        // A temperature of the middle of the schedule: a few per cent of the moves are accepted.
        group.bench_function(format!("distinct-m{m}-1500x3"), |b| {
            b.iter(|| chain.run(black_box(MOVES), 0.02));
        });
    }
    let wide = instance(1080, 13, 1);
    let mut chain = chain(&wide, &Rule::at_least(3));
    group.bench_function("min-size-k3-1080x13", |b| {
        b.iter(|| chain.run(black_box(MOVES), 0.1));
    });
    let large = instance(120_000, 3, 500);
    let t = |distance| ValueCondition::TCloseness {
        t: Distance::try_from(0.4).unwrap_or_else(|e| unreachable!("{e}")),
        distance,
    };
    let entropy = ValueCondition::EntropyDiversity {
        l: Effective::try_from(8.0).unwrap_or_else(|e| unreachable!("{e}")),
    };
    let rules = [
        ("k20", Rule::at_least(20)),
        ("k20-ordered-t0.4", Rule::with_values(20, &[t(Ground::Ordered)])),
        ("k20-entropy-l8", Rule::with_values(20, &[entropy])),
    ];
    for (name, rule) in rules {
        let mut chain = self::chain(&large, &rule);
        group.bench_function(format!("{name}-120000x3"), |b| {
            b.iter(|| chain.run(black_box(MOVES), 0.02));
        });
    }
    group.finish();
}

criterion_group!(benches, moves);
criterion_main!(benches);
