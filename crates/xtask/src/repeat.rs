//! Tests again and again: suites that wait for something while another process keeps all cores busy, properties with other
//! random cases, the worker's endurance.

use std::io::{Read, stdin};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::project::{Project, run, step};
use crate::suites::{Suite, failures, suites, whole_system};
use crate::test;

/// The suites that wait for something: a browser, an answer, a signal, the end of a process. A flaky one is a defect.
const WAITING: [&str; 20] = [
    "browser",
    "http",
    "tls",
    "nats",
    "apart",
    "service",
    "signals",
    "disk",
    "faults",
    "logs",
    "republish",
    "republish_runs",
    "republish_states",
    "republish_names",
    "statement",
    "claims",
    "large",
    "openapi",
    "parity",
    "readings",
];

/// What marks a file with properties.
const PROPERTIES: &str = "proptest! {";

/// Runs the suites that wait (those whose name contains the filter) as often as told, while another process keeps all cores
/// busy unless `idle`; ends with the first test that fails.
pub(crate) fn repeat(project: &Project, times: u32, idle: bool, filter: Option<&str>) -> Result<()> {
    test::build(project)?;
    let built = whole_system(project)?;
    let wanted = WAITING.into_iter().filter(|name| filter.is_none_or(|filter| name.contains(filter)));
    let find = |name: &str| {
        let found = built.iter().find(|suite| suite.name == name);
        found.with_context(|| format!("there is no suite {name}"))
    };
    let chosen = wanted.map(find).collect::<Result<Vec<_>>>()?;
    let _busy = if idle { None } else { Some(Busy::start()?) };
    for pass in 1..=times {
        for suite in &chosen {
            let begin = Instant::now();
            let output = suite.command(project).output()?;
            if !output.status.success() {
                let said = String::from_utf8_lossy(&output.stdout);
                eprintln!("{said}{}", String::from_utf8_lossy(&output.stderr));
                let failed = failures(&said).join(", ");
                bail!("pass {pass} of {times}: {} failed ({}): {failed}", suite.name, output.status);
            }
            step(&format!("pass {pass} of {times}: {} passed, {} s", suite.name, begin.elapsed().as_secs()));
        }
    }
    Ok(())
}

/// The worker's endurance at full length, one test after another, so that the figures of one are not those of all.
pub(crate) fn soak(project: &Project, filter: Option<&str>) -> Result<()> {
    test::build(project)?;
    for suite in whole_system(project)?.iter().filter(|suite| suite.name == "soak") {
        let mut command = suite.command(project);
        run(command.args(filter).args(["--nocapture", "--test-threads", "1"]).env("LOOKALIKE_SOAK", "1"))?;
    }
    Ok(())
}

/// Runs all suites that state properties, each round with other random cases.
pub(crate) fn properties(project: &Project, rounds: u32) -> Result<()> {
    test::build(project)?;
    let suites = suites(project)?;
    let chosen: Vec<&Suite> = suites.iter().filter(|suite| states_properties(&suite.source)).collect();
    for round in 1..=rounds {
        step(&format!("properties, round {round} of {rounds}"));
        for suite in &chosen {
            run(suite.command(project).env_remove(test::SEED)).with_context(|| suite.name.clone())?;
        }
    }
    Ok(())
}

/// Whether a suite states properties: its file, or one beside a `lib.rs` or `main.rs` and below.
fn states_properties(source: &Path) -> bool {
    let whole = source.file_stem().is_some_and(|stem| stem == "lib" || stem == "main");
    let folder = source.parent().filter(|_| whole);
    let stated = |path: &Path| std::fs::read_to_string(path).is_ok_and(|text| text.contains(PROPERTIES));
    folder.map_or_else(
        || stated(source),
        |folder| {
            crate::pack::files(folder).is_ok_and(|all| all.iter().any(|file| stated(&folder.join(file))))
        },
    )
}

/// Another process, which keeps all cores busy until it is dropped.
struct Busy(Child);

impl Busy {
    fn start() -> Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        Ok(Self(command.arg("busy").stdin(Stdio::piped()).spawn()?))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        // If it has ended already there is nothing to do.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What the other process does; it ends with the one that started it, which holds its standard input.
pub(crate) fn keep_busy() -> Result<()> {
    for _ in 0..std::thread::available_parallelism()?.get() {
        std::thread::spawn(|| {
            loop {
                std::hint::spin_loop();
            }
        });
    }
    stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_suite_that_waits_is_there() {
        let tests = Project::find().unwrap().root.join("tests/tests");
        for name in WAITING.into_iter().chain(["soak"]) {
            let (file, folder) = (tests.join(format!("{name}.rs")), tests.join(name).join("main.rs"));
            assert!(file.is_file() || folder.is_file(), "there is no suite {name}");
        }
    }

    #[test]
    fn suites_with_properties_are_found() {
        let crates = Project::find().unwrap().root.join("crates");
        assert!(states_properties(&crates.join("model/src/lib.rs")));
        assert!(!states_properties(&crates.join("experiments/src/lib.rs")));
    }
}
