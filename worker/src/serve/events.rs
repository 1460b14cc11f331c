//! A job's progress as server-sent events.
//!
//! Each report is an event `progress` with [`Progress`](lookalike_model::event::Progress) as its data; the last one is
//! an event `state` with [`JobInfo`](lookalike_wire::http::JobInfo). A slow reader misses reports in between, never
//! the last one. The ids grow, also over a restart of the worker; a reader that comes back with `Last-Event-ID` gets what is newer.
//! A stream that ends without `state` was ended by a worker that stops: come back.

use std::{convert::Infallible, time::Duration};

use axum::response::sse::{Event, KeepAlive, Sse};
use tokio::sync::{mpsc, watch};
use tokio_stream::wrappers::ReceiverStream;

use super::store::{News, is_final};

/// Time after which a silent connection says that it lives.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// The events from now on, or those after `last`.
pub(crate) fn stream(
    mut news: watch::Receiver<News>,
    last: Option<u64>,
) -> Sse<impl tokio_stream::Stream<Item = Result<Event, Infallible>>> {
    let (sender, receiver) = mpsc::channel(1);
    tokio::spawn(async move {
        loop {
            let now = news.borrow_and_update().clone();
            let known = last.is_some_and(|last| now.number <= last);
            // The last event is sent to everybody: whoever asks wants to know that it is over.
            if (!known || is_final(now.info.state))
                && let Some(event) = event(&now)
                && sender.send(Ok(event)).await.is_err()
            {
                return;
            }
            if now.over {
                return;
            }
            tokio::select! {
                changed = news.changed() => if changed.is_err() { return },
                () = sender.closed() => return,
            }
        }
    });
    Sse::new(ReceiverStream::new(receiver)).keep_alive(KeepAlive::new().interval(KEEP_ALIVE))
}

/// The event that a state is, if it is one.
fn event(news: &News) -> Option<Event> {
    let event = Event::default().id(news.number.to_string());
    if is_final(news.info.state) {
        return event.event("state").json_data(&news.info).ok();
    }
    let progress = news.info.progress.as_ref()?;
    event.event("progress").json_data(progress).ok()
}
