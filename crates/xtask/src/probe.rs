//! What set-up asks of the machine, as one trait: detection is then a pure function of the answers and is tested
//! against made-up machines.

#[cfg(test)]
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A machine that can be looked at.
pub(crate) trait Probe {
    /// Whether the path is a file (links followed).
    fn is_file(&self, path: &Path) -> bool;
    /// Whether the path is a folder (links followed).
    fn is_dir(&self, path: &Path) -> bool;
    /// The full paths in a folder, sorted; empty if it cannot be read.
    fn list(&self, dir: &Path) -> Vec<PathBuf>;
    /// Standard output of a command that ended well; `None` if it is missing or failed.
    fn run(&self, program: &str, args: &[&str]) -> Option<String>;
    /// An environment variable, if set and not empty.
    fn env(&self, name: &str) -> Option<String>;

    /// The first file of this name in the folders of `PATH`.
    fn which(&self, name: &str) -> Option<PathBuf> {
        let path = self.env("PATH")?;
        std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| self.is_file(file))
    }
}

/// Variables that cargo and rustup set for the programs they start. An inner cargo must not inherit them: they would
/// pin it to the outer tool chain or leak host flags into the page's modules.
pub(crate) const INHERITED: [&str; 8] = [
    "CARGO",
    "RUSTC",
    "RUSTDOC",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTUP_TOOLCHAIN",
    "RUSTFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
];

/// The machine this program runs on. Commands run in the workspace root, so that `rust-toolchain.toml` applies.
pub(crate) struct Machine {
    root: PathBuf,
}

impl Machine {
    pub(crate) fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }
}

impl Probe for Machine {
    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn is_dir(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn list(&self, dir: &Path) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        paths.sort();
        paths
    }

    fn run(&self, program: &str, args: &[&str]) -> Option<String> {
        let mut command = Command::new(program);
        for name in INHERITED {
            command.env_remove(name);
        }
        let output = command.args(args).current_dir(&self.root).stdin(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn env(&self, name: &str) -> Option<String> {
        std::env::var(name).ok().filter(|value| !value.is_empty())
    }
}

/// A made-up machine.
#[cfg(test)]
#[derive(Default, Clone)]
pub(crate) struct Fake {
    files: Vec<PathBuf>,
    env: BTreeMap<String, String>,
    answers: BTreeMap<String, String>,
}

#[cfg(test)]
impl Fake {
    pub(crate) fn file(mut self, path: &str) -> Self {
        self.files.push(path.into());
        self
    }

    pub(crate) fn var(mut self, name: &str, value: &str) -> Self {
        self.env.insert(name.into(), value.into());
        self
    }

    /// What the command line prints; commands not named fail.
    pub(crate) fn answer(mut self, command_line: &str, output: &str) -> Self {
        self.answers.insert(command_line.into(), output.into());
        self
    }
}

#[cfg(test)]
impl Probe for Fake {
    fn is_file(&self, path: &Path) -> bool {
        self.files.iter().any(|file| file == path)
    }

    fn is_dir(&self, path: &Path) -> bool {
        self.files.iter().any(|file| file != path && file.starts_with(path))
    }

    fn list(&self, dir: &Path) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = self
            .files
            .iter()
            .filter_map(|file| Some(dir.join(file.strip_prefix(dir).ok()?.components().next()?)))
            .collect();
        paths.sort();
        paths.dedup();
        paths
    }

    fn run(&self, program: &str, args: &[&str]) -> Option<String> {
        let mut line = program.to_owned();
        for arg in args {
            line.push(' ');
            line.push_str(arg);
        }
        self.answers.get(&line).cloned()
    }

    fn env(&self, name: &str) -> Option<String> {
        self.env.get(name).cloned()
    }
}
