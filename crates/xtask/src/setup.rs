//! What building and testing needs from the machine. Whatever is missing is installed by rustup or Debian's apt where
//! that is allowed; otherwise the one command to run is printed.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Result, bail};

use crate::project::{Project, forget_own_toolchain, run, shown, step};
use crate::toolchain::{self, Flavour, TARGET};

/// Which commands need it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    /// Builds of the worker and the tests.
    Native,
    /// Builds of the page.
    Web,
    /// Tests in a browser.
    Browser,
}

/// One thing that must be there.
struct Need {
    stage: Stage,
    name: &'static str,
    purpose: &'static str,
    /// Debian's package; none where rustup or, failing that, another compiler of Debian's provides it.
    package: Option<&'static str>,
    /// Where it is.
    find: fn(&Project) -> Option<String>,
}

const NEEDS: [Need; 8] = [
    Need {
        stage: Stage::Native,
        name: "cmake",
        purpose: "builds HiGHS, the worker's solver",
        package: Some("cmake"),
        find: |_| program("CMAKE", &["cmake"]),
    },
    Need {
        stage: Stage::Native,
        name: "make",
        purpose: "builds HiGHS",
        package: Some("make"),
        find: |_| program("MAKE", &["make", "gmake"]),
    },
    Need {
        stage: Stage::Native,
        name: "C++ compiler",
        purpose: "compiles HiGHS",
        package: Some("g++"),
        find: |_| program("CXX", &["c++", "g++", "clang++"]),
    },
    Need {
        stage: Stage::Native,
        name: "libclang",
        purpose: "reads HiGHS's C header",
        package: Some("libclang1"),
        // The same search as that of HiGHS's build script.
        find: |_| Some(clang_sys::load_manually().ok()?.path().display().to_string()),
    },
    Need {
        stage: Stage::Web,
        name: "wasm, single",
        purpose: "builds the page",
        package: None,
        find: |project| toolchain::find(project, Flavour::Single).map(|found| found.to_string()),
    },
    Need {
        stage: Stage::Web,
        name: "wasm, threads",
        purpose: "builds the page's search for several threads",
        package: None,
        find: |project| toolchain::find(project, Flavour::Threads).map(|found| found.to_string()),
    },
    Need {
        stage: Stage::Browser,
        name: "chromium",
        purpose: "the browser of the tests",
        package: Some("chromium"),
        find: |_| {
            program("CHROMIUM", &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"])
        },
    },
    Need {
        stage: Stage::Browser,
        name: "chromedriver",
        purpose: "steers the browser of the tests",
        package: Some("chromium-driver"),
        find: |_| program("CHROMEDRIVER", &["chromedriver"]),
    },
];

/// Makes sure that everything for these stages is there.
pub(crate) fn ensure(project: &Project, stages: &[Stage]) -> Result<()> {
    let mut missing = missing(project, stages);
    if missing.iter().any(|need| need.stage == Stage::Web) && which("rustup").is_some() {
        ask_rustup(project);
        missing = self::missing(project, stages);
    }
    if missing.is_empty() {
        return Ok(());
    }
    let names = missing.iter().map(|need| need.name).collect::<Vec<_>>().join(", ");
    if !may_install() {
        bail!("missing: {names}\nRun this once, then try again:\n\n    {}\n", by_hand(&missing));
    }
    step(&format!("missing: {names}; installing"));
    apt(&["update", "--quiet"])?;
    let mut args = vec!["install", "--yes", "--quiet", "--no-install-recommends", "--no-remove"];
    let packages = packages(&missing);
    args.extend(packages.iter().map(String::as_str));
    apt(&args)?;
    let left = self::missing(project, stages);
    if !left.is_empty() {
        let names: Vec<&str> = left.iter().map(|need| need.name).collect();
        bail!("still missing after the installation: {}", names.join(", "));
    }
    Ok(())
}

/// Prints what is there and what is missing; the code is 1 if anything is.
pub(crate) fn doctor(project: &Project) -> ExitCode {
    let mut missing = Vec::new();
    for need in &NEEDS {
        let found = (need.find)(project);
        println!("{:13} {}", need.name, found.as_deref().unwrap_or("MISSING"));
        println!("{:13} {}", "", need.purpose);
        if found.is_none() {
            missing.push(need);
        }
    }
    for (name, purpose) in [
        ("cargo-deny", "checks bans and advisories (cargo install cargo-deny --locked)"),
        ("nats-server", "tests of blocks over NATS (`cargo xtask test` gets it if it can)"),
        ("npm", "axe-core for the browser tests"),
    ] {
        let found = which(name).map(|path| path.display().to_string());
        println!("{name:13} {}\n{:13} optional: {purpose}", found.as_deref().unwrap_or("not found"), "");
    }
    if missing.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("\n`cargo xtask serve` and `cargo xtask test` install what is missing where they may; by hand:");
    println!("\n    {}", by_hand(&missing));
    ExitCode::FAILURE
}

/// What is missing for these stages.
fn missing(project: &Project, stages: &[Stage]) -> Vec<&'static Need> {
    let wanted = NEEDS.iter().filter(|need| stages.contains(&need.stage));
    wanted.filter(|need| (need.find)(project).is_none()).collect()
}

/// One shell command that gets everything missing.
fn by_hand(missing: &[&Need]) -> String {
    let mut commands = Vec::new();
    let (rust, system): (Vec<&Need>, Vec<&Need>) = missing.iter().partition(|need| need.package.is_none());
    if !rust.is_empty() {
        commands.push(format!("rustup component add rust-src && rustup target add {TARGET}"));
    }
    if !system.is_empty() {
        let packages = packages(&system).join(" ");
        commands
            .push(format!("sudo apt-get update && sudo apt-get install --no-install-recommends {packages}"));
    }
    commands.join(" && ")
}

/// Debian's packages with these things.
fn packages(needs: &[&Need]) -> Vec<String> {
    let mut packages: Vec<String> = needs.iter().filter_map(|need| need.package).map(str::to_owned).collect();
    if needs.iter().any(|need| need.package.is_none()) {
        packages.extend(toolchain::debian_packages());
    }
    packages
}

/// Lets rustup add what the page needs. Failure is normal where rustup can download nothing.
fn ask_rustup(project: &Project) {
    for request in [["component", "add", "rust-src"], ["target", "add", TARGET]] {
        let mut command = Command::new("rustup");
        forget_own_toolchain(&mut command);
        command.args(request).current_dir(&project.root).env("RUSTUP_MAX_RETRIES", "0");
        step(&shown(&command));
        if let Err(error) = run(&mut command) {
            step(&format!("{error:#}; looking elsewhere"));
        }
    }
}

/// Whether this user may install packages: as root, or by a `sudo` that asks for no password.
pub(crate) fn may_install() -> bool {
    which("apt-get").is_some() && (is_root() || output("sudo", &["-n", "true"]).is_some())
}

fn is_root() -> bool {
    output("id", &["-u"]).is_some_and(|id| id.trim() == "0")
}

/// Runs apt-get with root's rights.
pub(crate) fn apt(args: &[&str]) -> Result<()> {
    let mut command = if is_root() { Command::new("env") } else { Command::new("sudo") };
    if !is_root() {
        // sudo clears the environment.
        command.args(["-n", "env"]);
    }
    run(command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]).args(args).stdin(Stdio::null()))
}

/// The program that a variable names, or the first of these on `PATH`.
fn program(variable: &str, names: &[&str]) -> Option<String> {
    let named = std::env::var_os(variable).and_then(|name| which(&name.to_string_lossy()));
    let found = named.or_else(|| names.iter().find_map(|name| which(name)));
    found.map(|path| path.display().to_string())
}

/// The first file of this name in the folders of `PATH`, or the path itself.
pub(crate) fn which(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| Path::is_file(file))
}

/// What a command that ended well has printed.
pub(crate) fn output(program: &str, args: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    forget_own_toolchain(&mut command);
    let output = command.args(args).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_rights_one_command_is_named() {
        let of = |name: &str| NEEDS.iter().find(|need| need.name == name).unwrap();
        assert_eq!(
            by_hand(&[of("cmake"), of("chromedriver")]),
            "sudo apt-get update && sudo apt-get install --no-install-recommends cmake chromium-driver"
        );
        let both = by_hand(&[of("wasm, threads"), of("wasm, single")]);
        assert_eq!(both, format!("rustup component add rust-src && rustup target add {TARGET}"));
    }
}
