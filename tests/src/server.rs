//! `lookalike serve` as long as it is needed.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::{
    http::{self, Reply},
    program::{self, PATIENCE},
};

/// A running server on a port of its own; killed when dropped.
pub struct Server {
    child: Child,
    /// `127.0.0.1:port`.
    pub address: String,
}

impl Server {
    /// Starts `serve --listen 127.0.0.1:0` with these flags and waits until it listens.
    pub fn start(args: &[&str]) -> Self {
        Self::run(program::command().stderr(Stdio::null()), args)
    }

    /// The same, with these variables of the environment.
    pub fn with_environment(args: &[&str], environment: &[(&str, &str)]) -> Self {
        Self::run(program::command().stderr(Stdio::null()).envs(environment.iter().copied()), args)
    }

    /// The same, with all that can be logged in this file.
    pub fn with_log(args: &[&str], log: std::fs::File) -> Self {
        Self::run(program::command().stderr(log).env("LOOKALIKE_LOG", "trace"), args)
    }

    fn run(command: &mut Command, args: &[&str]) -> Self {
        command.args(["serve", "--listen", "127.0.0.1:0", "--threads", "2"]).args(args);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (_, address) = line.trim().split_once("://").unwrap_or_else(|| panic!("no URL but {line:?}"));
        Self { address: address.to_owned(), child }
    }

    /// Its URL, without a final slash.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// A request with these headers and body.
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        http::ask(&self.address, method, path, headers, body)
    }

    /// A plain GET.
    pub fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &[], b"")
    }

    /// Posts a job.
    pub fn post(&self, job: &Value) -> Reply {
        self.ask("POST", "/v1/jobs", &[("Content-Type", "application/json")], job.to_string().as_bytes())
    }

    /// Posts a job that must be accepted; its path.
    pub fn submit(&self, job: &Value) -> String {
        let reply = self.post(job);
        assert_eq!(reply.status, 202, "{reply:?}");
        reply.header("location").expect("a location").to_owned()
    }

    /// Waits until the job at this path has this state.
    pub fn wait(&self, path: &str, state: &str) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let info = self.get(path).json();
            if info["state"] == state {
                return info;
            }
            assert!(Instant::now() < end, "never {state}: {info}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits for its end; the exit code.
    pub fn end(mut self) -> Option<i32> {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(Instant::now() < end, "the server does not end");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
