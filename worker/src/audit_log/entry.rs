//! One entry of an audit log.

use serde::{Deserialize, Serialize};

use crate::sent::now;

/// What was asked for, or what happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum What {
    /// The worker has begun.
    Start,
    /// The worker ends as it was told to.
    End,
    /// To take a job on.
    Submit,
    /// To end a search with its best so far.
    Stop,
    /// To remove a job.
    Delete,
    /// An answer to a job.
    Fetch,
    /// Another thing to be read: written down only when it is refused.
    Read,
    /// Something that there is not.
    Other,
    /// A search has ended.
    Finish,
    /// A job was removed since its time was up.
    Expire,
    /// A line before this one was cut off when the worker was killed.
    Torn,
}

/// What is said of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Event {
    /// When: UTC, to the second.
    pub(crate) at: String,
    /// What was asked for, or what happened.
    pub(crate) what: What,
    /// Name of the token; nobody where there was none that is valid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) who: Option<String>,
    /// Address that the connection came from: a proxy's, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<String>,
    /// Id of the job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) job: Option<String>,
    /// Status of the HTTP answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<u16>,
    /// Kind of the problem, for what was refused or failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<String>,
    /// Requests without a valid token since the last entry that were too many to be written down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) unrecorded: Option<u64>,
    /// Bytes of a line that was cut off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) bytes: Option<u64>,
    /// Version of the program that begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) version: Option<String>,
}

impl Event {
    /// This, now, and nothing more.
    pub(crate) fn of(what: What) -> Self {
        Self {
            at: now(),
            what,
            who: None,
            from: None,
            job: None,
            status: None,
            problem: None,
            unrecorded: None,
            bytes: None,
            version: None,
        }
    }

    /// Whether it is a request without a valid token.
    pub(super) fn is_strangers(&self) -> bool {
        self.status == Some(401)
    }
}

/// An entry: an event in its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Its number, from 1.
    pub(super) n: u64,
    /// SHA-256 of the line before, without its end, in hexadecimal digits; zeros before the first.
    pub(super) previous: String,
    /// What it says.
    #[serde(flatten)]
    pub(super) event: Event,
}
