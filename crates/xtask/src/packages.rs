//! The library crates as packages for a registry: all together, since each needs those below it.

use anyhow::{Context, Result, bail};

use crate::project::{Project, run};

/// Packages what may be published. Nothing is built: `verify` builds each from its package alone, which takes as long as the worker.
pub(crate) fn check(project: &Project, verify: bool) -> Result<()> {
    let metadata = project.metadata(&["--no-deps"])?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let published = packages.iter().filter(|package| package["publish"].is_null());
    let names: Vec<&str> = published.filter_map(|package| package["name"].as_str()).collect();
    if !names.contains(&"lookalike-core") {
        bail!("lookalike-core may not be published: {names:?}");
    }
    let package = |more: &[&str]| {
        let mut command = project.cargo("package");
        command.args(["--allow-dirty", "--exclude-lockfile", "--quiet"]).args(more);
        command.args(names.iter().flat_map(|name| ["--package", *name]));
        run(&mut command)
    };
    if verify {
        return package(&[]);
    }
    // Without a network first: what the lock file names was fetched, and nothing else should be needed.
    package(&["--no-verify", "--offline"]).or_else(|_| package(&["--no-verify"]))
}
