//! Builds page and worker and serves the page.

use std::process::Command;

use anyhow::{Context, Result};

use crate::project::{NATIVE, Project, both, run, shown};
use crate::setup::{self, Stage};
use crate::web;

/// Ends with the worker; `args` are for `lookalike serve`.
pub(crate) fn serve(project: &Project, args: &[&str]) -> Result<()> {
    setup::ensure(project, &[Stage::Native, Stage::Web])?;
    let mut build = project.cargo("build");
    build.args(NATIVE).args(["--bin", "lookalike"]);
    both(|| web::build(project), || run(&mut build))?;
    let mut worker = Command::new(project.worker());
    worker.arg("serve").arg("--page").arg(project.dist()).args(args);
    replace_by(&mut worker)
}

/// Becomes the worker, so that signals reach it and nobody else.
#[cfg(unix)]
fn replace_by(command: &mut Command) -> Result<()> {
    use std::os::unix::process::CommandExt;
    let error = command.exec();
    Err(error).with_context(|| format!("cannot start {}", shown(command)))
}

#[cfg(not(unix))]
fn replace_by(command: &mut Command) -> Result<()> {
    run(command).with_context(|| shown(command))
}
