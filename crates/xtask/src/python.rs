//! The Python package: its tests, in an environment of their own in the target folder.
//!
//! The package is put together from its sources and the extension module that cargo has built with everything else. `pip install
//! ./python` builds the same by maturin, which would compile all crates once more.

use std::{
    env::consts::{DLL_PREFIX, DLL_SUFFIX},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};

use crate::{
    project::{NATIVE, Project, forget_own_toolchain, run, step},
    test,
};

/// pytest's exit code if no test has a name with the filter.
const NO_TESTS: i32 = 5;

/// Builds the extension module and runs the package's tests.
pub(crate) fn build_and_test(project: &Project, filter: Option<&str>) -> Result<()> {
    // The command line, too: its bytes are compared.
    run(project.cargo("build").args(NATIVE).args(test::NATIVE_TARGETS))?;
    tests(project, filter)
}

/// Builds the extension module and runs its tests on engines, Spark and Ray, which take minutes. Those for which something is missing
/// are skipped, and it is said.
pub(crate) fn scale(project: &Project, filter: Option<&str>) -> Result<()> {
    run(project.cargo("build").args(NATIVE).args(test::NATIVE_TARGETS))?;
    run_tests(project, &SCALE, filter)
}

/// Runs the package's tests on the extension module as it was built. Where there is no Python, or nothing to install from, they
/// are skipped, and it is said.
pub(crate) fn tests(project: &Project, filter: Option<&str>) -> Result<()> {
    run_tests(project, &PACKAGE, filter)
}

/// Tests that have an environment of their own.
struct Suite {
    /// What is tested.
    name: &'static str,
    /// Their folder, with `requirements.txt`.
    folder: &'static str,
    /// That of their environment, in the target folder.
    environment: &'static str,
    /// More arguments of pytest.
    arguments: &'static [&'static str],
}

/// The package's.
const PACKAGE: Suite =
    // The engines' have a `conftest` of their own, and a command: `cargo xtask scale`.
    Suite {
        name: "the Python package",
        folder: "python/tests",
        environment: "python",
        arguments: &["--ignore", "scale"],
    };

/// Those of engines; what is skipped is named.
const SCALE: Suite = Suite {
    name: "the Python package on engines",
    folder: "python/tests/scale",
    environment: "python-scale",
    arguments: &["-rs"],
};

fn run_tests(project: &Project, suite: &Suite, filter: Option<&str>) -> Result<()> {
    let python = match environment(project, suite)? {
        Environment::There(python) => python,
        Environment::CannotBe(why) => {
            step(&format!("{} is NOT TESTED: {why}", suite.name));
            return Ok(());
        }
    };
    let package = put_together(project)?;
    let mut command = Command::new(python);
    forget_own_toolchain(&mut command);
    command.args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider", "-W", "default"]);
    command.args(suite.arguments);
    command.args(filter.iter().flat_map(|filter| ["-k", *filter]));
    // Not beside the sources of the package, which have no extension module and would be found first.
    command.current_dir(project.root.join(suite.folder)).env("PYTHONPATH", package);
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("LOOKALIKE_BIN", project.worker());
    let status = command.status().context("cannot start pytest")?;
    match status.code() {
        Some(0) => Ok(()),
        Some(NO_TESTS) if filter.is_some() => Ok(()),
        _ => bail!("tests of {} failed ({status})", suite.name),
    }
}

/// Where the tests run.
enum Environment {
    /// In the environment of this interpreter.
    There(PathBuf),
    /// Nowhere, and why: this machine has no Python, or no way to a package index.
    CannotBe(&'static str),
}

/// What pip says where it cannot reach the package index.
const UNREACHABLE: &str = "Retrying (";

/// The interpreter of an environment with what the tests need, which is made if it is not there.
fn environment(project: &Project, suite: &Suite) -> Result<Environment> {
    let requirements = project.root.join(suite.folder).join("requirements.txt");
    let wanted = fs::read_to_string(&requirements)
        .with_context(|| format!("cannot read {}", requirements.display()))?;
    let folder = project.target.join(suite.environment);
    let (venv, stamp) = (folder.join("venv"), folder.join("installed.txt"));
    let python = venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if fs::read_to_string(&stamp).is_ok_and(|text| text == wanted) && python.is_file() {
        return Ok(Environment::There(python));
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    step("python: installing what its tests need");
    let made = Command::new("python3").args(["-m", "venv", "--clear"]).arg(venv).status();
    if !made.is_ok_and(|status| status.success()) {
        return Ok(Environment::CannotBe("python3 -m venv makes no environment"));
    }
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]);
    let output = pip.arg(requirements).output();
    let output = output.context("cannot run pip")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        if said.contains(UNREACHABLE) {
            return Ok(Environment::CannotBe("pip does not reach its package index"));
        }
        bail!("pip install failed:\n{}", said.trim_end());
    }
    fs::write(&stamp, wanted).with_context(|| format!("cannot write {}", stamp.display()))?;
    Ok(Environment::There(python))
}

/// A folder with the package and its extension module.
pub(crate) fn put_together(project: &Project) -> Result<PathBuf> {
    let folder = project.target.join("python/package");
    let (from, to) = (project.root.join("python/lookalike"), folder.join("lookalike"));
    if to.exists() {
        fs::remove_dir_all(&to).with_context(|| format!("cannot clear {}", to.display()))?;
    }
    fs::create_dir_all(&to).with_context(|| format!("cannot make {}", to.display()))?;
    for entry in fs::read_dir(&from)? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| ["py", "pyi", "typed"].iter().any(|known| end == *known)) {
            copy(&path, &to.join(path.file_name().unwrap_or_default()))?;
        }
    }
    let built = project.target.join("release").join(format!("{DLL_PREFIX}lookalike_python{DLL_SUFFIX}"));
    copy(&built, &to.join(if cfg!(windows) { "_core.pyd" } else { "_core.abi3.so" }))?;
    Ok(folder)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}
