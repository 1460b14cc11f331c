//! Feeds what reads bytes from outside with bytes that nobody wrote: the targets in `fuzz`.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use crate::project::{Project, forget_own_toolchain, run, step};

/// Seconds for each target.
const SECONDS: u32 = 300;

/// Bytes of an input: the longest seed has 7,168, and a longer one would be cut off.
const LONGEST: u32 = 8_192;

/// MiB that a run may hold, and that one allocation may have.
const MEMORY: u32 = 2_048;
const ALLOCATION: u32 = 1_024;

/// Fuzzes all targets, or those whose name contains the filter.
pub(crate) fn fuzz(project: &Project, filter: Option<&str>) -> Result<()> {
    let compiler = Compiler::find();
    if compiler == Compiler::Usual {
        step("there is no nightly compiler: the usual one is used, with RUSTC_BOOTSTRAP=1");
    }
    for file in crate::pack::files(&project.root.join("fuzz/fuzz_targets"))? {
        let target = file.trim_end_matches(".rs");
        if filter.is_some_and(|filter| !target.contains(filter)) {
            continue;
        }
        let corpus = project.root.join("fuzz/corpus").join(target);
        fs::create_dir_all(&corpus)?;
        let mut command = compiler.cargo();
        command.args(["fuzz", "run", target]).arg(corpus).arg(format!("fuzz/seeds/{target}"));
        command
            .args(["--", &format!("-max_len={LONGEST}"), &format!("-max_total_time={SECONDS}")])
            .args([format!("-rss_limit_mb={MEMORY}"), format!("-malloc_limit_mb={ALLOCATION}")])
            .arg("-print_final_stats=1")
            .current_dir(&project.root);
        run(&mut command).context("fuzzing needs cargo-fuzz: cargo install cargo-fuzz")?;
    }
    Ok(())
}

/// What builds the targets: a sanitizer is an option of nightly compilers alone.
#[derive(Clone, Copy, PartialEq)]
enum Compiler {
    Nightly,
    /// The workspace's, which is told to take such options.
    Usual,
}

impl Compiler {
    fn find() -> Self {
        let nightly = crate::setup::output("rustc", &["+nightly", "--version"]);
        if nightly.is_some() { Self::Nightly } else { Self::Usual }
    }

    fn cargo(self) -> Command {
        let mut command = Command::new("cargo");
        forget_own_toolchain(&mut command);
        match self {
            Self::Nightly => command.arg("+nightly"),
            Self::Usual => command.env("RUSTC_BOOTSTRAP", "1"),
        };
        command
    }
}
