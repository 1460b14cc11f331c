//! The files of a series' releases in a folder, each known by its bytes.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use lookalike_model::ledger::Release;

use super::told::LedgerFault;
use crate::exit::{Attempt, Failure};

/// A release in its file.
pub(crate) struct Found {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// What was read there: the digest was of these bytes.
    pub(crate) bytes: Vec<u8>,
}

/// The file of each release, by the digest that the ledger names, in their order.
///
/// # Errors
/// If the folder or one of its files cannot be read, or a release is in none of them.
pub(crate) fn releases(folder: &Path, releases: &[Release]) -> Result<Vec<Found>, Failure> {
    let digests: Vec<&str> = releases.iter().map(|release| release.hash.as_str()).collect();
    tables(folder, &digests)
}

/// The same of digests alone.
///
/// # Errors
/// As [`releases`].
pub(super) fn tables(folder: &Path, digests: &[&str]) -> Result<Vec<Found>, Failure> {
    let fail = |e: &std::io::Error| Failure::io(Attempt::Read, folder, e);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(|e| fail(&e))? {
        paths.push(entry.map_err(|e| fail(&e))?.path());
    }
    // Of several copies the first by name, in whatever order the system lists them.
    paths.sort();
    let mut by_digest: BTreeMap<String, Found> = BTreeMap::new();
    for path in paths.into_iter().filter(|path| path.is_file()) {
        let bytes = fs::read(&path).map_err(|e| Failure::io(Attempt::Read, &path, &e))?;
        let digest = blake3::hash(&bytes).to_hex().to_string();
        if digests.contains(&digest.as_str()) {
            by_digest.entry(digest).or_insert(Found { path, bytes });
        }
    }
    let missing = |(digest, number): (&&str, usize)| (!by_digest.contains_key(*digest)).then_some(number);
    let missing: Vec<usize> = digests.iter().zip(1..).filter_map(missing).collect();
    if !missing.is_empty() {
        let folder = folder.display().to_string();
        return Err(Failure::audit(LedgerFault::Missing { releases: missing, folder }));
    }
    // Two releases may have the same bytes.
    let of = |digest: &&str| {
        by_digest.get(*digest).map(|found| Found { path: found.path.clone(), bytes: found.bytes.clone() })
    };
    Ok(digests.iter().filter_map(of).collect())
}
