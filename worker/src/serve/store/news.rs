//! A job's state as it is told to whoever listens.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

use lookalike_model::event::Progress;
use lookalike_wire::http::{JobInfo, JobState};
use tokio::sync::watch;

/// A job's state, numbered.
#[derive(Clone, Debug)]
pub(crate) struct News {
    /// Grows with each change, also over restarts of the worker.
    pub(crate) number: u64,
    /// The state.
    pub(crate) info: JobInfo,
    /// Nothing more will be told here: the job has ended, or the worker stops.
    pub(crate) over: bool,
}

/// A job to be searched.
pub(crate) struct Task {
    pub(super) id: String,
    pub(super) stop: Arc<AtomicBool>,
    pub(super) unwanted: Arc<AtomicBool>,
    pub(super) news: watch::Sender<News>,
}

impl News {
    pub(super) fn new(info: JobInfo) -> Self {
        // Microseconds since 1970: more than any number before a restart, since no job tells a million things a second.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let over = is_final(info.state);
        Self { number: since.as_micros() as u64, info, over }
    }
}

/// Whether nothing changes any more.
pub(crate) fn is_final(state: JobState) -> bool {
    matches!(state, JobState::Done | JobState::Failed)
}

impl Task {
    /// The job's id.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Whether the search is to end with its best so far.
    pub(crate) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether nobody waits for an answer: the job was deleted, or the worker stops.
    pub(crate) fn unwanted(&self) -> bool {
        self.unwanted.load(Ordering::Relaxed)
    }

    /// Whether it is cut off only because the worker stops, and searched again after a restart.
    pub(crate) fn goes_on(&self) -> bool {
        let news = self.news.borrow();
        news.over && !is_final(news.info.state)
    }

    /// Tells a progress report to whoever listens.
    pub(crate) fn tell(&self, progress: &Progress) {
        publish(&self.news, |info| info.progress = Some(progress.clone()));
    }
}

/// Changes a job's state, unless it is final.
pub(super) fn publish(news: &watch::Sender<News>, change: impl FnOnce(&mut JobInfo)) {
    news.send_if_modified(|news| {
        if is_final(news.info.state) {
            return false;
        }
        change(&mut news.info);
        news.number += 1;
        news.over |= is_final(news.info.state);
        true
    });
}
