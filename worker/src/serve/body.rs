//! The body of a request: a job as JSON or as compact bytes, packed or not.

use std::{
    collections::HashMap,
    io::Read as _,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{
    body::Body,
    http::{HeaderMap, header},
};
use lookalike_model::{
    instance::Instance,
    job::{JOB_VERSION, Job},
    settings::Budget,
};
use lookalike_wire::{
    binary::{self, Wrong},
    http::Problem,
};
use lookalike_words::Figure;
use ruzstd::decoding::StreamingDecoder;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, timeout, timeout_at},
};
use tokio_stream::StreamExt as _;

use super::problem::{self, Detail};

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

/// Numbers and lists that a text may have however small a job may be.
const LEAST_PIECES: usize = 4096;

/// Beyond these a budget is a mistake: 30 years, and what no search ever reaches.
const SECONDS: f64 = 1e9;
const EFFORT: f64 = 1e12;

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

/// How the job is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// `application/json`.
    Json,
    /// [`binary::MEDIA_TYPE`].
    Binary,
}

/// How the body is packed, apart from gzip, which is unpacked while it arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// Not at all.
    None,
    /// `Content-Encoding: zstd`.
    Zstd,
}

impl Packing {
    /// The packing that the headers name.
    ///
    /// # Errors
    /// A problem if it is not known here.
    pub(crate) fn of(headers: &HeaderMap) -> Result<Self, Problem> {
        let Some(name) = headers.get(header::CONTENT_ENCODING) else { return Ok(Self::None) };
        match name.as_bytes().to_ascii_lowercase().as_slice() {
            b"identity" => Ok(Self::None),
            b"zstd" => Ok(Self::Zstd),
            _ => Err(problem::MEDIA_TYPE.because(Detail::Packing)),
        }
    }

    /// The bytes that were packed, at most `largest`.
    ///
    /// # Errors
    /// A problem if there are more, or they were not packed so.
    pub(crate) fn open(self, bytes: Vec<u8>, largest: usize) -> Result<Vec<u8>, Problem> {
        if self == Self::None {
            return Ok(bytes);
        }
        let broken = |why: String| problem::INVALID.because(Detail::Unpacking { why });
        let mut decoder = StreamingDecoder::new(bytes.as_slice()).map_err(|e| broken(e.to_string()))?;
        let mut unpacked = Vec::new();
        // One more than allowed, to see that there are more.
        let read = decoder.by_ref().take(largest as u64 + 1).read_to_end(&mut unpacked);
        read.map_err(|e| broken(e.to_string()))?;
        if unpacked.len() > largest {
            return Err(too_large(largest));
        }
        if !decoder.into_inner().is_empty() {
            return Err(problem::INVALID.because(Detail::Frames));
        }
        Ok(unpacked)
    }
}

fn too_large(largest: usize) -> Problem {
    problem::TOO_LARGE.because(Detail::TooLarge { largest })
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

impl Format {
    /// The format that the headers name.
    ///
    /// # Errors
    /// A problem if they name none of the two. That is also a guard: a page of another origin can send neither without
    /// asking first (CORS preflight).
    pub(crate) fn of(headers: &HeaderMap) -> Result<Self, Problem> {
        let kind = headers.get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or_default();
        match kind.split(';').next().map(str::trim) {
            Some("application/json") => Ok(Self::Json),
            Some(binary::MEDIA_TYPE) => Ok(Self::Binary),
            _ => Err(problem::MEDIA_TYPE.because(Detail::MediaType { bytes: binary::MEDIA_TYPE })),
        }
    }

    /// A job in the right version with consistent numbers.
    ///
    /// # Errors
    /// A problem that says what is wrong with it, and where; a job whose records, the counterfeits too, would take more
    /// than `largest` bytes for their points.
    pub(crate) fn parse(self, bytes: &[u8], largest: usize) -> Result<Job, Problem> {
        let text = match self {
            Self::Json => bytes,
            Self::Binary => binary::header(bytes).unwrap_or_default(),
        };
        guard(text, largest)?;
        let job = match self {
            Self::Json => binary::from_json(bytes),
            Self::Binary => binary::decode(bytes),
        };
        let job = job.map_err(|wrong| match wrong {
            Wrong::Version { version } => {
                problem::VERSION.because(Detail::Version { version, known: JOB_VERSION })
            }
            Wrong::Malformed(why) => problem::INVALID.because(why),
        })?;
        // Counterfeits come without points, so a small body could ask for much memory.
        let points = job.colours.len().saturating_mul(job.dims).saturating_mul(size_of::<f64>());
        if job.dims <= job.points.len() && points > largest {
            let (records, attributes) = (job.colours.len(), job.dims);
            return Err(problem::TOO_LARGE.because(Detail::Points {
                records,
                attributes,
                bytes: points,
                largest,
            }));
        }
        Instance::from_job(&job).map_err(|e| problem::of(&e.into()))?;
        sensible(&job)?;
        Ok(job)
    }
}

/// What is read takes memory by its pieces, not by its letters: more numbers than any job may have, or more lists, are not read
/// at all. So what a text becomes takes at most 3 times `largest` bytes: 8 for each number, 64 for each list.
fn guard(text: &[u8], largest: usize) -> Result<(), Problem> {
    let (mut numbers, mut lists) = (0_usize, 0_usize);
    for byte in text {
        match byte {
            b',' => numbers += 1,
            b'[' | b'{' => lists += 1,
            _ => {}
        }
    }
    if numbers > largest / 4 + LEAST_PIECES {
        return Err(too_large(largest));
    }
    if lists > largest / 64 + LEAST_PIECES {
        return Err(problem::TOO_LARGE.because(Detail::TooMany { largest }));
    }
    Ok(())
}

/// What no search would begin, or end.
fn sensible(job: &Job) -> Result<(), Problem> {
    let wrong = |why: Detail| Err(problem::INVALID.because(why));
    if job.rule.min_size < 2 {
        return wrong(Detail::TooSmall { parameter: if job.rule.distinct() { "m" } else { "k" } });
    }
    match job.budget {
        Budget::Effort(effort) if !(0.0..=EFFORT).contains(&effort) => {
            wrong(Detail::Effort { most: format!("{EFFORT:e}"), effort: Figure::shortest(effort) })
        }
        Budget::Seconds(seconds) if !(0.0..=SECONDS).contains(&seconds) => {
            wrong(Detail::Seconds { most: format!("{SECONDS:e}"), seconds: Figure::shortest(seconds) })
        }
        Budget::Effort(_) | Budget::Seconds(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_numbers_than_allowed_are_not_read() {
        // Not even JSON: who read it would say that.
        let reply = Format::Json.parse(&vec![b','; 20_000], 40_000).unwrap_err();
        assert_eq!(reply.kind, problem::TOO_LARGE.code);
        assert_eq!(Format::Json.parse(&vec![b','; 10_000], 40_000).unwrap_err().kind, problem::INVALID.code);
    }

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

    #[test]
    fn more_lists_than_allowed_are_not_read_in_any_form() {
        let largest = 1 << 20;
        let lists = |count: usize| format!("[{}]", vec!["[]"; count].join(","));
        let binary = |header: &str| {
            let mut bytes = b"LLJB\x01\0\0\0".to_vec();
            bytes.extend((header.len() as u32).to_le_bytes());
            bytes.extend(header.as_bytes());
            bytes
        };
        let many = lists(largest / 64 + LEAST_PIECES);
        for (format, bytes) in [(Format::Json, many.clone().into_bytes()), (Format::Binary, binary(&many))] {
            let reply = format.parse(&bytes, largest).unwrap_err();
            assert_eq!(reply.kind, problem::TOO_LARGE.code, "{format:?}");
        }
        // Fewer are read, and are no job.
        let few = lists(100);
        assert_eq!(Format::Json.parse(few.as_bytes(), largest).unwrap_err().kind, problem::INVALID.code);
        assert_eq!(Format::Binary.parse(&binary(&few), largest).unwrap_err().kind, problem::INVALID.code);
    }
}
