//! The arrows between the workspace's packages, and the crates that only some of them may use. ARCHITECTURE.md says why.
//!
//! What a pure layer must not name (files, clocks, threads, ...) is clippy's: `clippy.toml` lists it, and the crates of
//! [`PURE`] switch these lints on.

use anyhow::{Result, bail};
use serde_json::Value;

use crate::project::Project;

/// Each package and what it may depend on, without `lookalike-`.
const ARROWS: [(&str, &[&str]); 21] = [
    ("words", &[]),
    ("model", &["words"]),
    ("table", &["model", "words"]),
    ("lp", &["words"]),
    ("wire", &["model", "words"]),
    ("audit", &["model", "table", "words"]),
    ("workbook", &["audit", "table", "words"]),
    ("forms", &["audit", "model", "table", "words"]),
    ("optimize", &["lp", "model", "words"]),
    ("core", &["audit", "lp", "model", "optimize", "table", "words"]),
    ("testkit", &["core", "table"]),
    ("experiments", &["core", "lp", "model", "optimize", "table", "testkit"]),
    ("ui", &["model", "wire", "words"]),
    ("file", &["table", "wire", "words"]),
    ("import", &["file", "forms", "model", "table", "wire", "words", "workbook"]),
    ("optimize-web", &["model", "optimize", "words"]),
    ("engine", &["core", "file", "model", "wire", "words"]),
    ("lookalike", &["core", "forms", "lp", "model", "optimize", "wire", "words", "workbook"]),
    ("python", &["core", "forms", "lp", "model", "optimize", "wire", "words"]),
    ("tests", &["core", "forms", "model", "optimize", "testkit", "wire", "words"]),
    ("xtask", &[]),
];

/// May use anything of ours in their tests: the core tests the whole method, the suites the whole system.
const FREE_TESTS: [&str; 3] = ["core", "optimize", "tests"];

/// What any test may use: the oracles, and a search for what is tested around one.
const FOR_TESTS: [&str; 2] = ["optimize", "testkit"];

/// The pure layers: no browser, server, file, environment or clock.
const PURE: [&str; 10] =
    ["words", "model", "table", "lp", "optimize", "audit", "core", "wire", "workbook", "forms"];

/// Crates that pure layers never depend on.
const IMPURE: [&str; 10] =
    ["axum", "chrono", "gloo", "js-sys", "reqwest", "time", "tokio", "wasm-bindgen", "web-sys", "web-time"];

/// Crates with HiGHS in them: only `lp` names back ends. The worker depends on `lp` to switch this one on.
const HIGHS: [&str; 2] = ["highs", "highs-sys"];

/// Checks the workspace; the error lists every violation.
pub(crate) fn check(project: &Project) -> Result<()> {
    let found = violations(&project.metadata(&["--no-deps"])?);
    if !found.is_empty() {
        bail!("{} violations of the layering:\n  {}", found.len(), found.join("\n  "));
    }
    Ok(())
}

fn short(name: &str) -> &str {
    name.strip_prefix("lookalike-").unwrap_or(name)
}

/// One line for each arrow that must not be; `metadata` as `cargo metadata --no-deps` prints it.
fn violations(metadata: &Value) -> Vec<String> {
    let packages: Vec<&Value> = metadata["packages"].as_array().into_iter().flatten().collect();
    let ours: Vec<&str> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    let mut found = Vec::new();
    for package in packages {
        let name = short(package["name"].as_str().unwrap_or_default());
        let Some((_, allowed)) = ARROWS.iter().find(|(from, _)| *from == name) else {
            found.push(format!("{name}: a new package; give it its arrows in {}", file!()));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let full = dependency["name"].as_str().unwrap_or_default();
            let (to, dev) = (short(full), dependency["kind"] == "dev");
            let fine = if ours.contains(&full) {
                allowed.contains(&to) || (dev && (FOR_TESTS.contains(&to) || FREE_TESTS.contains(&name)))
            } else {
                (dev || !PURE.contains(&name) || !IMPURE.contains(&to))
                    && (name == "lp" || !HIGHS.contains(&to))
            };
            if !fine {
                found.push(format!("{name} must not depend on {to}"));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::{fs, process::Command};

    use serde_json::json;

    use super::*;

    #[test]
    fn this_workspace_keeps_the_layering() {
        check(&Project::find().unwrap()).unwrap();
    }

    /// The arrows allow the core to search as a feature: the engine must not have it switched on.
    #[test]
    fn the_engine_has_no_search() {
        let project = Project::find().unwrap();
        let mut command = project.cargo("tree");
        command.args(["--package", "lookalike-engine", "--edges", "normal", "--prefix", "none"]);
        let output = command.output().unwrap();
        assert!(output.status.success());
        let tree = String::from_utf8(output.stdout).unwrap();
        assert!(tree.contains("lookalike-core") && !tree.contains("lookalike-optimize"), "{tree}");
    }

    /// Violations of one package with one dependency among all of ours.
    fn of(name: &str, to: &str, kind: &str) -> usize {
        let full = |short: &str| match short {
            "lookalike" | "xtask" => short.to_owned(),
            _ if ARROWS.iter().any(|(ours, _)| *ours == short) => format!("lookalike-{short}"),
            _ => short.to_owned(),
        };
        let package = |short: &str| {
            let dependency = json!({ "name": full(to), "kind": kind });
            json!({ "name": full(short), "dependencies": if short == name { vec![dependency] } else { Vec::new() } })
        };
        let packages: Vec<Value> = ARROWS.iter().map(|(short, _)| package(short)).collect();
        violations(&json!({ "packages": packages })).len()
    }

    #[test]
    fn upward_and_sideways_arrows_fire_and_downward_ones_do_not() {
        for (from, to) in [
            ("table", "wire"),
            ("audit", "core"),
            ("core", "lookalike"),
            ("ui", "core"),
            ("engine", "optimize"),
            ("core", "testkit"),
            ("xtask", "core"),
            ("core", "highs"),
            ("core", "tokio"),
            ("lookalike", "highs-sys"),
        ] {
            assert_eq!(of(from, to, "normal"), 1, "{from} -> {to}");
        }
        for (from, to, kind) in [
            ("core", "lp", "normal"),
            ("lp", "highs", "normal"),
            ("lookalike", "tokio", "normal"),
            ("table", "testkit", "dev"),
            ("core", "wire", "dev"),
        ] {
            assert_eq!(of(from, to, kind), 0, "{from} -> {to}");
        }
        assert_eq!((of("audit", "core", "dev"), of("audit", "core", "build")), (1, 1));
        assert_eq!(violations(&json!({ "packages": [{ "name": "lookalike-new" }] })).len(), 1);
    }

    /// What the pure crates' own code begins with; their tests read public microdata.
    const BAN: &str = "#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]";

    #[test]
    fn pure_crates_ban_the_outside_and_clippy_hears_it() {
        let root = Project::find().unwrap().root;
        for name in PURE {
            let text = fs::read_to_string(root.join(format!("crates/{name}/src/lib.rs"))).unwrap();
            assert!(text.contains(BAN), "crates/{name} does not ban the outside");
        }
        // One line for each kind of ban, in a crate with our configuration.
        let uses = [
            "pub fn a() -> bool { std::fs::read(\"x\").is_ok() }",
            "pub fn b(_: std::fs::File) {}",
            "pub fn c() -> bool { std::env::var(\"X\").is_ok() }",
            "pub fn d() { let _ = std::time::Instant::now().elapsed(); }",
            "pub fn e(_: std::time::SystemTime) {}",
            "pub fn f() { let _ = std::thread::spawn(|| {}).join(); }",
            "pub fn g(_: std::net::TcpStream) {}",
            "pub fn h(_: std::process::Command) {}",
        ];
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        put("clippy.toml", &fs::read_to_string(root.join("clippy.toml")).unwrap());
        put(
            "Cargo.toml",
            "[package]\nname = \"pure\"\nedition = \"2024\"\n[lib]\npath = \"lib.rs\"\n[workspace]\n",
        );
        put("lib.rs", &format!("{BAN}\n{}\n", uses.join("\n")));
        let mut clippy = Command::new("cargo");
        crate::project::forget_own_toolchain(&mut clippy);
        clippy.args(["clippy", "--quiet", "--offline"]).current_dir(folder.path());
        let output = clippy.env("CARGO_TARGET_DIR", folder.path().join("target")).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{said}");
        for line in 2..uses.len() + 2 {
            assert!(said.contains(&format!("lib.rs:{line}:")), "line {line} was not heard: {said}");
        }
    }
}
