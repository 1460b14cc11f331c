//! `lookalike health`: whether a worker on this machine answers, for whoever watches it (a container's health check).

use std::time::Duration;

use clap::Args;
use ureq::{Agent, http::Uri, tls::TlsConfig};

use crate::exit::Failure;

/// The exit codes, for the help text.
pub(crate) const CODES: &str = "Exit codes: 0 it answers; 2 wrong usage; 4 it does not.";

/// Longest wait for the answer.
const WAIT: Duration = Duration::from_secs(5);

lookalike_words::messages! {
    in "worker";

    /// Why a worker is not healthy.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum HealthFault {
        /// It is not on this machine.
        Elsewhere {
            /// The address that was given.
            url: String,
        },
        /// It does not answer.
        Silent {
            /// The address.
            url: String,
            /// What the network said.
            why: String,
        },
        /// It answers something else.
        Status {
            /// The address.
            url: String,
            /// The status of HTTP.
            status: u32,
        },
    }
}

/// The flags.
#[derive(Debug, Args)]
pub(crate) struct Health {
    /// The worker's URL on this machine
    #[arg(value_name = "URL", default_value = "https://127.0.0.1:8443")]
    url: String,
}

/// Runs the command.
///
/// # Errors
/// If the worker does not answer, or is not on this machine.
pub(crate) fn run(args: &Health) -> Result<(), Failure> {
    let url = args.url.trim_end_matches('/').to_owned();
    let elsewhere = || Failure::input(HealthFault::Elsewhere { url: url.clone() });
    let uri: Uri = url.parse().map_err(|_| elsewhere())?;
    if !uri.host().is_some_and(crate::remote::is_loopback) {
        return Err(elsewhere());
    }
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .proxy(None)
        .timeout_global(Some(WAIT))
        // The certificate is for the name that others know this machine by, and nothing but "are you there" is said.
        .tls_config(TlsConfig::builder().disable_verification(true).build());
    let agent: Agent = config.build().into();
    match agent.get(format!("{url}/v1/health")).call() {
        Ok(reply) if reply.status().is_success() => Ok(()),
        Ok(reply) => {
            Err(Failure::system(HealthFault::Status { url, status: u32::from(reply.status().as_u16()) }))
        }
        Err(error) => Err(Failure::system(HealthFault::Silent { url, why: error.to_string() })),
    }
}
