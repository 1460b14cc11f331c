//! Turns a wasm file into the module and script the page loads. Skipped where the wasm has not changed.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

/// How the module is loaded.
#[derive(PartialEq, Eq, Clone, Copy, Debug)]
pub(crate) enum Target {
    /// By `import`.
    Module,
    /// By a script that defines `wasm_bindgen`.
    Script,
}

/// Writes `out/{name}.js` and `out/{name}_bg.wasm` (and snippets) from `wasm`.
pub(crate) fn generate(wasm: &Path, out: &Path, name: &str, target: Target) -> Result<()> {
    let bytes = fs::read(wasm).with_context(|| format!("cannot read the built module {}", wasm.display()))?;
    let stamp_file = out.with_extension("stamp");
    let stamp = stamp_of(&bytes, target)?;
    if out.is_dir() && fs::read_to_string(&stamp_file).is_ok_and(|old| old == stamp) {
        return Ok(());
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
    fs::write(&stamp_file, stamp).with_context(|| format!("cannot write {}", stamp_file.display()))
}

/// The same for the same wasm and generator: another version of it, or other options, make this program another one.
fn stamp_of(bytes: &[u8], target: Target) -> Result<String> {
    let made = fs::metadata(std::env::current_exe()?)?.modified()?;
    let mut hasher = DefaultHasher::new();
    (bytes, made).hash(&mut hasher);
    Ok(format!("{target:?} {} {:016x}\n", bytes.len(), hasher.finish()))
}
