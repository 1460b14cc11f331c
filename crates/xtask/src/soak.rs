//! The worker's endurance and the readers' at full length: `tests/tests/soak.rs` and `tests/tests/bytes.rs` are what
//! `cargo xtask test` runs of it for some seconds.

use std::{fs, process::Command};

use anyhow::{Result, bail};

use crate::needs::Part;
use crate::project::{Project, run};
use crate::setup;

/// What reads bytes from outside: the targets in `fuzz`.
const TARGETS: [&str; 6] = ["reader", "release", "dialect", "hierarchy", "config", "job"];

/// The target that decodes jobs.
const WIRE: &str = "job";

/// Seconds for each target.
const FUZZED: u32 = 300;

/// What fuzzing needs.
const NEEDS: &str = "fuzzing needs a nightly compiler and cargo-fuzz: rustup toolchain install nightly && cargo install cargo-fuzz";

fn nightly(project: &Project) -> Command {
    let mut command = Command::new("cargo");
    command.arg("+nightly").current_dir(&project.root);
    command
}

/// Whether there is what fuzzing needs.
fn can_fuzz(project: &Project) -> bool {
    nightly(project).args(["fuzz", "--version"]).output().is_ok_and(|output| output.status.success())
}

/// Fuzzes all targets, or the one that `filter` names.
pub(crate) fn fuzz(project: &Project, filter: Option<&str>) -> Result<()> {
    if !can_fuzz(project) {
        bail!(NEEDS);
    }
    for target in TARGETS.into_iter().filter(|target| filter.is_none_or(|filter| target.contains(filter))) {
        let corpus = project.root.join("fuzz/corpus").join(target);
        fs::create_dir_all(&corpus)?;
        let mut command = nightly(project);
        command.args(["fuzz", "run", target]).arg(corpus).arg(format!("fuzz/seeds/{target}"));
        command.args(["--", "-max_len=4096", &format!("-max_total_time={FUZZED}")]);
        run(&mut command)?;
    }
    Ok(())
}

/// Runs it, one test after another, so that the figures of one are not those of all.
pub(crate) fn run_all(project: &Project, filter: Option<&str>) -> Result<()> {
    setup::ensure(project, &[Part::Native])?;
    run(project.cargo("build").args(["--release", "--workspace", "--bin", "lookalike"]))?;
    let mut command = project.cargo("test");
    command.args(["--release", "--workspace", "--test", "soak"]).args(filter);
    command.args(["--", "--nocapture", "--test-threads", "1"]);
    run(command.env("LOOKALIKE_BIN", project.worker()).env("LOOKALIKE_SOAK", "1"))?;
    match filter {
        Some(_) => Ok(()),
        None if can_fuzz(project) => fuzz(project, Some(WIRE)),
        None => {
            eprintln!("xtask: the decoders of jobs were not fuzzed: {NEEDS}");
            Ok(())
        }
    }
}
