//! Whether what is handed out can be built again: twice, in two folders, from the same commit with the same compiler, to the
//! same bytes. The program with HiGHS, and the page as one file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use sha2::{Digest as _, Sha256};

use crate::project::{Project, forget_own_toolchain, run};
use crate::setup::output;

/// Builds twice, and compares.
pub(crate) fn reproduce(project: &Project) -> Result<()> {
    let compiler = output("rustc", &["--version"]).context("rustc does not say its version")?;
    println!("{}", compiler.trim());
    // Of different lengths: a path that is left in a file moves what follows.
    let base = project.target.join("reproduce");
    let folders = [base.join("one"), base.join("the-other-one")];
    let mut sums = Vec::new();
    for folder in &folders {
        checkout(project, folder)?;
        sums.push(build(folder)?);
    }
    let mut same = true;
    for (one, other) in sums[0].iter().zip(&sums[1]) {
        let verdict = if one == other { "the same bytes" } else { "OTHER BYTES" };
        same &= one == other;
        println!("{:20} {} {verdict}", one.0, one.1);
        if one != other {
            println!("{:20} {}", "", other.1);
        }
    }
    if !same {
        bail!("two builds of one commit differ; they are in {}", base.display());
    }
    for folder in &folders {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(())
}

/// A clean checkout of the commit that is checked out here.
fn checkout(project: &Project, folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    run(Command::new("git").args(["clone", "--quiet", "--local"]).arg(&project.root).arg(folder))
}

/// Builds what is handed out there; name and SHA-256 of each.
fn build(folder: &Path) -> Result<Vec<(&'static str, String)>> {
    let target = folder.join("target");
    let program = release(folder, &target)?;
    let mut page = Command::new("cargo");
    forget_own_toolchain(&mut page);
    run(page.args(["xtask", "single-file"]).current_dir(folder).env("CARGO_TARGET_DIR", &target))?;
    Ok(vec![("lookalike", sum(&program)?), ("lookalike.html", sum(&target.join("web/lookalike.html"))?)])
}

/// Builds the program as it is handed out: without symbols, and without the folders of whoever builds it, neither of Rust's
/// sources nor of those of HiGHS.
pub(crate) fn release(folder: &Path, target: &Path) -> Result<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let home = home.context("neither CARGO_HOME nor a home folder is known")?;
    let places = [(folder, "lookalike"), (home.as_path(), "cargo"), (target, "target")];
    // Sources of the standard library lie in the home of whoever builds, if they are there at all.
    let sysroot = output("rustc", &["--print", "sysroot"]).context("rustc does not say where it is")?;
    let std = format!("{}/lib/rustlib/src/rust/library", sysroot.trim());
    let rust = places.map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())).join("\u{1f}");
    let rust = format!("{rust}\u{1f}--remap-path-prefix={std}=std");
    let native = places.map(|(from, to)| format!("-ffile-prefix-map={}={to}", from.display())).join(" ");
    // By its name, so that rustup chooses the compiler once and for all crates: one of them has a file that asks for another.
    let mut command = Command::new("cargo");
    forget_own_toolchain(&mut command);
    command.current_dir(folder).args(["build", "--release", "--locked", "--package", "lookalike"]);
    command.env("CARGO_TARGET_DIR", target);
    command.env("CARGO_ENCODED_RUSTFLAGS", format!("{rust}\u{1f}-Cstrip=symbols"));
    command.env("CFLAGS", &native).env("CXXFLAGS", &native);
    run(&mut command)?;
    Ok(target.join("release").join(format!("lookalike{}", std::env::consts::EXE_SUFFIX)))
}

/// SHA-256 of a file, in hexadecimal digits.
fn sum(path: &Path) -> Result<String> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat())
}
