//! Which compiler builds the page's modules: the active one, else Debian's `rustc-web` where rustup cannot download.
//!
//! A module for one thread takes the standard library that the target comes with. The threaded one needs a standard
//! library with atomics, which is never prebuilt: it is built from its source with `-Z build-std`, which a stable compiler
//! accepts under `RUSTC_BOOTSTRAP=1`.

use std::env::consts::EXE_SUFFIX;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::project::Project;
use crate::setup::output;

/// The page's target.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// The two kinds of builds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flavour {
    /// Shared memory and a pool of workers; runs where the page is cross-origin isolated.
    Threads,
    /// Runs everywhere.
    Single,
}

impl Flavour {
    /// The name of its folders.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Threads => "threads",
            Self::Single => "single",
        }
    }
}

/// A compiler with its libraries.
pub(crate) struct Toolchain {
    sysroot: PathBuf,
}

impl fmt::Display for Toolchain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.program("rustc").display().fmt(f)
    }
}

impl Toolchain {
    /// The real program, not rustup's proxy: that would look at the environment again.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.sysroot.join("bin").join(format!("{name}{EXE_SUFFIX}"))
    }

    /// The source of the standard library.
    pub(crate) fn source(&self) -> PathBuf {
        self.sysroot.join("lib/rustlib/src/rust/library")
    }

    /// Whether the standard library is there, compiled, for one thread.
    fn prebuilt(&self) -> bool {
        let folder = self.sysroot.join("lib/rustlib").join(TARGET).join("lib");
        let mut files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        files.any(|file| file.file_name().to_string_lossy().starts_with("libstd-"))
    }

    /// Whether the standard library is to be built from its source.
    pub(crate) fn needs_build_std(&self, flavour: Flavour) -> bool {
        flavour == Flavour::Threads || !self.prebuilt()
    }

    fn builds(&self, flavour: Flavour) -> bool {
        let library = !self.needs_build_std(flavour) || self.source().join("std/Cargo.toml").is_file();
        library && self.program("rustc").is_file() && self.program("cargo").is_file()
    }
}

/// The tool chain that builds this flavour.
pub(crate) fn find(project: &Project, flavour: Flavour) -> Option<Toolchain> {
    let active = project.sysroot.clone();
    // Debian's packages put everything below /usr.
    let known = [active, Some(Path::new("/usr").to_owned())].into_iter().flatten();
    known.map(|sysroot| Toolchain { sysroot }).find(|toolchain| toolchain.builds(flavour))
}

/// Debian's packages that build both flavours: compiler, source, and the linker of the compiler's own LLVM.
pub(crate) fn debian_packages() -> Vec<String> {
    let text = output("apt-cache", &["depends", "rust-web-llvm"]).unwrap_or_default();
    let number = text.lines().find_map(|line| line.trim().strip_prefix("Depends: llvm-"));
    let linker = number.map_or_else(|| String::from("lld"), |number| format!("lld-{number}"));
    let others = ["rustc-web", "cargo-web", "rust-web-src", "rust-web-llvm"].map(String::from);
    others.into_iter().chain([linker]).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_flavour_needs_a_library_or_its_source() {
        let folder = tempfile::tempdir().unwrap();
        let toolchain = Toolchain { sysroot: folder.path().to_owned() };
        let put = |path: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        };
        put(&format!("bin/rustc{EXE_SUFFIX}"));
        put(&format!("bin/cargo{EXE_SUFFIX}"));
        assert!(!toolchain.builds(Flavour::Single) && !toolchain.builds(Flavour::Threads));
        put("lib/rustlib/wasm32-unknown-unknown/lib/libstd-1f.rlib");
        assert!(toolchain.builds(Flavour::Single) && !toolchain.needs_build_std(Flavour::Single));
        assert!(!toolchain.builds(Flavour::Threads));
        put("lib/rustlib/src/rust/library/std/Cargo.toml");
        assert!(toolchain.builds(Flavour::Threads) && toolchain.needs_build_std(Flavour::Threads));
    }
}
