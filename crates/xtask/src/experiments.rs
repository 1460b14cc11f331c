//! Computes the papers' tables and figures.

use anyhow::Result;

use crate::project::{Project, run as run_command};

/// Builds the experiments (native, release) and hands them the arguments; paths count from the caller's folder.
pub(crate) fn run(project: &Project, args: &[&str]) -> Result<()> {
    let mut build = project.cargo("build");
    build.args(["--release", "--package", "lookalike-experiments"]);
    if matches!(args.first(), Some(&("pycanon" | "anonymeter"))) {
        // What is compared is the program itself.
        build.args(["--package", "lookalike", "--bins"]);
    }
    run_command(&mut build)?;
    let program = format!("lookalike-experiments{}", std::env::consts::EXE_SUFFIX);
    let mut command = std::process::Command::new(project.target.join("release").join(program));
    command.args(args);
    // What is not said lies in the workspace, wherever it is called from.
    for (flag, path) in [
        ("--data", project.root.join("../shared/data")),
        ("--out", project.root.join("docs/results")),
        ("--cells", project.target.join("experiments")),
    ] {
        if !args.contains(&flag) {
            command.arg(flag).arg(path);
        }
    }
    run_command(&mut command)
}
