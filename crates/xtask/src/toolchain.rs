//! Which compiler builds the page's two modules, found by looking for files: the active tool chain, else a nightly of
//! rustup, else Debian's `rustc-web`.
//!
//! The single-threaded module needs a `std` for wasm, prebuilt or as source. The threaded one needs the source: a
//! `std` with atomics is never prebuilt. Source is built with `-Z build-std`, which a stable compiler accepts under
//! `RUSTC_BOOTSTRAP=1`.

use std::env::consts::EXE_SUFFIX;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::probe::Probe;

/// The page's target.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// The two builds of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flavour {
    /// Shared memory and a pool of workers; runs where the page is cross-origin isolated.
    Threads,
    /// Runs everywhere.
    Single,
}

impl Flavour {
    #[cfg(test)]
    pub(crate) const ALL: [Self; 2] = [Self::Threads, Self::Single];

    /// The name of its folders.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Threads => "threads",
            Self::Single => "single",
        }
    }
}

/// Where a tool chain comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// The `rustc` that the workspace gets by itself.
    Active,
    /// A nightly installed by rustup.
    Nightly,
    /// Debian's packages for building web browsers.
    Debian,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Active => "the active tool chain",
            Self::Nightly => "rustup's nightly",
            Self::Debian => "Debian's rustc-web",
        })
    }
}

/// A compiler and what it can do for the page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Toolchain {
    pub(crate) origin: Origin,
    pub(crate) cargo: PathBuf,
    pub(crate) rustc: PathBuf,
    /// Release as (major, minor), for example (1, 96).
    pub(crate) release: (u32, u32),
    /// `std` for wasm without atomics is there, compiled.
    pub(crate) prebuilt: bool,
    /// The source of `std` is there.
    pub(crate) source: bool,
    pub(crate) linker: Linker,
}

/// Where the linker for wasm is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Linker {
    /// `rust-lld` is where the compiler looks for it.
    Own,
    /// This `lld` is to be put on `PATH` under the name `rust-lld`.
    Lld(PathBuf),
    Missing,
}

impl Toolchain {
    /// Whether it can build this flavour.
    pub(crate) fn builds(&self, flavour: Flavour) -> bool {
        let std = self.source || (flavour == Flavour::Single && self.prebuilt);
        std && self.linker != Linker::Missing
    }

    /// Whether `std` is to be built from source for this flavour: wherever it can be, since the prebuilt one was not
    /// made small.
    pub(crate) fn needs_build_std(&self, flavour: Flavour) -> bool {
        flavour == Flavour::Threads || self.source || !self.prebuilt
    }
}

/// All tool chains of the machine that are at least `minimum`, in the order of preference.
pub(crate) fn find_all(probe: &dyn Probe, minimum: (u32, u32)) -> Vec<Toolchain> {
    let mut found = Vec::new();
    if let Some(active) = inspect(probe, "rustc", Origin::Active) {
        found.push(active);
    }
    for rustc in nightlies(probe) {
        found.extend(inspect(probe, &rustc.to_string_lossy(), Origin::Nightly));
    }
    if let Some(rustc) = debian_rustc(probe) {
        found.extend(inspect(probe, &rustc, Origin::Debian));
    }
    found.retain(|toolchain| toolchain.release >= minimum);
    found
}

/// The first tool chain that can build this flavour.
pub(crate) fn choose(found: &[Toolchain], flavour: Flavour) -> Option<&Toolchain> {
    found.iter().find(|toolchain| toolchain.builds(flavour))
}

/// Looks into the sysroot that a compiler names.
fn inspect(probe: &dyn Probe, rustc: &str, origin: Origin) -> Option<Toolchain> {
    let sysroot = PathBuf::from(probe.run(rustc, &["--print", "sysroot"])?.trim());
    let version = probe.run(rustc, &["-vV"])?;
    let field = |name: &str| version.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let rustlib = sysroot.join("lib/rustlib");
    let prebuilt = probe.list(&rustlib.join(TARGET).join("lib")).iter().any(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("libstd-") && name.ends_with(".rlib")
    });
    let source = probe.is_file(&rustlib.join("src/rust/library/std/Cargo.toml"));
    // The real programs, not rustup's proxies: those would look at the environment again.
    let own = |name: &str| sysroot.join("bin").join(format!("{name}{EXE_SUFFIX}"));
    let cargo = if probe.is_file(&own("cargo")) { own("cargo") } else { probe.which("cargo")? };
    let rustc = if probe.is_file(&own("rustc")) { own("rustc") } else { probe.which(rustc)? };
    let release = two_numbers(field("release:")?)?;
    let llvm = field("LLVM version:").and_then(|text| text.split('.').next()?.parse().ok()).unwrap_or(0);
    let own_linker = rustlib.join(field("host:")?).join("bin").join(format!("rust-lld{EXE_SUFFIX}"));
    let linker = if probe.is_file(&own_linker) {
        Linker::Own
    } else {
        find_lld(probe, llvm).map_or(Linker::Missing, Linker::Lld)
    };
    Some(Toolchain { origin, cargo, rustc, release, prebuilt, source, linker })
}

/// `1.96.0-nightly` as (1, 96).
pub(crate) fn two_numbers(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.split(['.', '-']);
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// The compilers of rustup's nightlies, undated one first.
fn nightlies(probe: &dyn Probe) -> Vec<PathBuf> {
    let home = probe
        .env("RUSTUP_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(Path::new(&probe.env("HOME")?).join(".rustup")));
    let Some(home) = home else { return Vec::new() };
    let mut folders = probe.list(&home.join("toolchains"));
    folders.retain(|folder| folder.file_name().is_some_and(|n| n.to_string_lossy().starts_with("nightly")));
    // `nightly-2026-..` sorts before `nightly-x86_64-..`; the undated one is the one people keep current.
    folders.reverse();
    folders.into_iter().map(|folder| folder.join("bin/rustc")).filter(|rustc| probe.is_file(rustc)).collect()
}

/// The compiler of the package `rustc-web`, wherever the package has put it.
fn debian_rustc(probe: &dyn Probe) -> Option<String> {
    let files = probe.run("dpkg", &["-L", "rustc-web"])?;
    files
        .lines()
        .find(|line| line.ends_with("/bin/rustc") && probe.is_file(Path::new(line)))
        .map(str::to_owned)
}

/// The newest `lld` of the machine that is not older than the compiler's LLVM; needed where the compiler brings none.
fn find_lld(probe: &dyn Probe, llvm: u32) -> Option<PathBuf> {
    let path = probe.env("PATH")?;
    let in_path = std::env::split_paths(&path).flat_map(|dir| probe.list(&dir)).filter_map(|file| {
        Some((file.file_name()?.to_str()?.strip_prefix("lld-")?.parse::<u32>().ok()?, file))
    });
    let packaged = probe.list(Path::new("/usr/lib")).into_iter().filter_map(|dir| {
        let version = dir.file_name()?.to_str()?.strip_prefix("llvm-")?.parse::<u32>().ok()?;
        Some((version, dir.join("bin/lld")))
    });
    in_path
        .chain(packaged)
        .filter(|(version, file)| *version >= llvm && probe.is_file(file))
        .max_by_key(|(version, _)| *version)
        .map(|(_, file)| file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::Fake;

    const HOST: &str = "x86_64-unknown-linux-gnu";

    fn version(release: &str, llvm: &str) -> String {
        format!("rustc {release}\nhost: {HOST}\nrelease: {release}\nLLVM version: {llvm}\n")
    }

    /// A rustup machine whose stable has neither wasm nor source.
    fn bare() -> Fake {
        let root = "/r/toolchains/stable";
        Fake::default()
            .var("PATH", "/c/bin:/usr/bin")
            .var("RUSTUP_HOME", "/r")
            .answer("rustc --print sysroot", &format!("{root}\n"))
            .answer("rustc -vV", &version("1.95.0", "22.1.2"))
            .file(&format!("{root}/bin/rustc"))
            .file(&format!("{root}/bin/cargo"))
            .file(&format!("{root}/lib/rustlib/{HOST}/bin/rust-lld"))
    }

    fn with_debian(fake: Fake, release: &str) -> Fake {
        fake.answer("dpkg -L rustc-web", "/.\n/usr\n/usr/bin\n/usr/bin/rustc\n")
            .answer("/usr/bin/rustc --print sysroot", "/usr\n")
            .answer("/usr/bin/rustc -vV", &version(release, "22.1.8"))
            .file("/usr/bin/rustc")
            .file("/usr/bin/cargo")
            .file("/usr/lib/rustlib/src/rust/library/std/Cargo.toml")
            .file("/usr/bin/lld-22")
    }

    fn chosen(fake: &Fake, flavour: Flavour) -> Option<Origin> {
        choose(&find_all(fake, (1, 90)), flavour).map(|toolchain| toolchain.origin)
    }

    #[test]
    fn a_bare_machine_builds_neither() {
        assert_eq!(chosen(&bare(), Flavour::Single), None);
        assert_eq!(chosen(&bare(), Flavour::Threads), None);
        assert_eq!(chosen(&Fake::default(), Flavour::Single), None);
    }

    #[test]
    fn the_target_alone_serves_the_single_flavour() {
        let fake = bare().file("/r/toolchains/stable/lib/rustlib/wasm32-unknown-unknown/lib/libstd-1f.rlib");
        assert_eq!(chosen(&fake, Flavour::Single), Some(Origin::Active));
        assert_eq!(chosen(&fake, Flavour::Threads), None);
        let found = find_all(&fake, (1, 90));
        assert!(!found[0].needs_build_std(Flavour::Single));
        let fake = with_debian(fake, "1.96.0");
        assert_eq!(chosen(&fake, Flavour::Single), Some(Origin::Active));
        assert_eq!(chosen(&fake, Flavour::Threads), Some(Origin::Debian));
    }

    #[test]
    fn source_serves_both_flavours() {
        let fake = bare().file("/r/toolchains/stable/lib/rustlib/src/rust/library/std/Cargo.toml");
        let found = find_all(&fake, (1, 90));
        for flavour in Flavour::ALL {
            let toolchain = choose(&found, flavour).unwrap();
            assert_eq!(toolchain.origin, Origin::Active);
            assert!(toolchain.needs_build_std(flavour));
            assert_eq!(toolchain.cargo, Path::new("/r/toolchains/stable/bin/cargo"));
            assert_eq!(toolchain.linker, Linker::Own);
        }
    }

    #[test]
    fn a_nightly_without_source_is_useless_and_one_with_source_is_not() {
        let root = format!("/r/toolchains/nightly-{HOST}");
        let fake = with_debian(bare(), "1.96.0")
            .file(&format!("{root}/bin/rustc"))
            .file(&format!("{root}/bin/cargo"))
            .answer(&format!("{root}/bin/rustc --print sysroot"), &root)
            .answer(&format!("{root}/bin/rustc -vV"), &version("1.97.0-nightly", "22.1.2"));
        assert_eq!(chosen(&fake, Flavour::Threads), Some(Origin::Debian));
        let fake = fake.file(&format!("{root}/lib/rustlib/src/rust/library/std/Cargo.toml"));
        assert_eq!(chosen(&fake, Flavour::Threads), Some(Origin::Nightly));
    }

    #[test]
    fn debian_is_used_unless_too_old() {
        let fake = with_debian(bare(), "1.96.0");
        for flavour in Flavour::ALL {
            assert_eq!(chosen(&fake, flavour), Some(Origin::Debian));
        }
        let found = find_all(&fake, (1, 90));
        let debian = choose(&found, Flavour::Single).unwrap();
        assert!(debian.needs_build_std(Flavour::Single));
        assert_eq!(debian.linker, Linker::Lld("/usr/bin/lld-22".into()));
        assert_eq!(debian.release, (1, 96));
        assert_eq!(chosen(&with_debian(bare(), "1.85.0"), Flavour::Single), None);
    }

    #[test]
    fn a_compiler_without_a_linker_builds_nothing() {
        let source = "/usr/lib/rustlib/src/rust/library/std/Cargo.toml";
        let fake = Fake::default()
            .var("PATH", "/usr/bin")
            .answer("rustc --print sysroot", "/usr\n")
            .answer("rustc -vV", &version("1.96.0", "22.1.8"));
        let fake = fake.file("/usr/bin/rustc").file("/usr/bin/cargo").file(source).file("/usr/bin/lld-14");
        assert_eq!(chosen(&fake, Flavour::Single), None);
        assert_eq!(chosen(&fake.file("/usr/bin/lld-22"), Flavour::Single), Some(Origin::Active));
    }

    #[test]
    fn lld_is_not_older_than_the_compiler() {
        let fake = Fake::default()
            .var("PATH", "/usr/bin")
            .file("/usr/bin/lld-14")
            .file("/usr/bin/lld-22")
            .file("/usr/lib/llvm-19/bin/lld");
        assert_eq!(find_lld(&fake, 22), Some("/usr/bin/lld-22".into()));
        assert_eq!(find_lld(&fake, 23), None);
        let fake = Fake::default().var("PATH", "/bin").file("/usr/lib/llvm-23/bin/lld");
        assert_eq!(find_lld(&fake, 22), Some("/usr/lib/llvm-23/bin/lld".into()));
    }
}
