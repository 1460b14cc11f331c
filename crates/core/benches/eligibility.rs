//! Eligibility of large tables: counting 10 million rows of an encoded column with 1,000 values; the exact hybrid, with
//! unit and with growing costs, and the survey of all m, for 100,000 different values.
//!
//! `cargo bench -p lookalike-core --bench eligibility`.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lookalike_core::eligibility::{Allowed, Among, Rate, Rates, count, hybrid_exact, least_cost, survey};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const ROWS: usize = 10_000_000;
const VALUES: usize = 100_000;

fn eligibility(c: &mut Criterion) {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let codes: Vec<u32> =
        (0..ROWS).map(|_| rng.random_range(0..1000u32).min(rng.random_range(0..1000))).collect();
    let mut group = c.benchmark_group("eligibility");
    group.sample_size(10).throughput(Throughput::Elements(ROWS as u64));
    group.bench_function("count-10M-rows", |b| b.iter(|| count(black_box(&codes), 1000)));

    // Skewed: a few values hold thousands of records, most a few.
    let counts: Vec<u64> = (0..VALUES as u64).map(|i| 1 + 5_000_000 / (i * i / 50 + 1000) + i % 7).collect();
    let m = VALUES as u64 / 100;
    group.throughput(Throughput::Elements(VALUES as u64));
    group.bench_function("hybrid-100k-values", |b| b.iter(|| hybrid_exact(black_box(&counts), m)));
    let mut rates = Rates::unit(VALUES);
    rates.deletion.fill(Rate { first: 1, growth: 1 });
    group.bench_function("hybrid-growing-costs-100k-values", |b| {
        b.iter(|| least_cost(black_box(&counts), m, Allowed::BOTH, &rates, Among::default()));
    });
    group.bench_function("survey-all-m-100k-values", |b| {
        b.iter(|| black_box(survey(&counts, 2..=VALUES as u64)));
    });
    group.finish();
}

criterion_group!(benches, eligibility);
criterion_main!(benches);
