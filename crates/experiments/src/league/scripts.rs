//! The tools, run by their scripts in `peers/`, each within the budget.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use anyhow::{Context, Result, bail};

use super::{
    GIGABYTES, PERCENT, SECONDS,
    entrant::{Entrant, Maker, Tool},
    field::{Condition, Loaded},
};
use crate::peers::{
    self,
    environment::{self, ANJANA, TOOLS, complaint, out_of_time, script},
};

/// CPU seconds beside the budget that a program may take to start, read and write.
const BESIDE: u32 = 20;

/// Which published row is of which original row.
pub(super) enum Order {
    /// The same, row for row.
    Kept,
    /// As a linking key says, of a table with a column `class`.
    Key(Vec<u8>),
    /// Nobody knows.
    Lost,
}

/// What an entrant hands in.
pub(super) struct Published {
    pub(super) bytes: Vec<u8>,
    pub(super) order: Order,
    /// User CPU seconds of the work itself.
    pub(super) seconds: f64,
    /// 100 (loss - bound) / loss; of ours alone.
    pub(super) gap: Option<f64>,
}

/// What became of it.
pub(super) enum Handed {
    Published(Published),
    /// Why not, in one sentence.
    Failed(String),
}

/// The tools that there are.
pub(super) struct Bench {
    arx: Option<PathBuf>,
    /// Version of sdcMicro, or why there is none.
    sdcmicro: Result<String, String>,
}

impl Bench {
    /// Makes the environments of the tools from `PyPI`, and looks for the others.
    ///
    /// # Errors
    /// If the tools from `PyPI` cannot be had, or the file of ARX is not there.
    pub(super) fn new(arx: Option<PathBuf>) -> Result<Self> {
        peers::prepare().context("the public tools cannot be had")?;
        if let Some(file) = arx.as_ref().filter(|file| !file.is_file()) {
            bail!("--arx: {} is not a file", file.display());
        }
        Ok(Self { arx, sdcmicro: sdcmicro() })
    }

    /// Only the tools from `PyPI`, which are not looked for.
    #[cfg(test)]
    pub(super) fn without_others() -> Self {
        Self { arx: None, sdcmicro: Err(String::from("no Rscript on the path")) }
    }

    /// The tools that run, with their versions.
    pub(super) fn run(&self) -> Vec<(String, String)> {
        let mut all: Vec<(String, String)> = Vec::new();
        for line in TOOLS.lines().chain(ANJANA.tools().lines()) {
            // pyCANON checks tables and makes none.
            if let Some((name, version)) = line.split_once("==").filter(|(name, _)| *name != "pycanon") {
                all.push((name.to_owned(), version.to_owned()));
            }
        }
        all.extend(self.sdcmicro.clone().ok().map(|version| (String::from("sdcMicro"), version)));
        let file = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        all.extend(self.arx.as_ref().map(|path| (String::from("ARX"), file(path))));
        all
    }

    /// The tools that do not, and why.
    pub(super) fn not_run(&self) -> Vec<(&'static str, String)> {
        let arx = self.arx.is_none().then(|| {
            let why = "no file named: `--arx libarx.jar`, with Java 11 or later on the path";
            ("ARX", why.to_owned())
        });
        let sdcmicro = self.sdcmicro.clone().err().map(|why| ("sdcMicro", why));
        let argus = "a program with windows whose entry point takes no arguments (version 5.1): it has no batch files to drive it by";
        arx.into_iter().chain(sdcmicro).chain([("mu-ARGUS", argus.to_owned())]).collect()
    }

    /// Whether the entrant can take part at all.
    pub(super) fn has(&self, entrant: Entrant) -> bool {
        match entrant.maker {
            Maker::Tool(Tool::ArxLocal | Tool::ArxGlobal) => self.arx.is_some(),
            Maker::Tool(Tool::SdcMicroMdav | Tool::SdcMicroSuppression) => self.sdcmicro.is_ok(),
            Maker::Tool(_) | Maker::Ours(_) => true,
        }
    }

    /// Runs a tool on the files of a data set.
    ///
    /// # Errors
    /// If its program cannot be started, or does not tell its time.
    pub(super) fn run_tool(&self, tool: Tool, loaded: &Loaded, condition: Condition) -> Result<Handed> {
        let text =
            |path: &Path| path.to_str().map(String::from).context("the folder has a name that is not text");
        let out = loaded.folder.join(format!("out-{}.csv", std::process::id()));
        let folder = text(&loaded.folder)?;
        let numbers = [
            condition.k.to_string(),
            condition.l.unwrap_or(0).to_string(),
            PERCENT.to_string(),
            SECONDS.to_string(),
            (GIGABYTES << 30).to_string(),
        ];
        let given = [&[tool.word().to_owned(), folder, text(&out)?][..], &numbers[..]].concat();
        let output = self.output(tool, &given.iter().map(String::as_str).collect::<Vec<_>>())?;
        if !output.status.success() {
            return Ok(Handed::Failed(why(&output)));
        }
        let told = String::from_utf8_lossy(&output.stdout);
        let last = told.lines().last().unwrap_or_default().trim().to_owned();
        let seconds: f64 =
            last.parse().with_context(|| format!("{} tells {last:?} as its time", tool.title()))?;
        if seconds > f64::from(SECONDS) {
            return Ok(Handed::Failed(format!("not within the budget: {seconds:.0} s")));
        }
        let bytes = fs::read(&out).with_context(|| format!("cannot read {}", out.display()))?;
        fs::remove_file(&out).with_context(|| format!("cannot remove {}", out.display()))?;
        // ANJANA leaves suppressed rows out without saying which.
        let order = if tool == Tool::Anjana { Order::Lost } else { Order::Kept };
        Ok(Handed::Published(Published { bytes, order, seconds, gap: None }))
    }

    fn output(&self, tool: Tool, given: &[&str]) -> Result<Output> {
        match tool {
            Tool::Anjana => ANJANA.run("league.py", given),
            Tool::ArxLocal | Tool::ArxGlobal => {
                let jar = self.arx.as_ref().context("ARX is not there")?;
                let mut java = limited("java");
                java.arg(format!("-Xmx{GIGABYTES}g")).arg("-cp").arg(jar).arg(script("Arx.java")).args(given);
                java.output().context("cannot run java")
            }
            Tool::SdcMicroMdav | Tool::SdcMicroSuppression => {
                let mut r = limited("Rscript");
                r.arg("--vanilla").arg(script("sdcmicro.R")).args(given);
                r.output().context("cannot run Rscript")
            }
            _ => environment::run("league.py", given),
        }
    }
}

/// A program under a limit of CPU time, which the shell sets.
fn limited(program: &str) -> Command {
    let mut command = Command::new("sh");
    let limit = SECONDS + BESIDE;
    command.args(["-c", &format!("ulimit -t {limit}; exec {program} \"$@\""), "sh"]);
    command
}

/// Why a program ended without a table.
fn why(output: &Output) -> String {
    if out_of_time(output.status) {
        return format!("not within the budget of {SECONDS} s");
    }
    match complaint(output).trim() {
        "memory" => format!("needs more than {GIGABYTES} GiB"),
        why => format!("fails: {why}"),
    }
}

/// Version of sdcMicro, or why it cannot run.
fn sdcmicro() -> Result<String, String> {
    let asked = "cat(as.character(packageVersion('sdcMicro')))";
    let output = Command::new("Rscript").args(["--vanilla", "-e", asked]).output();
    match output {
        Err(_) => Err(String::from("no Rscript on the path")),
        Ok(output) if output.status.success() => {
            Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        }
        Ok(_) => Err(String::from("R is there, the package sdcMicro is not")),
    }
}

/// The version of a tool from `PyPI`.
fn pinned(name: &str) -> String {
    let mut lines = TOOLS.lines().chain(ANJANA.tools().lines());
    let version = |line: &str| line.strip_prefix(name)?.strip_prefix("==").map(String::from);
    lines.find_map(version).unwrap_or_else(|| String::from("-"))
}

impl Tool {
    /// Its version, where the project says which.
    pub(super) fn version(self) -> String {
        match self {
            Self::AnonypyMondrian => pinned("anonypy"),
            Self::AnonypyxMondrian | Self::AnonypyxMdav => pinned("anonypyx"),
            Self::Microagg1d => pinned("microagg1d"),
            Self::Anjana => pinned("anjana"),
            Self::ArxLocal | Self::ArxGlobal => String::from("the file's"),
            Self::SdcMicroMdav | Self::SdcMicroSuppression => String::from("the installed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_that_are_installed() {
        assert!(pinned("anonypy").starts_with('0') && pinned("anonypy") != pinned("anonypyx"));
        assert!(pinned("anjana").starts_with('1'));
        assert_eq!(pinned("nothing"), "-");
    }

    #[test]
    fn tools_that_are_not_there_are_named_with_the_reason() {
        let bench = Bench::without_others();
        let not: Vec<&str> = bench.not_run().iter().map(|(name, _)| *name).collect();
        assert_eq!(not, ["ARX", "sdcMicro", "mu-ARGUS"]);
        assert!(bench.run().iter().all(|(name, _)| name != "ARX"));
        let with =
            Bench { arx: Some(PathBuf::from("libarx-3.9.1.jar")), sdcmicro: Ok(String::from("5.7.9")) };
        assert_eq!(with.not_run().len(), 1);
        assert!(with.run().contains(&(String::from("ARX"), String::from("libarx-3.9.1.jar"))));
    }

    #[cfg(unix)]
    #[test]
    fn the_reason_of_a_failure_is_the_last_that_was_said() {
        let output = |text: &str| Command::new("sh").args(["-c", text]).output().unwrap();
        assert_eq!(why(&output("echo first >&2; echo no such value >&2; exit 1")), "fails: no such value");
        assert_eq!(why(&output("echo memory >&2; exit 1")), "needs more than 8 GiB");
        assert_eq!(why(&output("kill -9 $$")), "not within the budget of 60 s");
        assert!(limited("true").output().unwrap().status.success());
    }
}
