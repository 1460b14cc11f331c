//! Answers that another machine computed. Whatever it says, classes and loss are computed anew here. Status and bound are those
//! that this machine has checked, and no stronger; what the other one says beyond that is kept as its claim ([`Claimed`]), and
//! its texts are its texts.
//!
//! Every host takes such answers through [`received`]: the command line with a worker, the page with one, a search whose blocks
//! are solved by others. What a process or a part of the page has searched that belongs to this program is no such answer.

mod message;

use std::collections::BTreeMap;

use lookalike_words::{Figure, Said};

pub use self::message::{AnswerFault, DualsFault, Proof, Received};
use crate::{
    Error,
    job::{Answer, Bound, BoundOf, Claimed, Job, Status},
    proof::Duals,
    verify::{LOSS_TOLERANCE, feasible, verify},
};

/// What the duals of an answer prove, found out on this machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proven {
    /// No partition has a smaller loss.
    pub bound: f64,
    /// Whether no partition loses less than the answer, but for rounding.
    pub optimal: bool,
    /// Whether that rests on a search of all partitions that the duals leave possible as well.
    pub searched: bool,
}

/// What the duals of an answer prove, checked here; `None` if that cannot be checked, or not within reason. With a loss the answer
/// is claimed to be optimal, and that is to be found out as well.
///
/// # Errors
/// [`Error::Answer`] if they are not what they claim to be, or if there is a better partition than the one that is claimed to be the best.
pub type Prover<'a> = &'a dyn Fn(&Job, &Duals, Option<f64>) -> Result<Option<Proven>, Error>;

/// A relative gap that is none but for rounding.
const CLOSED: f64 = 1e-9;

/// Characters of a text of another machine, at most.
const LONGEST: usize = 2000;

/// Checks nothing: a bound stays a claim.
///
/// # Errors
/// None.
pub fn unchecked(_: &Job, _: &Duals, _: Option<f64>) -> Result<Option<Proven>, Error> {
    Ok(None)
}

/// An answer that another machine computed, as far as this one can vouch for it.
///
/// # Errors
/// [`Error::Answer`] if its classes are not admissible, if its loss is not that of its classes, if a figure is impossible, or if
/// its duals are false or it calls itself optimal where a better partition is found; [`Error::Job`] for an inconsistent job.
pub fn received(job: &Job, answer: Answer, prove: Prover<'_>) -> Result<Answer, Error> {
    let loss = verify(job, &answer)?;
    let wrong = |fault: AnswerFault| Err(Error::from(fault));
    if !answer.seconds.is_finite() || answer.seconds < 0.0 {
        return wrong(AnswerFault::Seconds { seconds: Figure::shortest(answer.seconds) });
    }
    let mut claim = answer.claimed.unwrap_or_default();
    if let Some(bound) = &answer.bound {
        claim = Claimed { bound: Some(bound.value), of: bound.of };
    }
    if let Some(bound) = claim.bound {
        // Written so that NaN fails too.
        let possible = bound >= 0.0 && bound - loss <= LOSS_TOLERANCE * loss.max(1.0);
        if !possible {
            let [bound, loss] = [bound, loss].map(Figure::shortest);
            return wrong(AnswerFault::Bound { bound, loss });
        }
    }
    // That a loss is not below 0 is known of any loss.
    claim.bound = claim.bound.filter(|bound| *bound > 0.0 || loss <= 0.0);
    let optimal = matches!(answer.status, Status::Optimal | Status::OptimalClaimed);
    let settled = loss <= 0.0 && (optimal || claim.bound.is_some());
    // What nobody has checked and nobody needs is no proof to hand on.
    let duals = answer.duals.filter(|_| job.wants_duals() && !settled);
    let (bound, proven_optimal) = if settled {
        let bound = Bound { value: 0.0, proven_by: Proof::NoLossBelowZero.into(), of: BoundOf::WholeProblem };
        (Some(bound), true)
    } else {
        let proven = duals.as_ref().map_or(Ok(None), |duals| prove(job, duals, optimal.then_some(loss)))?;
        let cuts = duals.as_ref().map_or(0, |duals| duals.cuts.len());
        let bound = proven.map(|Proven { bound, searched, .. }| Bound {
            value: bound.min(loss).max(0.0),
            proven_by: if searched { Proof::CheckedSearch { cuts } } else { Proof::CheckedDuals { cuts } }
                .into(),
            of: BoundOf::WholeProblem,
        });
        (bound, proven.is_some_and(|proven| proven.optimal))
    };
    // Its figures are not of the work behind a bound that was checked here.
    let work = answer.work.filter(|_| bound.is_none());
    // A bound that was checked takes the place of the one that is claimed.
    let claimed = if bound.is_some() { Claimed::default() } else { claim };
    let gap = bound.as_ref().map(|bound| loss - bound.value);
    let status = status(answer.status, (gap, proven_optimal), loss, job)?;
    Ok(Answer {
        loss,
        status,
        bound,
        claimed: Some(claimed),
        work,
        duals,
        method: Received::Method { method: plain_said(&answer.method) }.into(),
        // Nobody here can say whether it searched by these.
        parameters: BTreeMap::new(),
        ..answer
    })
}

/// The status that this machine can vouch for; `gap` is between loss and bound, and `optimal` what a search has proven here.
fn status(
    claimed: Status,
    (gap, optimal): (Option<f64>, bool),
    loss: f64,
    job: &Job,
) -> Result<Status, Error> {
    let within = |part: f64| gap.is_some_and(|gap| gap <= part * loss);
    let asked =
        job.method.column_generation().and_then(|options| options.stop_gap_percent).unwrap_or(0.0) / 100.0;
    Ok(match claimed {
        Status::Optimal | Status::OptimalClaimed if optimal || within(CLOSED) => Status::Optimal,
        Status::Optimal | Status::OptimalClaimed => Status::OptimalClaimed,
        Status::GapReached | Status::GapReachedClaimed if within(asked) => Status::GapReached,
        Status::GapReached | Status::GapReachedClaimed => Status::GapReachedClaimed,
        Status::Infeasible { .. } => {
            return Err(AnswerFault::ClassesAndNone.into());
        }
        Status::EffortSpent | Status::TimeLimit | Status::Cancelled => claimed,
    })
}

/// What to make of the word of another machine that a job has no admissible classes.
#[must_use]
pub fn infeasible(job: &Job, why: &Said) -> Error {
    match feasible(job) {
        Err(error) => error,
        Ok(()) => AnswerFault::NothingRulesOut { why: plain_said(why) }.into(),
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

/// A message of another machine, each of its texts as [`plain`] has it, and cut if all of it is longer than one may be.
#[must_use]
pub fn plain_said(said: &Said) -> Said {
    let said = said.map_texts(&plain);
    let words = said.to_string();
    if words.chars().nth(LONGEST).is_some() { Said::verbatim(plain(&words)) } else { said }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_of_another_machine_is_plain_and_not_long() {
        let said = |method: &str| Said::from(Received::Method { method: Said::verbatim(method) });
        assert_eq!(plain_said(&said("a\u{1b}b")).to_string(), "according to the worker: a b");
        assert_eq!(plain_said(&said("a")).id(), "model.Received.Method");
        let long = plain_said(&said(&"x".repeat(9000)));
        assert_eq!((long.id(), long.to_string().len()), ("", 2000));
    }
}
