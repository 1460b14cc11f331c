//! What things are called on the server. All names begin with the tenant's prefix, so that an account or a permission can
//! hold a tenant to its own.

use super::connect::NatsFault;

/// Version of the messages and of what stands in the buckets.
const FORMAT: &str = "5";

/// The names of one tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Names {
    prefix: String,
    /// Revision of the algorithms and format: whoever has another one may come to other answers.
    version: String,
}

/// A prefix: a token of subjects and the beginning of streams' names.
pub(crate) fn prefix(text: &str) -> Result<String, NatsFault> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !text.is_empty() && text.len() <= 64 && text.chars().all(allowed) {
        return Ok(text.to_owned());
    }
    Err(NatsFault::Prefix)
}

impl Names {
    pub(crate) fn new(prefix: &str) -> Self {
        let version = format!("{}-{FORMAT}", lookalike_model::REVISION);
        Self { prefix: prefix.to_owned(), version }
    }

    /// The version, for messages.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// The stream of tasks.
    pub(crate) fn tasks(&self) -> String {
        format!("{}-tasks", self.prefix)
    }

    /// Its subjects.
    pub(crate) fn all_tasks(&self) -> String {
        format!("{}.tasks.>", self.prefix)
    }

    /// The tasks for workers of this version.
    pub(crate) fn our_tasks(&self) -> String {
        format!("{}.tasks.{}.*.*", self.prefix, self.version)
    }

    /// The consumer that workers of this version share.
    pub(crate) fn consumer(&self) -> String {
        format!("workers-{}", self.version)
    }

    /// The tasks of a job.
    pub(crate) fn tasks_of(&self, job: &str) -> String {
        format!("{}.tasks.*.{job}.*", self.prefix)
    }

    /// One task.
    pub(crate) fn task(&self, job: &str, block: &str) -> String {
        format!("{}.tasks.{}.{job}.{block}", self.prefix, self.version)
    }

    /// The stream of tasks that were given up.
    pub(crate) fn dead(&self) -> String {
        format!("{}-dead", self.prefix)
    }

    /// Its subjects.
    pub(crate) fn all_dead(&self) -> String {
        format!("{}.dead.>", self.prefix)
    }

    /// A task that was given up.
    pub(crate) fn dead_task(&self, job: &str, block: &str) -> String {
        format!("{}.dead.{}.{job}.{block}", self.prefix, self.version)
    }

    /// Where it is said that a block of a job has an answer.
    pub(crate) fn done(&self, job: &str) -> String {
        format!("{}.done.{job}", self.prefix)
    }

    /// Where it is said that a job is over.
    pub(crate) fn over(&self, job: &str) -> String {
        format!("{}.over.{job}", self.prefix)
    }

    /// Where workers say that they live.
    pub(crate) fn alive(&self) -> String {
        format!("{}.alive.{}", self.prefix, self.version)
    }

    /// The bucket with a job's payloads and answers.
    pub(crate) fn bucket(&self, job: &str) -> String {
        format!("{}-job-{job}", self.prefix)
    }

    /// The bucket that counts attempts.
    pub(crate) fn attempts(&self) -> String {
        format!("{}-attempts", self.prefix)
    }

    /// What the server says when it gives a task up.
    pub(crate) fn advisory(&self) -> String {
        format!("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.{}.>", self.tasks())
    }
}

/// A block's payload in the bucket of its job.
pub(crate) fn payload(block: &str) -> String {
    format!("block-{block}")
}

/// The answer to it.
pub(crate) fn answer(block: &str) -> String {
    format!("answer-{block}")
}

/// The count of attempts at a block.
pub(crate) fn count(job: &str, block: &str) -> String {
    format!("{job}.{block}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_cannot_reach_beyond_its_tenant() {
        for good in ["lookalike", "a", "Office-3_b"] {
            assert_eq!(prefix(good).unwrap(), good);
        }
        for bad in ["", "a.b", "*", ">", "a b", "$JS", "ä", &"x".repeat(65)] {
            assert!(prefix(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_task_is_one_of_its_job_and_of_its_version() {
        let names = Names::new("t");
        let (task, version) = (names.task("j", "b"), names.version());
        assert_eq!(task, format!("t.tasks.{version}.j.b"));
        assert!(!version.contains('.'), "{version}");
        assert_eq!(names.our_tasks(), format!("t.tasks.{version}.*.*"));
        assert_eq!(names.tasks_of("j"), "t.tasks.*.j.*");
    }
}
