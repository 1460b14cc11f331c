//! axe-core, by which the browser tests judge whether the page can be used by everybody. It comes from npm; without npm the
//! tests say that they do without it.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::probe::Probe;
use crate::project::{Project, run, step};

/// What npm is asked for.
const PACKAGE: &str = "axe-core@4";

/// Where the script lies.
pub(crate) fn script(target: &Path) -> PathBuf {
    target.join("npm/node_modules/axe-core/axe.min.js")
}

/// Fetches it, if it is not there and npm is. That it cannot be had is no failure.
pub(crate) fn fetch(probe: &dyn Probe, project: &Project) {
    if probe.is_file(&script(&project.target)) {
        return;
    }
    let Some(npm) = probe.which("npm") else {
        step("no npm: the tests do without axe-core");
        return;
    };
    let folder = project.target.join("npm");
    let mut command = Command::new(npm);
    command.args(["install", "--no-save", "--no-audit", "--no-fund", "--prefix"]).arg(folder).arg(PACKAGE);
    if let Err(error) = run(&mut command) {
        step(&format!("npm could not: {error:#}; the tests do without axe-core"));
    }
}
