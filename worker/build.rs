//! Notes which compiler the program is built by: `lookalike --version` says it.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=RUSTC");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(compiler).arg("--version").output().ok();
    let version = version.and_then(|output| String::from_utf8(output.stdout).ok());
    let version = version.as_deref().map_or("an unknown compiler", str::trim);
    println!("cargo:rustc-env=LOOKALIKE_COMPILER={version}");
}
