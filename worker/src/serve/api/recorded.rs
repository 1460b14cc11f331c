//! Each request in the audit log, before it is answered.

use std::{net::SocketAddr, sync::Arc};

use axum::{
    extract::{ConnectInfo, Request},
    http::{Method, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
};

use super::{
    super::problem::{self, Detail, Refusal, Told},
    Api, Owner,
};
use crate::audit_log::{Event, What};

/// Answers a request of the job API once it is written down. It is answered to its end also when nobody waits for that any
/// more: whoever hangs up must not leave fewer traces.
pub(super) async fn record(api: Arc<Api>, request: Request, next: Next) -> Response {
    if !api.store.audit_log.is_kept() || !request.uri().path().starts_with("/v1") {
        return next.run(request).await;
    }
    let broken = || Refusal(problem::SOLVER.because(Detail::RequestBroken)).into_response();
    tokio::spawn(answer(api, request, next)).await.unwrap_or_else(|_| broken())
}

async fn answer(api: Arc<Api>, request: Request, next: Next) -> Response {
    let (what, job) = asked(request.method(), request.uri().path());
    let from = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip().to_string());
    let preflight = request.method() == Method::OPTIONS;
    let response = next.run(request).await;
    let status = response.status();
    // What is only looked at would flood the log; a browser that asks what it may asks for nothing.
    let refused = status.is_client_error() || status.is_server_error();
    if preflight || (matches!(what, What::Read | What::Other) && !refused) {
        return response;
    }
    let made =
        response.headers().get(header::LOCATION).and_then(|path| path.to_str().ok()?.rsplit('/').next());
    let event = Event {
        who: response.extensions().get::<Owner>().map(|owner| owner.0.clone()),
        from,
        job: job.or_else(|| made.map(ToOwned::to_owned)),
        status: Some(status.as_u16()),
        problem: response.extensions().get::<Told>().map(|told| told.0.clone()),
        ..Event::of(what)
    };
    let shared = Arc::clone(&api);
    match super::off_the_loop(move || shared.store.audit_log.record(event)).await {
        Ok(Ok(())) => response,
        Ok(Err(error)) => {
            tracing::error!(%error, "the audit log cannot be written: nothing is answered");
            Refusal(problem::STORAGE.because(Detail::NotRecorded)).into_response()
        }
        Err(problem) => Refusal(problem).into_response(),
    }
}

/// What a request asks for, and of which job.
fn asked(method: &Method, path: &str) -> (What, Option<String>) {
    let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    // An id is 32 hexadecimal digits; what else stands there is nobody's job.
    let id = |text: &str| {
        Some(text.to_owned()).filter(|id| id.len() == 32 && id.bytes().all(|b| b.is_ascii_hexdigit()))
    };
    match (method, parts.as_slice()) {
        (&Method::POST, ["v1", "jobs" | "tables"]) => (What::Submit, None),
        (&Method::POST, ["v1", "jobs" | "tables", job, "stop"]) => (What::Stop, id(job)),
        (&Method::DELETE, ["v1", "jobs" | "tables", job]) => (What::Delete, id(job)),
        (&Method::GET | &Method::HEAD, ["v1", "jobs" | "tables", job, "result"]) => (What::Fetch, id(job)),
        (&Method::GET | &Method::HEAD, ["v1", "jobs" | "tables", job, ..]) => (What::Read, id(job)),
        (&Method::GET | &Method::HEAD, ["v1", ..]) => (What::Read, None),
        _ => (What::Other, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for() {
        let id = "0123456789abcdef0123456789abcdef";
        let of = |method: Method, path: &str| asked(&method, &path.replace("ID", id));
        let job = || Some(id.to_owned());
        assert_eq!(of(Method::POST, "/v1/jobs"), (What::Submit, None));
        assert_eq!(of(Method::POST, "/v1/tables"), (What::Submit, None));
        assert_eq!(of(Method::GET, "/v1/tables/ID/result"), (What::Fetch, job()));
        assert_eq!(of(Method::POST, "/v1/jobs/ID/stop"), (What::Stop, job()));
        assert_eq!(of(Method::DELETE, "/v1/jobs/ID"), (What::Delete, job()));
        assert_eq!(of(Method::GET, "/v1/jobs/ID/result"), (What::Fetch, job()));
        assert_eq!(of(Method::GET, "/v1/jobs/ID/events"), (What::Read, job()));
        assert_eq!(of(Method::GET, "/v1/jobs/a-name-of-somebody"), (What::Read, None));
        assert_eq!(of(Method::PUT, "/v1/jobs"), (What::Other, None));
        assert_eq!(of(Method::GET, "/v1/metrics"), (What::Read, None));
    }
}
