//! Whether an answer is one: classes, matchings and loss from scratch.

use lookalike_words::Figure;

use crate::{
    Error, freeform,
    instance::Instance,
    job::{Answer, Job},
    loss::{Ncp, Sse},
    partition::Partition,
    received::AnswerFault,
    sets,
    settings::Loss as LossName,
};

/// A relative difference between two computations of one loss that rounding can explain.
pub const LOSS_TOLERANCE: f64 = 1e-9;

/// Checks that an answer is an admissible partition of the job's records, and that its loss is the one it claims; the loss,
/// computed anew. It says nothing of bound and status: for answers of other machines there is [`crate::received`].
///
/// # Errors
/// [`Error::Answer`], with the first violation found; [`Error::Job`] for an inconsistent job.
pub fn verify(job: &Job, answer: &Answer) -> Result<f64, Error> {
    let instance = Instance::from_job(job)?;
    if job.method.is_freeform() || answer.freeform.is_some() {
        return claims(freeform_loss(job, answer, &instance)?, answer);
    }
    if let Some(lattice) = &job.lattice {
        return claims(lattice.verified(job, answer, &instance)?, answer);
    }
    if !job.sets.is_empty() {
        return claims(sets::verified(job, answer, &instance)?, answer);
    }
    let partition = Partition::from_labels(&answer.labels);
    partition.check(&instance, &job.rule)?;
    let loss = match job.loss {
        LossName::Sse => partition.loss(&instance, &Sse),
        LossName::Ncp | LossName::NcpBinary => partition.loss(&instance, &ncp(job.loss)),
    };
    claims(loss, answer)
}

/// Checks the loss that an answer claims.
fn claims(loss: f64, answer: &Answer) -> Result<f64, Error> {
    // Written so that a claimed NaN fails too.
    if (loss - answer.loss).abs() <= LOSS_TOLERANCE * loss.max(1.0) {
        return Ok(loss);
    }
    Err(AnswerFault::Loss { claimed: Figure::shortest(answer.loss), loss: Figure::shortest(loss) }.into())
}

/// Whether anything rules out that a job has admissible classes.
///
/// # Errors
/// [`Error::Infeasible`] with the reason, [`Error::Job`] for an inconsistent job.
pub fn feasible(job: &Job) -> Result<(), Error> {
    let instance = Instance::from_job(job)?;
    job.rule.feasible(&instance)
}

/// NCP by its name.
fn ncp(loss: LossName) -> Ncp {
    Ncp { binary: loss == LossName::NcpBinary }
}

/// The loss of an answer without classes, from scratch, after checking its matchings.
fn freeform_loss(job: &Job, answer: &Answer, instance: &Instance) -> Result<f64, Error> {
    let bad = |fault: AnswerFault| Err(Error::from(fault));
    let Some(matchings) = answer.freeform.as_ref().filter(|_| job.method.is_freeform()) else {
        return bad(AnswerFault::OtherForm);
    };
    let n = instance.records();
    if !answer.labels.iter().copied().eq(0..n as u32) {
        return bad(AnswerFault::NotByThemselves);
    }
    freeform::verify(matchings, n, freeform::k(job)?)?;
    let covered = freeform::covered(matchings);
    Ok(match job.loss {
        LossName::Sse => freeform::loss(instance, &Sse, &covered),
        LossName::Ncp | LossName::NcpBinary => freeform::loss(instance, &ncp(job.loss), &covered),
    })
}
