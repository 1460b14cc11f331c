//! Our column generation on a job, timed by the processor.

use std::cell::Cell;

use anyhow::Result;
use lookalike_model::{
    Ctx,
    event::Progress,
    job::{Job, Status},
};
use lookalike_optimize::solve::solve_with;

use crate::{cpu, parameters, sample::total};

/// What came of it.
pub(crate) struct Bounded {
    pub(crate) loss: f64,
    /// 100 SSE / SST.
    pub(crate) information_loss: f64,
    /// 100 (loss - bound) / loss; `None` without a bound.
    pub(crate) gap: Option<f64>,
    pub(crate) optimal: bool,
    /// User CPU seconds of all threads.
    pub(crate) seconds: f64,
    /// User CPU seconds until there was a bound.
    pub(crate) first: Option<f64>,
}

/// Solves a job; its budget of seconds is one of user CPU seconds, all threads together.
pub(crate) fn run(job: &Job) -> Result<Bounded> {
    let began = cpu::used()?;
    // That it can be read was seen just now.
    let clock = || cpu::used().map_or(f64::MAX, |used| used - began);
    let first = Cell::new(None);
    let progress = |p: &Progress| {
        if p.bound.is_some() && first.get().is_none() {
            first.set(Some(p.seconds));
        }
    };
    let ctx = Ctx { progress: &progress, clock: &clock, ..Ctx::silent() };
    let answer = solve_with(job, parameters::chosen(), &ctx)?;
    let seconds = clock();
    eprintln!("experiments:   {}", answer.method);
    let bound = answer.bound.map(|bound| bound.value);
    let gap = |bound: f64| if answer.loss > 0.0 { 100.0 * (answer.loss - bound) / answer.loss } else { 0.0 };
    Ok(Bounded {
        loss: answer.loss,
        information_loss: 100.0 * answer.loss / total(job),
        gap: bound.map(gap),
        optimal: answer.status == Status::Optimal,
        seconds,
        first: first.get(),
    })
}

impl Bounded {
    /// The gap as the tables show it.
    pub(crate) fn gap(&self) -> String {
        self.gap.map_or_else(|| String::from("none"), |gap| format!("{gap:.4}"))
    }

    /// `yes` if optimality is proven.
    pub(crate) fn proven(&self) -> String {
        yes(self.optimal)
    }
}

/// `yes` or `no`.
pub(crate) fn yes(is_so: bool) -> String {
    String::from(if is_so { "yes" } else { "no" })
}
