//! Where the server listens: addresses, TLS, and what slow clients may do.

use std::{
    net::{SocketAddr, TcpListener, ToSocketAddrs as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use axum::Router;
use axum_server::{
    Handle,
    tls_rustls::{RustlsAcceptor, RustlsConfig},
};
use clap::Args;
use hyper_util::rt::TokioTimer;
use lookalike_words::Said;
use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
};

use x509_cert::{Certificate, der::Decode as _};

use super::{fault::ServeFault, host, places::Places, token};
use crate::exit::Failure;

/// The flags.
#[derive(Debug, Args)]
pub(crate) struct ListenArgs {
    /// Address and port to listen on; port 0 takes any free port
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:8080")]
    listen: String,
    /// Certificate chain (PEM) for https
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// Private key (PEM) of the certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Connections at a time; for one more, one over which no request with a valid token came is closed, and where there is none it is
    /// refused (503, or closed with TLS)
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = clap::value_parser!(u16).range(1..))]
    max_connections: u16,
    /// Connections from one address at a time; behind a proxy all come from its address [default: a quarter of them all, at least 32]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    max_connections_each: Option<u16>,
}

/// Connections that an address has where fewer are a quarter of all.
const LEAST_EACH: usize = 32;

/// How long the head of a request may take to arrive.
const HEAD: Duration = Duration::from_secs(10);

/// Bytes that the head of a request may have.
const LONGEST_HEAD: usize = 16 * 1024;

/// Requests at a time on one connection of HTTP/2.
const STREAMS: u32 = 32;

/// A certificate that ends within this time is warned of.
const SOON: Duration = Duration::from_secs(30 * 86_400);

/// How long a TLS handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// What is needed to listen, checked before anything else happens.
pub(crate) struct Door {
    listen: String,
    addresses: Vec<SocketAddr>,
    tls: Option<RustlsConfig>,
    places: Places,
}

/// A server that listens and has not answered yet.
pub(crate) struct Open {
    listener: TcpListener,
    bound: SocketAddr,
    tls: Option<RustlsConfig>,
    places: Places,
    handle: Handle<SocketAddr>,
}

impl Door {
    /// Resolves the address and reads the certificate.
    ///
    /// # Errors
    /// If there is no such address, it can be reached from other machines without a token, or the certificate is of
    /// no use.
    pub(crate) fn prepare(args: &ListenArgs, guarded: bool) -> Result<Self, Failure> {
        let addresses = resolve(&args.listen)?;
        if !guarded && !addresses.iter().all(|a| a.ip().is_loopback()) {
            return Err(Failure::input(ServeFault::Open { address: args.listen.clone() }));
        }
        let tls = match (&args.tls_cert, &args.tls_key) {
            (Some(certificate), Some(key)) => Some(tls(certificate, key)?),
            _ => None,
        };
        let all = usize::from(args.max_connections);
        let each = args.max_connections_each.map_or_else(|| (all / 4).max(LEAST_EACH).min(all), usize::from);
        Ok(Self { listen: args.listen.clone(), addresses, tls, places: Places::new(all, each) })
    }

    /// The names that it goes by: the one that it listens on, and those of proxies. `None` where it answers to any: beyond
    /// loopback, unless there are such.
    pub(crate) fn names(&self, proxies: &[String]) -> Option<Arc<[String]>> {
        let loopback = self.addresses.iter().all(|a| a.ip().is_loopback());
        let own = host::without_port(&self.listen).to_owned();
        (loopback || !proxies.is_empty())
            .then(|| std::iter::once(own).chain(proxies.iter().cloned()).collect())
    }

    /// The places of its connections, for who tells whose are known.
    pub(crate) fn places(&self) -> Places {
        self.places.clone()
    }

    /// Whether only this machine reaches it.
    pub(crate) fn is_near(&self) -> bool {
        self.addresses.iter().all(|address| address.ip().is_loopback())
    }

    /// Whether it speaks TLS.
    pub(crate) fn is_secure(&self) -> bool {
        self.tls.is_some()
    }

    /// Listens.
    ///
    /// # Errors
    /// If the address is taken or not allowed.
    pub(crate) fn open(self) -> Result<Open, Failure> {
        let address = || self.listen.clone();
        let wrong = |e: std::io::Error| {
            Failure::system(ServeFault::Listen { address: address(), why: e.to_string() })
        };
        let listener = TcpListener::bind(self.addresses.as_slice()).map_err(wrong)?;
        listener.set_nonblocking(true).map_err(wrong)?;
        let bound = listener.local_addr().map_err(wrong)?;
        let (tls, places) = (self.tls, self.places);
        Ok(Open { listener, bound, tls, places, handle: Handle::new() })
    }
}

impl Open {
    /// Its URL, without a final slash.
    pub(crate) fn url(&self) -> String {
        format!("{}://{}", if self.tls.is_some() { "https" } else { "http" }, self.bound)
    }

    /// The way to end it.
    pub(crate) fn handle(&self) -> Handle<SocketAddr> {
        self.handle.clone()
    }

    /// Answers until the handle ends it.
    ///
    /// # Errors
    /// If the server fails.
    pub(crate) async fn serve(self, router: Router) -> Result<(), Failure> {
        let failed = |e: std::io::Error| Failure::system(ServeFault::Failed { why: e.to_string() });
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        let server = axum_server::from_tcp(self.listener).map_err(failed)?.handle(self.handle);
        let places = self.places;
        let served = if let Some(tls) = self.tls {
            let tls = RustlsAcceptor::new(tls).handshake_timeout(HANDSHAKE);
            let mut server = server.acceptor(places.secure(tls));
            careful(server.http_builder());
            server.serve(service).await
        } else {
            let mut server = server.acceptor(places);
            careful(server.http_builder());
            server.serve(service).await
        };
        served.map_err(failed)
    }
}

/// A client that sends its request's head drop by drop is not waited for; [`Places`] sees to those that do nothing.
fn careful(builder: &mut hyper_util::server::conn::auto::Builder<hyper_util::rt::TokioExecutor>) {
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(LONGEST_HEAD)
        // What was asked is done and written down also for a client that has hung up by then; else it might not even begin.
        .half_close(true)
        .http2()
        .timer(TokioTimer::new())
        .max_header_list_size(LONGEST_HEAD as u32)
        .max_concurrent_streams(STREAMS);
}

fn tls(certificate: &PathBuf, key: &PathBuf) -> Result<RustlsConfig, Failure> {
    let shown = |path: &PathBuf| path.display().to_string();
    let unusable = |why: Said| Failure::input(ServeFault::Certificate { path: shown(certificate), why });
    let chain = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|e| unusable(Said::verbatim(e.to_string())))?;
    if chain.is_empty() {
        return Err(unusable(ServeFault::NoCertificate.into()));
    }
    let private = PrivateKeyDer::from_pem_file(key).map_err(|e| {
        Failure::input(ServeFault::Key { path: shown(key), why: Said::verbatim(e.to_string()) })
    })?;
    token::warn_of_readers(key);
    if let Some(own) = chain.first() {
        warn_of_end(own, certificate);
    }
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, private))
        .map_err(|e| {
            Failure::input(ServeFault::OtherKey { path: shown(key), why: Said::verbatim(e.to_string()) })
        })?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(RustlsConfig::from_config(Arc::new(config)))
}

/// Says of a certificate that its time is up, or soon will be.
fn warn_of_end(certificate: &CertificateDer, path: &Path) {
    // One that rustls takes and this cannot read is none to warn of.
    let Ok(read) = Certificate::from_der(certificate) else { return };
    let end = read.tbs_certificate().validity().not_after.to_unix_duration();
    let end = UNIX_EPOCH.checked_add(end).unwrap_or(UNIX_EPOCH);
    let file = path.display();
    match end.duration_since(SystemTime::now()) {
        Err(_) => tracing::warn!(%file, "the certificate has expired: clients will not accept it"),
        Ok(left) if left < SOON => {
            tracing::warn!(%file, days = left.as_secs() / 86_400, "the certificate expires soon");
        }
        Ok(_) => {}
    }
}

fn resolve(listen: &str) -> Result<Vec<SocketAddr>, Failure> {
    let wrong = |why: Said| Failure::input(ServeFault::Address { address: listen.to_owned(), why });
    let addresses: Vec<_> =
        listen.to_socket_addrs().map_err(|e| wrong(Said::verbatim(e.to_string())))?.collect();
    if addresses.is_empty() {
        return Err(wrong(ServeFault::NoAddress.into()));
    }
    Ok(addresses)
}
