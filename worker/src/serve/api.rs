//! The job API: `/v1`.

use std::{sync::Arc, time::Duration};

use axum::{
    Extension, Json, Router,
    body::Bytes,
    extract::{DefaultBodyLimit, FromRequest as _, Path, Request},
    http::{HeaderValue, Method, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use lookalike_core::instance::Instance;
use lookalike_wire::{
    http::{JobInfo, Problem},
    job::{JOB_VERSION, Job},
};
use serde_json::json;
use tokio::{sync::Semaphore, task::spawn_blocking, time::timeout};
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::{
    events,
    problem::{self, Refusal},
    store::Store,
    token,
};

/// Payloads that are read at the same time; each may be large.
const READERS: usize = 2;

/// How long a payload may take to arrive.
const READING: Duration = Duration::from_secs(600);

/// What the handlers share.
pub(crate) struct Api {
    /// The jobs.
    pub(crate) store: Arc<Store>,
    /// The token that every request must carry, if any.
    pub(crate) token: Option<String>,
    readers: Semaphore,
}

impl Api {
    /// An API over these jobs.
    pub(crate) fn new(store: Arc<Store>, token: Option<String>) -> Self {
        Self { store, token, readers: Semaphore::new(READERS) }
    }
}

type Shared = Extension<Arc<Api>>;

/// The routes below `/v1`. Pages of `origins` may call them.
pub(crate) fn routes(api: Api, origins: Vec<HeaderValue>) -> Router {
    let limit = DefaultBodyLimit::max(api.store.limits.body);
    let api = Arc::new(api);
    let guard = Arc::clone(&api);
    Router::new()
        .route("/jobs", post(submit).layer(limit))
        .route("/jobs/{id}", get(info).delete(delete))
        .route("/jobs/{id}/events", get(follow))
        .route("/jobs/{id}/result", get(result))
        .route("/jobs/{id}/stop", post(stop))
        .fallback(nothing)
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn(move |request, next| authorize(Arc::clone(&guard), request, next)))
        .route("/health", get(health))
        .layer(Extension(api))
        .layer(cors(origins))
}

fn cors(origins: Vec<HeaderValue>) -> CorsLayer {
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::HeaderName::from_static("last-event-id"),
        ])
        .expose_headers([header::LOCATION, header::RETRY_AFTER])
        // A page from the network may call a worker on its user's machine, if it was named.
        .allow_private_network(true)
}

async fn authorize(api: Arc<Api>, request: Request, next: Next) -> Response {
    match &api.token {
        Some(expected) if !token::matches(request.headers(), expected) => {
            Refusal(problem::UNAUTHORIZED.because("send \"Authorization: Bearer\" and the worker's token"))
                .into_response()
        }
        _ => next.run(request).await,
    }
}

async fn health() -> Json<serde_json::Value> {
    Json(json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") }))
}

async fn submit(Extension(api): Shared, request: Request) -> Result<Response, Refusal> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or_default();
    // Also a guard: a page of another origin cannot send this type without asking first (CORS preflight).
    if kind.split(';').next().map(str::trim) != Some("application/json") {
        return Err(problem::MEDIA_TYPE.because("send the job as application/json").into());
    }
    let limit = api.store.limits.body;
    let too_large = || Refusal(problem::TOO_LARGE.because(format!("a job may have {limit} bytes")));
    let announced = request.headers().get(header::CONTENT_LENGTH).and_then(|v| v.to_str().ok()?.parse().ok());
    if announced.is_some_and(|bytes: usize| bytes > limit) {
        return Err(too_large());
    }
    let stopping = |_| problem::STOPPING.because("the worker takes no more jobs");
    let _permit = api.readers.acquire().await.map_err(stopping)?;
    let arrived = timeout(READING, Bytes::from_request(request, &())).await;
    let bytes = arrived
        .map_err(|_| problem::TOO_SLOW.because(format!("it may take {} seconds", READING.as_secs())))?
        .map_err(|e| match e.status() {
            StatusCode::PAYLOAD_TOO_LARGE => too_large(),
            _ => problem::INVALID.because(e.body_text()).into(),
        })?;
    let size = bytes.len();
    let read = spawn_blocking(move || parse(&bytes)).await;
    let job = read.map_err(|_| problem::INVALID.because("it cannot be read"))??;
    let info = api.store.submit(job, size)?;
    let location = [(header::LOCATION, format!("/v1/jobs/{}", info.id))];
    Ok((StatusCode::ACCEPTED, location, Json(info)).into_response())
}

/// A job in the right version with consistent numbers.
fn parse(bytes: &[u8]) -> Result<Job, Problem> {
    /// The version alone, so that a job of another version is told from a broken one.
    #[derive(serde::Deserialize)]
    struct Version {
        version: u32,
    }
    let invalid = |e: serde_json::Error| problem::INVALID.because(e.to_string());
    let Version { version } = serde_json::from_slice(bytes).map_err(invalid)?;
    if version != JOB_VERSION {
        return Err(problem::VERSION.because(format!("it is {version}; this worker knows {JOB_VERSION}")));
    }
    let job: Job = serde_json::from_slice(bytes).map_err(invalid)?;
    Instance::from_job(&job).map_err(|e| problem::of(&e))?;
    Ok(job)
}

async fn info(Extension(api): Shared, Path(id): Path<String>) -> Result<Json<JobInfo>, Refusal> {
    Ok(Json(api.store.info(&id).ok_or_else(no_job)?))
}

async fn follow(
    Extension(api): Shared,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Refusal> {
    let last =
        request.headers().get("last-event-id").and_then(|v| v.to_str().ok()).and_then(|v| v.parse().ok());
    let news = api.store.follow(&id).ok_or_else(no_job)?;
    Ok(events::stream(news, last).into_response())
}

async fn result(Extension(api): Shared, Path(id): Path<String>) -> Result<Response, Refusal> {
    match api.store.answer(&id).ok_or_else(no_job)? {
        Ok(bytes) => Ok(([(header::CONTENT_TYPE, "application/json")], bytes).into_response()),
        Err(JobInfo { error: Some(problem), .. }) => Err(problem.into()),
        Err(_) => Err(problem::NOT_DONE.because("ask again when its state is \"done\"").into()),
    }
}

async fn stop(Extension(api): Shared, Path(id): Path<String>) -> Result<Response, Refusal> {
    if !api.store.stop(&id) {
        return Err(no_job().into());
    }
    let info = api.store.info(&id).ok_or_else(no_job)?;
    Ok((StatusCode::ACCEPTED, Json(info)).into_response())
}

async fn delete(Extension(api): Shared, Path(id): Path<String>) -> Result<StatusCode, Refusal> {
    if api.store.delete(&id) { Ok(StatusCode::NO_CONTENT) } else { Err(no_job().into()) }
}

/// The answer where there is no route.
pub(crate) async fn nothing(request: Request) -> Refusal {
    problem::NOT_FOUND.because(format!("no route {} below /v1", request.uri().path())).into()
}

async fn wrong_method(request: Request) -> Refusal {
    problem::METHOD
        .because(format!("{} is not possible on {}", request.method(), request.uri().path()))
        .into()
}

fn no_job() -> Problem {
    problem::NO_JOB.because("it never was, was deleted, or its time is up")
}
