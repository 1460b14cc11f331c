//! The body of a request while it arrives: what it may take, and how slow it may be.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{
    body::Body,
    http::{HeaderMap, header},
};
use lookalike_wire::http::Problem;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, timeout, timeout_at},
};
use tokio_stream::StreamExt as _;

use super::{
    problem::{self, Detail},
    reading::too_large,
};

/// How long a payload may take to arrive, and how long it may pause.
const READING: (Duration, Duration) = (Duration::from_secs(600), Duration::from_secs(20));

/// Bytes a second that a payload must bring, on average and after its first pause: one that drips holds room for nothing.
const LEAST_RATE: u64 = 1024;

/// How long a payload waits for room.
const WAITING: Duration = Duration::from_secs(10);

/// Payloads of one token that arrive at the same time may take the room of this many of the largest ones.
const ROOM: u32 = 2;

/// Payloads of at most so many bytes have room of their own, for so many of each token: they do not wait behind large ones.
const SMALL: usize = 64 << 10;
const SMALL_ROOM: u32 = 64;

/// Room for payloads while they arrive: of each token's, whose payloads do not wait for those of others.
pub(crate) struct Room {
    owners: Mutex<HashMap<String, Own>>,
    largest: usize,
}

/// Room of one token, in kilobytes.
#[derive(Clone)]
struct Own {
    free: Arc<Semaphore>,
    small: Arc<Semaphore>,
}

impl Own {
    /// Room for payloads of at most `largest` bytes.
    fn new(largest: usize) -> Self {
        let room = |count: u32, bytes: usize| Semaphore::new(count as usize * kilobytes(bytes) as usize);
        Self { free: Arc::new(room(ROOM, largest)), small: Arc::new(room(SMALL_ROOM, SMALL)) }
    }
}

impl Room {
    /// Room for bodies of at most `largest` bytes.
    pub(crate) fn new(largest: usize) -> Self {
        Self { owners: Mutex::default(), largest }
    }

    /// Waits for its owner's room for a body with these headers, until the permit is dropped: not before it is a job that is counted. A body that is packed, or of unknown length, takes the most.
    ///
    /// # Errors
    /// A problem if the body announces more than is allowed, or there is no room for a while.
    pub(crate) async fn take(
        &self,
        owner: &str,
        headers: &HeaderMap,
    ) -> Result<OwnedSemaphorePermit, Problem> {
        let announced =
            headers.get(header::CONTENT_LENGTH).and_then(|v| v.to_str().ok()?.parse::<usize>().ok());
        if announced.is_some_and(|bytes| bytes > self.largest) {
            return Err(too_large(self.largest));
        }
        let packed = headers.contains_key(header::CONTENT_ENCODING);
        let bytes = announced.filter(|_| !packed).unwrap_or(self.largest);
        // There are no more owners than tokens.
        let own = {
            let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
            owners.entry(owner.to_owned()).or_insert_with(|| Own::new(self.largest)).clone()
        };
        let room = if bytes <= SMALL.min(self.largest / 4) { own.small } else { own.free };
        let permit = timeout(WAITING, room.acquire_many_owned(kilobytes(bytes))).await;
        match permit {
            Ok(Ok(permit)) => Ok(permit),
            Ok(Err(_)) => Err(problem::STOPPING.because(Detail::Closed)),
            Err(_) => Err(problem::BUSY.because(Detail::ManyLargeJobs)),
        }
    }

    /// Reads the body to its end.
    ///
    /// # Errors
    /// A problem if it is too large, too slow, or breaks off.
    pub(crate) async fn read(&self, body: Body) -> Result<Vec<u8>, Problem> {
        let began = Instant::now();
        let end = began + READING.0;
        let slow = || {
            let (most, pause) = (READING.0.as_secs(), READING.1.as_secs());
            problem::TOO_SLOW.because(Detail::TooSlow { most, pause, least: LEAST_RATE })
        };
        let mut chunks = body.into_data_stream();
        let mut bytes = Vec::new();
        loop {
            let next = timeout_at(end.min(Instant::now() + READING.1), chunks.next()).await;
            match next {
                Err(_) => return Err(slow()),
                Ok(None) => return Ok(bytes),
                Ok(Some(Err(why))) => {
                    return Err(problem::INVALID.because(Detail::BreaksOff { why: why.to_string() }));
                }
                Ok(Some(Ok(chunk))) if bytes.len() + chunk.len() > self.largest => {
                    return Err(too_large(self.largest));
                }
                Ok(Some(Ok(chunk))) => {
                    bytes.extend_from_slice(&chunk);
                    if is_dripping(bytes.len(), began.elapsed()) {
                        return Err(slow());
                    }
                }
            }
        }
    }
}

/// Whether so many bytes are too few after so long.
fn is_dripping(bytes: usize, since: Duration) -> bool {
    let counted = since.saturating_sub(READING.1);
    (bytes as u64) < LEAST_RATE * counted.as_secs()
}

/// At least one, so that nothing is free of charge.
fn kilobytes(bytes: usize) -> u32 {
    u32::try_from(bytes / 1024 + 1).unwrap_or(u32::MAX / ROOM)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn small_bodies_do_not_wait_behind_large_ones() {
        let headers = |bytes: usize| {
            let mut headers = HeaderMap::new();
            headers.insert(header::CONTENT_LENGTH, bytes.into());
            headers
        };
        let room = Room::new(1 << 20);
        let large = [
            room.take("a", &headers(1 << 20)).await.unwrap(),
            room.take("a", &headers(1 << 20)).await.unwrap(),
        ];
        // One that waited behind them would be refused in the end.
        assert!(room.take("a", &headers(1000)).await.is_ok());
        // So are those of others, however large.
        assert!(room.take("b", &headers(1 << 20)).await.is_ok());
        // One that is packed may be of any size.
        let mut packed = headers(1000);
        packed.insert(header::CONTENT_ENCODING, header::HeaderValue::from_static("gzip"));
        assert!(timeout(WAITING / 100, room.take("a", &packed)).await.is_err());
        drop(large);
        assert!(room.take("a", &packed).await.is_ok());
    }

    #[test]
    fn a_body_that_drips_is_given_up() {
        let after = |seconds: u64, bytes: usize| is_dripping(bytes, Duration::from_secs(seconds));
        assert!(!after(19, 1), "a pause is no dripping");
        assert!(after(40, 4), "a byte each ten seconds");
        assert!(!after(40, 20 * 1024) && after(40, 20 * 1024 - 1));
    }
}
