//! Long work, after which the Web Worker can hear what else is asked.

use lookalike_core::{
    Error,
    look::Look,
    pipeline::{self, Outcome, Prepared},
    table::Table,
};
use lookalike_model::{
    Ctx,
    event::Progress,
    job::Answer,
    look::Beside,
    sent::{Searched, Sent},
    settings::Settings,
};

use crate::extension::Extension;

/// What is to be done, and what is needed for it.
pub(crate) enum Task {
    /// Make the numeric job, for the search here or for a worker.
    Prepare { settings: Box<Settings>, here: bool },
    /// Verify the answer, recode, audit.
    Finish { prepared: Box<Prepared>, answer: Box<Answer>, sent: Option<Sent> },
}

/// What it led to.
pub(crate) enum Next {
    /// A job.
    HandOut { prepared: Box<Prepared>, here: bool },
    /// The end.
    Done { outcome: Box<Outcome>, answer: Box<Answer>, look: Box<Look>, beside: Box<Beside> },
}

impl Task {
    /// Does it.
    pub(crate) fn step(
        self,
        table: &Table,
        extension: Option<&dyn Extension>,
        ctx: &Ctx,
    ) -> Result<Next, Error> {
        match self {
            Self::Prepare { settings, here } => {
                announce(ctx, "checking and encoding the table");
                let of_series = extension.and_then(|extension| extension.prepare(table, &settings, ctx));
                let prepared =
                    of_series.unwrap_or_else(|| pipeline::prepare_unconfirmed(table, &settings, ctx));
                let prepared = Box::new(prepared?);
                Ok(Next::HandOut { prepared, here })
            }
            Self::Finish { prepared, answer, sent } => {
                announce(ctx, "writing and auditing");
                let mut outcome = pipeline::finish(table, &prepared, &answer, ctx)?;
                if let Some(sent) = sent {
                    outcome.searched_elsewhere(Searched::Worker, sent);
                }
                let look = Look::new(table, &prepared, &outcome)?;
                let beside = Box::new(look.beside(table, &prepared, &outcome)?);
                Ok(Next::Done { outcome: Box::new(outcome), answer, look: Box::new(look), beside })
            }
        }
    }
}

/// Says what comes next, before work that reports nothing by itself.
fn announce(ctx: &Ctx, phase: &str) {
    (ctx.progress)(&Progress { phase: phase.to_owned(), ..Progress::default() });
}
