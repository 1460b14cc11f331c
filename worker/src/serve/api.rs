//! The job API: `/v1`.

use std::{sync::Arc, time::SystemTime};

use axum::{
    Extension, Json, Router,
    extract::{FromRequestParts, Path, Query, Request},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::any,
};
use lookalike_wire::{
    http::{JobInfo, JobList, Problem},
    job::{Answer, Job},
};
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;
use tower_http::{
    compression::CompressionLayer,
    cors::{AllowOrigin, CorsLayer},
    decompression::RequestDecompressionLayer,
};
use utoipa::{IntoParams, OpenApi as _, ToSchema, openapi::OpenApi as Document};
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{
    body::{Format, Packing, Room},
    events, openapi,
    problem::{self, Refusal},
    store::{Arrival, Store},
    token::Tokens,
};

/// Jobs on a page of the list, unless fewer are asked for; no page has more.
const LISTED: usize = 100;

/// What the handlers share.
pub(crate) struct Api {
    /// The jobs.
    pub(crate) store: Arc<Store>,
    /// Who may ask; `None` on loopback without tokens: everybody.
    tokens: Option<Tokens>,
    room: Room,
}

impl Api {
    /// An API over these jobs.
    pub(crate) fn new(store: Arc<Store>, tokens: Option<Tokens>) -> Self {
        let room = Room::new(store.limits.body);
        Self { store, tokens, room }
    }
}

type Shared = Extension<Arc<Api>>;

/// Name of the token that a request came with.
#[derive(Clone, Debug)]
struct Owner(String);

/// The job API and its metrics. Pages of `origins` may call it.
pub(crate) fn routes(api: Api, origins: Vec<HeaderValue>) -> Router {
    let api = Arc::new(api);
    let guard = Arc::clone(&api);
    let (guarded, open, document) = documented();
    let document = Arc::new(document);
    guarded
        // Not under `nest`, which would not cover the slash at the end.
        .route("/v1", any(nothing))
        .route("/v1/", any(nothing))
        .route("/v1/{*rest}", any(nothing))
        .layer(middleware::from_fn(move |request, next| authorize(Arc::clone(&guard), request, next)))
        .merge(open)
        .layer(Extension(document))
        .layer(Extension(api))
        .layer(CompressionLayer::new())
        .layer(cors(origins))
}

/// The routes behind a token, those that are open to everybody, and the description of both.
fn documented() -> (Router, Router, Document) {
    let (schemas, paths, jobs) = routes!(submit, list);
    // What it does not know is left to `Packing`.
    let jobs = jobs
        .layer(RequestDecompressionLayer::new().pass_through_unaccepted(true))
        .layer(middleware::from_fn(lower_encoding));
    let (guarded, guarded_document) = OpenApiRouter::with_openapi(openapi::Shared::openapi())
        .routes((schemas, paths, jobs))
        .routes(routes!(info, delete))
        .routes(routes!(follow))
        .routes(routes!(result))
        .routes(routes!(stop))
        .routes(routes!(metrics))
        .split_for_parts();
    let (open, open_document) =
        OpenApiRouter::new().routes(routes!(health)).routes(routes!(describe)).split_for_parts();
    let document = openapi::complete(guarded_document.merge_from(open_document));
    (
        guarded.method_not_allowed_fallback(wrong_method),
        open.method_not_allowed_fallback(wrong_method),
        document,
    )
}

fn cors(origins: Vec<HeaderValue>) -> CorsLayer {
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::HeaderName::from_static("idempotency-key"),
            header::HeaderName::from_static("last-event-id"),
        ])
        .expose_headers([header::LOCATION, header::RETRY_AFTER])
        // A page from the network may call a worker on its user's machine, if it was named.
        .allow_private_network(true)
}

/// Names of encodings may be in capitals; what unpacks them knows them in small letters.
async fn lower_encoding(mut request: Request, next: Next) -> Response {
    if let Some(name) = request.headers_mut().get_mut(header::CONTENT_ENCODING)
        && let Ok(lower) = HeaderValue::from_bytes(&name.as_bytes().to_ascii_lowercase())
    {
        *name = lower;
    }
    next.run(request).await
}

/// The id of a job in a path. What is not even text names none.
struct Id(String);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(id)) => Ok(Self(id)),
            Err(_) => Err(no_job().into()),
        }
    }
}

async fn authorize(api: Arc<Api>, mut request: Request, next: Next) -> Response {
    let owner = match &api.tokens {
        None => Some("everybody"),
        Some(tokens) => tokens.owner(request.headers(), SystemTime::now()),
    };
    let Some(owner) = owner else {
        return Refusal(
            problem::UNAUTHORIZED.because("send \"Authorization: Bearer\" and a token that is valid"),
        )
        .into_response();
    };
    let owner = Owner(owner.to_owned());
    request.extensions_mut().insert(owner);
    next.run(request).await
}

/// What a worker says of itself.
#[derive(Serialize, ToSchema)]
struct Health {
    /// Always `ok`: a worker that is not does not answer.
    status: &'static str,
    /// Version of the program.
    version: &'static str,
}

/// Whether the worker answers
#[utoipa::path(get, path = "/v1/health", responses((status = 200, body = Health, description = "It does")))]
async fn health() -> Json<Health> {
    Json(Health { status: "ok", version: env!("CARGO_PKG_VERSION") })
}

/// This description
#[utoipa::path(
    get,
    path = "/openapi.json",
    responses((status = 200, description = "It", content((serde_json::Value = "application/json"))))
)]
async fn describe(Extension(document): Extension<Arc<Document>>) -> Response {
    Json(document.as_ref()).into_response()
}

/// Figures for Prometheus
#[utoipa::path(
    get,
    path = "/metrics",
    responses((status = 200, description = "OpenMetrics", content((String = "application/openmetrics-text"))))
)]
async fn metrics(Extension(api): Shared) -> Result<Response, Refusal> {
    let text = api.store.metrics.text(&api.store).map_err(|e| problem::SOLVER.because(e.to_string()))?;
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}

/// A job as compact bytes.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "it is described, never built: the bytes are read as they come")]
struct Compact(Vec<u8>);

/// Hands in a job
#[utoipa::path(
    post,
    path = "/v1/jobs",
    params(
        ("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255,
            description = "A request that is repeated with the same key makes one job"),
    ),
    request_body(
        content((Job = "application/json"), (Compact = "application/vnd.lookalike.job")),
        description = "The job; may be packed, with `Content-Encoding: gzip` or `zstd`"
    ),
    responses((
        status = 202, body = JobInfo, description = "Taken on, or known already by its key",
        headers(("Location" = String, description = "Where the job is"))
    ))
)]
async fn submit(
    Extension(api): Shared,
    Extension(Owner(owner)): Extension<Owner>,
    request: Request,
) -> Result<Response, Refusal> {
    let format = Format::of(request.headers())?;
    let packing = Packing::of(request.headers())?;
    let key = idempotency_key(request.headers())?;
    let room = api.room.take(request.headers()).await?;
    let bytes = api.room.read(request.into_body()).await?;
    let shared = Arc::clone(&api);
    let submitted = off_the_loop(move || {
        // Also when nobody waits for the answer any more.
        let _room = room;
        let key = key.map(|key| (key, *blake3::hash(&bytes).as_bytes()));
        let largest = shared.store.limits.body;
        let job = format.parse(&packing.open(bytes, largest)?, largest)?;
        shared.store.submit(Arrival { owner, key, job })
    });
    let info = submitted.await??;
    let location = [(header::LOCATION, format!("/v1/jobs/{}", info.id))];
    Ok((StatusCode::ACCEPTED, location, Json(info)).into_response())
}

/// The key by which a client marks a request that it may repeat.
fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    match value.to_str() {
        Ok(key) if !key.is_empty() && key.len() <= 255 => Ok(Some(key.to_owned())),
        _ => Err(problem::BAD_REQUEST.because("an Idempotency-Key has 1 to 255 printable ASCII characters")),
    }
}

/// Runs what may take a while, such as parsing and writing to a disk, beside the event loop.
async fn off_the_loop<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Problem> {
    spawn_blocking(work)
        .await
        .map_err(|_| problem::SOLVER.because("the request broke down; the worker's log says where"))
}

/// The parameters of a list.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Page {
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
async fn list(
    Extension(api): Shared,
    Extension(Owner(owner)): Extension<Owner>,
    page: Result<Query<Page>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<JobList>, Refusal> {
    let Query(page) = page.map_err(|e| problem::BAD_REQUEST.because(e.body_text()))?;
    let limit = page.limit.unwrap_or(LISTED);
    if limit == 0 || limit > LISTED {
        return Err(problem::BAD_REQUEST.because(format!("limit is a number from 1 to {LISTED}")).into());
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
async fn info(
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
async fn follow(
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
async fn result(
    Extension(api): Shared,
    Extension(Owner(owner)): Extension<Owner>,
    Id(id): Id,
) -> Result<Response, Refusal> {
    let read = off_the_loop(move || api.store.answer(&owner, &id)).await??;
    match read.ok_or_else(no_job)? {
        Ok(bytes) => Ok(([(header::CONTENT_TYPE, "application/json")], bytes).into_response()),
        Err(JobInfo { error: Some(problem), .. }) => Err(problem.into()),
        Err(_) => Err(problem::NOT_DONE.because("ask again when its state is \"done\"").into()),
    }
}

/// Ends a search; the result is its best so far
#[utoipa::path(
    post,
    path = "/v1/jobs/{id}/stop",
    params(("id" = String, Path, description = "The job's id")),
    responses((status = 202, body = JobInfo, description = "It was asked to end"))
)]
async fn stop(
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
async fn delete(
    Extension(api): Shared,
    Extension(Owner(owner)): Extension<Owner>,
    Id(id): Id,
) -> Result<StatusCode, Refusal> {
    let deleted = off_the_loop(move || api.store.delete(&owner, &id)).await??;
    if deleted { Ok(StatusCode::NO_CONTENT) } else { Err(no_job().into()) }
}

/// The answer where there is no route.
async fn nothing(request: Request) -> Refusal {
    problem::NOT_FOUND.because(format!("no route {}", request.uri().path())).into()
}

async fn wrong_method(request: Request) -> Refusal {
    problem::METHOD
        .because(format!("{} is not possible on {}", request.method(), request.uri().path()))
        .into()
}

fn no_job() -> Problem {
    problem::NO_JOB.because("it never was, was deleted, or its time is up")
}
