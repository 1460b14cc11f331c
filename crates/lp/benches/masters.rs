//! The back ends of the master side by side, on pools like those of a thousand and a half census records.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

use std::{hint::black_box, time::Duration};

use criterion::{Criterion, criterion_group, criterion_main};
use lookalike_lp::master::{Column, Kind, Limits, Programme, Target, open_with};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A pool of columns for `rows` clustered points in three dimensions: `partitions` greedy partitions into classes of `m` to
/// `2 m - 1` near points, then random neighbours of these classes up to `columns`.
fn columns(rows: usize, m: usize, partitions: usize, columns: usize) -> Vec<Column> {
    let mut rng = ChaCha8Rng::seed_from_u64(m as u64);
    // Rounded, so that records coincide as they do in tables.
    let mut draw = |scale: f64| -> f64 { (0..4).map(|_| rng.random_range(-0.5..0.5)).sum::<f64>() * scale };
    let points: Vec<[f64; 3]> = (0..rows)
        .map(|_| [(draw(1.7) * 20.0).round() / 20.0, (draw(1.7) * 5.0).round() / 5.0, draw(1.7).signum()])
        .collect();
    let mut rng = ChaCha8Rng::seed_from_u64(100 + m as u64);
    let mut classes: Vec<Vec<u32>> = Vec::new();
    for _ in 0..partitions {
        let mut free: Vec<u32> = (0..rows as u32).collect();
        while !free.is_empty() {
            let seed = free[rng.random_range(0..free.len())];
            free.sort_by(|&a, &b| square(&points, seed, a).total_cmp(&square(&points, seed, b)));
            let size = if free.len() < 2 * m { free.len() } else { m };
            // Not always the nearest: annealing's classes differ.
            let mut class: Vec<u32> = Vec::with_capacity(size);
            while class.len() < size {
                let skip = if free.len() > size { rng.random_range(0..3).min(free.len() - 1) } else { 0 };
                class.push(free.remove(skip));
            }
            classes.push(class);
        }
    }
    let base = classes.len();
    while classes.len() < columns {
        let mut class = classes[rng.random_range(0..base)].clone();
        let centre = class[0];
        let mut near: Vec<u32> = (0..rows as u32).filter(|r| !class.contains(r)).collect();
        near.select_nth_unstable_by(20, |&a, &b| {
            square(&points, centre, a).total_cmp(&square(&points, centre, b))
        });
        let other = near[rng.random_range(0..20)];
        match rng.random_range(0..3) {
            0 if class.len() + 1 < 2 * m => class.push(other),
            1 if class.len() > m => drop(class.pop()),
            _ => {
                let place = rng.random_range(0..class.len());
                class[place] = other;
            }
        }
        classes.push(class);
    }
    let column = |rows: Vec<u32>| Column { cost: sse(&points, &rows), rows, cuts: Vec::new() };
    classes.into_iter().map(column).collect()
}

fn square(points: &[[f64; 3]], a: u32, b: u32) -> f64 {
    points[a as usize].iter().zip(&points[b as usize]).map(|(a, b)| (a - b) * (a - b)).sum()
}

fn sse(points: &[[f64; 3]], class: &[u32]) -> f64 {
    let pairs = class.iter().enumerate().flat_map(|(n, &a)| class[n + 1..].iter().map(move |&b| (a, b)));
    pairs.map(|(a, b)| square(points, a, b)).sum::<f64>() / class.len() as f64
}

/// A cold solve.
fn solve(kind: Kind, rows: usize, columns: &[Column]) -> f64 {
    let mut master = open_with(kind, Programme::new(&vec![1.0; rows], 1e3).unwrap()).unwrap();
    master.add_columns(columns).unwrap();
    master.solve(Target::Duals, &Limits::none()).unwrap().value
}

fn cold(c: &mut Criterion) {
    for (rows, m, columns) in [(300, 5, 3_000), (1500, 3, 12_000), (1500, 5, 15_000)] {
        let columns = self::columns(rows, m, 5, columns);
        let mut group = c.benchmark_group(format!("cold, {rows} rows, m = {m}"));
        group.sample_size(10).measurement_time(Duration::from_secs(1)).warm_up_time(Duration::from_millis(1));
        for &kind in Kind::all() {
            if kind == Kind::Microlp && rows > 300 {
                continue;
            }
            group.bench_function(kind.name(), |b| b.iter(|| black_box(solve(kind, rows, &columns))));
        }
    }
}

/// A solve after each of ten additions of columns.
fn rounds(kind: Kind, rows: usize, columns: &[Column]) -> f64 {
    let mut master = open_with(kind, Programme::new(&vec![1.0; rows], 1e3).unwrap()).unwrap();
    let mut value = 0.0;
    for some in columns.chunks(columns.len().div_ceil(10)) {
        master.add_columns(some).unwrap();
        value = master.solve(Target::Duals, &Limits::none()).unwrap().value;
    }
    value
}

fn growing(c: &mut Criterion) {
    for (rows, m, columns) in [(300, 5, 3_000), (1500, 5, 15_000)] {
        let columns = self::columns(rows, m, 5, columns);
        let mut group = c.benchmark_group(format!("ten rounds, {rows} rows, m = {m}"));
        group.sample_size(10).measurement_time(Duration::from_secs(1)).warm_up_time(Duration::from_millis(1));
        for &kind in Kind::all() {
            if kind == Kind::Microlp && rows > 300 {
                continue;
            }
            group.bench_function(kind.name(), |b| b.iter(|| black_box(rounds(kind, rows, &columns))));
        }
    }
}

criterion_group!(benches, cold, growing);
criterion_main!(benches);
