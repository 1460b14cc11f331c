//! Whole tables: handing one in, and what becomes of it. Where they are not accepted there is nothing here.

use std::sync::Arc;

use axum::{
    Extension, Json,
    extract::Request,
    http::{StatusCode, header},
    response::{IntoResponse as _, Response},
};
use lookalike_wire::http::{JobInfo, Problem};
use utoipa::ToSchema;

use super::{
    super::{
        problem::{self, Detail, Refusal},
        tables::{
            Tables,
            form::{boundary, parts},
        },
    },
    Api, Owner, Shared,
    jobs::{Id, no_job},
};
use crate::tables::bundle;

/// A table with what is asked of it.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it is described, never built: the parts are read as they come")]
pub(super) struct TableForm {
    /// The table, a file in any form that the command line reads; its name says which.
    #[schema(value_type = String, format = Binary)]
    table: Vec<u8>,
    /// The settings, as a configuration file has them.
    configuration: String,
    /// How the table is read: flags of the command line without their dashes, and their values, as JSON.
    reading: Option<String>,
    /// What is to be written (`release`, `report`, `statement`, `private`, `manifest`, `statement_json`, `classes`, `certificate`,
    /// `configuration`, `schema`), and the name of each file, as JSON; the first five unless it is said. A release that has its types in
    /// itself, by the ending of its name, has no `schema`.
    files: Option<String>,
    /// A hierarchy that the configuration names by its file; may be repeated.
    #[schema(value_type = Option<String>, format = Binary)]
    hierarchy: Option<Vec<u8>>,
    /// The seed of the random choices.
    seed: Option<u64>,
}

/// The files of a run, as an archive.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "it is described, never built: the bytes are sent as they are")]
pub(super) struct Archive(Vec<u8>);

fn tables(api: &Arc<Api>) -> Result<&Arc<Tables>, Problem> {
    api.tables.as_ref().ok_or_else(|| problem::NOT_FOUND.because(Detail::NoTables))
}

/// Hands in a table, which is anonymized here as a whole
///
/// Only where the worker was started with `--accept-tables`. Table and results are kept in memory.
#[utoipa::path(
    post,
    path = "/v1/tables",
    request_body(content = TableForm, content_type = "multipart/form-data"),
    responses((
        status = 202, body = JobInfo, description = "Taken on",
        headers(("Location" = String, description = "Where the run is"))
    ))
)]
pub(super) async fn submit_table(
    Extension(api): Shared,
    Extension(Owner(owner)): Extension<Owner>,
    request: Request,
) -> Result<Response, Refusal> {
    let tables = tables(&api)?;
    let boundary = boundary(request.headers())?;
    if request.headers().contains_key(header::CONTENT_ENCODING) {
        return Err(problem::MEDIA_TYPE.because(Detail::Packing).into());
    }
    let _room = api.room.take(&owner, request.headers()).await?;
    let to = request
        .headers()
        .get(header::HOST)
        .and_then(|host| host.to_str().ok())
        .unwrap_or_default()
        .to_owned();
    let bytes = api.room.read(request.into_body()).await?;
    let mut form = parts(bytes, boundary).await?;
    form.asked.to = to;
    form.asked.at = crate::sent::now();
    let info = tables.submit(&owner, form)?;
    let location = [(header::LOCATION, format!("/v1/tables/{}", info.id))];
    Ok((StatusCode::ACCEPTED, location, Json(info)).into_response())
}

/// Where a run on a table stands
#[utoipa::path(
    get,
    path = "/v1/tables/{id}",
    params(("id" = String, Path, description = "The run's id")),
    responses((status = 200, body = JobInfo, description = "Its state"))
)]
pub(super) async fn table_info(
    Extension(api): Shared,
    Extension(Owner(owner)): Extension<Owner>,
    Id(id): Id,
) -> Result<Json<JobInfo>, Refusal> {
    Ok(Json(tables(&api)?.info(&owner, &id).ok_or_else(no_job)?))
}

/// The files of a run on a table, as an archive; they are gone a minute later
#[utoipa::path(
    get,
    path = "/v1/tables/{id}/result",
    params(("id" = String, Path, description = "The run's id")),
    responses((
        status = 200, description = "The files; the problems are those of a run that failed",
        content((Archive = "application/zip"))
    ))
)]
pub(super) async fn table_result(
    Extension(api): Shared,
    Extension(Owner(owner)): Extension<Owner>,
    Id(id): Id,
) -> Result<Response, Refusal> {
    match tables(&api)?.fetch(&owner, &id).ok_or_else(no_job)? {
        Ok(files) => Ok(([(header::CONTENT_TYPE, bundle::MEDIA_TYPE)], files).into_response()),
        Err(JobInfo { error: Some(problem), .. }) => Err(problem.into()),
        Err(_) => Err(problem::NOT_DONE.because(Detail::NotDone).into()),
    }
}

/// Ends the search of a run on a table; the result is its best so far
#[utoipa::path(
    post,
    path = "/v1/tables/{id}/stop",
    params(("id" = String, Path, description = "The run's id")),
    responses((status = 202, body = JobInfo, description = "It was asked to end"))
)]
pub(super) async fn stop_table(
    Extension(api): Shared,
    Extension(Owner(owner)): Extension<Owner>,
    Id(id): Id,
) -> Result<Response, Refusal> {
    let tables = tables(&api)?;
    let stopped = tables.stop(&owner, &id);
    let info = stopped.then(|| tables.info(&owner, &id)).flatten().ok_or_else(no_job)?;
    Ok((StatusCode::ACCEPTED, Json(info)).into_response())
}

/// Removes a run with its table and its files
#[utoipa::path(
    delete,
    path = "/v1/tables/{id}",
    params(("id" = String, Path, description = "The run's id")),
    responses((status = 204, description = "It is gone"))
)]
pub(super) async fn delete_table(
    Extension(api): Shared,
    Extension(Owner(owner)): Extension<Owner>,
    Id(id): Id,
) -> Result<StatusCode, Refusal> {
    if tables(&api)?.delete(&owner, &id) { Ok(StatusCode::NO_CONTENT) } else { Err(no_job().into()) }
}
