//! probe
use std::{cell::RefCell, path::Path};
use lookalike_core::{Ctx, solve::solve};
use lookalike_wire::event::Progress;
use crate::{cpu, sample::{Extraction, Sample}};
/// x
#[allow(clippy::unwrap_used)]
pub fn run(file: &str, n: usize, k: usize, extraction: usize, which: usize, seconds: f64) {
    let sample = Sample::of_numbers(Path::new("/work/shared/data"), &format!("{file}.csv")).unwrap();
    let sample = sample.subset(Extraction::ALL[extraction], n, which - 1).unwrap();
    let job = sample.job(k, seconds).unwrap();
    let began = cpu::used().unwrap();
    let clock = || cpu::used().map_or(f64::MAX, |used| used - began);
    let last = RefCell::new((String::new(), 0.0, 0.0));
    let progress = |p: &Progress| {
        let now = (p.phase.clone(), p.incumbent.unwrap_or(0.0), p.bound.unwrap_or(0.0));
        if *last.borrow() != now {
            eprintln!("{:8.3} {:30} {:.6} {:.6} gap {:.4}", p.seconds, now.0, now.1, now.2, 100.0 * (now.1 - now.2) / now.1);
            *last.borrow_mut() = now;
        }
    };
    let ctx = Ctx { progress: &progress, clock: &clock, ..Ctx::silent() };
    let answer = solve(&job, &ctx).unwrap();
    println!("{file} {n} k={k} {} #{which}: loss {:.6} bound {:?} status {:?} {:.2} s; {} {:?}", Extraction::ALL[extraction].name(), answer.loss, answer.bound.map(|b| 100.0 * (1.0 - b.value / answer.loss)), answer.status, clock(), answer.method, answer.work);
}
