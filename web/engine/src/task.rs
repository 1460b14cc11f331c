//! Long work in short steps, so that the Web Worker can hear "stop" in between.

use lookalike_core::{
    Ctx, Error,
    pipeline::{self, Outcome, Prepared},
    solve::Solve,
    table::Table,
};
use lookalike_wire::{event::Progress, job::Answer, settings::Settings};

/// What is being done, and what is needed to go on.
pub(crate) enum Task {
    /// Make the numeric job; then solve it here, or hand it out.
    Prepare { settings: Box<Settings>, here: bool },
    /// Build the starting partition.
    Begin { prepared: Box<Prepared> },
    /// Search.
    Search { prepared: Box<Prepared>, solve: Box<Solve> },
    /// Verify the answer, recode, audit.
    Finish { prepared: Box<Prepared>, answer: Box<Answer> },
}

/// What a step led to.
pub(crate) enum Next {
    /// Another step.
    Continue(Task),
    /// The job for a worker elsewhere.
    HandOut(Box<Prepared>),
    /// The end.
    Done { outcome: Box<Outcome>, answer: Box<Answer> },
}

impl Task {
    /// One step.
    pub(crate) fn step(self, table: &Table, ctx: &Ctx) -> Result<Next, Error> {
        match self {
            Self::Prepare { settings, here } => {
                announce(ctx, "checking and encoding the table");
                let prepared = Box::new(pipeline::prepare(table, &settings, ctx)?);
                Ok(if here { Next::Continue(Self::Begin { prepared }) } else { Next::HandOut(prepared) })
            }
            Self::Begin { prepared } => {
                announce(ctx, "building a first partition");
                let solve = Box::new(Solve::new(prepared.job(), ctx)?);
                Ok(Next::Continue(Self::Search { prepared, solve }))
            }
            Self::Search { prepared, mut solve } => Ok(Next::Continue(if solve.step(ctx)? {
                Self::Finish { prepared, answer: Box::new(solve.finish()) }
            } else {
                Self::Search { prepared, solve }
            })),
            Self::Finish { prepared, answer } => {
                announce(ctx, "writing and auditing");
                let outcome = pipeline::finish(table, &prepared, &answer, ctx)?;
                Ok(Next::Done { outcome: Box::new(outcome), answer })
            }
        }
    }
}

/// Says what comes next, before a step that reports nothing by itself.
fn announce(ctx: &Ctx, phase: &str) {
    (ctx.progress)(&Progress { phase: phase.to_owned(), ..Progress::default() });
}
