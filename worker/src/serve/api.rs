//! The job API: `/v1`.

use std::{sync::Arc, time::SystemTime};

use axum::{
    Extension, Json, Router,
    extract::{Path, Query, Request},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{any, get, post},
};
use lookalike_wire::http::{JobInfo, JobList, Problem};
use serde::Deserialize;
use serde_json::json;
use tokio::task::spawn_blocking;
use tower_http::{
    compression::CompressionLayer,
    cors::{AllowOrigin, CorsLayer},
    decompression::RequestDecompressionLayer,
};

use super::{
    body::{Format, Room},
    events,
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
    let jobs = Router::new()
        .route("/jobs", post(submit).layer(RequestDecompressionLayer::new()).get(list))
        .route("/jobs/{id}", get(info).delete(delete))
        .route("/jobs/{id}/events", get(follow))
        .route("/jobs/{id}/result", get(result))
        .route("/jobs/{id}/stop", post(stop))
        .fallback(nothing)
        .method_not_allowed_fallback(wrong_method);
    let open = Router::new().route("/v1/health", get(health));
    Router::new()
        .nest("/v1", jobs)
        // Not part of what is nested; an error like the others there.
        .route("/v1/", any(nothing))
        .route("/metrics", get(metrics))
        .layer(middleware::from_fn(move |request, next| authorize(Arc::clone(&guard), request, next)))
        .merge(open)
        .layer(Extension(api))
        .layer(CompressionLayer::new())
        .layer(cors(origins))
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

async fn health() -> Json<serde_json::Value> {
    Json(json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") }))
}

async fn metrics(Extension(api): Shared) -> Result<Response, Refusal> {
    let text = api.store.metrics.text(&api.store).map_err(|e| problem::SOLVER.because(e.to_string()))?;
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}

async fn submit(
    Extension(api): Shared,
    Extension(Owner(owner)): Extension<Owner>,
    request: Request,
) -> Result<Response, Refusal> {
    let format = Format::of(request.headers())?;
    let key = idempotency_key(request.headers())?;
    let _room = api.room.take(request.headers()).await?;
    let bytes = api.room.read(request.into_body()).await?;
    let shared = Arc::clone(&api);
    let submitted = off_the_loop(move || {
        let key = key.map(|key| (key, *blake3::hash(&bytes).as_bytes()));
        let job = format.parse(&bytes)?;
        drop(bytes);
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
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    after: Option<String>,
    limit: Option<usize>,
}

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

async fn info(
    Extension(api): Shared,
    Extension(Owner(owner)): Extension<Owner>,
    Path(id): Path<String>,
) -> Result<Json<JobInfo>, Refusal> {
    Ok(Json(api.store.info(&owner, &id).ok_or_else(no_job)?))
}

async fn follow(
    Extension(api): Shared,
    Extension(Owner(owner)): Extension<Owner>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Refusal> {
    let last =
        request.headers().get("last-event-id").and_then(|v| v.to_str().ok()).and_then(|v| v.parse().ok());
    let news = api.store.follow(&owner, &id).ok_or_else(no_job)?;
    Ok(events::stream(news, last).into_response())
}

async fn result(
    Extension(api): Shared,
    Extension(Owner(owner)): Extension<Owner>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let read = off_the_loop(move || api.store.answer(&owner, &id)).await??;
    match read.ok_or_else(no_job)? {
        Ok(bytes) => Ok(([(header::CONTENT_TYPE, "application/json")], bytes).into_response()),
        Err(JobInfo { error: Some(problem), .. }) => Err(problem.into()),
        Err(_) => Err(problem::NOT_DONE.because("ask again when its state is \"done\"").into()),
    }
}

async fn stop(
    Extension(api): Shared,
    Extension(Owner(owner)): Extension<Owner>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    if !api.store.stop(&owner, &id) {
        return Err(no_job().into());
    }
    let info = api.store.info(&owner, &id).ok_or_else(no_job)?;
    Ok((StatusCode::ACCEPTED, Json(info)).into_response())
}

async fn delete(
    Extension(api): Shared,
    Extension(Owner(owner)): Extension<Owner>,
    Path(id): Path<String>,
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
