//! The description of the job API (`OpenAPI` 3.1), served at `/openapi.json`.
//!
//! Paths, parameters and schemas stand at the handlers and at the types themselves; this adds what all operations share,
//! and the errors of each.

use utoipa::{
    Modify, OpenApi,
    openapi::{
        ContentBuilder, HeaderBuilder, ObjectBuilder, OpenApi as Document, PathItem, Ref, RefOr,
        ResponseBuilder,
        path::Operation,
        schema::Type,
        security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
    },
};

use super::problem::{self, Kind};

/// What all operations share.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Lookalike job API",
        description = "Solves partitioning problems of pseudonymised numbers. Errors are `application/problem+json` (RFC 9457).",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    components(schemas(lookalike_wire::http::Problem)),
    modifiers(&Token)
)]
pub(crate) struct Shared;

/// Name of the security scheme.
const TOKEN: &str = "token";

struct Token;

impl Modify for Token {
    fn modify(&self, document: &mut Document) {
        let scheme = SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build());
        document.components.get_or_insert_default().add_security_scheme(TOKEN, scheme);
        let empty: [&str; 0] = [];
        // On loopback a worker may do without.
        document.security =
            Some(vec![SecurityRequirement::new(TOKEN, empty), SecurityRequirement::default()]);
    }
}

/// Errors that any operation behind a token can have.
const ANY: [Kind; 2] = [problem::UNAUTHORIZED, problem::WRONG_HOST];

/// The errors of each operation, beside [`ANY`].
const ERRORS: [(&str, &[Kind]); 15] = [
    (
        "submit",
        &[
            problem::BAD_REQUEST,
            problem::TOO_SLOW,
            problem::TOO_LARGE,
            problem::MEDIA_TYPE,
            problem::INVALID,
            problem::VERSION,
            problem::KEY_REUSED,
            problem::QUEUE_FULL,
            problem::SOLVER,
            problem::BUSY,
            problem::STOPPING,
            problem::STORAGE,
        ],
    ),
    ("list", &[problem::BAD_REQUEST, problem::NO_JOB]),
    ("info", &[problem::NO_JOB]),
    ("delete", &[problem::NO_JOB, problem::SOLVER, problem::STORAGE]),
    ("follow", &[problem::NO_JOB]),
    (
        "result",
        &[
            problem::NO_JOB,
            problem::NOT_DONE,
            problem::DELETED,
            problem::INVALID,
            problem::INFEASIBLE,
            problem::SOLVER,
            problem::STOPPING,
            problem::STORAGE,
        ],
    ),
    ("stop", &[problem::NO_JOB, problem::SOLVER]),
    (
        "submit_table",
        &[
            problem::NOT_FOUND,
            problem::TOO_SLOW,
            problem::TOO_LARGE,
            problem::MEDIA_TYPE,
            problem::INVALID,
            problem::QUEUE_FULL,
            problem::BUSY,
            problem::STOPPING,
            problem::STORAGE,
        ],
    ),
    ("table_info", &[problem::NOT_FOUND, problem::NO_JOB]),
    ("delete_table", &[problem::NOT_FOUND, problem::NO_JOB]),
    (
        "table_result",
        &[
            problem::NOT_FOUND,
            problem::NO_JOB,
            problem::NOT_DONE,
            problem::DELETED,
            problem::INVALID,
            problem::INFEASIBLE,
            problem::SOLVER,
        ],
    ),
    ("stop_table", &[problem::NOT_FOUND, problem::NO_JOB]),
    ("metrics", &[problem::SOLVER]),
    ("health", &[]),
    ("describe", &[]),
];

/// Adds each operation's errors to its responses. The last two operations of [`ERRORS`] need no token.
pub(crate) fn complete(mut document: Document) -> Document {
    for item in document.paths.paths.values_mut() {
        for operation in operations(item) {
            let id = operation.operation_id.clone().unwrap_or_default();
            let Some((_, own)) = ERRORS.iter().find(|(name, _)| *name == id) else { continue };
            let open = matches!(id.as_str(), "health" | "describe");
            let mut kinds: Vec<Kind> = if open { vec![problem::WRONG_HOST] } else { ANY.to_vec() };
            kinds.extend(*own);
            kinds.sort_by_key(|kind| kind.status);
            for same in kinds.chunk_by(|a, b| a.status == b.status) {
                add(operation, same);
            }
            if open {
                operation.security = Some(vec![SecurityRequirement::default()]);
            }
        }
    }
    document
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.post, &mut item.delete].into_iter().flatten()
}

/// One response for problems of one status.
fn add(operation: &mut Operation, kinds: &[Kind]) {
    let lines: Vec<String> = kinds.iter().map(|kind| format!("`{}`: {}", kind.code, kind.title)).collect();
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
    let mut response =
        ResponseBuilder::new().description(lines.join("; ")).content("application/problem+json", content);
    let status = kinds.first().map_or(500, |kind| kind.status);
    if matches!(status, 429 | 503) {
        let seconds = ObjectBuilder::new().schema_type(Type::Integer).build();
        let header = HeaderBuilder::new().schema(Some(seconds)).description(Some("Seconds to wait")).build();
        response = response.header("Retry-After", header);
    }
    operation.responses.responses.insert(status.to_string(), RefOr::T(response.build()));
}
