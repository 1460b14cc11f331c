//! Sizes of the page's files, as they are and as a server would send them.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Largest size, by gzip, of all that the page loads at first: a ceiling against accidents, not an aim.
const LIMIT: usize = 450_000;

/// Largest size, by gzip, of that and of what it loads with the first table.
const WITH_ENGINE: usize = 850_000;

/// What is loaded when it is needed: the engine with the first table, the search once one is open, the desk for
/// configuration files and checks, the engine for series of releases, the import module for other files than plain text,
/// samples, other languages than English.
const LATER: [&str; 7] = [ENGINE, "solver", "desk", "series", "import", "samples", "texts"];

/// The folder of what reads tables.
const ENGINE: &str = "engine";

/// `371.2 kB, 142.0 kB gzip`; 1 kB is 1,000 bytes.
pub(crate) fn of_file(path: &Path) -> Result<String> {
    let bytes = fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?.len();
    Ok(format!("{}, {} gzip", kilobytes(usize::try_from(bytes)?), kilobytes(packed(path)?)))
}

/// Says how much the page loads at first, and what all of it is; too much is an error.
pub(crate) fn check(dist: &Path) -> Result<()> {
    let (mut first, mut later) = (0, 0);
    for entry in fs::read_dir(dist).with_context(|| format!("cannot read {}", dist.display()))? {
        let path = entry?.path();
        let waits = path.file_name().is_some_and(|name| LATER.iter().any(|part| name == *part));
        *(if waits { &mut later } else { &mut first }) += of_all(&path)?;
    }
    let engine = dist.join(ENGINE);
    let with_engine = first + if engine.is_dir() { of_all(&engine)? } else { 0 };
    println!(
        "at first {} gzip of at most {}, with the first table {} of at most {}, all {}",
        kilobytes(first),
        kilobytes(LIMIT),
        kilobytes(with_engine),
        kilobytes(WITH_ENGINE),
        kilobytes(first + later)
    );
    for (size, limit, when) in
        [(first, LIMIT, "at first"), (with_engine, WITH_ENGINE, "with the first table")]
    {
        if size > limit {
            bail!("the page loads {} {when}, more than {}", kilobytes(size), kilobytes(limit));
        }
    }
    Ok(())
}

/// Size of a file by gzip, or of all files in a folder.
fn of_all(path: &Path) -> Result<usize> {
    if !path.is_dir() {
        return packed(path);
    }
    let mut sum = 0;
    for entry in fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))? {
        sum += of_all(&entry?.path())?;
    }
    Ok(sum)
}

fn packed(path: &Path) -> Result<usize> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&bytes)?;
    Ok(encoder.finish()?.len())
}

fn kilobytes(bytes: usize) -> String {
    format!("{:.1} kB", bytes as f64 / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kilobytes_are_decimal() {
        assert_eq!(kilobytes(371_240), "371.2 kB");
    }

    /// Bytes that do not pack: a plain generator suffices.
    fn noise(count: usize) -> Vec<u8> {
        let mut state = 1_u32;
        let mut byte = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        (0..count).map(|_| byte()).collect()
    }

    #[test]
    fn what_comes_later_does_not_count() {
        let dist = std::env::temp_dir().join(format!("lookalike-sizes-{}", std::process::id()));
        fs::create_dir_all(dist.join("ui")).unwrap();
        fs::create_dir_all(dist.join("solver/threads")).unwrap();
        fs::write(dist.join("ui/ui.wasm"), noise(LIMIT / 2)).unwrap();
        fs::write(dist.join("solver/threads/solver.wasm"), noise(LIMIT)).unwrap();
        check(&dist).unwrap();
        fs::write(dist.join("more.wasm"), noise(LIMIT / 2)).unwrap();
        let error = check(&dist).unwrap_err().to_string();
        fs::remove_dir_all(&dist).unwrap();
        assert!(error.contains("more than 450.0 kB"), "{error}");
    }
}
