//! The throw-away Python environment, and calls into it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Output},
};

use anyhow::{Context, Result, bail};

/// The tools with their versions.
pub(crate) const TOOLS: &str = include_str!("../../peers/requirements.txt");

/// A script of `peers/`.
pub(crate) fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("peers").join(name)
}

/// Folder for the environment and for tables: `target/peers`.
pub(crate) fn folder() -> Result<PathBuf> {
    let program = std::env::current_exe().context("this program does not know where it is")?;
    let target = program.ancestors().find(|folder| folder.ends_with("target"));
    let folder =
        target.map_or_else(|| std::env::temp_dir().join("lookalike"), Path::to_path_buf).join("peers");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}

/// A throw-away environment: its folder in that of the peers, and the file of what is in it.
#[derive(Clone, Copy)]
pub(crate) struct Environment {
    folder: &'static str,
    requirements: &'static str,
    tools: &'static str,
}

/// That of most tools.
const USUAL: Environment = Environment { folder: "venv", requirements: "requirements.txt", tools: TOOLS };

/// That of ANJANA, which needs other versions of the same libraries.
pub(crate) const ANJANA: Environment = Environment {
    folder: "anjana",
    requirements: "anjana-requirements.txt",
    tools: include_str!("../../peers/anjana-requirements.txt"),
};

/// That of Anonymeter.
pub(crate) const ANONYMETER: Environment = Environment {
    folder: "anonymeter",
    requirements: "anonymeter-requirements.txt",
    tools: include_str!("../../peers/anonymeter-requirements.txt"),
};

impl Environment {
    /// What is in it: a line a package, with its version.
    pub(crate) const fn tools(self) -> &'static str {
        self.tools
    }

    fn python(self) -> Result<PathBuf> {
        Ok(folder()?.join(self.folder).join("bin/python"))
    }

    /// Installs the tools from `PyPI`, unless they are there.
    pub(crate) fn prepare(self) -> Result<()> {
        let stamp = folder()?.join(self.folder).join("installed.txt");
        if fs::read_to_string(&stamp).is_ok_and(|text| text == self.tools) && self.python()?.is_file() {
            return Ok(());
        }
        eprintln!("experiments: installing {}", self.tools.split_whitespace().collect::<Vec<_>>().join(", "));
        let venv = folder()?.join(self.folder);
        finished(Command::new("python3").args(["-m", "venv", "--clear"]).arg(venv), "python3 -m venv")?;
        let mut pip = Command::new(self.python()?);
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]);
        finished(pip.arg(script(self.requirements)), "pip install")?;
        fs::write(&stamp, self.tools).with_context(|| format!("cannot write {}", stamp.display()))
    }

    /// Runs a script of `peers/` in the environment, with one thread.
    pub(crate) fn run(self, name: &str, args: &[&str]) -> Result<Output> {
        let mut command = Command::new(self.python()?);
        command.arg("-W").arg("ignore").arg(script(name)).args(args);
        for library in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"] {
            command.env(library, "1");
        }
        command.output().with_context(|| format!("cannot run {name}"))
    }
}

/// Installs the tools from `PyPI` into environments of their own, unless they are there.
///
/// # Errors
/// Why they cannot be had: no Python, no network.
pub fn prepare() -> Result<()> {
    USUAL.prepare()?;
    ANJANA.prepare()
}

/// Runs a script of `peers/` in the environment of most tools, with one thread.
pub(crate) fn run(name: &str, args: &[&str]) -> Result<Output> {
    USUAL.run(name, args)
}

/// Whether the limit of CPU time ended the program: by the signal of that name, or, when it comes too late, by the hard one.
#[cfg(unix)]
pub(crate) fn out_of_time(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt as _;
    // SIGXCPU and SIGKILL as Linux numbers them.
    matches!(status.signal(), Some(24 | 9))
}

/// Limits of CPU time are Unix's.
#[cfg(not(unix))]
pub(crate) fn out_of_time(_: ExitStatus) -> bool {
    false
}

/// Last line of what a program complained about.
pub(crate) fn complaint(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it says nothing").to_owned()
}

fn finished(command: &mut Command, what: &str) -> Result<()> {
    let output = command.output().with_context(|| format!("cannot run {what}"))?;
    if !output.status.success() {
        bail!("{what} failed: {}", complaint(&output));
    }
    Ok(())
}
