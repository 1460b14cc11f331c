//! The search on a worker: the engine makes the numeric job, the worker solves it, the engine verifies and applies the
//! answer. The table itself never leaves the page.

use std::{cell::Cell, rc::Rc};

use lookalike_model::{job::Answer, sent::Sent, settings::Settings};
use lookalike_wire::{
    http::{JobInfo, JobState, Problem},
    page::{Place, Request},
    series::SeriesOptions,
};
use wasm_bindgen_futures::spawn_local;

use super::{Link, Transport};
use crate::{
    platform::{Buffer, clock, http, route, timer},
    state::Action,
    texts::Words,
};

/// Milliseconds between two questions about a job.
const POLL: i32 = 300;

/// Questions in a row without an answer after which the worker counts as lost.
const MAX_FAILURES: u32 = 10;

/// The search on a worker.
pub struct Remote {
    job: Rc<Job>,
}

struct Job {
    link: Rc<Link>,
    origin: String,
    token: Option<String>,
    /// Number of the run.
    run: Cell<u32>,
}

impl Remote {
    /// On the worker at this origin (empty: the page's own), with this bearer token (empty: none).
    #[must_use]
    pub fn new(link: Rc<Link>, origin: String, token: &str) -> Self {
        let token = Some(token.trim().to_owned()).filter(|token| !token.is_empty());
        Self { job: Rc::new(Job { link, origin, token, run: Cell::new(0) }) }
    }
}

impl Transport for Remote {
    fn start(&self, settings: Settings, series: Option<SeriesOptions>, sent_before: Vec<Sent>) {
        let settings = Box::new(settings);
        let run = self.job.link.begin_run();
        self.job.run.set(run);
        let request = Request::Anonymize { settings, series, place: Place::Worker, sent_before };
        self.job.link.post_run(&request, &[], run);
    }

    fn prepared(&self, payload: Buffer) {
        let job = Rc::clone(&self.job);
        spawn_local(async move {
            match job.run(&payload).await {
                _ if job.is_given_up() => {}
                Ok(Some((answer, sent))) => job.apply(answer, sent),
                Ok(None) => {}
                Err(message) => job.link.dispatch.emit(Action::Failed(message)),
            }
        });
    }

    fn stop(&self) {
        self.job.link.end_run();
        // Also tells an engine that is still preparing.
        self.job.link.post(&Request::Stop);
        self.job.link.dispatch.emit(Action::Abandoned);
    }

    fn cancel(&self) -> Option<u32> {
        self.stop();
        None
    }
}

impl Job {
    /// Whether the user does not want it any more, or another run has begun.
    fn is_given_up(&self) -> bool {
        !self.link.is_current(self.run.get())
    }

    /// Posts the job and waits for its answer, which comes with what was sent for it; `None` if it was given up.
    async fn run(&self, payload: &Buffer) -> Result<Option<(Answer, Sent)>, Words> {
        if self.is_given_up() {
            return Ok(None);
        }
        // Said before anything leaves: whatever becomes of the request, the page can no longer say that nothing does.
        let sent = Sent::one(self.address(), clock::now(), payload.size());
        self.link.dispatch.emit(Action::Sent(sent.clone()));
        let accepted = self.send("POST", "/v1/jobs", Some(payload)).await?;
        let info: JobInfo = accepted.json().await.map_err(|why| self.unreadable(&why))?;
        let path = format!("/v1/jobs/{}", info.id);
        let answer = self.wait(info, &path).await;
        // The worker forgets the job, whatever became of it. If it cannot be reached, its time to live does the same.
        let _ = self.send("DELETE", &path, None).await;
        Ok(answer?.map(|answer| (answer, sent)))
    }

    async fn wait(&self, mut info: JobInfo, path: &str) -> Result<Option<Answer>, Words> {
        let mut failures = 0;
        loop {
            if self.is_given_up() {
                return Ok(None);
            }
            match info.state {
                JobState::Done => break,
                JobState::Failed => {
                    let why = (info.error)
                        .map_or_else(|| page!(FAILED_DOES_NOT_SAY_WHY), |error| Words::from(error.said()));
                    return Err(page!(FAILED_WORKER_COULD_NOT_SOLVE, why = why));
                }
                JobState::Queued | JobState::Running => {}
            }
            self.link.dispatch.emit(info.progress.take().map_or(Action::Heard, Action::Progress));
            timer::sleep(POLL).await;
            match self.ask(path).await {
                Ok(next) => (info, failures) = (next, 0),
                Err(_) if failures < MAX_FAILURES => failures += 1,
                Err(message) => return Err(message),
            }
        }
        let result = self.send("GET", &format!("{path}/result"), None).await?;
        result.json().await.map(Some).map_err(|why| self.unreadable(&why))
    }

    async fn ask(&self, path: &str) -> Result<JobInfo, Words> {
        let answer = self.send("GET", path, None).await?;
        answer.json().await.map_err(|why| self.unreadable(&why))
    }

    /// Hands the answer to the engine, which verifies it again.
    fn apply(&self, mut answer: Answer, sent: Sent) {
        let labels = Buffer::from_labels(&std::mem::take(&mut answer.labels));
        let request = Request::Apply { answer: Box::new(answer), sent: Some(sent) };
        self.link.post_run(&request, &[labels], self.run.get());
    }

    async fn send(&self, method: &str, path: &str, body: Option<&Buffer>) -> Result<http::Answer, Words> {
        let url = format!("{}{path}", self.origin);
        let answer = http::send(method, &url, self.token.as_deref(), body)
            .await
            .map_err(|why| page!(FAILED_WORKER_AT_DOES_NOT, name = self.name(), why = why))?;
        if answer.is_ok() {
            return Ok(answer);
        }
        let (status, retry) = (answer.status, answer.retry_after.clone());
        let detail = match answer.json::<Problem>().await {
            Ok(problem) => Words::from(problem.said()),
            Err(_) => page!(FAILED_STATUS, status = status),
        };
        let refused = page!(FAILED_WORKER_AT_REFUSED, name = self.name(), detail = detail);
        Err(match (status, retry) {
            (401 | 403, _) => Words::Several(vec![refused, page!(FAILED_ENTER_WORKERS_TOKEN)]),
            (429, Some(seconds)) => {
                Words::Several(vec![refused, page!(FAILED_TRY_AGAIN_SECONDS_OR, seconds = seconds)])
            }
            _ => refused,
        })
    }

    fn unreadable(&self, why: &str) -> Words {
        page!(FAILED_WORKER_AT_SPEAKS_ANOTHER, name = self.name(), why = why)
    }

    /// Where the worker is, also if it is the page's own server.
    fn address(&self) -> String {
        if self.origin.is_empty() { route::origin() } else { self.origin.clone() }
    }

    fn name(&self) -> Words {
        if self.origin.is_empty() { page!(FAILED_SERVER) } else { Words::from(self.origin.as_str()) }
    }
}
