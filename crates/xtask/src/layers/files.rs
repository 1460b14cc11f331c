//! The files that are checked.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::bans::Source;
use super::names::names;

/// The folders with our sources. This program is left out: it names what it bans.
const FOLDERS: [&str; 4] = ["crates", "web", "worker", "tests"];
const EXEMPT: &str = "crates/xtask";

/// All Rust files of the workspace, test modules marked.
pub(crate) fn rust_sources(root: &Path) -> Result<Vec<Source>> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        walk(&root.join(folder), &mut files)?;
    }
    let mut texts = Vec::new();
    let mut test_only = BTreeSet::new();
    for file in files {
        if file.extension().is_none_or(|ext| ext != "rs") || file.starts_with(root.join(EXEMPT)) {
            continue;
        }
        let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        for module in names(&text).test_modules {
            test_only.insert(module_folder(&file).join(module));
        }
        texts.push((file, text));
    }
    let source = |(file, text): (PathBuf, String)| {
        let path = relative(root, &file);
        // `a.rs`, `a/mod.rs` and everything below `a/` belong to the module `a`.
        let stem = file.with_extension("");
        let test = ["/tests/", "/benches/", "/examples/"].iter().any(|part| path.contains(part))
            || stem.ancestors().any(|module| test_only.contains(module));
        Source { path, text, test }
    };
    Ok(texts.into_iter().map(source).collect())
}

/// The folder in which a file's modules are.
fn module_folder(file: &Path) -> PathBuf {
    let names_folder =
        file.file_stem().is_some_and(|stem| ["lib", "main", "mod"].iter().any(|name| stem == *name));
    if names_folder { file.parent().unwrap_or(file).to_owned() } else { file.with_extension("") }
}

/// All text files of the page: path and text.
pub(crate) fn page_texts(root: &Path) -> Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    walk(&root.join("web"), &mut files)?;
    let mut texts = Vec::new();
    for file in files {
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        // Images and fonts are no text.
        if let Ok(text) = String::from_utf8(bytes) {
            texts.push((relative(root, &file), text));
        }
    }
    Ok(texts)
}

fn relative(root: &Path, file: &Path) -> String {
    let path = file.strip_prefix(root).unwrap_or(file);
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// Collects the files below a folder, sorted; a missing folder has none.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    let mut entries = fs::read_dir(folder)
        .and_then(Iterator::collect::<std::io::Result<Vec<_>>>)
        .with_context(|| format!("cannot read {}", folder.display()))?;
    entries.sort_by_key(fs::DirEntry::path);
    for entry in entries {
        let path = entry.path();
        if path.is_dir() {
            let skip = ["target", "node_modules"].iter().any(|name| path.ends_with(name));
            if !skip {
                walk(&path, files)?;
            }
        } else {
            files.push(path);
        }
    }
    Ok(())
}
