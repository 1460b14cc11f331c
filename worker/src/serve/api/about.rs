//! What the worker says of itself.

use std::sync::Arc;

use axum::{
    Extension, Json,
    http::header,
    response::{IntoResponse as _, Response},
};
use serde::Serialize;
use utoipa::{ToSchema, openapi::OpenApi as Document};

use super::{
    super::problem::{self, Detail, Refusal},
    Shared,
};

/// What a worker says of itself.
#[derive(Serialize, ToSchema)]
pub(super) struct Health {
    /// Always `ok`: a worker that is not does not answer.
    status: &'static str,
    /// Version of the program.
    version: &'static str,
    /// Revision of the algorithms: workers of the same one come to the same answers.
    revision: u32,
}

/// Whether the worker answers
#[utoipa::path(get, path = "/v1/health", responses((status = 200, body = Health, description = "It does")))]
pub(super) async fn health() -> Json<Health> {
    Json(Health { status: "ok", version: env!("CARGO_PKG_VERSION"), revision: lookalike_model::REVISION })
}

/// This description
#[utoipa::path(
    get,
    path = "/openapi.json",
    responses((status = 200, description = "It", content((serde_json::Value = "application/json"))))
)]
pub(super) async fn describe(Extension(document): Extension<Arc<Document>>) -> Response {
    Json(document.as_ref()).into_response()
}

/// Figures for Prometheus
#[utoipa::path(
    get,
    path = "/metrics",
    responses((status = 200, description = "OpenMetrics", content((String = "application/openmetrics-text"))))
)]
pub(super) async fn metrics(Extension(api): Shared) -> Result<Response, Refusal> {
    let text = api
        .store
        .metrics
        .text(&api.store)
        .map_err(|e| problem::SOLVER.because(Detail::Unwritten { why: e.to_string() }))?;
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}
