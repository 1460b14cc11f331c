//! The job API: `/v1`. Here: the routes, who may ask, and what every request goes through.
//!
//! * [`submit`]: handing in a job; [`jobs`]: what becomes of it; [`tables`]: the same of whole tables; [`about`]: the worker itself; [`recorded`]: what the audit
//!   log is told.

mod about;
mod jobs;
mod recorded;
mod submit;
mod tables;

use std::{sync::Arc, time::SystemTime};

use axum::{
    Extension, Router,
    extract::{ConnectInfo, Request},
    http::{HeaderValue, Method, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::any,
};
use lookalike_wire::http::Problem;
use tokio::task::spawn_blocking;
use tower_http::{
    compression::CompressionLayer,
    cors::{AllowOrigin, CorsLayer},
};
use utoipa::{OpenApi as _, openapi::OpenApi as Document};
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{
    body::Room,
    openapi,
    places::Places,
    problem::{self, Detail, Refusal},
    shares::{Shares, UnderWay},
    store::Store,
    tables::Tables,
    token::Tokens,
};

/// What the handlers share.
pub(crate) struct Api {
    /// The jobs.
    pub(crate) store: Arc<Store>,
    /// Whole tables; `None` where they are not accepted.
    tables: Option<Arc<Tables>>,
    /// Who may ask; `None` on loopback without tokens: everybody.
    tokens: Option<Tokens>,
    room: Room,
    /// The places of connections: those of requests with a valid token are kept.
    places: Places,
    shares: Shares,
}

impl Api {
    /// An API over these jobs.
    pub(crate) fn new(
        store: Arc<Store>,
        tables: Option<Arc<Tables>>,
        tokens: Option<Tokens>,
        (places, shares): (Places, Shares),
    ) -> Self {
        let room = Room::new(store.limits.body);
        Self { store, tables, tokens, room, places, shares }
    }

    /// Whether a request needs a token.
    pub(crate) fn needs_tokens(&self) -> bool {
        self.tokens.is_some()
    }
}

type Shared = Extension<Arc<Api>>;

/// Name of the token that a request came with.
#[derive(Clone, Debug)]
struct Owner(String);

/// The job API and its metrics. Pages of `origins` may call it.
pub(crate) fn routes(api: Api, origins: Vec<HeaderValue>) -> Router {
    let api = Arc::new(api);
    let (guard, recorder) = (Arc::clone(&api), Arc::clone(&api));
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
        .layer(middleware::from_fn(move |request, next| {
            recorded::record(Arc::clone(&recorder), request, next)
        }))
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn(paced))
        .layer(cors(origins))
        .layer(middleware::from_fn(unstored))
}

/// The routes behind a token, those that are open to everybody, and the description of both.
fn documented() -> (Router, Router, Document) {
    let (schemas, paths, collection) = routes!(submit::submit, jobs::list);
    let (guarded, guarded_document) = OpenApiRouter::with_openapi(openapi::Shared::openapi())
        .routes((schemas, paths, collection))
        .routes(routes!(jobs::info, jobs::delete))
        .routes(routes!(jobs::follow))
        .routes(routes!(jobs::result))
        .routes(routes!(jobs::stop))
        .routes(routes!(tables::submit_table))
        .routes(routes!(tables::table_info, tables::delete_table))
        .routes(routes!(tables::table_result))
        .routes(routes!(tables::stop_table))
        .routes(routes!(about::metrics))
        .split_for_parts();
    let (open, open_document) = OpenApiRouter::new()
        .routes(routes!(about::health))
        .routes(routes!(about::describe))
        .split_for_parts();
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

/// What the job API tells is for who asked, and for nobody's cache.
async fn unstored(request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/v1");
    let mut response = next.run(request).await;
    if api {
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

async fn authorize(api: Arc<Api>, mut request: Request, next: Next) -> Response {
    let owner = match &api.tokens {
        None => Some("everybody"),
        Some(tokens) => tokens.owner(request.headers(), SystemTime::now()),
    };
    let Some(owner) = owner else {
        return Refusal(problem::UNAUTHORIZED.because(Detail::NoToken)).into_response();
    };
    if let Some(ConnectInfo(peer)) = request.extensions().get() {
        api.places.trust(*peer);
    }
    let owner = Owner(owner.to_owned());
    let Some(under_way) = api.shares.begin(&owner.0) else {
        let most = api.store.limits.requests;
        let mut refused = Refusal(problem::BUSY.because(Detail::ManyRequests { most })).into_response();
        refused.extensions_mut().insert(owner);
        return refused;
    };
    request.extensions_mut().insert(owner.clone());
    let request = request.map(|body| under_way.paced(body));
    let mut response = next.run(request).await;
    response.extensions_mut().insert(owner);
    response.extensions_mut().insert(under_way);
    response
}

/// Counts the bytes of an answer as they cross the network, packed; its request is under way until then.
async fn paced(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    match response.extensions_mut().remove::<UnderWay>() {
        Some(under_way) => response.map(|body| under_way.paced(body)),
        None => response,
    }
}

/// The answer where there is no route.
async fn nothing(request: Request) -> Refusal {
    problem::NOT_FOUND.because(Detail::NoRoute { path: request.uri().path().to_owned() }).into()
}

async fn wrong_method(request: Request) -> Refusal {
    let (method, path) = (request.method().to_string(), request.uri().path().to_owned());
    problem::METHOD.because(Detail::NoMethod { method, path }).into()
}

/// Runs what may take a while, such as parsing and writing to a disk, beside the event loop.
async fn off_the_loop<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Problem> {
    spawn_blocking(work).await.map_err(|_| problem::SOLVER.because(Detail::RequestBroken))
}
