//! Properties of random cases. The tests run draws the same cases each time, so that one revision passes or fails whoever
//! runs it; new cases are drawn here, as many rounds as one likes.

use std::{fs, path::Path, process::Command};

use anyhow::{Context, Result};

use crate::needs::Part;
use crate::project::{Project, run, step};
use crate::setup;

/// Where proptest looks for the seed of its cases.
const SEED: &str = "PROPTEST_RNG_SEED";

/// Rounds unless told.
const ROUNDS: u32 = 20;

/// What marks a file with properties.
const MARK: &str = "proptest! {";

/// Gives a run of tests the cases that everybody has, unless the caller names others.
pub(crate) fn same_cases(command: &mut Command) {
    if std::env::var_os(SEED).is_none() {
        command.env(SEED, "1");
    }
}

/// Runs all suites that state properties again and again, each round with other cases.
pub(crate) fn explore(project: &Project, rounds: Option<&str>) -> Result<()> {
    let rounds =
        rounds.map_or(Ok(ROUNDS), str::parse).context("the number of rounds is not a whole number")?;
    setup::ensure(project, &[Part::Native])?;
    let suites = suites(&project.root.join("crates"))?;
    for round in 1..=rounds {
        step(&format!("properties, round {round} of {rounds}"));
        let mut command = project.cargo("test");
        command.args(["--release", "--workspace", "--lib"]);
        for suite in &suites {
            command.args(["--test", suite]);
        }
        run(command.env_remove(SEED))?;
    }
    Ok(())
}

/// Names of the integration tests with properties: files of a `tests` folder, or folders with a `main.rs`.
fn suites(crates: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for package in fs::read_dir(crates).with_context(|| format!("{} cannot be read", crates.display()))? {
        let tests = package?.path().join("tests");
        let Ok(entries) = fs::read_dir(&tests) else { continue };
        for entry in entries {
            let path = entry?.path();
            let suite = path.is_dir() && path.join("main.rs").exists()
                || path.extension().is_some_and(|extension| extension == "rs");
            if let (true, true, Some(name)) = (suite, states_properties(&path)?, path.file_stem()) {
                found.push(name.to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Whether a file, or one below a folder, states properties.
fn states_properties(path: &Path) -> Result<bool> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            if states_properties(&entry?.path())? {
                return Ok(true);
            }
        }
        return Ok(false);
    }
    let text = fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    Ok(text.contains(MARK))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_with_properties_are_found() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let found = suites(&crates).unwrap();
        for name in ["joint", "masters", "properties", "audit"] {
            assert!(found.iter().any(|suite| suite == name), "{name} is not among {found:?}");
        }
        assert!(!found.iter().any(|suite| suite == "demo"), "{found:?}");
    }
}
