//! A public tool that makes classes.

use anyhow::{Context, Result, bail};
use lookalike_model::settings::MethodName;

use super::{GIGABYTES, SECONDS, environment, instance::Instance};

/// A public tool that makes classes, and what we have under the same name.
#[derive(Clone, Copy)]
pub(super) struct Tool {
    /// As `peers/classes.py` knows it.
    pub(super) name: &'static str,
    /// Our routine of that kind.
    pub(super) ours: MethodName,
}

pub(super) const ANONYPYX_MDAV: Tool = Tool { name: "anonypyx-mdav", ours: MethodName::Mdav };
pub(super) const ANONYPYX_MONDRIAN: Tool = Tool { name: "anonypyx-mondrian", ours: MethodName::Mondrian };
pub(super) const ANONYPY_MONDRIAN: Tool = Tool { name: "anonypy-mondrian", ours: MethodName::Mondrian };
pub(super) const MICROAGG1D: Tool = Tool { name: "microagg1d", ours: MethodName::HansenMukherjee };

/// What came of it.
pub(super) enum Ran {
    /// `classes.csv` and the user CPU seconds.
    Classes(Vec<u8>, f64),
    /// It needs more time or memory than it may take.
    Stopped(String),
}

impl Tool {
    /// Runs the tool within its limits.
    pub(super) fn run(self, instance: &Instance, k: usize) -> Result<Ran> {
        let table = instance.load()?.path.to_str().context("the folder has a name that is no text")?;
        let out = environment::folder()?.join(format!("classes-{}.csv", std::process::id()));
        let out = out.to_str().context("the folder has a name that is no text")?;
        let (k, limit) = (k.to_string(), SECONDS.to_string());
        let bytes = (GIGABYTES << 30).to_string();
        let output = environment::run("classes.py", &[self.name, &k, table, out, &limit, &bytes])?;
        if output.status.success() {
            let seconds = String::from_utf8_lossy(&output.stdout).trim().parse::<f64>();
            let seconds = seconds.with_context(|| format!("{} does not tell its time", self.name))?;
            let classes = std::fs::read(out).with_context(|| format!("cannot read {out}"))?;
            std::fs::remove_file(out).with_context(|| format!("cannot remove {out}"))?;
            return Ok(Ran::Classes(classes, seconds));
        }
        if environment::complaint(&output) == "memory" {
            return Ok(Ran::Stopped(format!("over {GIGABYTES} GiB")));
        }
        if environment::out_of_time(output.status) {
            return Ok(Ran::Stopped(format!("over {SECONDS} s")));
        }
        bail!("{} failed, {}: {}", self.name, output.status, environment::complaint(&output))
    }
}
