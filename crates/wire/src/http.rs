//! States and errors of the job API (`/v1/jobs`).

use lookalike_model::event::Progress;
use lookalike_words::Said;
use serde::{Deserialize, Serialize};

/// What `POST /v1/jobs` and `GET /v1/jobs/{id}` answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct JobInfo {
    /// Unguessable id.
    pub id: String,
    /// Where the job stands.
    pub state: JobState,
    /// The newest progress report.
    pub progress: Option<Progress>,
    /// Why it failed, when it did.
    pub error: Option<Problem>,
}

/// What `GET /v1/jobs` answers: a page of the jobs that came with the same token, oldest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct JobList {
    /// The jobs.
    pub jobs: Vec<JobInfo>,
    /// The `after` of the next page; `null` on the last one.
    pub next: Option<String>,
}

/// Where a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum JobState {
    /// Waits for its turn.
    Queued,
    /// Is being solved.
    Running,
    /// `GET /v1/jobs/{id}/result` has the answer.
    Done,
    /// There will be no answer; `error` says why.
    Failed,
}

impl Problem {
    /// What is wrong here and what to do.
    #[must_use]
    pub fn said(self) -> Said {
        self.message.map_or_else(|| Said::verbatim(self.detail), |said| *said)
    }
}

/// An error as RFC 9457 (`application/problem+json`) has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Problem {
    /// A stable code as a relative URI, such as `/problems/invalid-job`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The same for every occurrence of the code.
    pub title: String,
    /// HTTP status code.
    pub status: u16,
    /// What is wrong here and what to do, in English.
    pub detail: String,
    /// The same as a message, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Box<Said>>,
}
