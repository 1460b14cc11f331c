//! Connections that say nothing, that do not read what they are told, and too many of them ([`Places`]).
//!
//! The HTTP server looks after requests; what lies below them, a client that connects and sends nothing, or asks and never
//! reads the answer, would be there for ever.

use std::{
    future::{Future, poll_fn},
    io,
    net::SocketAddr,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum_server::{accept::Accept, tls_rustls::RustlsAcceptor};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf},
    net::TcpStream,
    time::{Instant, Sleep, sleep_until, timeout},
};

use super::places::{Place, Places};

/// Until the first byte of the first request.
const FIRST: Duration = Duration::from_secs(10);

/// Without a byte in either direction; streams of events say more often that they live.
const IDLE: Duration = Duration::from_secs(60);

/// Until a client takes some of what waits for it.
const UNREAD: Duration = Duration::from_secs(30);

/// How long a refusal may take.
const FAREWELL: Duration = Duration::from_secs(2);

/// What a connection too many is told, where it can be told something before a handshake.
const REFUSAL: &str = concat!(
    "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/problem+json\r\nretry-after: 5\r\n",
    "connection: close\r\n\r\n",
    r#"{"type":"/problems/busy","title":"The worker is busy","status":503,"#,
    r#""detail":"too many connections are open; try again"}"#
);

/// Where a connection comes from; nothing of one that is gone already.
fn peer(stream: &TcpStream) -> Option<SocketAddr> {
    stream.peer_addr().ok()
}

type Accepting<T, S> = Pin<Box<dyn Future<Output = io::Result<(Guarded<T>, S)>> + Send>>;

impl<S: Send + 'static> Accept<TcpStream, S> for Places {
    type Stream = Guarded<TcpStream>;
    type Service = S;
    type Future = Accepting<TcpStream, S>;

    fn accept(&self, mut stream: TcpStream, service: S) -> Self::Future {
        let places = self.clone();
        Box::pin(async move {
            if let Some(place) = places.take(peer(&stream)).await {
                return Ok((Guarded::new(stream, place), service));
            }
            let _ = timeout(FAREWELL, refuse(&mut stream)).await;
            Err(io::ErrorKind::QuotaExceeded.into())
        })
    }
}

/// Says no, and hears the client out: one that is cut off while it talks does not hear why.
async fn refuse(stream: &mut TcpStream) -> io::Result<()> {
    stream.write_all(REFUSAL.as_bytes()).await?;
    stream.shutdown().await?;
    while stream.read(&mut [0; 1024]).await? > 0 {}
    Ok(())
}

impl Places {
    /// The same places, for connections that begin with a handshake of TLS.
    pub(crate) fn secure(self, tls: RustlsAcceptor) -> Secure {
        Secure { places: self, tls }
    }
}

/// Places for connections with TLS.
#[derive(Clone)]
pub(crate) struct Secure {
    places: Places,
    tls: RustlsAcceptor,
}

type Inner<S> = <RustlsAcceptor as Accept<TcpStream, S>>::Stream;
type Told<S> = <RustlsAcceptor as Accept<TcpStream, S>>::Service;

impl<S: Send + 'static> Accept<TcpStream, S> for Secure {
    type Stream = Guarded<Inner<S>>;
    type Service = Told<S>;
    type Future = Accepting<Inner<S>, Told<S>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        let (places, tls) = (self.places.clone(), self.tls.clone());
        Box::pin(async move {
            let Some(place) = places.take(peer(&stream)).await else {
                return Err(io::ErrorKind::QuotaExceeded.into());
            };
            let (stream, service) = tokio::select! {
                done = tls.accept(stream, service) => done?,
                () = poll_fn(|cx| place.poll_given_up(cx)) => return Err(io::ErrorKind::QuotaExceeded.into()),
            };
            Ok((Guarded::new(stream, place), service))
        })
    }
}

/// A connection in its place, which it loses when it says nothing, or reads nothing, for too long.
pub(crate) struct Guarded<T> {
    stream: T,
    place: Place,
    /// When a byte went in either direction.
    last: Instant,
    /// Whether anything was heard.
    heard: bool,
    /// Since when something waits to be taken.
    unread: Option<Instant>,
    timer: Pin<Box<Sleep>>,
}

impl<T> Guarded<T> {
    fn new(stream: T, place: Place) -> Self {
        let last = Instant::now();
        let timer = Box::pin(sleep_until(last + FIRST));
        Self { stream, place, last, heard: false, unread: None, timer }
    }

    /// It goes on, or its time is up, or its place is given up.
    fn wait<R>(&mut self, cx: &mut Context) -> Poll<io::Result<R>> {
        if self.place.poll_given_up(cx).is_ready() {
            return Poll::Ready(Err(io::ErrorKind::QuotaExceeded.into()));
        }
        let idle = self.last + if self.heard { IDLE } else { FIRST };
        let end = self.unread.map_or(idle, |since| idle.min(since + UNREAD));
        if self.timer.deadline() != end {
            self.timer.as_mut().reset(end);
        }
        ready!(self.timer.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    /// What came of sending something.
    fn sent<R>(&mut self, cx: &mut Context, sent: Poll<io::Result<R>>) -> Poll<io::Result<R>> {
        if sent.is_pending() {
            self.unread.get_or_insert_with(Instant::now);
            return self.wait(cx);
        }
        self.unread = None;
        sent
    }

    /// The same, for what has sent some bytes.
    fn wrote(&mut self, cx: &mut Context, sent: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if matches!(sent, Poll::Ready(Ok(1..))) {
            self.last = Instant::now();
        }
        self.sent(cx, sent)
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Guarded<T> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context, buf: &mut ReadBuf) -> Poll<io::Result<()>> {
        // Also one that never stops talking.
        if self.place.poll_given_up(cx).is_ready() {
            return Poll::Ready(Err(io::ErrorKind::QuotaExceeded.into()));
        }
        let before = buf.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        if read.is_pending() {
            return self.wait(cx);
        }
        if buf.filled().len() > before {
            self.last = Instant::now();
            self.heard = true;
        }
        read
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Guarded<T> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context, buf: &[u8]) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.wrote(cx, sent)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context,
        bufs: &[io::IoSlice],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.wrote(cx, sent)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context) -> Poll<io::Result<()>> {
        let sent = Pin::new(&mut self.stream).poll_flush(cx);
        self.sent(cx, sent)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context) -> Poll<io::Result<()>> {
        let sent = Pin::new(&mut self.stream).poll_shutdown(cx);
        self.sent(cx, sent)
    }
}
