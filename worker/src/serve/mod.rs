//! `lookalike serve`: the page, and the job API for whoever wants to have a job solved here.
//!
//! * [`api`]: the routes; [`body`]: how a job arrives, [`reading`]: what it says; [`events`]: progress; [`problem`]: errors, in words by [`detail`]; [`metrics`].
//! * [`fault`]: why a worker cannot serve at all.
//! * [`openapi`]: the API's description.
//! * [`store`]: the jobs and their queue ([`fair`], [`limits`]); [`keep`]: in memory or on disk; [`runner`]: searches them, each
//!   in a process of its own ([`apart`]); [`remote_executor`]: others that solve blocks of them.
//! * [`tables`]: whole tables, where they are accepted.
//! * [`listen`]: addresses, TLS, slow clients; [`quiet`]: silent ones, and too many; [`host`], [`token`]: who may ask.
//! * [`page`]: the page's files; [`headers`]: what every response says to the browser.

pub(crate) mod apart;
mod api;
mod body;
pub(crate) mod detail;
mod events;
mod fair;
mod fault;
mod headers;
mod host;
mod keep;
mod limits;
mod listen;
pub(crate) mod log;
mod metrics;
mod openapi;
mod page;
mod places;
pub(crate) mod problem;
mod quiet;
pub(crate) mod reading;
pub(crate) mod remote_executor;
mod runner;
mod shares;
mod store;
mod tables;
pub(crate) mod token;

use std::{
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
    routing::get,
};
use clap::Args;
use serde_json::json;

pub(crate) use self::fault::ServeFault;
use self::{
    apart::Apart,
    api::Api,
    headers::Origin,
    keep::{Keep, Memory, Sqlite},
    limits::{LimitArgs, Limits},
    listen::{Door, ListenArgs},
    problem::{Detail, Refusal},
    remote_executor::RemoteExecutor,
    runner::Solver,
    shares::Shares,
    store::Store,
    tables::Tables,
    token::Tokens,
};
use crate::{
    audit_log::{AuditLog, Event, What},
    exit::{Failure, Fault},
    files,
    progress::say,
    signals,
};

/// How long open connections and searches may take to end.
const FAREWELL: Duration = Duration::from_secs(5);

/// Time between two looks for jobs to be forgotten.
const SWEEP: Duration = Duration::from_secs(10);

/// The flags.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    #[command(flatten)]
    listen: ListenArgs,
    /// Answer to this name, too: the name of a proxy on this machine, which passes it on as Host; may be repeated
    #[arg(long, value_name = "NAME", value_parser = host::name)]
    host: Vec<String>,
    /// File with the tokens that requests must carry, one a line, `name:token` or `name:token:2027-12-31`; required
    /// beyond loopback (or in the environment: `LOOKALIKE_TOKENS`)
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Keep jobs in this folder: they go on after a restart
    #[arg(long, value_name = "DIR", conflicts_with = "ephemeral")]
    data_dir: Option<PathBuf>,
    /// Keep jobs in memory only, as without --data-dir
    #[arg(long)]
    ephemeral: bool,
    /// Record who asked for what, from where, and how it ended: in this file, or in the system's log (`syslog`, or
    /// `syslog:SOCKET`); `lookalike log verify` says whether it is whole
    #[arg(long, value_name = "FILE")]
    audit_log: Option<String>,
    /// Anonymize whole tables, too (`/v1/tables`): names cross the network then, so beyond loopback a token and TLS are needed
    #[arg(long)]
    accept_tables: bool,
    #[command(flatten)]
    limits: LimitArgs,
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
    #[cfg(feature = "nats")]
    #[command(flatten)]
    executor: crate::nats::ExecutorArgs,
    /// Form of the log on standard error
    #[arg(long, value_enum, default_value_t = log::Form::Text)]
    log_format: log::Form,
    /// Leave out the headers that allow threads in the page: for tests of the page without threads
    #[arg(long, hide = true)]
    no_isolation: bool,
}

/// Runs the command until a signal.
pub(crate) fn run(args: &Serve) -> Result<(), Failure> {
    log::start(args.log_format);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|e| Failure::system(Fault::Start { why: e.to_string() }))?;
    let served = runtime.block_on(serve(args));
    runtime.shutdown_timeout(FAREWELL);
    served
}

async fn serve(args: &Serve) -> Result<(), Failure> {
    let tokens = match &args.token_file {
        Some(path) => {
            if std::env::var_os(token::VARIABLE).is_some() {
                tracing::warn!("{} is not looked at: --token-file names the tokens", token::VARIABLE);
            }
            Some(Tokens::read(path)?)
        }
        None => Tokens::from_environment()?,
    };
    let door = Door::prepare(&args.listen, tokens.is_some())?;
    if args.accept_tables && !door.is_secure() && !door.is_near() {
        return Err(Failure::input(ServeFault::TablesPlain));
    }
    let folder = page::find(args.page.as_deref());
    match (&folder, &args.page) {
        (Some(folder), _) => say(&format!("page: {}", folder.display())),
        (None, Some(named)) => {
            return Err(Failure::input(ServeFault::NoPage { folder: named.display().to_string() }));
        }
        (None, None) => say(
            "the page was not found: only the job API is served (build the page, or name its folder with --page)",
        ),
    }
    if let Some(tokens) = &tokens {
        tracing::info!(tokens = tokens.names().collect::<Vec<_>>().join(", "), "tokens are required");
    }

    let contained = apart::contained::probe();
    if !contained.is_whole() {
        let (files, calls) = (contained.files, contained.calls);
        tracing::warn!(
            files,
            calls,
            "this system does not contain searches as it should: limit the service as a whole"
        );
    }
    let executor = executor(args).await?;
    let store = Arc::new(store(args)?);
    let tables = args.accept_tables.then(|| {
        let log = Arc::clone(&store);
        let note = Box::new(move |event| log.audit_log.note(event));
        Arc::new(Tables::new(store.limits, threads(args) / store.limits.running, note))
    });
    let shares = Shares::new(store.limits.requests, store.limits.rate);
    let api = Api::new(Arc::clone(&store), tables.clone(), tokens, (door.places(), shares));
    let router = router(args, api, folder.as_deref(), (door.names(&args.host), door.is_secure()))?;
    let mut signals = signals::Source::new().map_err(|e| Failure::deaf(&e))?;
    let open = door.open()?;
    let version = Some(env!("CARGO_PKG_VERSION").to_owned());
    let begun = store.audit_log.record(Event { version, ..Event::of(What::Start) });
    begun.map_err(|e| Failure::system(ServeFault::AuditLog { why: e.to_string() }))?;
    files::print(format!("{}\n", open.url()).as_bytes())?;

    let runners = runners(args, &store, executor.as_ref());
    let sweeper = tokio::spawn(sweep(Arc::clone(&store), tables.clone()));
    let handle = open.handle();
    let closing = Arc::clone(&store);
    tokio::spawn(async move {
        let signal = signals.next().await;
        say(&format!("{signal}: stopping"));
        // Ends the streams of events, too: they would keep their connections open.
        closing.close();
        if let Some(tables) = tables {
            tables.close();
        }
        handle.graceful_shutdown(Some(FAREWELL));
    });
    let result = open.serve(router).await;
    sweeper.abort();
    let ended = async {
        for runner in runners {
            let _ = runner.await;
        }
    };
    let _ = tokio::time::timeout(FAREWELL, ended).await;
    store.forgive();
    store.audit_log.note(Event::of(What::End));
    result
}

fn store(args: &Serve) -> Result<Store, Failure> {
    let (keep, durable): (Box<dyn Keep>, bool) = match &args.data_dir {
        Some(folder) => (Box::new(Sqlite::open(folder)?), true),
        None => (Box::<Memory>::default(), false),
    };
    let store = Store::new(Limits::try_from(&args.limits)?, keep, durable);
    let store = store.map_err(|e| Failure::system(ServeFault::Jobs { why: e.to_string() }))?;
    let store = match &args.audit_log {
        Some(target) => store.recorded_in(AuditLog::open(target)?),
        None => store,
    };
    let (waiting, _, bytes) = store.load();
    if durable {
        tracing::info!(waiting, bytes, "jobs from before");
    }
    Ok(store)
}

/// Others that solve blocks, where there are some.
#[cfg(feature = "nats")]
async fn executor(args: &Serve) -> Result<Option<Arc<dyn RemoteExecutor>>, Failure> {
    Ok(args.executor.open().await?.map(|workers| Arc::new(workers) as Arc<dyn RemoteExecutor>))
}

#[cfg(not(feature = "nats"))]
#[allow(clippy::unused_async, reason = "with the feature it connects")]
async fn executor(_: &Serve) -> Result<Option<Arc<dyn RemoteExecutor>>, Failure> {
    Ok(None)
}

/// As many searches at a time as were asked for; the threads are divided among them.
fn runners(
    args: &Serve,
    store: &Arc<Store>,
    executor: Option<&Arc<dyn RemoteExecutor>>,
) -> Vec<tokio::task::JoinHandle<()>> {
    let threads = threads(args);
    let runners = store.limits.running;
    let runner = |index: usize| {
        // The first ones get what is left over.
        let share = threads / runners + usize::from(index < threads % runners);
        let Limits { memory, search, .. } = store.limits;
        let apart = Apart { executor: executor.cloned(), threads: share.max(1), memory, longest: search };
        tokio::spawn(runner::run(Arc::clone(store), Solver::Apart(apart)))
    };
    (0..runners).map(runner).collect()
}

/// Threads to search with.
fn threads(args: &Serve) -> usize {
    let machine = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    args.threads.map_or(machine, usize::from)
}

async fn sweep(store: Arc<Store>, tables: Option<Arc<Tables>>) {
    loop {
        tokio::time::sleep(SWEEP).await;
        if let Some(tables) = &tables {
            tables.sweep(Instant::now());
        }
        let shared = Arc::clone(&store);
        let swept = tokio::task::spawn_blocking(move || shared.sweep(Instant::now())).await;
        if let Ok(Err(error)) = swept {
            tracing::error!(%error, "old jobs cannot be removed");
        }
    }
}

fn router(
    args: &Serve,
    api: Api,
    folder: Option<&Path>,
    (names, secure): (Option<Arc<[String]>>, bool),
) -> Result<Router, Failure> {
    let config = json!({
        // "self": this very server solves jobs.
        "worker_origin": args.worker_origin.as_ref().map_or("self", Origin::as_str),
        "token_required": api.needs_tokens(),
    });
    let common = headers::all(args.worker_origin.as_ref(), !args.no_isolation, secure)?;
    let origins = args.allow_origin.iter().map(Origin::value).collect::<Result<Vec<_>, _>>()?;
    let folder: Option<Arc<Path>> = folder.map(Arc::from);
    Ok(Router::new()
        .merge(api::routes(api, origins))
        .route(
            "/config.json",
            get(move || async move { ([(header::CACHE_CONTROL, "no-store")], Json(config)) }),
        )
        .fallback(move |request: Request| page::serve(folder, request))
        .layer(middleware::from_fn(move |request, next| guard(names.clone(), request, next)))
        .layer(middleware::from_fn(move |request, next| dress(common.clone(), request, next))))
}

/// Turns away requests for other hosts than loopback's and `names`, if there are such.
async fn guard(names: Option<Arc<[String]>>, request: Request, next: Next) -> Response {
    match names {
        Some(names) if !host::is_ours(request.uri(), request.headers(), &names) => {
            Refusal(problem::WRONG_HOST.because(Detail::WrongHost)).into_response()
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
