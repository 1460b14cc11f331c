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

/// Has a panic told by its place alone: its message may hold numbers of a job.
pub(crate) fn name_places_only(tell: fn(&str)) {
    std::panic::set_hook(Box::new(move |panic| {
        tell(&panic.location().map_or_else(|| String::from("an unknown place"), ToString::to_string));
    }));
}

/// Starts the log; a second start changes nothing.
pub(crate) fn start(form: Form) {
    start_from(form, "info");
}

/// The same, with what is at least as grave as `least`, where nothing else is asked for.
pub(crate) fn start_from(form: Form, least: &str) {
    let filter = EnvFilter::try_from_env(VARIABLE).unwrap_or_else(|_| EnvFilter::new(least));
    let lines = fmt::layer().with_writer(std::io::stderr).with_target(false);
    let registry = tracing_subscriber::registry().with(filter);
    let started = match form {
        Form::Text => registry.with(lines.with_ansi(false)).try_init(),
        Form::Json => registry.with(lines.json()).try_init(),
    };
    // Whoever started a log before has one.
    drop(started);
    name_places_only(|place| tracing::error!(place, "a part of the worker broke down"));
}
