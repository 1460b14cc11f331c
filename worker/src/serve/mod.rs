//! `lookalike serve`: the page, and the job API for whoever wants to have a job solved here.
//!
//! * [`api`]: the routes below `/v1`; [`events`]: progress; [`problem`]: errors.
//! * [`store`]: the jobs in memory; [`runner`]: searches them, one at a time.
//! * [`page`]: the page's files; [`headers`]: what every response says to the browser.
//! * [`host`], [`token`]: who may ask.

mod api;
mod events;
mod headers;
mod host;
mod page;
pub(crate) mod problem;
mod runner;
mod store;
pub(crate) mod token;

use std::{
    future::Future,
    net::{SocketAddr, ToSocketAddrs as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Json, Router,
    extract::Request,
    http::{HeaderMap, header},
    middleware::{self, Next},
    response::{IntoResponse as _, Response},
    routing::{any, get},
};
use clap::Args;
use serde_json::json;
use tokio::net::TcpListener;

use self::{
    api::Api,
    headers::Origin,
    problem::Refusal,
    store::{Limits, Store},
};
use crate::{exit::Failure, files, local, progress::say, signals};

/// How long open connections may take to end.
const FAREWELL: Duration = Duration::from_secs(5);

/// Time between two looks for jobs to be forgotten.
const SWEEP: Duration = Duration::from_secs(60);

/// The flags.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Address and port to listen on; port 0 takes any that is free
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:8080")]
    listen: String,
    /// File with the token that every job must carry; required beyond loopback
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Let the page use the worker at this origin instead of this one
    #[arg(long, value_name = "URL")]
    worker_origin: Option<Origin>,
    /// Let pages of this origin send jobs here; may be repeated
    #[arg(long, value_name = "URL")]
    allow_origin: Vec<Origin>,
    /// Folder with the page [default: beside the program]
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
    /// Threads to search with [default: all]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Leave out the headers that allow threads in the page: for tests of the page without threads
    #[arg(long, hide = true)]
    no_isolation: bool,
}

/// Runs the command until a signal.
pub(crate) fn run(args: &Serve) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|e| Failure::System(format!("cannot start: {e}")))?;
    let served = runtime.block_on(serve(args));
    runtime.shutdown_timeout(FAREWELL);
    served
}

async fn serve(args: &Serve) -> Result<(), Failure> {
    let addresses = resolve(&args.listen)?;
    let loopback = addresses.iter().all(|a| a.ip().is_loopback());
    let token = args.token_file.as_deref().map(token::read).transpose()?;
    if !loopback && token.is_none() {
        return Err(Failure::Input(format!(
            "{} can be reached from other machines: name a file with a token (--token-file), or listen on 127.0.0.1",
            args.listen
        )));
    }
    let folder = page::find(args.page.as_deref());
    match (&folder, &args.page) {
        (Some(folder), _) => say(&format!("page: {}", folder.display())),
        (None, Some(named)) => {
            return Err(Failure::Input(format!("{} holds no index.html", named.display())));
        }
        (None, None) => say(
            "the page was not found: only the job API is served (build the page, or name its folder with --page)",
        ),
    }

    let store = Arc::new(Store::new(Limits::default()));
    let pool = Arc::new(local::pool(args.threads.map(usize::from))?);
    let router = router(args, &store, token, folder.as_deref(), loopback)?;
    let mut signals =
        signals::Source::new().map_err(|e| Failure::System(format!("cannot listen for signals: {e}")))?;
    let listener = TcpListener::bind(addresses.as_slice())
        .await
        .map_err(|e| Failure::System(format!("cannot listen on {}: {e}", args.listen)))?;
    let bound = listener.local_addr().map_err(|e| Failure::System(format!("cannot listen: {e}")))?;
    files::print(format!("http://{bound}\n").as_bytes())?;

    let runner = tokio::spawn(runner::run(Arc::clone(&store), pool, lookalike_core::solve::solve));
    let sweeper = tokio::spawn(sweep(Arc::clone(&store)));
    let closing = Arc::clone(&store);
    let (stopped, stopping) = tokio::sync::oneshot::channel();
    let farewell = async move {
        let signal = signals.next().await;
        say(&format!("{signal}: stopping"));
        // Ends the streams of events, too: they would keep their connections open.
        closing.close();
        let _ = stopped.send(());
    };
    let serving = axum::serve(listener, router).with_graceful_shutdown(farewell);
    let result = until(serving.into_future(), stopping).await;
    sweeper.abort();
    let _ = tokio::time::timeout(FAREWELL, runner).await;
    result.map_err(|e| Failure::System(format!("the server failed: {e}")))
}

/// The server's end, or a while after it was asked to end, whichever comes first.
async fn until(
    serving: impl Future<Output = std::io::Result<()>>,
    stopping: tokio::sync::oneshot::Receiver<()>,
) -> std::io::Result<()> {
    tokio::select! {
        served = serving => served,
        () = async {
            if stopping.await.is_err() {
                std::future::pending::<()>().await;
            }
            tokio::time::sleep(FAREWELL).await;
        } => Ok(()),
    }
}

async fn sweep(store: Arc<Store>) {
    loop {
        tokio::time::sleep(SWEEP).await;
        store.sweep(Instant::now());
    }
}

fn router(
    args: &Serve,
    store: &Arc<Store>,
    token: Option<String>,
    folder: Option<&Path>,
    loopback: bool,
) -> Result<Router, Failure> {
    let config = json!({
        // "self": this very server solves jobs.
        "worker_origin": args.worker_origin.as_ref().map_or("self", Origin::as_str),
        "token_required": token.is_some(),
    });
    let common = headers::all(args.worker_origin.as_ref(), !args.no_isolation)?;
    let origins = args.allow_origin.iter().map(Origin::value).collect::<Result<Vec<_>, _>>()?;
    let folder: Option<Arc<Path>> = folder.map(Arc::from);
    let listen: Option<Arc<str>> = loopback.then(|| Arc::from(host::without_port(&args.listen)));
    Ok(Router::new()
        .nest("/v1", api::routes(Api::new(Arc::clone(store), token), origins))
        // Not part of what is nested; an error like the others there.
        .route("/v1/", any(api::nothing))
        .route(
            "/config.json",
            get(move || async move { ([(header::CACHE_CONTROL, "no-store")], Json(config)) }),
        )
        .fallback(move |request: Request| page::serve(folder, request))
        .layer(middleware::from_fn(move |request, next| guard(listen.clone(), request, next)))
        .layer(middleware::from_fn(move |request, next| dress(common.clone(), request, next))))
}

/// Turns away requests for other hosts. `listen` is set for a server on loopback.
async fn guard(listen: Option<Arc<str>>, request: Request, next: Next) -> Response {
    match listen {
        Some(listen) if !host::is_ours(request.headers(), &listen) => {
            Refusal(problem::WRONG_HOST.because("ask for localhost or 127.0.0.1")).into_response()
        }
        _ => next.run(request).await,
    }
}

/// Adds the common headers.
async fn dress(common: HeaderMap, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response.headers_mut().extend(common);
    response
}

fn resolve(listen: &str) -> Result<Vec<SocketAddr>, Failure> {
    let wrong = |why: String| {
        Failure::Input(format!("--listen {listen}: {why}; give an address such as 127.0.0.1:8080"))
    };
    let addresses: Vec<_> = listen.to_socket_addrs().map_err(|e| wrong(e.to_string()))?.collect();
    if addresses.is_empty() {
        return Err(wrong(String::from("it has no address")));
    }
    Ok(addresses)
}
