//! What becomes of a job: lists, states, events, answers; and ending it.

use axum::{
    Extension, Json,
    extract::{FromRequestParts, Path, Query, Request, rejection::QueryRejection},
    http::{StatusCode, header, request::Parts},
    response::{IntoResponse as _, Response},
};
use lookalike_model::job::Answer;
use lookalike_wire::http::{JobInfo, JobList, Problem};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{
    super::{
        events,
        problem::{self, Detail, Refusal},
    },
    Owner, Shared, off_the_loop,
};

/// Jobs on a page of the list, unless fewer are asked for; no page has more.
const LISTED: usize = 100;

/// The id of a job in a path. What is not even text names none.
pub(super) struct Id(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(id)) => Ok(Self(id)),
            Err(_) => Err(no_job().into()),
        }
    }
}

/// The parameters of a list.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Page {
    /// Id of the last job of the page before.
    after: Option<String>,
    /// Jobs on the page.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
}

/// The jobs that came with the same token, oldest first
#[utoipa::path(
    get,
    path = "/v1/jobs",
    params(Page),
    responses((status = 200, body = JobList, description = "A page of them"))
)]
pub(super) async fn list(
    Extension(api): Shared,
    Extension(Owner(owner)): Extension<Owner>,
    page: Result<Query<Page>, QueryRejection>,
) -> Result<Json<JobList>, Refusal> {
    let Query(page) = page.map_err(|e| problem::BAD_REQUEST.because(Detail::Query { why: e.body_text() }))?;
    let limit = page.limit.unwrap_or(LISTED);
    if limit == 0 || limit > LISTED {
        return Err(problem::BAD_REQUEST.because(Detail::Limit { most: LISTED }).into());
    }
    let listed = api.store.list(&owner, page.after.as_deref(), limit).ok_or_else(no_job)?;
    let next = if listed.more { listed.jobs.last().map(|job| job.id.clone()) } else { None };
    Ok(Json(JobList { jobs: listed.jobs, next }))
}

/// A job's state and newest progress
#[utoipa::path(
    get,
    path = "/v1/jobs/{id}",
    params(("id" = String, Path, description = "The job's id")),
    responses((status = 200, body = JobInfo, description = "Its state"))
)]
pub(super) async fn info(
    Extension(api): Shared,
    Extension(Owner(owner)): Extension<Owner>,
    Id(id): Id,
) -> Result<Json<JobInfo>, Refusal> {
    Ok(Json(api.store.info(&owner, &id).ok_or_else(no_job)?))
}

/// A job's progress as server-sent events
///
/// `progress` has a Progress as its data; the last event, `state`, the job's final `JobInfo`.
#[utoipa::path(
    get,
    path = "/v1/jobs/{id}/events",
    params(
        ("id" = String, Path, description = "The job's id"),
        ("Last-Event-ID" = Option<String>, Header, description = "Only what is newer than this is told")
    ),
    responses((status = 200, description = "Events until the job ends", content((String = "text/event-stream"))))
)]
pub(super) async fn follow(
    Extension(api): Shared,
    Extension(Owner(owner)): Extension<Owner>,
    Id(id): Id,
    request: Request,
) -> Result<Response, Refusal> {
    let last =
        request.headers().get("last-event-id").and_then(|v| v.to_str().ok()).and_then(|v| v.parse().ok());
    let news = api.store.follow(&owner, &id).ok_or_else(no_job)?;
    Ok(events::stream(news, last).into_response())
}

/// The answer to a job; reading it changes nothing
#[utoipa::path(
    get,
    path = "/v1/jobs/{id}/result",
    params(("id" = String, Path, description = "The job's id")),
    responses((status = 200, body = Answer, description = "The answer; the problems are those of a job that failed"))
)]
pub(super) async fn result(
    Extension(api): Shared,
    Extension(Owner(owner)): Extension<Owner>,
    Id(id): Id,
) -> Result<Response, Refusal> {
    let read = off_the_loop(move || api.store.answer(&owner, &id)).await??;
    match read.ok_or_else(no_job)? {
        Ok(bytes) => Ok(([(header::CONTENT_TYPE, "application/json")], bytes).into_response()),
        Err(JobInfo { error: Some(problem), .. }) => Err(problem.into()),
        Err(_) => Err(problem::NOT_DONE.because(Detail::NotDone).into()),
    }
}

/// Ends a search; the result is its best so far
#[utoipa::path(
    post,
    path = "/v1/jobs/{id}/stop",
    params(("id" = String, Path, description = "The job's id")),
    responses((status = 202, body = JobInfo, description = "It was asked to end"))
)]
pub(super) async fn stop(
    Extension(api): Shared,
    Extension(Owner(owner)): Extension<Owner>,
    Id(id): Id,
) -> Result<Response, Refusal> {
    let info = off_the_loop(move || {
        let stopped = api.store.stop(&owner, &id);
        stopped.then(|| api.store.info(&owner, &id)).flatten()
    });
    let info = info.await?.ok_or_else(no_job)?;
    Ok((StatusCode::ACCEPTED, Json(info)).into_response())
}

/// Cancels a job, and removes payload and result
#[utoipa::path(
    delete,
    path = "/v1/jobs/{id}",
    params(("id" = String, Path, description = "The job's id")),
    responses((status = 204, description = "It is gone"))
)]
pub(super) async fn delete(
    Extension(api): Shared,
    Extension(Owner(owner)): Extension<Owner>,
    Id(id): Id,
) -> Result<StatusCode, Refusal> {
    let deleted = off_the_loop(move || api.store.delete(&owner, &id)).await??;
    if deleted { Ok(StatusCode::NO_CONTENT) } else { Err(no_job().into()) }
}

pub(super) fn no_job() -> Problem {
    problem::NO_JOB.because(Detail::NoJob)
}
