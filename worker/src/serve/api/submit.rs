//! Handing in a job.

use axum::{
    Extension, Json,
    extract::Request,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use lookalike_model::job::Job;
use lookalike_wire::http::{JobInfo, Problem};
use utoipa::ToSchema;

use super::{
    super::{
        problem::{self, Detail, Refusal},
        reading::{self, Format, Packing},
        store::Arrival,
    },
    Owner, Shared, off_the_loop,
};

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
pub(super) async fn submit(
    Extension(api): Shared,
    Extension(Owner(owner)): Extension<Owner>,
    request: Request,
) -> Result<Response, Refusal> {
    let format = Format::of(request.headers())?;
    let packing = Packing::of(request.headers())?;
    let key = idempotency_key(request.headers())?;
    let room = api.room.take(&owner, request.headers()).await?;
    let bytes = api.room.read(request.into_body()).await?;
    let shared = std::sync::Arc::clone(&api);
    let submitted = off_the_loop(move || {
        // Also when nobody waits for the answer any more.
        let _room = room;
        let key = key.map(|key| (key, *blake3::hash(&bytes).as_bytes()));
        let largest = shared.store.limits.body;
        let payload = reading::read(format, packing, bytes, largest)?;
        shared.store.submit(Arrival { owner, key, payload })
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
        _ => Err(problem::BAD_REQUEST.because(Detail::IdempotencyKey)),
    }
}
