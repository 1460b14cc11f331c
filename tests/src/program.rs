//! The binary, run with flags in a folder of its own.

use std::{
    ffi::OsStr,
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// Longer than anything here takes; a test that waits longer fails instead of hanging.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// The workspace's root.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests lie in the workspace").to_owned()
}

/// The binary: `LOOKALIKE_BIN`, or the workspace's release build.
pub fn binary() -> PathBuf {
    let path = std::env::var_os("LOOKALIKE_BIN").map_or_else(
        || workspace().join("target/release").join(format!("lookalike{}", std::env::consts::EXE_SUFFIX)),
        PathBuf::from,
    );
    assert!(
        path.is_file(),
        "{} is missing: build it first with `cargo build --release -p lookalike`, or name one in LOOKALIKE_BIN",
        path.display()
    );
    path
}

/// A command that runs the binary without any token of the user's.
pub fn command() -> Command {
    let mut command = Command::new(binary());
    command.env_remove("LOOKALIKE_TOKEN").stdin(Stdio::null());
    command
}

/// A folder of one test, with the runs in it.
pub struct Folder {
    dir: TempDir,
}

impl Default for Folder {
    fn default() -> Self {
        Self::new()
    }
}

impl Folder {
    /// An empty folder; it is removed in the end.
    pub fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// The path of a file in it, as text.
    pub fn file(&self, name: &str) -> String {
        self.path().join(name).into_os_string().into_string().unwrap()
    }

    /// Writes a file, and the folders above it.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Reads a file.
    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// Reads a file of text.
    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// Reads a file of JSON.
    pub fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_slice(&self.read(name)).unwrap()
    }

    /// Names of all files in it, hidden ones too, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// A command in this folder.
    pub fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = command();
        command.args(args).current_dir(self.path());
        command
    }

    /// Runs the program here to its end.
    pub fn run(&self, args: &[&str]) -> Run {
        Run::from(self.command(args).output().unwrap())
    }

    /// Runs the program, which must succeed.
    pub fn succeed(&self, args: &[&str]) -> Run {
        let run = self.run(args);
        assert_eq!(run.code, Some(0), "{args:?} failed: {}", run.stderr);
        run
    }

    /// Starts the program here; standard error can be watched.
    pub fn start(&self, args: &[&str]) -> Running {
        let mut command = self.command(args);
        Running::new(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }
}

/// How a run ended.
#[derive(Debug)]
pub struct Run {
    /// Exit code; `None` if a signal killed it.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: output.stdout,
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// A run that goes on; killed when dropped.
pub struct Running {
    child: Option<Child>,
    lines: mpsc::Receiver<String>,
    seen: Vec<String>,
}

impl Running {
    fn new(mut child: Child) -> Self {
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { child: Some(child), lines, seen: Vec::new() }
    }

    /// Waits until a line of standard error holds this text.
    pub fn wait_for(&mut self, text: &str) {
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    let found = line.contains(text);
                    self.seen.push(line);
                    if found {
                        return;
                    }
                }
                Err(why) => panic!("{text:?} was never said ({why}), only {:#?}", self.seen),
            }
        }
    }

    /// Whether a line of standard error held this text until now.
    pub fn has_said(&mut self, text: &str) -> bool {
        self.seen.extend(self.lines.try_iter());
        self.seen.iter().any(|line| line.contains(text))
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.as_ref().expect("it runs").id()
    }

    /// Sends a signal such as `INT`.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").arg(format!("-{name}")).arg(self.id().to_string()).status().unwrap();
        assert!(sent.success(), "kill -{name} failed");
    }

    /// Whether it has ended.
    pub fn has_ended(&mut self) -> bool {
        self.child.as_mut().expect("it runs").try_wait().unwrap().is_some()
    }

    /// Waits for its end.
    pub fn end(mut self) -> Run {
        let end = Instant::now() + PATIENCE;
        while !self.has_ended() {
            assert!(Instant::now() < end, "it did not end; it said {:#?}", self.seen);
            thread::sleep(Duration::from_millis(10));
        }
        let output = self.child.take().expect("it runs").wait_with_output().unwrap();
        let mut seen = std::mem::take(&mut self.seen);
        seen.extend(self.lines.iter());
        Run { code: output.status.code(), stdout: output.stdout, stderr: seen.join("\n") }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
