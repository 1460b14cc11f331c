//! Debian's packages. No version is written down here: apt is asked for the ones it has.

use anyhow::Result;

use crate::needs::Need;
use crate::probe::Probe;
use crate::setup::run_as;

/// Whether we may install packages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Right {
    Root,
    /// `sudo` asks for no password.
    Sudo,
    /// No, or there is no apt.
    None,
}

/// What this user may do.
pub(crate) fn right(probe: &dyn Probe) -> Right {
    if probe.which("apt-get").is_none() {
        return Right::None;
    }
    if probe.run("id", &["-u"]).is_some_and(|id| id.trim() == "0") {
        return Right::Root;
    }
    if probe.run("sudo", &["-n", "true"]).is_some() { Right::Sudo } else { Right::None }
}

/// Fetches the lists of packages.
pub(crate) fn update(right: Right) -> Result<()> {
    run_as(right, "apt-get", &["update", "--quiet"])
}

/// Installs packages; never at the price of removing others.
pub(crate) fn install(right: Right, packages: &[String]) -> Result<()> {
    let mut args = vec!["install", "--yes", "--quiet", "--no-install-recommends", "--no-remove"];
    args.extend(packages.iter().map(String::as_str));
    run_as(right, "apt-get", &args)
}

/// The packages with these things.
pub(crate) fn packages(probe: &dyn Probe, needs: &[Need]) -> Vec<String> {
    let mut packages: Vec<String> = Vec::new();
    for need in needs {
        match need {
            Need::Cmake => packages.push("cmake".into()),
            Need::Make => packages.push("make".into()),
            Need::Cxx => packages.push("g++".into()),
            Need::Libclang => packages.push(libclang(probe)),
            Need::Wasm(_) => {
                packages.extend(["rustc-web", "cargo-web", "rust-web-src"].map(str::to_owned));
                packages.push(lld(probe));
            }
            Need::Chromium => packages.push("chromium".into()),
            Need::Chromedriver => packages.push("chromium-driver".into()),
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    packages.retain(|package| seen.insert(package.clone()));
    packages
}

/// The library alone, in the distribution's default version; the development package brings it, and much more.
fn libclang(probe: &dyn Probe) -> String {
    let default = dependency_number(probe, "libclang-dev", "libclang-", "-dev");
    default.map_or_else(|| "libclang-dev".into(), |number| format!("libclang1-{number}"))
}

/// The linker of the LLVM that the packaged compiler uses: `rust-web-llvm` depends on that LLVM. Its own `rust-lld`
/// would bring all of LLVM's development files with it.
fn lld(probe: &dyn Probe) -> String {
    let number = dependency_number(probe, "rust-web-llvm", "llvm-", "").or_else(|| newest_lld(probe));
    number.map_or_else(|| "lld".into(), |number| format!("lld-{number}"))
}

/// The number in a dependency such as `llvm-22` of a package.
fn dependency_number(probe: &dyn Probe, package: &str, prefix: &str, suffix: &str) -> Option<u32> {
    let text = probe.run("apt-cache", &["depends", package])?;
    text.lines().find_map(|line| {
        let name = line.trim().strip_prefix("Depends: ")?;
        name.strip_prefix(prefix)?.strip_suffix(suffix)?.parse().ok()
    })
}

fn newest_lld(probe: &dyn Probe) -> Option<u32> {
    let text = probe.run("apt-cache", &["search", "--names-only", "^lld-[0-9]+$"])?;
    text.lines().filter_map(|line| line.split_whitespace().next()?.strip_prefix("lld-")?.parse().ok()).max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::Fake;
    use crate::toolchain::Flavour;

    #[test]
    fn rights_are_told_apart() {
        let debian = Fake::default().var("PATH", "/usr/bin").file("/usr/bin/apt-get");
        assert_eq!(right(&debian.clone().answer("id -u", "0\n")), Right::Root);
        assert_eq!(right(&debian.clone().answer("id -u", "1000\n").answer("sudo -n true", "")), Right::Sudo);
        assert_eq!(right(&debian.answer("id -u", "1000\n")), Right::None);
        assert_eq!(right(&Fake::default().answer("id -u", "0\n")), Right::None);
    }

    #[test]
    fn versions_come_from_apt() {
        let apt = Fake::default()
            .answer("apt-cache depends libclang-dev", "libclang-dev\n  Depends: libclang-14-dev\n")
            .answer(
                "apt-cache depends rust-web-llvm",
                "rust-web-llvm\n  Depends: libc6\n  Depends: llvm-22\n",
            );
        let needs = [Need::Libclang, Need::Wasm(Flavour::Single), Need::Wasm(Flavour::Threads), Need::Cxx];
        let expected = ["libclang1-14", "rustc-web", "cargo-web", "rust-web-src", "lld-22", "g++"];
        assert_eq!(packages(&apt, &needs), expected);
    }

    #[test]
    fn without_an_answer_the_newest_or_general_package_is_asked_for() {
        let search = Fake::default().answer(
            "apt-cache search --names-only ^lld-[0-9]+$",
            "lld-9 - linker\nlld-19 - linker\nlld-14 - linker\n",
        );
        assert_eq!(lld(&search), "lld-19");
        assert_eq!(lld(&Fake::default()), "lld");
        assert_eq!(libclang(&Fake::default()), "libclang-dev");
    }
}
