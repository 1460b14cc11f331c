//! The programs with tests, as cargo builds them, and all of them run side by side.
//!
//! Cargo runs one program after another, and many end with one long test, or wait for others all the time: a core is idle then.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::project::{NATIVE, Project, forget_own_toolchain, step};
use crate::test;

/// Suites that run at a time. Each has a thread a core for its tests; two keep all cores busy where one of them waits.
const LANES: usize = 2;

/// The longest suites, begun first, so that none of them is what the others wait for in the end.
const LONGEST: [&str; 8] = [
    "browser",
    "recorded",
    "written",
    "three_ways",
    "lookalike_optimize",
    "lookalike_core",
    "nats",
    "faults",
];

/// A program with tests.
pub(crate) struct Suite {
    pub(crate) name: String,
    program: PathBuf,
    /// The folder of its package, in which cargo runs it.
    folder: PathBuf,
    pub(crate) source: PathBuf,
}

impl Suite {
    /// The command that runs it as `cargo xtask test` does.
    pub(crate) fn command(&self, project: &Project) -> Command {
        let mut command = Command::new(&self.program);
        forget_own_toolchain(&mut command);
        command.current_dir(&self.folder).env("CARGO_MANIFEST_DIR", &self.folder);
        test::in_environment(project, &mut command);
        command
    }

    /// Its folder in the project and its name.
    fn shown(&self, project: &Project) -> String {
        let folder = self.folder.strip_prefix(&project.root).unwrap_or(&self.folder);
        format!("{} of {}", self.name, folder.display())
    }

    /// Runs it and shows what it said in one piece, as others run beside it.
    fn passes(&self, project: &Project, filter: Option<&str>) -> Result<bool> {
        let (begin, shown) = (Instant::now(), self.shown(project));
        let output = self.command(project).args(filter).stdin(Stdio::null()).output();
        let output = output.with_context(|| format!("cannot run {shown}"))?;
        let (said, errors) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let passed = output.status.success();
        let how = if passed { String::from("passed") } else { format!("failed ({})", output.status) };
        eprint!("{said}{errors}");
        step(&format!("{shown} {how}, {} s", begin.elapsed().as_secs()));
        Ok(passed)
    }
}

/// Runs all suites with the tests whose names contain the filter. One that fails does not hide what the others find.
pub(crate) fn run_all(project: &Project, filter: Option<&str>) -> Result<()> {
    let mut found = suites(project)?;
    found.sort_by_cached_key(|suite| (rank(&suite.name), suite.folder.clone(), suite.name.clone()));
    let (queue, failed) = (Mutex::new(VecDeque::from(found)), Mutex::new(Vec::new()));
    let lane = || -> Result<()> {
        loop {
            let next = lock(&queue).pop_front();
            let Some(suite) = next else { return Ok(()) };
            if !suite.passes(project, filter)? {
                lock(&failed).push(suite.shown(project));
            }
        }
    };
    std::thread::scope(|scope| {
        let lanes: Vec<_> = (0..LANES).map(|_| scope.spawn(lane)).collect();
        let ended = lanes.into_iter().map(|lane| lane.join().unwrap_or_else(|_| bail!("a thread broke")));
        ended.collect::<Result<()>>()
    })?;
    let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    if failed.is_empty() { Ok(()) } else { bail!("suites failed: {}", failed.join(", ")) }
}

/// What a lock holds; a lane that broke is told of otherwise.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Its place among the suites that begin first.
fn rank(name: &str) -> usize {
    LONGEST.iter().position(|long| *long == name).unwrap_or(LONGEST.len())
}

/// The suites of the whole system: other packages have some of the same names.
pub(crate) fn whole_system(project: &Project) -> Result<Vec<Suite>> {
    let folder = project.root.join("tests");
    Ok(suites(project)?.into_iter().filter(|suite| suite.folder == folder).collect())
}

/// All programs with tests, as they were built.
pub(crate) fn suites(project: &Project) -> Result<Vec<Suite>> {
    let mut command = project.cargo("test");
    command.args(NATIVE).args(["--no-run", "--message-format", "json-render-diagnostics"]);
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("the tests cannot be built");
    }
    let text = String::from_utf8(output.stdout)?;
    Ok(text.lines().filter_map(|line| suite(&serde_json::from_str(line).ok()?)).collect())
}

/// The program that a line of cargo's is about, if it has tests.
fn suite(artifact: &Value) -> Option<Suite> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let program = artifact["executable"].as_str().filter(|_| artifact["profile"]["test"] == true)?;
    Some(Suite {
        name: text(&artifact["target"]["name"])?,
        program: program.into(),
        folder: Path::new(artifact["manifest_path"].as_str()?).parent()?.to_owned(),
        source: artifact["target"]["src_path"].as_str()?.into(),
    })
}

/// The tests that failed, by what the harness prints.
pub(crate) fn failures(said: &str) -> Vec<&str> {
    said.lines().filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED")).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn suites_and_failures_are_read_from_what_cargo_prints() {
        let line = |test: bool| {
            json!({ "manifest_path": "/w/tests/Cargo.toml", "executable": "/t/http-1", "profile": { "test": test },
                "target": { "name": "http", "src_path": "/w/tests/tests/http.rs" } })
        };
        assert!(suite(&line(false)).is_none());
        let found = suite(&line(true)).unwrap();
        assert_eq!((found.name.as_str(), found.folder.as_path()), ("http", Path::new("/w/tests")));
        assert_eq!(failures("test a ... ok\ntest b::c ... FAILED\n"), ["b::c"]);
    }

    #[test]
    fn the_longest_suites_are_there_and_begin_first() {
        let root = Project::find().unwrap().root;
        let is_there = |name: &str| {
            if let Some(package) = name.strip_prefix("lookalike_") {
                return root.join("crates").join(package).join("src/lib.rs").is_file();
            }
            ["tests", "crates/experiments", "crates/optimize"].iter().any(|folder| {
                let tests = root.join(folder).join("tests");
                tests.join(format!("{name}.rs")).is_file() || tests.join(name).join("main.rs").is_file()
            })
        };
        for name in LONGEST {
            assert!(is_there(name), "there is no suite {name}");
        }
        assert!(rank("browser") < rank("recorded") && rank("nats") < rank("http"));
    }
}
