//! The way to the server.

use std::{path::PathBuf, time::Duration};

use async_nats::{Client, ConnectOptions, Event, ServerAddr};
use clap::Args;
use lookalike_words::Said;
use percent_encoding::percent_decode_str;

use super::names::{self, Names};
use crate::{
    exit::{Attempt, Failure},
    remote::is_loopback,
};

lookalike_words::messages! {
    in "worker";

    /// What goes wrong with a NATS server.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum NatsFault {
        /// A NATS server for a run in memory.
        InMemory,
        /// Both a worker and a NATS server.
        TwoSolvers,
        /// Names that the server would not take.
        Prefix,
        /// No file with certificates.
        NoCertificates {
            /// The file.
            path: String,
        },
        /// It is beyond this machine, and would be talked to in the clear.
        Plain {
            /// Where.
            server: String,
        },
        /// It cannot be reached.
        Unreachable {
            /// Where.
            server: String,
            /// Why.
            why: String,
        },
        /// It is too old.
        Old {
            /// Where.
            server: String,
            /// Its version.
            version: String,
        },
        /// It does not do what is needed.
        Refuses {
            /// What it refuses.
            trouble: String,
        },
        /// Its workers fail.
        WorkersFail {
            /// Why.
            why: Said,
        },
        /// A block cannot be written.
        Block {
            /// Why.
            why: String,
        },
        /// No worker is heard of.
        Lonely,
        /// What is on the server stays there.
        Stays,
    }
}

impl std::error::Error for NatsFault {}

/// Longest wait for one answer of the server.
const PATIENCE: Duration = Duration::from_secs(10);

/// Time between two looks whether the server still answers; the third one in vain ends the connection.
const LOOK: Duration = Duration::from_secs(10);

/// Longest pause before the server is looked for again.
const PAUSE: Duration = Duration::from_secs(2);

/// The flags that coordinator and workers share, but for the server's URL.
#[derive(Clone, Debug, Args)]
#[allow(clippy::struct_field_names, reason = "they are the names of the flags")]
pub(crate) struct NatsArgs {
    /// File with credentials for the NATS server (a JWT and its seed, as `nsc` writes it)
    #[arg(long, value_name = "FILE")]
    nats_creds: Option<PathBuf>,
    /// File with the certificates (PEM) that the NATS server's certificate must lead to [default: the system's]; asks for TLS
    #[arg(long, value_name = "FILE")]
    nats_ca: Option<PathBuf>,
    /// Use a NATS server beyond this machine without TLS: anyone on the network in between can read the numbers of all jobs
    #[arg(long)]
    nats_plain: bool,
    /// First part of all names on the NATS server: one for each tenant
    #[arg(long, value_name = "NAME", default_value = "lookalike", value_parser = names::prefix)]
    nats_prefix: String,
    /// Copies that a NATS cluster keeps of everything
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=5))]
    nats_replicas: u8,
}

impl NatsArgs {
    /// The names of this tenant.
    pub(super) fn names(&self) -> Names {
        Names::new(&self.nats_prefix)
    }

    /// Copies of everything.
    pub(super) fn replicas(&self) -> usize {
        self.nats_replicas.into()
    }

    /// Connects; a connection that is lost later is made again.
    ///
    /// # Errors
    /// If the server cannot be reached, turns us away, or is beyond this machine and nothing is said of TLS.
    pub(super) async fn connect(&self, url: &str) -> Result<Client, Failure> {
        if !self.nats_plain && self.nats_ca.is_none() && is_plain(url) {
            return Err(Failure::input(NatsFault::Plain { server: without_secrets(url) }));
        }
        let mut options = ConnectOptions::new()
            .name(concat!("lookalike ", env!("CARGO_PKG_VERSION")))
            .request_timeout(Some(PATIENCE))
            .ping_interval(LOOK)
            .reconnect_delay_callback(|tries| {
                Duration::from_millis(50 * (1 << tries.min(10)) as u64).min(PAUSE)
            })
            .event_callback(|event| async move {
                match event {
                    Event::Connected => tracing::info!("connected to the NATS server"),
                    Event::Disconnected => tracing::warn!("the NATS server is gone; it is looked for"),
                    Event::ServerError(error) => tracing::warn!(%error, "the NATS server objects"),
                    event => tracing::debug!(%event, "NATS"),
                }
            });
        if let Some((user, password)) = user(url) {
            options = options.user_and_password(user, password);
        }
        if let Some(path) = &self.nats_ca {
            if !path.is_file() {
                return Err(Failure::input(NatsFault::NoCertificates { path: path.display().to_string() }));
            }
            options = options.add_root_certificates(path.clone()).require_tls(true);
        }
        if let Some(path) = &self.nats_creds {
            let read = options.credentials_file(path).await;
            options = read.map_err(|e| Failure::io(Attempt::ReadCredentials, path, &e))?;
        }
        let client = options.connect(url).await.map_err(|e| {
            Failure::system(NatsFault::Unreachable { server: without_secrets(url), why: e.to_string() })
        })?;
        let version = client.server_info().version;
        if is_old(&version) {
            return Err(Failure::system(NatsFault::Old { server: without_secrets(url), version }));
        }
        Ok(client)
    }
}

/// Whether a server of this version is too old: before 2.10 a queue that was lost and made anew does not reach all workers.
fn is_old(version: &str) -> bool {
    let mut parts = version.split('.').map(|part| part.parse::<u32>().ok());
    // What is no version is none that we know to be old.
    matches!((parts.next().flatten(), parts.next().flatten()), (Some(major), Some(minor)) if (major, minor) < (2, 10))
}

/// User and password of a URL, where special characters stand as `%40` does for `@`.
fn user(url: &str) -> Option<(String, String)> {
    let address: ServerAddr = url.parse().ok()?;
    let plain = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    Some((plain(address.username()?), plain(address.password().unwrap_or_default())))
}

/// A URL without user and password.
pub(super) fn without_secrets(url: &str) -> String {
    match url.rsplit_once('@') {
        None => url.to_owned(),
        Some((before, host)) => {
            let scheme = before.split_once("://").map_or("nats", |(scheme, _)| scheme);
            format!("{scheme}://{host}")
        }
    }
}

/// Whether what is said to this server can be read on its way: it is beyond this machine, and its URL asks for no TLS.
fn is_plain(url: &str) -> bool {
    let Ok(server) = url.parse::<ServerAddr>() else { return false };
    !is_loopback(server.host()) && !server.tls_required() && server.scheme() != "wss"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_this_machine_without_tls_is_in_the_clear() {
        for plain in
            ["nats://queue:4222", "queue", "10.0.0.7:4222", "nats://[2001:db8::1]:4222", "ws://queue:80"]
        {
            assert!(is_plain(plain), "{plain}");
        }
        for safe in
            ["nats://localhost", "127.0.0.1:4222", "nats://[::1]:4222", "tls://queue:4222", "wss://queue"]
        {
            assert!(!is_plain(safe), "{safe}");
        }
    }

    #[test]
    fn servers_before_2_10_are_old() {
        let old: Vec<bool> =
            ["1.4.1", "2.9.10", "2.10.0", "2.15.1", "3.0.0-beta.1", "dev"].map(is_old).into();
        assert_eq!(old, [true, true, false, false, false, false]);
    }

    #[test]
    fn a_password_is_not_repeated() {
        assert_eq!(without_secrets("nats://a:b@c:4222"), "nats://c:4222");
        assert_eq!(without_secrets("tls://a:x@y@c"), "tls://c");
        assert_eq!(without_secrets("a:b@c"), "nats://c");
        assert_eq!(without_secrets("c:4222"), "c:4222");
    }

    #[test]
    fn a_user_is_read_from_a_url() {
        let said = |url| user(url).map(|(user, password)| format!("{user} {password}"));
        assert_eq!(said("tls://one:p%40ss%3A@c:4222").as_deref(), Some("one p@ss:"));
        assert_eq!(said("nats://one@c").as_deref(), Some("one "));
        assert_eq!(said("nats://c:4222"), None);
    }
}
