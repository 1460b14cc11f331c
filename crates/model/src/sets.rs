//! Sets of attributes whose groups are larger than a class: an attacker who knows a set and nothing else is to find more records alike
//! than one who knows all.
//!
//! The records have classes under the job's rule, and for each set groups of at least [`AttributeSet::least`] records, each of them a union
//! of classes. An attribute of a set is published by the groups of that set, all others by the classes. So records of one
//! class are alike in all attributes, and those of one group in the attributes of its set. The loss is that of each set's attributes in its
//! groups, and of the others in the classes.

use serde::{Deserialize, Serialize};

use crate::{
    Error,
    instance::Instance,
    job::{Answer, Attribute, Job},
    loss::{Ncp, Sse},
    partition::{Partition, PartitionFault},
    received::AnswerFault,
    rule::Rule,
    settings::Loss as LossName,
};

/// Attributes of which some attacker knows no others, and the fewest records that are alike in them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttributeSet {
    /// Places of its attributes in the job, ascending; none if all its columns are constant. No two sets have one in common.
    pub attributes: Vec<usize>,
    /// The fewest records of a group.
    pub least: usize,
}

/// The attributes of a job that are in none of its sets.
#[must_use]
pub fn others(job: &Job) -> Vec<usize> {
    let in_a_set = |at: &usize| job.sets.iter().any(|set| set.attributes.contains(at));
    (0..job.dims).filter(|at| !in_a_set(at)).collect()
}

/// The records of a job by these attributes alone, under this rule, which knows no colours. Without attributes nothing is lost.
#[must_use]
pub fn of_attributes(job: &Job, attributes: &[usize], rule: Rule) -> Job {
    let rows = job.points.chunks_exact(job.dims.max(1));
    let points: Vec<f64> = match attributes {
        [] => vec![0.0; rows.len()],
        _ => rows.flat_map(|row| attributes.iter().map(|&at| row[at])).collect(),
    };
    let described = match attributes {
        _ if job.attributes.is_empty() => Vec::new(),
        [] => vec![Attribute::default()],
        _ => attributes.iter().map(|&at| job.attributes[at].clone()).collect(),
    };
    Job {
        dims: attributes.len().max(1),
        points,
        attributes: described,
        colours: vec![0; job.colours.len()],
        rule,
        ranks: None,
        further: Vec::new(),
        series: None,
        lattice: None,
        sets: Vec::new(),
        ..job.clone()
    }
}

/// The parts that the loss is a sum over: a job for each set, then that of the other attributes. No classes and groups of the job lose
/// less than the best partitions of each part together.
#[must_use]
pub fn parts(job: &Job) -> Vec<Job> {
    let set = |set: &AttributeSet| of_attributes(job, &set.attributes, Rule::at_least(set.least));
    let rest = of_attributes(job, &others(job), job.rule.relaxed());
    job.sets.iter().map(set).chain([rest]).collect()
}

/// The loss of classes and groups, after checking that they are such.
///
/// # Errors
/// [`Error::Answer`], with the first violation found; [`Error::Job`] for an inconsistent job.
pub(crate) fn verified(job: &Job, answer: &Answer, instance: &Instance) -> Result<f64, Error> {
    let classes = Partition::from_labels(&answer.labels);
    classes.check(instance, &job.rule)?;
    if answer.coarser.len() != job.sets.len() {
        return Err(AnswerFault::OtherForm.into());
    }
    for (labels, set) in answer.coarser.iter().zip(&job.sets) {
        let sizes = Rule::at_least(set.least);
        if labels.len() != classes.labels.len() {
            let (labels, records) = (labels.len(), classes.labels.len());
            return Err(AnswerFault::Partition(PartitionFault::Labels { labels, records }).into());
        }
        Partition::from_labels(labels).check(instance, &sizes)?;
        let whole =
            |class: &Vec<u32>| class.windows(2).all(|w| labels[w[0] as usize] == labels[w[1] as usize]);
        if !classes.members().iter().all(whole) {
            return Err(AnswerFault::OtherForm.into());
        }
    }
    let labels = answer.coarser.iter().chain([&answer.labels]);
    let each = parts(job).into_iter().zip(labels).map(|(part, labels)| loss(&part, labels));
    each.sum()
}

/// The loss of a part by these labels.
fn loss(part: &Job, labels: &[u32]) -> Result<f64, Error> {
    let (instance, partition) = (Instance::from_job(part)?, Partition::from_labels(labels));
    Ok(match part.loss {
        LossName::Sse => partition.loss(&instance, &Sse),
        LossName::Ncp | LossName::NcpBinary => {
            partition.loss(&instance, &Ncp { binary: part.loss == LossName::NcpBinary })
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{job::Status, verify::verify};

    fn answer(labels: Vec<u32>, coarser: Vec<Vec<u32>>, loss: f64) -> Answer {
        Answer {
            labels,
            coarser,
            loss,
            status: Status::EffortSpent,
            bound: None,
            claimed: None,
            work: None,
            duals: None,
            freeform: None,
            full_domain: None,
            method: lookalike_words::Said::default(),
            parameters: std::collections::BTreeMap::new(),
            moves: 0,
            threads: 1,
            seconds: 0.0,
        }
    }

    /// Four records with two attributes, classes of two by the second, all alike in the first.
    fn job() -> Job {
        let points = vec![0.0, 0.0, 1.0, 0.0, 0.0, 5.0, 1.0, 5.0];
        let sets = vec![AttributeSet { attributes: vec![0], least: 4 }];
        Job { sets, ..Job::of(2, points, Rule::at_least(2)) }
    }

    #[test]
    fn the_loss_is_that_of_groups_and_classes() {
        let job = job();
        let answer = answer(vec![0, 0, 1, 1], vec![vec![0; 4]], 1.0);
        assert!((verify(&job, &answer).unwrap() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn groups_are_large_and_unions_of_classes() {
        let job = job();
        let wrong =
            |coarser: Vec<Vec<u32>>| verify(&job, &answer(vec![0, 0, 1, 1], coarser, 1.0)).unwrap_err();
        wrong(vec![vec![0, 0, 1, 1]]);
        wrong(Vec::new());
        wrong(vec![vec![0; 3]]);
        let job = Job { sets: vec![AttributeSet { attributes: vec![0], least: 2 }], ..job.clone() };
        let across = answer(vec![0, 0, 1, 1], vec![vec![0, 1, 0, 1]], 0.0);
        verify(&job, &across).unwrap_err();
    }
}
