//! Temporary files that killed runs have left beside the ledger and the outputs: they may hold what is private. A run that lives has
//! its own locked (`files::temporary`), so those that can be locked are of runs that are gone.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use super::fault::SeriesTold;
use crate::{
    exit::{Attempt, Failure},
    files,
    progress::{say, warn},
};

/// Removes what killed runs have left in the folders of these files, and says so; names what may be another run's.
///
/// # Errors
/// If a folder cannot be read.
pub(super) fn clear<'a>(of: impl Iterator<Item = &'a Path>) -> Result<(), Failure> {
    // An output's folder that is not there is told of where the output is staged.
    let folders: BTreeSet<PathBuf> =
        of.filter_map(|path| fs::canonicalize(files::folder(path)).ok()).collect();
    let (mut removed, mut stay) = (Vec::new(), Vec::new());
    for folder in folders {
        let fail = |e: &io::Error| Failure::io(Attempt::Read, &folder, e);
        let entries = match fs::read_dir(&folder) {
            // Files can be put there all the same, and nobody can list what is left.
            Err(e) if e.kind() == io::ErrorKind::PermissionDenied => continue,
            entries => entries.map_err(|e| fail(&e))?,
        };
        for entry in entries {
            let path = entry.map_err(|e| fail(&e))?.path();
            match found(&path) {
                Some(Left::Removed) => removed.push(path.display().to_string()),
                Some(Left::Unknown) => stay.push(path.display().to_string()),
                None => {}
            }
        }
    }
    removed.sort();
    stay.sort();
    if !removed.is_empty() {
        say(&SeriesTold::Removed { paths: removed }.to_string());
    }
    if !stay.is_empty() {
        warn(&SeriesTold::Left { paths: stay }.into());
    }
    Ok(())
}

/// What became of a temporary file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    /// Its run is gone, and so is the file.
    Removed,
    /// Nothing tells whose it is: an earlier version wrote it, or this system does not say.
    Unknown,
}

/// What a file is; `None` if it is no temporary file of ours, or one of a run that lives.
fn found(path: &Path) -> Option<Left> {
    let name = path.file_name()?.to_str()?;
    if !name.starts_with(files::TEMPORARY) || !name.ends_with(files::TEMPORARY_END) {
        return None;
    }
    if !fs::symlink_metadata(path).ok()?.is_file() {
        return None;
    }
    let drawn = name.strip_prefix(files::HELD).and_then(|rest| rest.strip_suffix(files::TEMPORARY_END));
    let held = drawn.is_some_and(|drawn| drawn.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    if !held || cfg!(not(unix)) {
        return Some(Left::Unknown);
    }
    let Ok(file) = File::open(path) else { return Some(Left::Unknown) };
    match file.try_lock() {
        // Removed while it is locked: a run that has just made it finds that it is gone, and makes another one.
        Ok(()) if files::is_at(&file, path) => {
            Some(if fs::remove_file(path).is_ok() { Left::Removed } else { Left::Unknown })
        }
        Ok(()) | Err(fs::TryLockError::WouldBlock) => None,
        Err(fs::TryLockError::Error(_)) => Some(Left::Unknown),
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_is_locked_or_of_others_stays() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let living = files::temporary(&mut tempfile::Builder::new(), dir.path()).unwrap();
        let held = living.path().file_name().unwrap().to_str().unwrap().to_owned();
        for name in
            [".lookalike-held-AbC123.tmp", ".lookalike-AbC123.tmp", ".lookalike-held-a.b.tmp", "mine.tmp"]
        {
            fs::write(at(name), "private").unwrap();
        }
        std::os::unix::fs::symlink(at("mine.tmp"), at(".lookalike-held-link.tmp")).unwrap();
        clear([at("ledger.json").as_path(), at("out.csv").as_path()].into_iter()).unwrap();
        let mut stay = [
            ".lookalike-AbC123.tmp",
            ".lookalike-held-a.b.tmp",
            ".lookalike-held-link.tmp",
            "mine.tmp",
            held.as_str(),
        ];
        stay.sort_unstable();
        assert_eq!(names(dir.path()), stay);
        assert_eq!(found(&at(".lookalike-AbC123.tmp")), Some(Left::Unknown));
        assert_eq!(found(&at(&held)), None);
        // Whoever has it is gone, and the file is still there.
        living.keep().unwrap();
        assert_eq!(found(&at(&held)), Some(Left::Removed));
        assert!(!at(&held).exists());
    }

    /// One run clears while others make files: none of theirs is gone.
    #[test]
    fn none_of_a_living_run_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().to_owned();
        let done = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(std::sync::atomic::Ordering::Relaxed) {
                    for entry in fs::read_dir(&folder).unwrap() {
                        found(&entry.unwrap().path());
                    }
                }
            });
            for _ in 0..2000 {
                let temp = files::temporary(&mut tempfile::Builder::new(), &folder).unwrap();
                std::thread::yield_now();
                assert!(temp.path().exists());
            }
            done.store(true, std::sync::atomic::Ordering::Relaxed);
        });
    }
}
