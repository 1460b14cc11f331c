//! Makes the machine ready: finds what is missing, then asks rustup and Debian's apt for it where that is allowed,
//! else says in one command what to run.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::apt::{self, Right};
use crate::needs::{Need, Part};
use crate::probe::{INHERITED, Machine, Probe};
use crate::project::{Project, forget_own_package, run, shown, step};
use crate::toolchain::{Flavour, TARGET, find_all};

/// Longest wait for one download by rustup; where nothing can be downloaded it should fail much sooner.
const RUSTUP_PATIENCE: Duration = Duration::from_secs(180);

/// Makes sure that everything for these parts is there.
pub(crate) fn ensure(project: &Project, parts: &[Part]) -> Result<()> {
    let machine = Machine::new(&project.root);
    let minimum = project.minimum_rust()?;
    let mut missing = missing(&machine, minimum, parts);
    if missing.iter().any(|need| need.part() == Part::Web) && machine.which("rustup").is_some() {
        ask_rustup(project, &missing);
        missing = self::missing(&machine, minimum, parts);
    }
    if missing.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = missing.iter().map(|need| need.name()).collect();
    let names = names.join(", ");
    match apt::right(&machine) {
        right @ (Right::Root | Right::Sudo) => {
            step(&format!("missing: {names}; installing"));
            apt::update(right)?;
            apt::install(right, &apt::packages(&machine, &missing))?;
        }
        Right::None => {
            bail!("missing: {names}\nRun this once, then try again:\n\n    {}\n", by_hand(&machine, &missing))
        }
    }
    let left = self::missing(&machine, minimum, parts);
    if !left.is_empty() {
        let lines: Vec<String> =
            left.iter().map(|need| format!("{}: {}", need.name(), need.advice())).collect();
        bail!("still missing after the installation:\n  {}", lines.join("\n  "));
    }
    Ok(())
}

/// What is missing for these parts.
fn missing(probe: &dyn Probe, minimum: (u32, u32), parts: &[Part]) -> Vec<Need> {
    let toolchains = find_all(probe, minimum);
    let wanted = Need::ALL.into_iter().filter(|need| parts.contains(&need.part()));
    wanted.filter(|need| need.find(probe, &toolchains).is_none()).collect()
}

/// One shell command that gets everything missing.
fn by_hand(probe: &dyn Probe, missing: &[Need]) -> String {
    if probe.which("apt-get").is_some() {
        let packages = apt::packages(probe, missing).join(" ");
        return format!("sudo apt-get update && sudo apt-get install --no-install-recommends {packages}");
    }
    let mut commands = Vec::new();
    if missing.iter().any(|need| need.part() == Part::Web) {
        commands.push(format!("rustup component add rust-src && rustup target add {TARGET}"));
    }
    let others: Vec<&str> =
        missing.iter().filter(|need| need.part() != Part::Web).map(|need| need.name()).collect();
    if !others.is_empty() {
        commands.push(format!("echo 'install by your package manager: {}'", others.join(", ")));
    }
    commands.join(" && ")
}

/// Lets rustup add what it can. Failure is normal where nothing can be downloaded.
fn ask_rustup(project: &Project, missing: &[Need]) {
    let mut requests: Vec<[&str; 3]> = Vec::new();
    if missing.contains(&Need::Wasm(Flavour::Threads)) {
        requests.push(["component", "add", "rust-src"]);
    }
    if missing.contains(&Need::Wasm(Flavour::Single)) {
        requests.push(["target", "add", TARGET]);
    }
    for request in requests {
        let mut command = Command::new("rustup");
        for name in INHERITED {
            command.env_remove(name);
        }
        forget_own_package(&mut command);
        command.args(request).current_dir(&project.root).env("RUSTUP_MAX_RETRIES", "0");
        step(&shown(&command));
        match ends_well_within(&mut command, RUSTUP_PATIENCE) {
            Ok(true) => {}
            Ok(false) => step("rustup could not; looking elsewhere"),
            Err(error) => step(&format!("{error:#}; looking elsewhere")),
        }
    }
}

/// Whether the command ends well; it is stopped when the time is over.
fn ends_well_within(command: &mut Command, patience: Duration) -> Result<bool> {
    let mut child =
        command.stdin(Stdio::null()).spawn().with_context(|| format!("cannot start {}", shown(command)))?;
    let end = Instant::now() + patience;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if Instant::now() >= end {
            child.kill()?;
            child.wait()?;
            return Ok(false);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Runs a program of the set-up with root's right.
pub(crate) fn run_as(right: Right, program: &str, args: &[&str]) -> Result<()> {
    let mut command = match right {
        Right::Sudo => {
            let mut command = Command::new("sudo");
            // sudo clears the environment, hence `env`.
            command.args(["-n", "env", "DEBIAN_FRONTEND=noninteractive", program]);
            command
        }
        Right::Root | Right::None => {
            let mut command = Command::new(program);
            command.env("DEBIAN_FRONTEND", "noninteractive");
            command
        }
    };
    run(command.args(args).stdin(Stdio::null()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::Fake;

    fn native() -> Fake {
        Fake::default()
            .var("PATH", "/usr/bin")
            .file("/usr/bin/cmake")
            .file("/usr/bin/make")
            .file("/usr/bin/g++")
            .file("/usr/lib/llvm-14/lib/libclang.so.1")
    }

    #[test]
    fn only_the_parts_asked_for_can_be_missing() {
        assert_eq!(missing(&native(), (1, 90), &[Part::Native]), []);
        assert_eq!(
            missing(&native(), (1, 90), &[Part::Native, Part::Web]),
            [Need::Wasm(Flavour::Single), Need::Wasm(Flavour::Threads)]
        );
        assert_eq!(missing(&native(), (1, 90), &[Part::Browser]), [Need::Chromium, Need::Chromedriver]);
        assert_eq!(missing(&Fake::default(), (1, 90), &[Part::Native]).len(), 4);
    }

    #[test]
    fn without_rights_one_command_is_named() {
        let debian = Fake::default().var("PATH", "/usr/bin").file("/usr/bin/apt-get");
        let command = by_hand(&debian, &[Need::Cmake, Need::Chromedriver]);
        assert_eq!(
            command,
            "sudo apt-get update && sudo apt-get install --no-install-recommends cmake chromium-driver"
        );
        let other = by_hand(&Fake::default(), &[Need::Wasm(Flavour::Threads), Need::Cmake]);
        assert!(other.starts_with("rustup component add rust-src") && other.ends_with("cmake'"), "{other}");
    }

    #[cfg(unix)]
    #[test]
    fn a_hanging_download_is_stopped() {
        assert!(!ends_well_within(Command::new("sleep").arg("600"), Duration::from_millis(1)).unwrap());
        assert!(!ends_well_within(&mut Command::new("false"), Duration::from_secs(60)).unwrap());
        assert!(ends_well_within(&mut Command::new("true"), Duration::from_secs(60)).unwrap());
    }
}
