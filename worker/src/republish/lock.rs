//! One run at a time with a ledger: a lock of the operating system on a file beside it (`L.json.lock`), held from before the
//! ledger is read until the run ends. The system frees it when the process is gone, however it ended.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
};

use super::writing::beside as named;
use crate::{
    exit::{Attempt, Failure},
    files::{self, FileFault, NotWritable, is_at},
};

lookalike_words::messages! {
    in "worker";

    /// Why a run cannot have its ledger to itself.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum LockFault {
        /// Another run has it.
        Another {
            /// The ledger's file.
            ledger: String,
        },
        /// Links go in circles.
        Circles {
            /// The link.
            path: String,
        },
        /// The ledger has another name.
        HardLink {
            /// The ledger's file.
            ledger: String,
        },
        /// The lock cannot be written.
        Beside {
            /// The lock's file.
            path: String,
            /// What the system said.
            why: String,
        },
        /// The lock is another user's.
        OtherUser {
            /// The lock's file.
            path: String,
            /// What the system said.
            why: String,
        },
        /// Something else is there.
        NoLock {
            /// The lock's file.
            path: String,
        },
        /// The file system has no locks.
        Unlockable {
            /// The ledger's file.
            ledger: String,
            /// What the system said.
            why: String,
        },
    }
}

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
            let Some(file) = open(&path)? else { continue };
            locked(&file, ledger)?;
            if is_at(&file, &path) {
                empty(&file, &path)?;
                let beside = Beside { path, file };
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
    file: File,
}

impl Drop for Beside {
    fn drop(&mut self) {
        // While it is locked, so that nobody else has it: who has opened it meanwhile finds that it is gone (`is_at`). Where
        // that cannot be found out the file stays. If it cannot be removed it stays, too, and does no harm.
        if cfg!(unix) && is_at(&self.file, &self.path) && empty(&self.file, &self.path).is_ok() {
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
                let to = fs::read_link(&path).map_err(|e| Failure::io(Attempt::ReadLink, &path, &e))?;
                path = files::folder(&path).join(to);
            }
            // What cannot be looked at cannot be locked either, which is said then.
            _ => return Ok(path),
        }
    }
    Err(Failure::input(LockFault::Circles { path: path.display().to_string() }))
}

/// Refuses a ledger that a release could not take the place of.
///
/// # Errors
/// If it is no regular file or read-only, or has another name, under which the old state would stay.
pub(crate) fn may_be_replaced(ledger: &Path) -> Result<(), Failure> {
    let shown = || ledger.display().to_string();
    let refuse = |why| Err(Failure::system(FileFault::NotWritable { path: shown(), why }));
    match fs::metadata(ledger) {
        Ok(there) if !there.is_file() => refuse(NotWritable::Device),
        Ok(there) if there.permissions().readonly() => refuse(NotWritable::ReadOnly),
        #[cfg(unix)]
        Ok(there) if std::os::unix::fs::MetadataExt::nlink(&there) > 1 => {
            Err(Failure::input(LockFault::HardLink { ledger: shown() }))
        }
        // What cannot be looked at cannot be locked either, which is said then.
        _ => Ok(()),
    }
}

/// The file of the lock, made if there is none; `None` if it came or went meanwhile.
fn open(path: &Path) -> Result<Option<File>, Failure> {
    let shown = || path.display().to_string();
    let fail = |e: &io::Error| Failure::system(LockFault::Beside { path: shown(), why: e.to_string() });
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_file() => {
            // Another user's can be locked without being written.
            let opened = OpenOptions::new().read(true).write(true).open(path).or_else(|_| File::open(path));
            match opened {
                Ok(file) => Ok(Some(file)),
                Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(e) => Err(Failure::system(LockFault::OtherUser { path: shown(), why: e.to_string() })),
            }
        }
        Ok(_) => Err(no_lock(path)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            match OpenOptions::new().read(true).write(true).create_new(true).open(path) {
                Ok(file) => Ok(Some(file)),
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Ok(None),
                Err(e) => Err(fail(&e)),
            }
        }
        Err(e) => Err(fail(&e)),
    }
}

/// Refuses a file with content: it is somebody's, and the lock's file is removed in the end.
fn empty(file: &File, path: &Path) -> Result<(), Failure> {
    match file.metadata() {
        Ok(there) if there.is_file() && there.len() == 0 => Ok(()),
        _ => Err(no_lock(path)),
    }
}

fn no_lock(path: &Path) -> Failure {
    Failure::system(LockFault::NoLock { path: path.display().to_string() })
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
        Err(e) => Err(Failure::io(Attempt::Read, ledger, &e)),
    }
}

/// Locks a file for this run alone, at once or not at all.
fn locked(file: &File, ledger: &Path) -> Result<(), Failure> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(another(ledger)),
        Err(TryLockError::Error(e)) => {
            let ledger = ledger.display().to_string();
            Err(Failure::system(LockFault::Unlockable { ledger, why: e.to_string() }))
        }
    }
}

fn another(ledger: &Path) -> Failure {
    Failure::system(LockFault::Another { ledger: ledger.display().to_string() })
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
            }
            let held = Lock::take(&at("a/l.json")).unwrap();
            for path in &paths {
                assert!(refused(&file_of(&at(path)).unwrap()).contains("another run"), "{path}");
            }
            drop(held);
        }
        assert!(Lock::take(&at("other.json")).is_ok());
        symlink("round.json", at("round.json")).unwrap();
        assert!(file_of(&at("round.json")).unwrap_err().to_string().contains("circles"));
    }

    #[cfg(unix)]
    #[test]
    fn a_ledger_with_two_names_or_without_rights_is_refused() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let (ledger, hard) = (dir.path().join("l.json"), dir.path().join("hard.json"));
        assert!(may_be_replaced(&ledger).is_ok(), "there is none yet");
        fs::write(&ledger, "x").unwrap();
        assert!(may_be_replaced(&ledger).is_ok());
        fs::hard_link(&ledger, &hard).unwrap();
        for name in [&ledger, &hard] {
            let why = may_be_replaced(name).unwrap_err();
            assert!(why.code() == 2 && why.to_string().contains("a hard link"), "{why}");
        }
        fs::remove_file(&hard).unwrap();
        fs::set_permissions(&ledger, fs::Permissions::from_mode(0o400)).unwrap();
        assert!(may_be_replaced(&ledger).unwrap_err().to_string().contains("it is read-only"));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_lock_stays_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let ledger = dir.path().join("poetry");
        let at = beside(&ledger);
        fs::write(&at, "pinned").unwrap();
        assert!(refused(&ledger).contains("something else is there"));
        assert_eq!(fs::read(&at).unwrap(), b"pinned");
        fs::remove_file(&at).unwrap();
        for target in ["there", "nowhere"] {
            fs::write(dir.path().join("there"), "").unwrap();
            std::os::unix::fs::symlink(target, &at).unwrap();
            assert!(refused(&ledger).contains("something else is there"));
            assert!(at.is_symlink() && !dir.path().join("nowhere").exists());
            fs::remove_file(&at).unwrap();
        }
        // What is put there meanwhile is nobody's lock.
        let held = Lock::take(&ledger).unwrap();
        fs::write(&at, "put there").unwrap();
        drop(held);
        assert_eq!(fs::read(&at).unwrap(), b"put there");
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let dir = tempfile::tempdir().unwrap();
        assert!(refused(&dir.path().join("none").join("l.json")).contains("this folder must exist"));
    }
}
