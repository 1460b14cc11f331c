//! The client of a worker: sends the numeric job, waits, fetches the answer, and removes both there.
//!
//! The worker is not trusted: its answer is what [`received`] leaves of it, what it says meanwhile is shown as its word, and
//! its texts reach the terminal without control characters.

mod fault;

use std::{
    collections::BTreeMap,
    net::IpAddr,
    path::Path,
    thread::sleep,
    time::{Duration, Instant},
};

use axum::http::Uri;
use lookalike_core::{Error, audit::certificate::Limits, certify};
use lookalike_model::{
    ErrorKind,
    event::Progress,
    job::{Answer, Job},
    proof::Duals,
    received::{infeasible, plain, plain_said, received},
    sent::Sent as Record,
};
use lookalike_wire::{
    binary,
    http::{JobInfo, JobState, Problem},
};
use lookalike_words::Said;
use serde::de::DeserializeOwned;
use ureq::{Agent, Body, http::Response};

use self::fault::{Breach, RemoteFault, UrlFault};
use crate::{
    exit::{AfterStop, Failure},
    local,
    progress::{View, say, warn},
    sent::Outbox,
    serve::{problem, token},
    signals,
    tables::{TableFault, bundle, send::SentTold},
};

/// Environment variable with the worker's token.
const TOKEN: &str = "LOOKALIKE_TOKEN";

/// First and longest time between two looks at the job.
const POLL: (Duration, Duration) = (Duration::from_millis(50), Duration::from_millis(500));

/// How long a worker may be unreachable before it counts as lost.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often a job is sent again if the connection fails.
const RETRIES: u32 = 5;

/// How long to wait for a place in the worker's queue.
const QUEUE_PATIENCE: Duration = Duration::from_secs(600);

/// The longest single call: 256 MB over a slow line.
const LONGEST_CALL: Duration = Duration::from_secs(600);

/// Bytes of an answer that one record may take, and of the rest of it.
const ANSWER_BYTES: (u64, u64) = (16, 1 << 20);

/// The same with duals and cuts.
const DUALS_BYTES: (u64, u64) = (64, 1 << 26);

/// Nodes of the search that checks the duals of an answer: some ten seconds. With more, `lookalike check --certificate` may find
/// out what is left open here.
const CHECKED: u64 = 20_000_000;

/// Where jobs and whole tables are handed in.
const JOBS: &str = "/v1/jobs";
const TABLES: &str = "/v1/tables";

/// A worker somewhere.
pub(crate) struct Remote {
    base: String,
    token: Option<String>,
    agent: Agent,
    outbox: Outbox,
}

/// What a call takes along.
struct Sent<'a> {
    bytes: &'a [u8],
    /// Media type.
    kind: &'a str,
    /// Marks a request that may be repeated.
    key: Option<&'a str>,
}

impl Sent<'_> {
    const NOTHING: Self = Self { bytes: b"", kind: "application/json", key: None };
}

/// What a call brings back.
struct Reply {
    status: u16,
    retry_after: Option<Duration>,
    body: Vec<u8>,
}

impl Remote {
    /// Prepares the connection; nothing is sent yet.
    ///
    /// # Errors
    /// If the URL is none, or the token cannot be read.
    pub(crate) fn new(url: &str, token_file: Option<&Path>) -> Result<Self, Failure> {
        let wrong = |why| Failure::input(RemoteFault::Url { url: url.to_owned(), why });
        let uri: Uri = url.parse().map_err(|_| wrong(UrlFault::NoUrl))?;
        let host = uri.host().ok_or_else(|| wrong(UrlFault::NoHost))?;
        let encrypted = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(wrong(UrlFault::Scheme)),
        };
        if uri.query().is_some() || uri.authority().is_some_and(|a| a.as_str().contains('@')) {
            return Err(wrong(UrlFault::More));
        }
        let token = match token_file {
            Some(path) => Some(token::read(path)?),
            None => std::env::var(TOKEN).ok().map(|t| t.trim().to_owned()).filter(|t| !t.is_empty()),
        };
        let near = is_loopback(host);
        if !encrypted && !near {
            warn(&RemoteFault::Unencrypted.into());
        }
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_connect(Some(Duration::from_secs(10)))
            .timeout_global(Some(LONGEST_CALL));
        if near {
            config = config.proxy(None);
        }
        let base = url.trim_end_matches('/').to_owned();
        Ok(Self { outbox: Outbox::new(base.clone()), base, token, agent: config.build().into() })
    }

    /// What was sent to the worker so far.
    pub(crate) fn sent(&self) -> Option<Record> {
        self.outbox.sent()
    }

    /// Lets the worker solve the job. A signal makes it stop and hand over its best so far. Of the answer only what was checked
    /// here is left, and what the worker claims beyond that is marked as such.
    ///
    /// # Errors
    /// [`Failure::System`] if the worker refuses, is lost, or sends what is no answer; [`Failure::Infeasible`] if it says so and
    /// this machine finds so, too.
    pub(crate) fn solve(&self, job: &Job, view: &View) -> Result<Answer, Failure> {
        let answer = self.submit(job).and_then(|id| {
            let answer = self.wait(JOBS, &id, view).and_then(|()| self.answer(&id, job));
            // Payload and result are removed there in any case; the worker's time limit does it if this call is lost.
            let _ = self.call("DELETE", &format!("/v1/jobs/{id}"), None, 1 << 16);
            answer
        });
        // A signal ends the check, too: what is not found out then stays a claim.
        let limits = Limits { nodes: CHECKED, stop: &|| signals::caught().is_some() };
        let proven = |job: &Job, duals: &Duals, loss: Option<f64>| certify::proven(job, duals, loss, limits);
        let answer = match answer {
            Ok(answer) => received(job, answer, &proven).map_err(|error| self.unusable(error.into())),
            // Its word for it is checked like any other.
            Err(Failure::Infeasible(why)) => Err(self.unusable(infeasible(job, &why).into())),
            Err(failure) => Err(failure),
        };
        answer.map_err(|failure| match signals::caught() {
            Some(signal) => Failure::interrupted(signal, AfterStop::NothingSince { why: failure.said() }),
            None => failure,
        })
    }

    /// Its address.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// Lets the worker anonymize a whole table: a form of this media type. The answer are the files of the run, by their names.
    ///
    /// # Errors
    /// As [`Self::solve`]; and if what comes is no archive.
    pub(crate) fn anonymize(&self, kind: &str, form: &[u8]) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
        say(&Said::from(SentTold::Goes { worker: self.base.clone(), bytes: form.len() }).to_string());
        self.outbox.note(form.len());
        let sent = Sent { bytes: form, kind, key: None };
        let reply = self.call("POST", TABLES, Some(&sent), 1 << 20).map_err(|error| self.lost(&error))?;
        let info: JobInfo = self.parse(&reply)?;
        let id = self.id(info)?;
        let view = View::new();
        let longest = 64 * form.len() as u64 + (1 << 26);
        let files = self.wait(TABLES, &id, &view).and_then(|()| {
            view.clear();
            let path = format!("{TABLES}/{id}/result");
            let reply = self.call("GET", &path, None, longest).map_err(|error| self.lost(&error))?;
            if reply.status != 200 {
                return self.parse(&reply);
            }
            bundle::unpack(&reply.body, longest).map_err(|why| {
                let why = plain(&why.to_string());
                Failure::system(TableFault::Bundle { worker: self.base.clone(), why })
            })
        });
        // Table and files are removed there in any case.
        let _ = self.call("DELETE", &format!("{TABLES}/{id}"), None, 1 << 16);
        files
    }

    /// The id of what was taken on. It becomes part of a path: nothing but what an id is made of.
    fn id(&self, info: JobInfo) -> Result<String, Failure> {
        if info.id.is_empty() || !info.id.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return Err(self.broken(Breach::NoId));
        }
        Ok(info.id)
    }

    /// What is wrong with an answer.
    fn unusable(&self, error: Error) -> Failure {
        match error.kind() {
            ErrorKind::Answer => {
                Failure::system(RemoteFault::Unusable { worker: self.base.clone(), why: error.said() })
            }
            _ => error.into(),
        }
    }

    fn submit(&self, job: &Job) -> Result<String, Failure> {
        let bytes = binary::encode(job.clone())
            .map_err(|e| Failure::system(RemoteFault::Job { why: e.to_string() }))?;
        // A request that is sent again, since its answer was lost, makes no second job.
        let key = format!("{:016x}", local::entropy()?);
        let began = Instant::now();
        let mut told = false;
        let mut lost = 0;
        loop {
            if self.outbox.note(bytes.len()) {
                say(&format!("sending numbers without names to the worker at {}", self.base));
            }
            let sent = Sent { bytes: &bytes, kind: binary::MEDIA_TYPE, key: Some(&key) };
            let reply = match self.call("POST", "/v1/jobs", Some(&sent), 1 << 20) {
                Ok(reply) => reply,
                Err(_) if began.elapsed() < PATIENCE && signals::caught().is_none() && lost < RETRIES => {
                    lost += 1;
                    sleep(POLL.1);
                    continue;
                }
                Err(error) => return Err(self.lost(&error)),
            };
            if matches!(reply.status, 429 | 503)
                && began.elapsed() < QUEUE_PATIENCE
                && signals::caught().is_none()
            {
                if !told {
                    say("the worker is busy; waiting for a place");
                    told = true;
                }
                sleep(reply.retry_after.unwrap_or(Duration::from_secs(2)).min(Duration::from_secs(30)));
                continue;
            }
            return self.parse(&reply).and_then(|info| self.id(info));
        }
    }

    fn wait(&self, kind: &str, id: &str, view: &View) -> Result<(), Failure> {
        let mut pause = POLL.0;
        let mut stopped = false;
        let mut seen = Instant::now();
        loop {
            if let (Some(_), false) = (signals::caught(), stopped) {
                stopped =
                    self.call("POST", &format!("{kind}/{id}/stop"), Some(&Sent::NOTHING), 1 << 16).is_ok();
            }
            match self.call("GET", &format!("{kind}/{id}"), None, 1 << 20) {
                Ok(reply) => {
                    seen = Instant::now();
                    let info: JobInfo = self.parse(&reply)?;
                    if let Some(progress) = &info.progress {
                        view.show_claimed(&Progress {
                            phase: plain_said(&progress.phase),
                            ..progress.clone()
                        });
                    }
                    match info.state {
                        JobState::Queued if signals::caught().is_some() => {
                            return Err(Failure::system(RemoteFault::NotBegun));
                        }
                        JobState::Queued | JobState::Running => {}
                        JobState::Done => return Ok(()),
                        JobState::Failed => return Err(self.refused(info.error.as_ref())),
                    }
                }
                Err(error) if seen.elapsed() > PATIENCE || signals::caught().is_some() => {
                    return Err(self.lost(&error));
                }
                Err(_) => {}
            }
            sleep(pause);
            pause = (pause * 2).min(POLL.1);
        }
    }

    fn answer(&self, id: &str, job: &Job) -> Result<Answer, Failure> {
        let (each, rest) = if job.wants_duals() { DUALS_BYTES } else { ANSWER_BYTES };
        let longest = each * job.colours.len() as u64 + rest;
        let reply =
            self.call("GET", &format!("/v1/jobs/{id}/result"), None, longest).map_err(|e| self.lost(&e))?;
        self.parse(&reply)
    }

    fn call(
        &self,
        method: &str,
        path: &str,
        body: Option<&Sent>,
        longest: u64,
    ) -> Result<Reply, ureq::Error> {
        let mut request = ureq::http::Request::builder().method(method).uri(format!("{}{path}", self.base));
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let mut response: Response<Body> = match body {
            Some(sent) => {
                if let Some(key) = sent.key {
                    request = request.header("idempotency-key", key);
                }
                self.agent.run(request.header("content-type", sent.kind).body(sent.bytes)?)?
            }
            None => self.agent.run(request.body(())?)?,
        };
        let retry_after = response.headers().get("retry-after").and_then(|v| v.to_str().ok());
        Ok(Reply {
            status: response.status().as_u16(),
            retry_after: retry_after.and_then(|v| v.parse().ok()).map(Duration::from_secs),
            body: response.body_mut().with_config().limit(longest).read_to_vec()?,
        })
    }

    fn parse<T: DeserializeOwned>(&self, reply: &Reply) -> Result<T, Failure> {
        if (200..300).contains(&reply.status) {
            return serde_json::from_slice(&reply.body)
                .map_err(|e| self.broken(Breach::NoAnswer { why: plain(&e.to_string()) }));
        }
        match serde_json::from_slice::<Problem>(&reply.body) {
            Ok(problem) => Err(self.refused(Some(&problem))),
            Err(_) => Err(self.broken(Breach::Status { status: reply.status.to_string() })),
        }
    }

    fn refused(&self, problem: Option<&Problem>) -> Failure {
        match problem {
            Some(p) if p.kind == problem::INFEASIBLE.code => {
                Failure::Infeasible(plain_said(&p.clone().said()))
            }
            Some(p) if p.kind == problem::UNAUTHORIZED.code => {
                Failure::system(RemoteFault::WantsToken { worker: self.base.clone() })
            }
            Some(p) => {
                let (title, detail) = (plain(&p.title), plain_said(&p.clone().said()));
                Failure::system(RemoteFault::Says { worker: self.base.clone(), title, detail })
            }
            None => self.broken(Breach::NoReason),
        }
    }

    fn lost(&self, error: &ureq::Error) -> Failure {
        Failure::system(RemoteFault::Lost { worker: self.base.clone(), why: plain(&error.to_string()) })
    }

    fn broken(&self, why: Breach) -> Failure {
        Failure::system(RemoteFault::Broken { worker: self.base.clone(), why })
    }
}

/// Whether the worker at a URL is another machine.
pub(crate) fn is_elsewhere(url: &str) -> bool {
    url.parse::<Uri>().is_ok_and(|uri| uri.host().is_some_and(|host| !is_loopback(host)))
}

/// Whether a host is this machine.
pub(crate) fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare == "localhost" || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls() {
        for right in [
            "http://127.0.0.1:8080",
            "http://localhost:1/",
            "http://[::1]:80",
            "https://w.example/lookalike/",
        ] {
            assert!(Remote::new(right, None).is_ok(), "{right}");
        }
        for wrong in [
            "",
            "worker",
            "ftp://w.example",
            "file:///etc",
            "https://u:p@w.example",
            "https://w.example/?a=b",
        ] {
            assert_eq!(Remote::new(wrong, None).err().map(|e| e.code()), Some(2), "{wrong}");
        }
    }

    #[test]
    fn loopback() {
        assert!(is_loopback("localhost") && is_loopback("127.0.0.1") && is_loopback("[::1]"));
        assert!(!is_loopback("192.168.1.4") && !is_loopback("localhost.example"));
        assert!(is_elsewhere("https://w.example/lookalike") && is_elsewhere("http://192.168.1.4:8080"));
        assert!(!is_elsewhere("http://[::1]:80") && !is_elsewhere("http://localhost:8080"));
    }
}
