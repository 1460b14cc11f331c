//! What each token may have of the service at a time: requests that are being answered, and bytes a second of bodies and answers, as
//! they cross the network.
//!
//! Bytes beyond the rate are not refused: they wait, in the order in which they came, a piece of each body at a time. The pieces are so small
//! that none waits as long as a pause may be, however low the rate is. A token may be a second's worth ahead, so that small requests wait for
//! nothing.

use std::{
    collections::HashMap,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, Sleep, sleep_until},
};

/// Bytes that pass at once, at most: of a larger piece the rest waits.
const PIECE: usize = 64 << 10;

/// So far ahead of its rate a token may be.
const AHEAD: Duration = Duration::from_secs(1);

/// The longest that a piece may wait for those of all other requests of its token, beside what the token is ahead: an upload may pause for
/// 20 seconds, a connection for 60.
const ROUND: Duration = Duration::from_secs(16);

/// The shares of all tokens.
pub(crate) struct Shares {
    owners: Mutex<HashMap<String, Share>>,
    requests: usize,
    /// Bytes a second.
    rate: u64,
    /// Bytes that pass at once.
    piece: usize,
}

/// The share of a token.
#[derive(Clone)]
pub(crate) struct Share {
    requests: Arc<Semaphore>,
    /// When all that has passed so far would have passed at the rate.
    passed: Arc<Mutex<Instant>>,
    rate: u64,
    piece: usize,
}

/// A request that is being answered, until it is dropped with the last piece of its answer.
#[derive(Clone)]
pub(crate) struct UnderWay {
    share: Share,
    _one: Arc<OwnedSemaphorePermit>,
}

impl Shares {
    /// So many requests at a time, and so many bytes a second, for each token.
    pub(crate) fn new(requests: usize, rate: u64) -> Self {
        let rate = rate.max(1);
        let turn = rate.saturating_mul(ROUND.as_secs()) / requests.max(1) as u64;
        let piece = usize::try_from(turn).unwrap_or(PIECE).clamp(1, PIECE);
        Self { owners: Mutex::default(), requests, rate, piece }
    }

    /// One more request of this token; `None` if it has as many as it may have.
    pub(crate) fn begin(&self, owner: &str) -> Option<UnderWay> {
        let share = self.of(owner);
        let one = Arc::clone(&share.requests).try_acquire_owned().ok()?;
        Some(UnderWay { share, _one: Arc::new(one) })
    }

    fn of(&self, owner: &str) -> Share {
        let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(share) = owners.get(owner) {
            return share.clone();
        }
        let (requests, passed) = (Semaphore::new(self.requests), Mutex::new(Instant::now()));
        let share = Share {
            requests: Arc::new(requests),
            passed: Arc::new(passed),
            rate: self.rate,
            piece: self.piece,
        };
        owners.insert(owner.to_owned(), share.clone());
        share
    }
}

impl Share {
    /// The turn of so many bytes, behind all that have one: when they may pass.
    fn turn(&self, bytes: usize) -> Instant {
        let mut passed = self.passed.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let from = (*passed).max(now);
        *passed = from + Duration::from_secs_f64(bytes as f64 / self.rate as f64);
        from.checked_sub(AHEAD).map_or(now, |turn| turn.max(now))
    }
}

impl UnderWay {
    /// The same body, whose bytes count; the request is under way as long as it is there.
    pub(crate) fn paced(&self, body: Body) -> Body {
        Body::new(Paced { body, rest: Bytes::new(), request: self.clone(), turn: None })
    }
}

/// A body whose bytes wait for their turn.
struct Paced {
    body: Body,
    /// What is left of a piece.
    rest: Bytes,
    request: UnderWay,
    /// When the next piece may pass, and its bytes.
    turn: Option<(Pin<Box<Sleep>>, usize)>,
}

impl HttpBody for Paced {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_frame(cx)).transpose()? {
                None => return Poll::Ready(None),
                Some(frame) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                },
            }
        }
        let most = self.rest.len().min(self.request.share.piece);
        if self.turn.is_none() {
            let turn = self.request.share.turn(most);
            self.turn = Some((Box::pin(sleep_until(turn)), most));
        }
        if let Some((timer, _)) = &mut self.turn {
            ready!(timer.as_mut().poll(cx));
        }
        let most = self.turn.take().map_or(most, |(_, bytes)| bytes);
        let piece = self.rest.split_to(most);
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (of, rest) = (self.body.size_hint(), self.rest.len() as u64);
        let mut hint = SizeHint::new();
        hint.set_lower(of.lower().saturating_add(rest));
        if let Some(upper) = of.upper().and_then(|upper| upper.checked_add(rest)) {
            hint.set_upper(upper);
        }
        hint
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;

    async fn read(body: Body) -> Vec<usize> {
        let mut body = body;
        let mut pieces = Vec::new();
        while let Some(frame) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
            pieces.push(frame.unwrap().into_data().unwrap().len());
        }
        pieces
    }

    /// Only that it takes no less: a busy machine takes longer.
    #[tokio::test]
    async fn bytes_beyond_the_rate_wait_and_those_of_others_do_not() {
        let shares = Shares::new(9, 1 << 20);
        let began = Instant::now();
        let all = |bytes: usize| Body::from(vec![0; bytes]);
        let one = shares.begin("a").unwrap();
        let size = one.paced(all(1 << 20)).size_hint().exact();
        assert_eq!(size, Some(1 << 20));
        // Two bodies of one token share its rate: the first second is ahead.
        let both = tokio::join!(read(one.paced(all(1 << 20))), read(one.paced(all(1 << 19))));
        assert_eq!(both.0.iter().sum::<usize>() + both.1.iter().sum::<usize>(), 3 << 19);
        assert!(both.0.iter().all(|piece| *piece <= PIECE));
        assert!(began.elapsed() >= Duration::from_millis(400), "{:?}", began.elapsed());
        one.share.turn(64 << 20);
        assert!(one.share.turn(1) > Instant::now() + Duration::from_secs(30));
        assert!(shares.begin("b").unwrap().share.turn(1) <= Instant::now(), "another token does not wait");
    }

    /// As many bodies as there may be, at the least rate: each gets its piece before any other gets a second one, and none waits as long as a
    /// connection may be idle. By the times that they are given, not by those that this machine takes.
    #[tokio::test]
    async fn answers_of_one_token_take_turns_and_none_waits_as_long_as_a_connection_may_be_idle() {
        for (requests, rate) in [(256, 1 << 20), (65_535, 1 << 20), (3, 1 << 20), (256, 1 << 28)] {
            let shares = Shares::new(requests, rate);
            let paced = |_| {
                let (request, body) = (shares.begin("a").unwrap(), Body::from(vec![0; 2 * shares.piece]));
                Paced { body, rest: Bytes::new(), request, turn: None }
            };
            let mut answers: Vec<Paced> = (0..requests).map(paced).collect();
            // What is ahead is used up.
            let share = answers[0].request.share.clone();
            share.turn(rate as usize);
            let mut turns = Vec::new();
            for answer in &mut answers {
                let passed =
                    poll_fn(|cx| Poll::Ready(Pin::new(&mut *answer).poll_frame(cx).is_ready())).await;
                // One whose time has come already on a slow machine has passed.
                if !passed {
                    turns.push(answer.turn.as_ref().unwrap().0.deadline());
                }
            }
            assert!(turns.is_sorted());
            let again = share.turn(share.piece);
            assert!(
                turns.iter().all(|turn| *turn < again),
                "a second piece comes behind the first ones of all"
            );
            let wait = again - Instant::now();
            assert!(wait <= ROUND + AHEAD, "{requests} requests, {rate} bytes a second: {wait:?}");
        }
    }

    #[tokio::test]
    async fn so_many_requests_are_under_way_at_a_time() {
        let shares = Shares::new(2, u64::MAX);
        let (first, second) = (shares.begin("a"), shares.begin("a"));
        assert!(first.is_some() && second.is_some() && shares.begin("a").is_none());
        assert!(shares.begin("b").is_some());
        let answer = second.as_ref().unwrap().paced(Body::from("x"));
        drop(second);
        assert!(shares.begin("a").is_none(), "its answer is not read");
        assert_eq!(read(answer).await, [1]);
        assert!(shares.begin("a").is_some());
    }
}
