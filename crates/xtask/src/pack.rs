//! The page's files packed by gzip, beside the files themselves, for a server to send as they are; and how much of them a
//! browser loads.
//!
//! Gzip and not brotli: every browser takes it over plain http too, where browsers offer no brotli, and a file in one
//! packed form is one file to serve and to keep.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Most bytes until the page can be used: a ceiling against accidents, not an aim.
const FIRST: usize = 830_000;

/// Most bytes with the engine and the search of this browser: what the first table and its search need.
const WITH_SEARCH: usize = 3_450_000;

/// What is loaded when it is needed, or once the page is there.
const LATER: [&str; 6] = ["engine/", "import/", "samples/", "optimize/", "texts/", "vault.js"];

/// Bytes that are sent of each file of the page, by its path.
pub(crate) type Sizes = BTreeMap<String, usize>;

/// Packs every file of the page that gets smaller by it.
pub(crate) fn all(dist: &Path) -> Result<Sizes> {
    let mut sizes = Sizes::new();
    for path in files(dist)? {
        let from = dist.join(&path);
        let bytes = fs::read(&from).with_context(|| format!("cannot read {}", from.display()))?;
        let packed = gzip(&bytes)?;
        sizes.insert(path.clone(), packed.len().min(bytes.len()));
        if packed.len() < bytes.len() {
            let to = dist.join(format!("{path}.gz"));
            fs::write(&to, &packed).with_context(|| format!("cannot write {}", to.display()))?;
        }
        if from.extension().is_some_and(|extension| extension == "wasm") {
            println!("{path}  {}, {} gzip", kilobytes(bytes.len()), kilobytes(packed.len()));
        }
    }
    Ok(sizes)
}

/// The paths of all files in a folder, relative to it.
pub(crate) fn files(folder: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(files(&path)?.into_iter().map(|file| format!("{name}/{file}")));
        } else {
            found.push(name);
        }
    }
    found.sort();
    Ok(found)
}

/// Packed as small as gzip can.
pub(crate) fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

/// Says how much a browser loads at first, and with the first table and search; too much is an error.
pub(crate) fn check(sizes: &Sizes) -> Result<()> {
    let of = |wanted: &dyn Fn(&str) -> bool| -> usize {
        sizes.iter().filter(|(path, _)| wanted(path)).map(|(_, size)| size).sum()
    };
    let first = of(&|path| !LATER.iter().any(|part| path.starts_with(part)));
    let with = |search: &str| first + of(&|path| path.starts_with("engine/") || path.starts_with(search));
    let sums = [
        (first, FIRST, "until it can be used"),
        (with("optimize/threads/"), WITH_SEARCH, "with the first search, by threads"),
        (with("optimize/single/"), WITH_SEARCH, "with the first search, without threads"),
    ];
    for (size, limit, when) in sums {
        println!("the page loads {} of at most {} {when}", kilobytes(size), kilobytes(limit));
    }
    println!("all files of the page: {}", kilobytes(of(&|_| true)));
    match sums.into_iter().find(|(size, limit, _)| size > limit) {
        Some((size, limit, when)) => {
            bail!("the page loads {} {when}, more than {}", kilobytes(size), kilobytes(limit))
        }
        None => Ok(()),
    }
}

/// 1 kB is 1,000 bytes.
fn kilobytes(bytes: usize) -> String {
    format!("{:.1} kB", bytes as f64 / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_packed_that_get_smaller_and_their_sizes_are_what_is_sent() {
        let dist = tempfile::tempdir().unwrap();
        fs::create_dir_all(dist.path().join("ui")).unwrap();
        fs::write(dist.path().join("ui/ui.js"), "a".repeat(10_000)).unwrap();
        fs::write(dist.path().join("x"), "x").unwrap();
        let sizes = all(dist.path()).unwrap();
        let packed = fs::read(dist.path().join("ui/ui.js.gz")).unwrap();
        assert_eq!(sizes, Sizes::from([(String::from("ui/ui.js"), packed.len()), (String::from("x"), 1)]));
        assert!(!dist.path().join("x.gz").exists());
    }

    #[test]
    fn too_much_at_first_or_with_the_search_of_one_browser_is_an_error() {
        let of = |sizes: &[(&str, usize)]| {
            check(&sizes.iter().map(|(path, size)| ((*path).to_owned(), *size)).collect())
        };
        let (ui, engine) = (("ui/ui_bg.wasm", FIRST), ("engine/engine_bg.wasm", WITH_SEARCH - FIRST - 1));
        of(&[ui, engine, ("import/import_bg.wasm", FIRST), ("optimize/single/optimize_bg.wasm", 1)]).unwrap();
        assert!(of(&[ui, ("boot.js", 1)]).is_err());
        assert!(of(&[ui, engine, ("optimize/threads/optimize_bg.wasm", 2)]).is_err());
        // No browser loads both searches.
        of(&[ui, engine, ("optimize/threads/a", 1), ("optimize/single/a", 1)]).unwrap();
    }

    #[test]
    fn the_service_worker_waits_with_what_not_every_browser_needs() {
        let script = include_str!("../../../web/static/sw.js");
        let waits = |part: &&str| !["engine/", "import/", "vault.js"].contains(part);
        let parts: Vec<&str> =
            LATER.iter().filter(|part| waits(part)).map(|p| p.trim_end_matches('/')).collect();
        let parts = parts.join("|");
        assert!(script.contains(&format!("^({parts})\\/")), "{parts}");
    }
}
