//! `wasm-opt` of npm's binaryen, for releases: saves about a tenth.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::probe::Probe;
use crate::project::run;

/// Older ones fail on what today's compiler writes.
const MINIMUM: u32 = 120;

/// The tool, in `node_modules` or on `PATH`.
pub(crate) fn find(probe: &dyn Probe, root: &Path) -> Result<PathBuf> {
    let local = root.join("node_modules/.bin/wasm-opt");
    let tool = if probe.is_file(&local) { Some(local) } else { probe.which("wasm-opt") };
    let advice = format!("install version {MINIMUM} or newer: npm install --no-save binaryen");
    let Some(tool) = tool else { bail!("--release-size needs wasm-opt: {advice}") };
    let text = probe.run(&tool.to_string_lossy(), &["--version"]).unwrap_or_default();
    match version(&text) {
        Some(number) if number >= MINIMUM => Ok(tool),
        _ => bail!("{} is too old ({}): {advice}", tool.display(), text.trim()),
    }
}

/// `wasm-opt version 132 (version_132)` as 132.
fn version(text: &str) -> Option<u32> {
    text.split_whitespace().find_map(|word| word.parse().ok())
}

/// Replaces the module by a smaller equal one.
pub(crate) fn shrink(tool: &Path, module: &Path) -> Result<()> {
    let small = module.with_extension("small");
    // The features that rustc's baseline and our flags switch on.
    let features = [
        "--enable-threads",
        "--enable-simd",
        "--enable-bulk-memory",
        "--enable-mutable-globals",
        "--enable-sign-ext",
        "--enable-nontrapping-float-to-int",
        "--enable-reference-types",
        "--enable-multivalue",
    ];
    run(Command::new(tool).arg("-O3").args(features).arg(module).arg("-o").arg(&small))?;
    fs::rename(&small, module).with_context(|| format!("cannot replace {}", module.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::Fake;

    #[test]
    fn an_old_or_missing_tool_is_refused() {
        let machine = Fake::default().var("PATH", "/usr/bin");
        assert!(find(&machine, Path::new("/w")).unwrap_err().to_string().contains("npm install"));
        let machine = machine.file("/usr/bin/wasm-opt");
        let old =
            machine.clone().answer("/usr/bin/wasm-opt --version", "wasm-opt version 108 (version_108)\n");
        assert!(find(&old, Path::new("/w")).unwrap_err().to_string().contains("108"));
        let new = machine.answer("/usr/bin/wasm-opt --version", "wasm-opt version 132\n");
        assert_eq!(find(&new, Path::new("/w")).unwrap(), Path::new("/usr/bin/wasm-opt"));
    }
}
