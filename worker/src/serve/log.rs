//! The log on standard error. It names jobs, sizes and times, never tokens, values or numbers of a job.

use clap::ValueEnum;
use tracing_subscriber::{EnvFilter, fmt, prelude::*};

/// Form of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Environment variable with what is logged, such as `debug`; `info` by default.
const VARIABLE: &str = "LOOKALIKE_LOG";

/// Starts the log; a second start changes nothing.
pub(crate) fn start(form: Form) {
    let filter = EnvFilter::try_from_env(VARIABLE).unwrap_or_else(|_| EnvFilter::new("info"));
    let lines = fmt::layer().with_writer(std::io::stderr).with_target(false);
    let registry = tracing_subscriber::registry().with(filter);
    let started = match form {
        Form::Text => registry.with(lines.with_ansi(false)).try_init(),
        Form::Json => registry.with(lines.json()).try_init(),
    };
    // Whoever started a log before has one.
    drop(started);
}
