//! Runs the tests, and all that continuous integration checks.

use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result};

use crate::project::{NATIVE, Project, both, run, step};
use crate::setup::{self, Stage};
use crate::{layers, licences, packages, python, single_file, suites, tools};

/// What is built of the packages: the libraries for the Python package, whose extension module nothing else depends on.
pub(crate) const NATIVE_TARGETS: [&str; 3] = ["--lib", "--bins", "--tests"];

/// Where proptest looks for the seed of its cases.
pub(crate) const SEED: &str = "PROPTEST_RNG_SEED";

/// Builds the page and the worker and runs every test whose name contains the filter.
pub(crate) fn test(project: &Project, filter: Option<&str>) -> Result<()> {
    build(project)?;
    tests(project, filter)
}

/// Builds the page, the worker and all tests.
pub(crate) fn build(project: &Project) -> Result<()> {
    set_up(project)?;
    both(|| page(project), || native(project))
}

fn set_up(project: &Project) -> Result<()> {
    timed("set-up", || {
        setup::ensure(project, &[Stage::Native, Stage::Web, Stage::Browser])?;
        tools::fetch(project);
        Ok(())
    })
}

fn page(project: &Project) -> Result<()> {
    timed("page", || single_file::build(project))
}

/// Binaries and tests in one go, with the features that every run of tests uses: nothing is built twice.
fn native(project: &Project) -> Result<()> {
    timed("native build", || run(project.cargo("build").args(NATIVE).args(NATIVE_TARGETS)))
}

/// With the profile and features of the tests, so that HiGHS is built once for both.
fn lints(project: &Project) -> Result<()> {
    timed("lints", || {
        let mut command = project.cargo("clippy");
        run(command.args(["--release", "--workspace", "--all-targets", "--", "-D", "warnings"]))
    })
}

fn tests(project: &Project, filter: Option<&str>) -> Result<()> {
    timed("tests", || {
        run(project.cargo("test").args(["--package", "xtask"]).args(filter))?;
        let mut examples = project.cargo("test");
        examples.args(NATIVE).args(["--no-fail-fast", "--doc"]).args(filter);
        let others = || {
            run(in_environment(project, &mut examples))?;
            python::tests(project, filter)
        };
        both(|| suites::run_all(project, filter), others)
    })
}

/// What the suites ask for: the program and the page they drive, the tools they use, and the random cases that everybody
/// has, unless the caller names others.
pub(crate) fn in_environment<'a>(project: &Project, command: &'a mut Command) -> &'a mut Command {
    let mut unless_named = |name: &str, value: std::ffi::OsString| {
        if std::env::var_os(name).is_none() {
            command.env(name, value);
        }
    };
    // Pictures of every state of the page, which people look at.
    unless_named("LOOKALIKE_SHOTS", project.target.join("pictures").into());
    unless_named(SEED, "1".into());
    if let Some(server) = tools::nats(project) {
        command.env("NATS_SERVER", server);
    }
    command.env("LOOKALIKE_BIN", project.worker()).env("LOOKALIKE_DIST", project.dist());
    command.env("LOOKALIKE_SINGLE_FILE", single_file::file(project)).env("LOOKALIKE_AXE", tools::axe(project))
}

/// Formatting, layering, licences, lints, tests.
pub(crate) fn ci(project: &Project) -> Result<()> {
    let begin = Instant::now();
    // Fails if Cargo.lock is not what Cargo.toml asks for; the builds below would silently change it.
    project.metadata(&["--locked"]).context("Cargo.lock must be up to date")?;
    timed("formatting", || run(project.cargo("fmt").args(["--all", "--check"])))?;
    timed("layers", || layers::check(project))?;
    timed("licences", || licences::check(project))?;
    set_up(project)?;
    // After the set-up, which fetches what the lock file names.
    timed("packages", || packages::check(project, false))?;
    both(|| page(project), || lints(project).and_then(|()| native(project)))?;
    tests(project, None)?;
    step(&format!("all checks passed in {} s", begin.elapsed().as_secs()));
    Ok(())
}

/// Announces a step and says how long it took.
fn timed(name: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
    step(name);
    let begin = Instant::now();
    work().with_context(|| format!("step failed: {name}"))?;
    step(&format!("{name}: {} s", begin.elapsed().as_secs()));
    Ok(())
}
