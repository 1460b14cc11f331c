//! Runs the tests, and all that continuous integration checks.

use std::time::Instant;

use anyhow::{Context, Result};

use crate::needs::Part;
use crate::probe::Machine;
use crate::project::{Project, run, step};
use crate::{axe, deny, layers, nats, properties, setup, single_file};

/// Everything that building and testing needs.
const PARTS: [Part; 3] = [Part::Native, Part::Web, Part::Browser];

/// Folder for pictures of every state of the page, which people look at.
const PICTURES: &str = "LOOKALIKE_SHOTS";

/// Builds the page and the worker and runs every test whose name contains the filter.
pub(crate) fn test(project: &Project, filter: Option<&str>) -> Result<()> {
    timed("set-up", || setup::ensure(project, &PARTS))?;
    timed("layers", || layers::check(project))?;
    timed("page", || single_file::build(project))?;
    let machine = Machine::new(&project.root);
    axe::fetch(&machine, project);
    nats::fetch(&machine, project);
    timed("native build", || {
        // Binaries and tests in one go, with the features that the test run below uses: nothing is built twice.
        run(project.cargo("build").args(["--release", "--workspace", "--bins", "--tests"]))
    })?;
    timed("tests", || {
        let mut command = project.cargo("test");
        command.args(["--release", "--workspace"]).args(filter);
        // The suites in tests/ drive the real program and the real page.
        command.env("LOOKALIKE_BIN", project.worker()).env("LOOKALIKE_DIST", project.dist());
        command
            .env("LOOKALIKE_SINGLE_FILE", single_file::file(project))
            .env("LOOKALIKE_AXE", axe::script(&project.target));
        if std::env::var_os(PICTURES).is_none() {
            command.env(PICTURES, project.target.join("pictures"));
        }
        if let Some(server) = nats::find(&machine, &project.target) {
            command.env("NATS_SERVER", server);
        }
        properties::same_cases(&mut command);
        run(&mut command)
    })
}

/// Formatting, lints, layering, licences, tests.
pub(crate) fn ci(project: &Project) -> Result<()> {
    let begin = Instant::now();
    // Fails if Cargo.lock is not what Cargo.toml asks for; the builds below would silently change it.
    project.metadata(&["--locked"]).context("Cargo.lock must be up to date")?;
    timed("formatting", || run(project.cargo("fmt").args(["--all", "--check"])))?;
    timed("layers", || layers::check(project))?;
    timed("licences", || deny::check(project))?;
    timed("set-up", || setup::ensure(project, &PARTS))?;
    timed("lints", || {
        let mut command = project.cargo("clippy");
        run(command.args(["--release", "--workspace", "--all-targets", "--", "-D", "warnings"]))
    })?;
    test(project, None)?;
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
