//! One run at a time with a ledger: a lock of the operating system on a file beside it (`L.json.lock`), held from before the
//! ledger is read until the run ends. The system frees it when the process is gone, however it ended.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
};

use super::writing::beside as named;
use crate::{exit::Failure, files};

/// Links followed from a ledger's path; a longer way goes in circles.
const LINKS: usize = 40;

/// Tries to lock the file while other runs end and remove it.
const TRIES: usize = 100;

/// A run's hold on its ledger, until it is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    _beside: Beside,
    /// The ledger itself: another name (a hard link) has another file beside it.
    _itself: Option<File>,
}

impl Lock {
    /// Takes the lock of a ledger, which need not exist yet; its path is one that [`file_of`] has found.
    ///
    /// # Errors
    /// If another run has it; if the file beside the ledger cannot be made or locked.
    pub(crate) fn take(ledger: &Path) -> Result<Self, Failure> {
        let path = beside(ledger);
        for _ in 0..TRIES {
            let file = open(&path).map_err(|e| {
                Failure::System(format!(
                    "cannot write {}: {e}. A run writes its lock and the next ledger beside the ledger: this folder must \
                     exist, and you must be allowed to write to it",
                    path.display()
                ))
            })?;
            locked(&file, ledger)?;
            if is_at(&file, &path) {
                let beside = Beside { path, _file: file };
                let held = itself(ledger)?;
                return Ok(Self { _beside: beside, _itself: held });
            }
            // The run that had the lock has removed the file: this is a lock on nothing.
        }
        Err(another(ledger))
    }
}

/// The locked file beside a ledger; it goes with the lock.
#[derive(Debug)]
struct Beside {
    path: PathBuf,
    _file: File,
}

impl Drop for Beside {
    fn drop(&mut self) {
        // While it is locked, so that nobody else has it: who has opened it meanwhile finds that it is gone (`is_at`). Where
        // that cannot be found out the file stays. If it cannot be removed it stays, too, and does no harm.
        if cfg!(unix) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The file of the lock.
pub(super) fn beside(ledger: &Path) -> PathBuf {
    named(ledger, ".lock")
}

/// The file that a ledger's path leads to: links are followed, so that they all have one lock, one held ledger and one list
/// of used states, and a release replaces the ledger instead of the link.
///
/// # Errors
/// If links go in circles or cannot be read.
pub(crate) fn file_of(path: &Path) -> Result<PathBuf, Failure> {
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        match fs::symlink_metadata(&path) {
            Ok(there) if there.is_symlink() => {
                let to = fs::read_link(&path).map_err(|e| Failure::io("read the link", &path, &e))?;
                path = files::folder(&path).join(to);
            }
            // What cannot be looked at cannot be locked either, which is said then.
            _ => return Ok(path),
        }
    }
    Err(Failure::Input(format!("{} is a link that leads in circles", path.display())))
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

/// The ledger, locked as well where it exists. On other systems such a lock keeps this run from reading it.
fn itself(ledger: &Path) -> Result<Option<File>, Failure> {
    if cfg!(not(unix)) {
        return Ok(None);
    }
    // Some file systems lock only what is open for writing, and a ledger may be read-only.
    let opened = OpenOptions::new().read(true).write(true).open(ledger).or_else(|_| File::open(ledger));
    match opened {
        Ok(file) => locked(&file, ledger).map(|()| Some(file)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Failure::io("read", ledger, &e)),
    }
}

/// Locks a file for this run alone, at once or not at all.
fn locked(file: &File, ledger: &Path) -> Result<(), Failure> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(another(ledger)),
        Err(TryLockError::Error(e)) => Err(Failure::System(format!(
            "{} cannot be locked ({e}): without a lock two runs could make a release from the same state. Keep the ledger on \
             a file system that has locks, such as that of a local disk",
            ledger.display()
        ))),
    }
}

fn another(ledger: &Path) -> Failure {
    Failure::System(format!(
        "another run is under way with the ledger {}: only one release at a time can be made from it. Wait until that run \
         has ended, then start this one again; it goes on from the release that the other has made",
        ledger.display()
    ))
}

/// Whether the open file is still the one at the path. Where files have no number it always is: nobody removes it there.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let number = |there: fs::Metadata| (there.dev(), there.ino());
        match (file.metadata(), fs::metadata(path)) {
            (Ok(open), Ok(there)) => number(open) == number(there),
            _ => false,
        }
    }
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(path: &Path) -> String {
        let failure = Lock::take(path).unwrap_err();
        assert_eq!(failure.code(), 4);
        failure.to_string()
    }

    #[test]
    fn one_run_has_it_and_nothing_is_left() {
        let dir = tempfile::tempdir().unwrap();
        let ledger = dir.path().join("l.json");
        for there in [false, true] {
            if there {
                fs::write(&ledger, "x").unwrap();
            }
            let held = Lock::take(&ledger).unwrap();
            assert!(refused(&ledger).contains("another run is under way"));
            assert_eq!(fs::read(&ledger).is_ok(), there, "who has it can read it");
            drop(held);
            assert_eq!(beside(&ledger).exists(), cfg!(not(unix)));
        }
        // What a killed run has left is no lock.
        fs::write(beside(&ledger), "").unwrap();
        drop(Lock::take(&ledger).unwrap());
    }

    #[cfg(unix)]
    #[test]
    fn every_path_to_a_ledger_has_its_lock() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir(at("a")).unwrap();
        symlink(at("a"), at("folder")).unwrap();
        symlink("a/l.json", at("link.json")).unwrap();
        symlink("link.json", at("twice.json")).unwrap();
        let paths = ["a/l.json", "folder/l.json", "link.json", "twice.json", "a/../a/l.json"];
        for there in [false, true] {
            if there {
                fs::write(at("a/l.json"), "x").unwrap();
                fs::hard_link(at("a/l.json"), at("hard.json")).unwrap();
            }
            let held = Lock::take(&at("a/l.json")).unwrap();
            for path in paths.iter().chain(there.then_some(&"hard.json")) {
                assert!(refused(&file_of(&at(path)).unwrap()).contains("another run"), "{path}");
            }
            drop(held);
        }
        assert!(Lock::take(&at("other.json")).is_ok());
        symlink("round.json", at("round.json")).unwrap();
        assert!(file_of(&at("round.json")).unwrap_err().to_string().contains("circles"));
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let dir = tempfile::tempdir().unwrap();
        assert!(refused(&dir.path().join("none").join("l.json")).contains("this folder must exist"));
    }
}
