//! Errors of the job API as `application/problem+json` (RFC 9457), with stable codes.

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use lookalike_core::Error;
use lookalike_model::ErrorKind;
use lookalike_wire::http::Problem;
use lookalike_words::Said;

pub(crate) use super::detail::Detail;

/// A kind of error: its code never changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// The `type` of the problem.
    pub(crate) code: &'static str,
    /// The `title` of the problem.
    pub(crate) title: &'static str,
    /// The status of the response.
    pub(crate) status: u16,
}

const fn kind(code: &'static str, title: &'static str, status: u16) -> Kind {
    Kind { code, title, status }
}

/// Nothing lives at this path.
pub(crate) const NOT_FOUND: Kind = kind("/problems/not-found", "There is nothing here", 404);
/// The path takes other methods.
pub(crate) const METHOD: Kind = kind("/problems/method-not-allowed", "The method does not fit the path", 405);
/// No such job, or no longer.
pub(crate) const NO_JOB: Kind = kind("/problems/no-such-job", "There is no such job", 404);
/// The token is missing or wrong.
pub(crate) const UNAUTHORIZED: Kind = kind("/problems/unauthorized", "A token is needed", 401);
/// The request names another host: it may come from a page that plays tricks with names.
pub(crate) const WRONG_HOST: Kind = kind("/problems/wrong-host", "This server goes by another name", 421);
/// The body is no JSON.
pub(crate) const MEDIA_TYPE: Kind =
    kind("/problems/unsupported-media-type", "A job is JSON or application/vnd.lookalike.job", 415);
/// The body is too large.
pub(crate) const TOO_LARGE: Kind = kind("/problems/too-large", "The job is too large", 413);
/// The body takes too long to arrive.
pub(crate) const TOO_SLOW: Kind = kind("/problems/too-slow", "The job takes too long to arrive", 408);
/// The body is no job, or an inconsistent one.
pub(crate) const INVALID: Kind = kind("/problems/invalid-job", "The job is not valid", 422);
/// The job has another version.
pub(crate) const VERSION: Kind =
    kind("/problems/unsupported-version", "The job's version is not known here", 422);
/// No admissible partition exists.
pub(crate) const INFEASIBLE: Kind = kind("/problems/infeasible", "The job has no solution", 422);
/// Too many jobs.
pub(crate) const QUEUE_FULL: Kind = kind("/problems/queue-full", "The queue is full", 429);
/// There is no result yet.
pub(crate) const NOT_DONE: Kind = kind("/problems/not-done", "The job is not done", 409);
/// The job was deleted.
pub(crate) const DELETED: Kind = kind("/problems/deleted", "The job was deleted", 410);
/// The solver failed, or its answer did not stand verification.
pub(crate) const SOLVER: Kind = kind("/problems/solver-failed", "The job could not be solved", 500);
/// The key came with another job before.
pub(crate) const KEY_REUSED: Kind =
    kind("/problems/idempotency-key-reused", "The key belongs to another job", 422);
/// A header or a parameter of the request is wrong.
pub(crate) const BAD_REQUEST: Kind = kind("/problems/bad-request", "The request is not understood", 400);
/// Too many payloads arrive at the same time.
pub(crate) const BUSY: Kind = kind("/problems/busy", "The worker is busy", 503);
/// The disk is full or broken.
pub(crate) const STORAGE: Kind = kind("/problems/storage", "The job cannot be stored", 507);
/// The worker is about to stop.
pub(crate) const STOPPING: Kind = kind("/problems/stopping", "The worker is stopping", 503);

impl Kind {
    /// A problem of this kind: what is wrong here, and what to do.
    pub(crate) fn because(self, detail: impl Into<Said>) -> Problem {
        let Self { code, title, status } = self;
        let said = detail.into();
        Problem {
            kind: code.to_owned(),
            title: title.to_owned(),
            status,
            detail: said.to_string(),
            // What has no identity is said by its words alone.
            message: Some(said).filter(|said| !said.id().is_empty()).map(Box::new),
        }
    }
}

/// The problem that an error of the core is.
pub(crate) fn of(error: &Error) -> Problem {
    let kind = match error.kind() {
        ErrorKind::Input => INVALID,
        ErrorKind::Infeasible => INFEASIBLE,
        ErrorKind::Answer | ErrorKind::Failed => SOLVER,
    };
    kind.because(error.said())
}

/// Kind of the problem that an answer tells, for whoever writes that down.
#[derive(Clone, Debug)]
pub(crate) struct Told(pub(crate) String);

/// A problem as a response.
pub(crate) struct Refusal(pub(crate) Problem);

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let told = Told(self.0.kind.clone());
        let mut response = (status, Json(self.0)).into_response();
        response.extensions_mut().insert(told);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        match status {
            StatusCode::UNAUTHORIZED => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
            }
            _ => {}
        }
        response
    }
}
