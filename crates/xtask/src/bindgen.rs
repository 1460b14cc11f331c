//! Turns a wasm file into the module and script the page loads. Skipped where the wasm has not changed.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

use crate::{order, slim};

/// Raise this when an option below changes, so that existing output is made anew.
const OPTIONS: u32 = 4;

/// Whether the outputs were made anew.
#[derive(PartialEq, Eq, Clone, Copy, Debug)]
pub(crate) enum Outcome {
    Made,
    Unchanged,
}

/// How the module is loaded.
#[derive(PartialEq, Eq, Clone, Copy, Debug)]
pub(crate) enum Target {
    /// By `import`.
    Module,
    /// By a script that defines `wasm_bindgen`.
    Script,
}

/// Writes `out/{name}.js` and `out/{name}_bg.wasm` (and snippets) from `wasm`, then lets `finish` change the module.
/// `variant` stands for everything but the wasm that the output depends on.
pub(crate) fn generate(
    wasm: &Path,
    out: &Path,
    name: &str,
    target: Target,
    stamp_file: &Path,
    variant: &str,
    finish: impl FnOnce(&Path) -> Result<()>,
) -> Result<Outcome> {
    let bytes = fs::read(wasm).with_context(|| format!("cannot read the built module {}", wasm.display()))?;
    let stamp = stamp_of(&bytes, &format!("{target:?} {variant}"));
    let script = out.join(format!("{name}.js"));
    if script.is_file() && fs::read_to_string(stamp_file).is_ok_and(|old| old == stamp) {
        return Ok(Outcome::Unchanged);
    }
    // Names of snippets carry a hash: old ones would stay for ever.
    if out.exists() {
        fs::remove_dir_all(out).with_context(|| format!("cannot empty {}", out.display()))?;
    }
    let mut bindgen = Bindgen::new();
    match target {
        Target::Module => bindgen.web(true)?.omit_default_module_path(false),
        Target::Script => bindgen.no_modules(true)?.omit_default_module_path(true),
    };
    bindgen
        .input_bytes(name, bytes)
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(out)
        .with_context(|| format!("wasm-bindgen cannot process {}", wasm.display()))?;
    forbid_peer_connections(&script)?;
    slim::folder(out)?;
    let module = out.join(format!("{name}_bg.wasm"));
    finish(&module)?;
    let bytes = fs::read(&module).with_context(|| format!("cannot read {}", module.display()))?;
    fs::write(&module, order::alike_together(&bytes)?)
        .with_context(|| format!("cannot write {}", module.display()))?;
    fs::write(stamp_file, stamp).with_context(|| format!("cannot write {}", stamp_file.display()))?;
    Ok(Outcome::Made)
}

/// A content security policy does not reliably stop peer connections, so the shipped scripts must never open one.
fn forbid_peer_connections(script: &Path) -> Result<()> {
    let text = fs::read_to_string(script).with_context(|| format!("cannot read {}", script.display()))?;
    if text.contains("RTCPeerConnection") {
        bail!(
            "{} names RTCPeerConnection: the page must not be able to send data past its policy",
            script.display()
        );
    }
    Ok(())
}

fn stamp_of(bytes: &[u8], variant: &str) -> String {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    format!("{OPTIONS} {variant} {} {:016x}\n", bytes.len(), hasher.finish())
}

/// The one version of wasm-bindgen and of its command-line library in the lock file's text. They speak a private
/// format with each other, so two versions are an error here instead of an obscure one later.
pub(crate) fn locked_version(lock: &str) -> Result<String> {
    let version = |name: &str| {
        let entry =
            lock.split("[[package]]").find(|entry| entry.contains(&format!("\nname = \"{name}\"\n")))?;
        entry.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'))
    };
    let library = version("wasm-bindgen").context("Cargo.lock names no wasm-bindgen")?;
    let tool = version("wasm-bindgen-cli-support").context("Cargo.lock names no wasm-bindgen-cli-support")?;
    if library != tool {
        bail!(
            "Cargo.lock has wasm-bindgen {library} but wasm-bindgen-cli-support {tool}: \
             pin both to one version in [workspace.dependencies] of Cargo.toml"
        );
    }
    Ok(library.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(library: &str, tool: &str) -> String {
        format!(
            "version = 4\n\n[[package]]\nname = \"wasm-bindgen\"\nversion = \"{library}\"\n\n\
             [[package]]\nname = \"wasm-bindgen-cli-support\"\nversion = \"{tool}\"\n"
        )
    }

    #[test]
    fn one_version_is_accepted_and_two_are_not() {
        assert_eq!(locked_version(&lock("0.2.130", "0.2.130")).unwrap(), "0.2.130");
        let error = locked_version(&lock("0.2.131", "0.2.130")).unwrap_err().to_string();
        assert!(error.contains("0.2.131") && error.contains("0.2.130"), "{error}");
        assert!(locked_version("").is_err());
    }

    #[test]
    fn the_lock_file_of_this_workspace_is_accepted() {
        locked_version(include_str!("../../../Cargo.lock")).unwrap();
    }

    #[test]
    fn a_stamp_tells_contents_and_variants_apart() {
        assert_eq!(stamp_of(b"a", "x"), stamp_of(b"a", "x"));
        assert_ne!(stamp_of(b"a", "x"), stamp_of(b"b", "x"));
        assert_ne!(stamp_of(b"a", "x"), stamp_of(b"a", "y"));
    }
}
