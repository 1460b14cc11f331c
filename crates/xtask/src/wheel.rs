//! The Python package as a wheel (PEP 427), of the extension module that was built with everything else: the same files as those that
//! `pip install ./python` builds once more.

use std::{
    fs::{self, File},
    io::Write as _,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use sha2::{Digest as _, Sha256};
use toml::Table;
use zip::{ZipWriter, write::SimpleFileOptions};

use crate::{project::Project, python};

/// Writes it into a folder.
pub(crate) fn write(project: &Project, folder: &Path) -> Result<PathBuf> {
    let package = python::put_together(project)?;
    let text = fs::read_to_string(project.root.join("python/pyproject.toml"))
        .context("cannot read pyproject.toml")?;
    let about: Table = text.parse().context("pyproject.toml is no TOML")?;
    let readme = fs::read_to_string(project.root.join("python/README.md"))
        .context("cannot read the package's README")?;
    let version = env!("CARGO_PKG_VERSION");
    let name = format!("lookalike-{version}-cp310-abi3-{}.whl", platform());
    let info = format!("lookalike-{version}.dist-info");
    let mut files = Vec::new();
    for entry in fs::read_dir(package.join("lookalike"))? {
        let path = entry?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.push((format!("lookalike/{file}"), fs::read(&path)?));
    }
    files.sort();
    files.push((format!("{info}/METADATA"), metadata(&about, version, &readme)?.into_bytes()));
    let tag = format!(
        "Wheel-Version: 1.0\nGenerator: lookalike ({version})\nRoot-Is-Purelib: false\nTag: cp310-abi3-{}\n",
        platform()
    );
    files.push((format!("{info}/WHEEL"), tag.into_bytes()));
    files.push((format!("{info}/RECORD"), record(&files, &info).into_bytes()));
    let path = folder.join(name);
    let mut archive =
        ZipWriter::new(File::create(&path).with_context(|| format!("cannot write {}", path.display()))?);
    for (name, content) in &files {
        archive.start_file(name.as_str(), SimpleFileOptions::default().unix_permissions(0o644))?;
        archive.write_all(content)?;
    }
    archive.finish()?;
    Ok(path)
}

/// This machine as Python names it; nothing is promised of older systems than this one.
fn platform() -> String {
    format!("{}_{}", std::env::consts::OS, std::env::consts::ARCH)
}

/// What the package says of itself (core metadata 2.1), from `pyproject.toml`.
fn metadata(about: &Table, version: &str, readme: &str) -> Result<String> {
    let project =
        about.get("project").and_then(toml::Value::as_table).context("pyproject.toml has no project")?;
    let text = |key: &str| {
        project.get(key).and_then(toml::Value::as_str).with_context(|| format!("pyproject.toml has no {key}"))
    };
    let list = |value: Option<&toml::Value>| -> Vec<String> {
        let items = value.and_then(toml::Value::as_array).into_iter().flatten();
        items.filter_map(|item| item.as_str().map(str::to_owned)).collect()
    };
    let mut lines = vec![
        String::from("Metadata-Version: 2.1"),
        format!("Name: {}", text("name")?),
        format!("Version: {version}"),
        format!("Summary: {}", text("description")?),
        format!("License: {}", text("license")?),
        format!("Requires-Python: {}", text("requires-python")?),
        String::from("Description-Content-Type: text/markdown"),
    ];
    lines.extend(list(project.get("classifiers")).into_iter().map(|one| format!("Classifier: {one}")));
    let extras = project.get("optional-dependencies").and_then(toml::Value::as_table);
    for (extra, needs) in extras.into_iter().flatten() {
        lines.push(format!("Provides-Extra: {extra}"));
        lines.extend(
            list(Some(needs)).into_iter().map(|need| format!("Requires-Dist: {need} ; extra == '{extra}'")),
        );
    }
    Ok(lines.join("\n") + "\n\n" + readme)
}

/// The list of files with their digests and sizes; its own line has neither.
fn record(files: &[(String, Vec<u8>)], info: &str) -> String {
    let line = |(name, content): &(String, Vec<u8>)| {
        format!("{name},sha256={},{}", BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(content)), content.len())
    };
    let mut lines: Vec<String> = files.iter().map(line).collect();
    lines.push(format!("{info}/RECORD,,"));
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wheel_says_what_the_project_says() {
        let about: Table = include_str!("../../../python/pyproject.toml").parse().unwrap();
        let said = metadata(&about, "9.9.9", "# Read me").unwrap();
        for line in ["Name: lookalike", "Version: 9.9.9", "Requires-Python: >=3.10", "Provides-Extra: pandas"]
        {
            assert!(said.lines().any(|known| known == line), "{line}: {said}");
        }
        assert!(
            said.contains("Requires-Dist: polars>=1.0 ; extra == 'polars'")
                && said.ends_with("\n\n# Read me"),
            "{said}"
        );
    }

    #[test]
    fn each_file_is_recorded_with_its_digest() {
        // The digest of nothing, in hexadecimal digits e3b0c442...
        let record = record(&[(String::from("a.py"), Vec::new())], "x.dist-info");
        assert_eq!(
            record,
            "a.py,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0\nx.dist-info/RECORD,,\n"
        );
    }
}
