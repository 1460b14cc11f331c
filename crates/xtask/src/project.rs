//! Where things are, and how commands are run.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// What is built natively. Always the same packages: with fewer, cargo would pick other features for shared dependencies and
/// might build HiGHS a second time. This program has been built already, without optimisation, and is tested like that.
pub(crate) const NATIVE: [&str; 4] = ["--release", "--workspace", "--exclude", "xtask"];

/// The workspace.
pub(crate) struct Project {
    /// The folder with the workspace's `Cargo.toml`.
    pub(crate) root: PathBuf,
    /// Cargo's target folder.
    pub(crate) target: PathBuf,
    /// The folder of the compiler that the workspace uses.
    pub(crate) sysroot: Option<PathBuf>,
}

impl Project {
    /// Finds the workspace this program was built from.
    pub(crate) fn find() -> Result<Self> {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = manifest.ancestors().nth(2).context("crates/xtask must be two folders below the root")?;
        let sysroot = crate::setup::output("rustc", &["--print", "sysroot"]);
        let sysroot = sysroot.map(|path| path.trim().into());
        let mut project = Self { root: root.to_owned(), target: root.join("target"), sysroot };
        let metadata = project.metadata(&["--no-deps"])?;
        if let Some(target) = metadata["target_directory"].as_str() {
            project.target = target.into();
        }
        Ok(project)
    }

    /// The output of `cargo metadata`.
    pub(crate) fn metadata(&self, args: &[&str]) -> Result<Value> {
        let mut command = self.cargo("metadata");
        command.args(["--format-version", "1"]).args(args);
        let output = command.output().context("cannot run cargo metadata")?;
        if !output.status.success() {
            bail!("cargo metadata failed:\n{}", String::from_utf8_lossy(&output.stderr).trim_end());
        }
        serde_json::from_slice(&output.stdout).context("cargo metadata printed something that is not JSON")
    }

    /// The folder of the finished page.
    pub(crate) fn dist(&self) -> PathBuf {
        self.target.join("web/dist")
    }

    /// The built worker.
    pub(crate) fn worker(&self) -> PathBuf {
        self.target.join("release").join(format!("lookalike{}", std::env::consts::EXE_SUFFIX))
    }

    /// The cargo that runs this program, for native builds.
    pub(crate) fn cargo(&self, subcommand: &str) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        forget_own_package(&mut command);
        command.arg(subcommand).current_dir(&self.root);
        command
    }
}

/// `cargo run` describes xtask's package to us by environment variables; builds of other packages must not see them.
fn forget_own_package(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") || text == "CARGO" {
            command.env_remove(&name);
        }
    }
}

/// Nor may an inner cargo inherit what pins it to the outer tool chain or leaks host flags into the page's modules.
pub(crate) fn forget_own_toolchain(command: &mut Command) {
    forget_own_package(command);
    for name in [
        "RUSTC",
        "RUSTDOC",
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTUP_TOOLCHAIN",
        "RUSTFLAGS",
        "CARGO_ENCODED_RUSTFLAGS",
    ] {
        command.env_remove(name);
    }
}

/// Runs a command with our own streams; an error names the command.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {}", shown(command)))?;
    if !status.success() {
        bail!("{} failed ({status})", shown(command));
    }
    Ok(())
}

/// Does two things side by side. Builds have long ends on one core: another build uses the others.
pub(crate) fn both(
    one: impl FnOnce() -> Result<()> + Send,
    other: impl FnOnce() -> Result<()> + Send,
) -> Result<()> {
    let (one, other) = std::thread::scope(|scope| {
        let one = scope.spawn(one);
        let other = other();
        (one.join().unwrap_or_else(|_| bail!("a thread broke")), other)
    });
    one.and(other)
}

/// The command line as text.
pub(crate) fn shown(command: &Command) -> String {
    let mut text = command.get_program().to_string_lossy().into_owned();
    for arg in command.get_args() {
        text.push(' ');
        text.push_str(&arg.to_string_lossy());
    }
    text
}

/// Tells the user which step begins.
pub(crate) fn step(text: &str) {
    eprintln!("xtask: {text}");
}
