//! Answers that another machine computed. Whatever it says, classes and loss are computed anew here. Status and bound are those
//! that this machine has checked, and no stronger; what the other one says beyond that is kept as its claim ([`Claimed`]), and
//! its texts are its texts.
//!
//! Every host takes such answers through [`received`]: the command line with a worker, the page with one, a search whose blocks
//! are solved by others. What a process or a part of the page has searched that belongs to this program is no such answer.

use crate::{
    job::{Answer, Bound, BoundOf, Claimed, Job, Status},
    proof::Duals,
};

use crate::{
    Error,
    verify::{LOSS_TOLERANCE, feasible, verify},
};

/// What the duals of an answer prove, checked here; `None` if that cannot be checked, or not within reason.
///
/// # Errors
/// [`Error::Answer`] if they are not what they claim to be.
pub type Prover<'a> = &'a dyn Fn(&Job, &Duals) -> Result<Option<f64>, Error>;

/// A relative gap that is none but for rounding.
const CLOSED: f64 = 1e-9;

/// Characters of a text of another machine, at most.
const LONGEST: usize = 2000;

/// Checks nothing: a bound stays a claim.
///
/// # Errors
/// None.
pub fn unchecked(_: &Job, _: &Duals) -> Result<Option<f64>, Error> {
    Ok(None)
}

/// An answer that another machine computed, as far as this one can vouch for it.
///
/// # Errors
/// [`Error::Answer`] if its classes are not admissible, if its loss is not that of its classes, if a figure is impossible, or if
/// its duals are false; [`Error::Input`] for an inconsistent job.
pub fn received(job: &Job, answer: Answer, prove: Prover<'_>) -> Result<Answer, Error> {
    let loss = verify(job, &answer)?;
    let wrong = |what: String| Err(Error::Answer(what));
    if !answer.seconds.is_finite() || answer.seconds < 0.0 {
        return wrong(format!("it claims a search of {} seconds", answer.seconds));
    }
    let mut claim = answer.claimed.unwrap_or_default();
    if let Some(bound) = &answer.bound {
        claim = Claimed { bound: Some(bound.value), of: bound.of };
    }
    if let Some(bound) = claim.bound {
        // Written so that NaN fails too.
        let possible = bound >= 0.0 && bound - loss <= LOSS_TOLERANCE * loss.max(1.0);
        if !possible {
            return wrong(format!(
                "it claims that no classes lose less than {bound}, and its own lose {loss}"
            ));
        }
    }
    // That a loss is not below 0 is known of any loss.
    claim.bound = claim.bound.filter(|bound| *bound > 0.0 || loss <= 0.0);
    let optimal = matches!(answer.status, Status::Optimal | Status::OptimalClaimed);
    let settled = loss <= 0.0 && (optimal || claim.bound.is_some());
    // What nobody has checked and nobody needs is no proof to hand on.
    let duals = answer.duals.filter(|_| job.search.duals && !settled);
    let bound = if settled {
        Some(Bound { value: 0.0, proven_by: String::from("no loss is below 0"), of: BoundOf::WholeProblem })
    } else {
        let proven = duals.as_ref().map_or(Ok(None), |duals| prove(job, duals))?;
        proven.map(|value| Bound {
            value: value.min(loss).max(0.0),
            proven_by: proof(duals.as_ref().map_or(0, |duals| duals.cuts.len())),
            of: BoundOf::WholeProblem,
        })
    };
    // Its figures are not of the work behind a bound that was checked here.
    let work = answer.work.filter(|_| bound.is_none());
    // A bound that was checked takes the place of the one that is claimed.
    let claimed = if bound.is_some() { Claimed::default() } else { claim };
    let status = status(answer.status, bound.as_ref().map(|bound| loss - bound.value), loss, job)?;
    Ok(Answer {
        loss,
        status,
        bound,
        claimed: Some(claimed),
        work,
        duals,
        method: format!("by the account of the worker: {}", plain(&answer.method)),
        ..answer
    })
}

/// The status that this machine can vouch for; `gap` is between loss and bound.
fn status(claimed: Status, gap: Option<f64>, loss: f64, job: &Job) -> Result<Status, Error> {
    let within = |part: f64| gap.is_some_and(|gap| gap <= part * loss);
    let asked = job.search.stop_gap_percent.unwrap_or(0.0) / 100.0;
    Ok(match claimed {
        Status::Optimal | Status::OptimalClaimed if within(CLOSED) => Status::Optimal,
        Status::Optimal | Status::OptimalClaimed => Status::OptimalClaimed,
        Status::GapReached | Status::GapReachedClaimed if within(asked) => Status::GapReached,
        Status::GapReached | Status::GapReachedClaimed => Status::GapReachedClaimed,
        Status::Infeasible { .. } => {
            return Err(Error::Answer(String::from("it brings classes, and says that there are none")));
        }
        Status::EffortSpent | Status::TimeLimit | Status::Cancelled => claimed,
    })
}

/// What was checked, in words.
fn proof(cuts: usize) -> String {
    match cuts {
        0 => String::from("feasible duals of the worker, checked on this machine"),
        cuts => format!("feasible duals and {cuts} subset-row cuts of the worker, checked on this machine"),
    }
}

/// What to make of the word of another machine that a job has no admissible classes.
#[must_use]
pub fn infeasible(job: &Job, why: &str) -> Error {
    match feasible(job) {
        Err(error) => error,
        Ok(()) => Error::Answer(format!(
            "it says that there are no admissible classes ({}), and this machine finds nothing that rules them out",
            plain(why)
        )),
    }
}

/// A text of another machine without what a terminal obeys: control characters, and marks that turn the direction of writing.
#[must_use]
pub fn plain(text: &str) -> String {
    let turns =
        |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let shown = text.chars().filter(|&c| !turns(c)).map(|c| if c.is_control() { ' ' } else { c });
    shown.take(LONGEST).collect()
}
