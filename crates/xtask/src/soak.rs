//! The worker's endurance at full length: `tests/tests/soak.rs`, which `cargo xtask test` runs for some seconds.

use anyhow::Result;

use crate::needs::Part;
use crate::project::{Project, run};
use crate::setup;

/// Runs it, one test after another, so that the figures of one are not those of all.
pub(crate) fn run_all(project: &Project, filter: Option<&str>) -> Result<()> {
    setup::ensure(project, &[Part::Native])?;
    run(project.cargo("build").args(["--release", "--workspace", "--bin", "lookalike"]))?;
    let mut command = project.cargo("test");
    command.args(["--release", "--package", "lookalike-tests", "--test", "soak"]).args(filter);
    command.args(["--", "--nocapture", "--test-threads", "1"]);
    run(command.env("LOOKALIKE_BIN", project.worker()).env("LOOKALIKE_SOAK", "1"))
}
