//! A job for a search on this machine that has a program by itself: what a worker elsewhere gets, and the levels of the columns and
//! the sets of attributes, which never leave this machine.

use std::{borrow::Cow, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::{job::Job, lattice::Lattice, sets::AttributeSet};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Beside<'a> {
    job: Cow<'a, Job>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    lattice: Option<Cow<'a, Lattice>>,
    #[serde(skip_serializing_if = "<[AttributeSet]>::is_empty", default)]
    sets: Cow<'a, [AttributeSet]>,
}

/// The job as JSON.
///
/// # Errors
/// If a number of it cannot be written.
pub fn write(job: &Job) -> Result<Vec<u8>, serde_json::Error> {
    serde_json::to_vec(&Beside {
        job: Cow::Borrowed(job),
        lattice: job.lattice.as_deref().map(Cow::Borrowed),
        sets: Cow::Borrowed(&job.sets),
    })
}

/// The job that [`write`] wrote.
///
/// # Errors
/// What is wrong with the bytes, and where.
pub fn read(bytes: &[u8]) -> Result<Job, serde_json::Error> {
    let Beside { job, lattice, sets } = serde_json::from_slice(bytes)?;
    let lattice = lattice.map(|lattice| Arc::new(lattice.into_owned()));
    Ok(Job { lattice, sets: sets.into_owned(), ..job.into_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        lattice::{Level, Levels},
        rule::Rule,
    };

    #[test]
    fn levels_come_over_and_stay_out_of_the_job_itself() {
        let level = |cost: f64| Level { node: vec![0, 0], cost: vec![cost; 2] };
        let columns = vec![Levels { leaf: vec![0, 1], levels: vec![level(0.0), level(0.1 + 0.2)] }];
        let lattice = Lattice { columns, price: 1.0, most: 1, sets: Vec::new() };
        let sets = vec![AttributeSet { attributes: vec![0], least: 2 }];
        let of = Job::of(1, vec![0.1, 0.2], Rule::at_least(2));
        let job = Job { lattice: Some(Arc::new(lattice)), sets, ..of };
        assert_eq!(read(&write(&job).unwrap()).unwrap(), job);
        let plain = Job { lattice: None, sets: Vec::new(), ..job.clone() };
        assert_eq!(read(&write(&plain).unwrap()).unwrap(), plain);
        assert!(
            !serde_json::to_string(&job).unwrap().contains("lattice"),
            "a worker elsewhere gets no levels"
        );
    }
}
