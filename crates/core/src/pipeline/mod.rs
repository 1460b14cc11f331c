//! The whole way: table -> job -> answer -> release -> verdict.
//!
//! [`Run`] is that way as a state machine without input or output: it says what it needs next, and a host (command line,
//! page, a program of your own) brings it. [`prepare`] and [`finish`] are its two halves for a table that stands for itself,
//! and [`anonymize`] is both, with a search between them.

pub(crate) mod combinations;
mod levels;
mod trials;

use std::sync::Arc;

use lookalike_model::{
    Ctx,
    event::Progress,
    job::{Answer, Job},
    sent::{Searched, Sent},
    settings::{RowsAre, Settings},
};
use lookalike_table::Table;

pub(crate) use self::levels::MOST_TO_LOSE;
use self::trials::Trials;
pub use self::{
    combinations::{ByClasses, BySets, Conflict, InMemory},
    levels::only_here,
};
use crate::{
    Error, certify,
    prepare::prepare_of,
    republish::series::{Options, prepare as prepare_series},
};
pub use crate::{
    persons::{KeyFault, Question},
    prepare::{
        CodingMisfit, DomainMisfit, FateReason, Misfit, OutlierCell, OutlierWarning, Prepared, RepairWarning,
        RoleWord, prepare,
    },
    release::{Against, Outcome, finish},
};

lookalike_words::messages! {
    in "core";

    /// What a run does between reply and search, and between search and release.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Phase {
        /// The table is checked and encoded.
        Preparing,
        /// The release is written and audited.
        Finishing,
    }
}

/// What a [`Run`] needs next.
#[derive(Debug)]
pub enum Need<'a> {
    /// A reply that only a person can give: [`Run::rows_are`].
    Ask(Question),
    /// The answer to a job: [`Run::solved`].
    Solve {
        /// The job: all that a search needs and may see.
        job: &'a Job,
        /// What becomes of the answer.
        purpose: Purpose,
    },
    /// Nothing: the run is finished.
    Done(Box<Outcome>),
}

/// What becomes of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Its loss is compared with others', to find out how many counterfeits pay. A short search, which is to be done on this
    /// machine.
    Trial,
    /// Its classes are published.
    Release,
}

/// One run from a table to its release. Without input or output: a host asks [`Run::next`] again and again, and brings what it
/// says. After an answer that was refused another one may be brought; any other error ends the run.
#[derive(Debug)]
pub struct Run {
    table: Arc<Table>,
    settings: Settings,
    identifiers: Vec<String>,
    series: Option<Options>,
    trials: Option<Trials>,
    /// What was made of the table last, and the answer to its job.
    prepared: Option<Box<Prepared>>,
    answer: Option<Box<Answer>>,
    elsewhere: Option<(Searched, Sent)>,
    /// Whether the duals behind the bound are kept where there can be a certificate of them.
    keeps_duals: bool,
}

impl Run {
    /// A run on a table that stands for itself. `identifiers` are columns of which the user says that they name persons.
    /// `settings.seed` must be set.
    #[must_use]
    pub fn new(table: Arc<Table>, settings: Settings, identifiers: Vec<String>) -> Self {
        Self {
            table,
            settings,
            identifiers,
            series: None,
            trials: None,
            prepared: None,
            answer: None,
            elsewhere: None,
            keeps_duals: false,
        }
    }

    /// The next release of a series. With a price of a counterfeit, in the unit of the loss, there are more of them than
    /// need be where they save more than they cost.
    ///
    /// # Errors
    /// [`Error::Series`] for a price that is not a number of at least 0.
    pub fn of_series(
        table: Arc<Table>,
        settings: Settings,
        options: Options,
        price: Option<f64>,
    ) -> Result<Self, Error> {
        let trials = price.map(Trials::new).transpose()?;
        Ok(Self { series: Some(options), trials, ..Self::new(table, settings, Vec::new()) })
    }

    /// Lets answers bring the duals behind their bound wherever [`certify`](crate::certify) can make use of them, without asking for a
    /// certificate: where there can be none, the run goes on as it does without.
    pub const fn keep_duals(&mut self) {
        self.keeps_duals = true;
    }

    /// The reply to [`Need::Ask`].
    pub fn rows_are(&mut self, what: RowsAre) {
        self.settings.rows_are = Some(what);
    }

    /// The answer to [`Need::Solve`]. One that another machine has computed goes through
    /// [`received`](lookalike_model::received::received) first.
    pub fn solved(&mut self, answer: Answer) {
        (self.answer, self.elsewhere) = (Some(Box::new(answer)), None);
    }

    /// Says that the answer that came last was computed elsewhere, and what was sent there; without this, all records of the
    /// run say that nothing was sent.
    pub fn searched_elsewhere(&mut self, place: Searched, sent: Sent) {
        self.elsewhere = Some((place, sent));
    }

    /// What was made of the table, once there is a job.
    #[must_use]
    pub fn prepared(&self) -> Option<&Prepared> {
        self.prepared.as_deref()
    }

    /// The answer that came last.
    #[must_use]
    pub fn answer(&self) -> Option<&Answer> {
        self.answer.as_deref()
    }

    /// Goes on as far as it can.
    ///
    /// # Errors
    /// As [`prepare`] and [`finish`], and as [`series::prepare`](prepare_series) in a series; a question is no error
    /// here.
    pub fn next(&mut self, ctx: &Ctx) -> Result<Need<'_>, Error> {
        if let (Some(prepared), Some(answer)) = (&self.prepared, &self.answer) {
            match &mut self.trials {
                Some(trials) if trials.runs() => trials.judge(prepared, answer)?,
                _ => return Ok(Need::Done(Box::new(self.finished(prepared, answer, ctx)?))),
            }
        }
        let prepared = match (self.prepared.take(), self.answer.take()) {
            (Some(unanswered), None) => unanswered,
            _ => match self.prepare(ctx) {
                Ok(prepared) => Box::new(prepared),
                Err(Error::Asked(question)) => return Ok(Need::Ask(question)),
                Err(error) => return Err(error),
            },
        };
        let tries = self.trials.as_ref().is_some_and(Trials::runs);
        let mut prepared = prepared;
        if self.keeps_duals && !tries && certify::is_possible(&prepared) {
            prepared.job.duals = true;
        }
        let purpose = if tries { Purpose::Trial } else { Purpose::Release };
        Ok(Need::Solve { job: self.prepared.insert(prepared).job(), purpose })
    }

    fn prepare(&self, ctx: &Ctx) -> Result<Prepared, Error> {
        announce(ctx, Phase::Preparing);
        let Some(options) = &self.series else {
            return prepare_of(&self.table, &self.settings, &self.identifiers, ctx);
        };
        match &self.trials {
            None => prepare_series(&self.table, &self.settings, options, ctx),
            Some(trials) => {
                let options = Options { more: trials.more(), ..options.clone() };
                prepare_series(&self.table, &trials.settings(&self.settings), &options, ctx)
            }
        }
    }

    fn finished(&self, prepared: &Prepared, answer: &Answer, ctx: &Ctx) -> Result<Outcome, Error> {
        announce(ctx, Phase::Finishing);
        let mut outcome = finish(&self.table, prepared, answer, ctx)?;
        if let Some((place, sent)) = &self.elsewhere {
            outcome.searched_elsewhere(*place, sent.clone());
        }
        Ok(outcome)
    }
}

/// Says what comes next, before work that reports nothing by itself.
fn announce(ctx: &Ctx, phase: Phase) {
    (ctx.progress)(&Progress { phase: phase.into(), ..Progress::default() });
}

/// The whole way, solved here.
///
/// # Errors
/// As [`prepare`], [`solve`](lookalike_optimize::solve::solve) and [`finish`].
#[cfg(feature = "optimize")]
pub fn anonymize(table: &Table, settings: &Settings, ctx: &Ctx) -> Result<Outcome, Error> {
    let prepared = prepare(table, settings, ctx)?;
    let answer = lookalike_optimize::solve::solve(prepared.job(), ctx)?;
    finish(table, &prepared, &answer, ctx)
}
