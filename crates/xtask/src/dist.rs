//! What one hands out, in `target/dist`: the program with page, man pages and completions as an archive, the page as one file, the context of
//! a container, a wheel, bills of materials, and the digests of all of them.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};
use sha2::{Digest as _, Sha256};

use crate::{
    project::{NATIVE, Project, run, step},
    sbom, setup,
    setup::{Stage, output, which},
    single_file, wheel,
};

/// The shells whose completions are handed out, and the file of each.
const SHELLS: [(&str, &str); 3] =
    [("bash", "lookalike.bash"), ("zsh", "_lookalike"), ("fish", "lookalike.fish")];

/// Builds everything and lays it out.
pub(crate) fn dist(project: &Project) -> Result<()> {
    setup::ensure(project, &[Stage::Native, Stage::Web])?;
    single_file::build(project)?;
    run(project.cargo("build").arg("--locked").args(NATIVE).args(["--lib", "--bins"]))?;
    let version = env!("CARGO_PKG_VERSION");
    let host =
        output("rustc", &["--print", "host-tuple"]).context("rustc does not say what it builds for")?;
    let folder = project.target.join("dist");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot clear {}", folder.display()))?;
    }
    let name = format!("lookalike-{version}-{}", host.trim());
    let program = folder.join(&name);
    laid_out(project, &program)?;
    container(project, &folder.join("container"))?;
    archive(&folder, &name)?;
    archive(&folder, "container")?;
    for gone in [&program, &folder.join("container")] {
        fs::remove_dir_all(gone).with_context(|| format!("cannot remove {}", gone.display()))?;
    }
    copy(&single_file::file(project), &folder.join(format!("lookalike-{version}.html")))?;
    wheel::write(project, &folder)?;
    for bill in sbom::write(project)? {
        let name = bill.file_name().context("a bill has no name")?;
        copy(&bill, &folder.join(name))?;
    }
    digests(&folder)
}

/// The program with what belongs beside it.
fn laid_out(project: &Project, folder: &Path) -> Result<()> {
    make(folder)?;
    let program = folder.join(project.worker().file_name().unwrap_or_default());
    copy(&project.worker(), &program)?;
    strip(&program)?;
    run(Command::new("cp").arg("-R").arg(project.dist()).arg(folder.join("web")))?;
    for name in ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "CHANGELOG.md"] {
        copy(&project.root.join(name), &folder.join(name))?;
    }
    copy(&project.root.join("packaging/lookalike.service"), &folder.join("lookalike.service"))?;
    make(&folder.join("man"))?;
    run(Command::new(&program).arg("manual").arg(folder.join("man")))?;
    make(&folder.join("completions"))?;
    for (shell, file) in SHELLS {
        let script = output(&program.to_string_lossy(), &["completions", shell]);
        let script = script.with_context(|| format!("no completions for {shell}"))?;
        fs::write(folder.join("completions").join(file), script)?;
    }
    Ok(())
}

/// Symbols are for those who look for a fault, and half of the program.
fn strip(program: &Path) -> Result<()> {
    if which("strip").is_some() {
        return run(Command::new("strip").arg(program));
    }
    step("there is no `strip`: the program keeps its symbols");
    Ok(())
}

/// The last stage of the image with what it copies: `docker build` needs nothing else.
fn container(project: &Project, folder: &Path) -> Result<()> {
    let text = fs::read_to_string(project.root.join("packaging/Dockerfile"))
        .context("cannot read the Dockerfile")?;
    fs::create_dir_all(folder.join("root/usr/local/bin"))?;
    fs::write(folder.join("Dockerfile"), last_stage(&text)?)?;
    let to = folder.join("root/usr/local/bin");
    copy(&project.worker(), &to.join("lookalike"))?;
    strip(&to.join("lookalike"))?;
    run(Command::new("cp").arg("-R").arg(project.dist()).arg(to.join("web")))?;
    copy(&project.root.join("packaging/container/health.sh"), &to.join("health.sh"))
}

/// The last stage of a Dockerfile, which copies a folder `root` instead of what was built.
fn last_stage(text: &str) -> Result<String> {
    let (_, last) = text.rsplit_once("\nFROM ").context("the Dockerfile has one stage only")?;
    let mut copied = false;
    let mut lines = Vec::new();
    for line in format!("FROM {last}").lines() {
        match line.strip_prefix("COPY ") {
            Some(_) if copied => {}
            Some(_) => {
                lines.push(String::from("COPY root/ /"));
                copied = true;
            }
            None => lines.push(line.to_owned()),
        }
    }
    if !copied {
        bail!("the last stage of the Dockerfile copies nothing");
    }
    Ok(lines.join("\n") + "\n")
}

/// A folder as an archive that is the same for the same files.
fn archive(folder: &Path, name: &str) -> Result<()> {
    let same = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0"];
    let mut tar = Command::new("tar");
    tar.args(same).arg("-C").arg(folder).arg("-czf").arg(folder.join(format!("{name}.tar.gz"))).arg(name);
    run(tar.env("GZIP", "-n"))
}

/// The digest of each file, as `sha256sum --check` reads them.
fn digests(folder: &Path) -> Result<()> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.sort();
    let mut lines = String::new();
    for file in files.iter().filter(|file| file.is_file()) {
        let bytes = fs::read(file)?;
        let digest =
            Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        println!("{:>12}  {name}", bytes.len());
        lines = lines + &digest + "  " + &name + "\n";
    }
    fs::write(folder.join("SHA256SUMS"), lines).context("cannot write SHA256SUMS")?;
    step(&format!("all of it is in {}", folder.display()));
    Ok(())
}

fn make(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_container_s_context_needs_no_compiler() {
        let text = include_str!("../../../packaging/Dockerfile");
        let last = last_stage(text).unwrap();
        assert!(last.starts_with("FROM debian:"), "{last}");
        assert_eq!(last.matches("COPY ").count(), 1, "{last}");
        assert!(
            !last.contains("cargo") && last.contains("USER lookalike") && last.contains("HEALTHCHECK"),
            "{last}"
        );
        assert!(last_stage("FROM a\n").is_err() && last_stage("FROM a\nFROM b\nRUN c\n").is_err());
    }
}
