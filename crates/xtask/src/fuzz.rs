//! Feeds what reads bytes from outside with bytes that nobody wrote: the targets in `fuzz`.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use crate::project::{Project, run};

/// Seconds for each target.
const SECONDS: u32 = 300;

/// Fuzzes all targets, or those whose name contains the filter.
pub(crate) fn fuzz(project: &Project, filter: Option<&str>) -> Result<()> {
    for file in crate::pack::files(&project.root.join("fuzz/fuzz_targets"))? {
        let target = file.trim_end_matches(".rs");
        if filter.is_some_and(|filter| !target.contains(filter)) {
            continue;
        }
        let corpus = project.root.join("fuzz/corpus").join(target);
        fs::create_dir_all(&corpus)?;
        let mut command = Command::new("cargo");
        command.args(["+nightly", "fuzz", "run", target]).arg(corpus).arg(format!("fuzz/seeds/{target}"));
        command
            .args(["--", "-max_len=4096", &format!("-max_total_time={SECONDS}")])
            .current_dir(&project.root);
        run(&mut command).context(
            "fuzzing needs a nightly compiler and cargo-fuzz: rustup toolchain install nightly && cargo install cargo-fuzz",
        )?;
    }
    Ok(())
}
