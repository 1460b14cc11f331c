//! Estimates of what numbers cost, beside any run and never in its way: each is a run of its own on a sample, step by step, with
//! the search elsewhere.

use std::sync::Arc;

use lookalike_core::{
    estimate::{Estimates, NoEstimate, loss},
    pipeline::{Need, Outcome, Run},
};
use lookalike_model::{Ctx, beside, job::Answer, settings::Settings};
use lookalike_wire::page::Response;
use lookalike_words::Said;

use crate::{
    columns::ColumnRefused,
    edits,
    fault::EngineFault,
    session::{Host, Session},
};

/// Estimates under way.
pub(crate) struct Estimating {
    /// Their request.
    id: u32,
    /// The sample; or why there is none.
    estimates: Result<Estimates, Said>,
    /// Numbers that have not begun, the next one last.
    left: Vec<u32>,
    /// The number under way.
    run: Option<(u32, Run)>,
    /// Whether it can go on.
    due: bool,
    /// The job for the search.
    job: Option<Vec<u8>>,
}

impl Estimating {
    /// Whether this is their request.
    pub(crate) fn is(&self, id: u32) -> bool {
        self.id == id
    }

    /// Whether [`Session::step_estimate`] has something to do.
    pub(crate) fn is_due(&self) -> bool {
        self.due
    }

    /// Takes the answer to the job.
    pub(crate) fn solved(&mut self, answer: Answer) {
        if let Some((_, run)) = &mut self.run {
            run.solved(answer);
            self.due = true;
        }
    }

    fn begun(&self, number: u32) -> Result<Run, Said> {
        self.estimates.as_ref().map_err(Clone::clone)?.run(number)
    }

    /// Goes on to the next job; true if there is one.
    fn go(&mut self, host: &dyn Host) -> bool {
        loop {
            let (number, begun) = match self.run.take() {
                Some((number, run)) => (number, Ok(run)),
                None => match self.left.pop() {
                    Some(number) => (number, self.begun(number)),
                    None => return false,
                },
            };
            let loss = match begun.map(|run| searched(run, host)) {
                Ok(Searched::Job { run, job }) => {
                    (self.run, self.job) = (Some((number, *run)), Some(job));
                    return true;
                }
                Ok(Searched::Loss(loss)) => loss,
                Err(why) => Err(why),
            };
            let of_rows = self.estimates.as_ref().map_or(0, Estimates::rows);
            let left = self.left.len();
            host.post(self.id, Response::Estimated { number, loss, of_rows, left }, Vec::new());
        }
    }
}

/// What comes of a run.
enum Searched {
    /// A job is to be solved.
    Job { run: Box<Run>, job: Vec<u8> },
    /// It is over.
    Loss(Result<f64, Said>),
}

fn searched(mut run: Run, host: &dyn Host) -> Searched {
    let ctx = Ctx { progress: &|_| (), cancelled: &|| false, clock: &|| host.now(), checkpoint: None };
    let job = match run.next(&ctx) {
        Ok(Need::Solve { job, .. }) => beside::write(job),
        Ok(Need::Done(outcome)) => return Searched::Loss(whole_loss(&outcome).map_err(Said::from)),
        Ok(Need::Ask(question)) => return Searched::Loss(Err(question.into())),
        Err(error) => return Searched::Loss(Err(error.said())),
    };
    match job {
        Ok(job) => Searched::Job { run: Box::new(run), job },
        Err(error) => Searched::Loss(Err(EngineFault::Unwritten { error: error.to_string() }.into())),
    }
}

/// The loss of all columns: the mean of those that happen to have one would pass for that of the table.
fn whole_loss(outcome: &Outcome) -> Result<f64, NoEstimate> {
    let (measured, columns) = outcome.exact().utility.measured();
    if measured == columns { loss(outcome) } else { Err(NoEstimate::NotMeasurable) }
}

impl Session {
    /// Begins estimates, in place of those before.
    pub(crate) fn begin_estimates(&mut self, id: u32, settings: &Settings, mut left: Vec<u32>) {
        left.reverse();
        let estimates = self.sample(settings);
        self.estimating = Some(Estimating { id, estimates, left, run: None, due: true, job: None });
    }

    fn sample(&mut self, settings: &Settings) -> Result<Estimates, Said> {
        let table = self.table.as_mut().ok_or(ColumnRefused::NoTable)?;
        self.edited.apply(table, edits::of(settings)).map_err(Said::from)?;
        Estimates::new(&Arc::clone(table), settings).map_err(|error| error.said())
    }

    /// Goes on with the estimates; [`Session::take_estimate_job`] is to be asked then.
    pub fn step_estimate(&mut self, host: &dyn Host) {
        let Some(mut estimating) = self.estimating.take_if(|estimating| estimating.due) else { return };
        estimating.due = false;
        if estimating.go(host) {
            self.estimating = Some(estimating);
        }
    }

    /// The job for the search beside this engine, if there is one; an "apply" with the number of the estimates' request brings
    /// its answer.
    pub fn take_estimate_job(&mut self) -> Option<Vec<u8>> {
        self.estimating.as_mut()?.job.take()
    }
}
