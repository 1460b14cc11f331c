//! All outputs or none: each is staged in a temporary file of its own folder before anything is solved, and renamed
//! only when every one of them is written and synced.

mod fault;

use std::{
    ffi::OsString,
    fs,
    io::{self, Read as _, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tempfile::{Builder, NamedTempFile, TempDir};

use self::fault::Taken;
pub(crate) use self::fault::{FileFault, NotWritable};
use crate::exit::{Attempt, Failure};

/// How the names of temporary files begin.
pub(crate) const TEMPORARY: &str = ".lookalike-";

/// The same of those that are locked as long as the run that made them lives. Those of version 0.1.0 are not.
pub(crate) const HELD: &str = ".lookalike-held-";

/// How they end.
pub(crate) const TEMPORARY_END: &str = ".tmp";

/// How often a temporary file is made, while another run takes it for one that was left.
const TRIES: usize = 100;

/// Temporary files and folders that exist now, for the one way out that runs no destructor: [`remove_staged`].
static STAGED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Files that this run has read: no output takes their place.
static READ: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Who may read an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Secrecy {
    /// What the user's umask allows.
    Publishable,
    /// The owner only (mode 0600).
    Private,
}

/// Writes to standard output. A reader that went away is an error like any other.
pub(crate) fn print(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(bytes).and_then(|()| out.flush());
    written.map_err(|e| Failure::io(Attempt::WriteTo, Path::new("standard output"), &e))
}

/// Writes a text to standard output, names and values of people's tables as a terminal shows and does not obey them.
pub(crate) fn tell(text: &str) -> Result<(), Failure> {
    print(lookalike_words::shown(text).as_bytes())
}

/// The bytes of a file, in whose place no output is written from now on.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    reads(path);
    fs::read(path).map_err(|e| Failure::io(Attempt::Read, path, &e))
}

/// Bytes of a file that a person writes or a program makes for one: configurations (with their hierarchies and labels), keys, passphrases,
/// manifests.
const SMALL: u64 = 64 << 20;

/// The same of a file that is small, at most 64 MB: what has more, or never ends as `/dev/zero` does, is refused before it takes memory.
///
/// # Errors
/// If it cannot be read, or is too large.
pub(crate) fn read_small(path: &Path) -> Result<Vec<u8>, Failure> {
    let fail = |e: &io::Error| Failure::io(Attempt::Read, path, e);
    let mut bytes = Vec::new();
    open(path)?.take(SMALL + 1).read_to_end(&mut bytes).map_err(|e| fail(&e))?;
    if bytes.len() as u64 > SMALL {
        return Err(fail(&io::ErrorKind::FileTooLarge.into()));
    }
    Ok(bytes)
}

/// A file to read, in whose place no output is written from now on.
pub(crate) fn open(path: &Path) -> Result<fs::File, Failure> {
    reads(path);
    fs::File::open(path).map_err(|e| Failure::io(Attempt::Read, path, &e))
}

/// Notes that this run reads a file. One that is not there is no file to keep.
pub(crate) fn reads(path: &Path) {
    if let Ok(file) = fs::canonicalize(path) {
        READ.lock().unwrap_or_else(PoisonError::into_inner).push(file);
    }
}

/// Whether the path stands for standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// The file to write; `None` for `-`, which is standard output.
pub(crate) fn named(path: Option<&Path>) -> Option<&Path> {
    path.filter(|path| *path != Path::new("-"))
}

/// An output that is staged: its temporary file exists, its target is untouched.
#[derive(Debug)]
pub(crate) struct Staged {
    temp: NamedTempFile,
    target: PathBuf,
    secrecy: Secrecy,
}

/// Stages outputs beside their targets, so that a folder that cannot be written shows before the work begins.
///
/// # Errors
/// If two outputs are one file, if one is a file that this run reads, or if a target cannot be written.
pub(crate) fn stage(input: &Path, outputs: &[(&Path, Secrecy)]) -> Result<Vec<Staged>, Failure> {
    let mut taken = Vec::new();
    if !is_stdin(input) {
        taken.push((resolve(input)?, Taken::Input));
    }
    let read = READ.lock().unwrap_or_else(PoisonError::into_inner).clone();
    taken.extend(read.into_iter().map(|file| (file, Taken::Read)));
    let mut staged = Vec::with_capacity(outputs.len());
    for (path, secrecy) in outputs {
        if *path == Path::new("-") {
            return Err(Failure::input(FileFault::StandardOutput));
        }
        let target = resolve(path)?;
        if let Some((_, by)) = taken.iter().find(|(other, _)| *other == target) {
            return Err(Failure::input(FileFault::Taken { path: path.display().to_string(), by: *by }));
        }
        check_target(&target)?;
        taken.push((target.clone(), Taken::Output));
        staged.push(Staged::new(target, *secrecy).map_err(|e| Failure::io(Attempt::Write, path, &e))?);
    }
    Ok(staged)
}

/// Writes and syncs every output, then renames them in the given order. Until the first rename no target is touched.
pub(crate) fn commit(staged: Vec<Staged>, contents: &[&[u8]]) -> Result<(), Failure> {
    debug_assert_eq!(staged.len(), contents.len());
    let mut written = Vec::with_capacity(staged.len());
    for (mut output, bytes) in staged.into_iter().zip(contents) {
        output.fill(bytes)?;
        written.push(output);
    }
    publish(written)
}

/// Syncs every output, whatever was written to it, then renames them in the given order.
pub(crate) fn publish(staged: Vec<Staged>) -> Result<(), Failure> {
    for output in &staged {
        output.temp.as_file().sync_all().map_err(|e| Failure::io(Attempt::Write, &output.target, &e))?;
    }
    staged.into_iter().try_for_each(Staged::rename)
}

/// A folder within another one that only the owner may enter, removed when it is dropped, and by [`remove_staged`] until
/// [`forget`] is told of it.
pub(crate) fn private_folder(within: &Path) -> io::Result<TempDir> {
    let mut builder = Builder::new();
    builder.prefix("lookalike-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o700));
    }
    let mut registry = registry();
    let folder = builder.tempdir_in(within)?;
    registry.push(folder.path().to_owned());
    Ok(folder)
}

/// A private folder that another run left is this one's: it is removed as one that it made.
pub(crate) fn adopt(folder: &Path) {
    registry().push(folder.to_owned());
}

/// A private folder is removed by others.
pub(crate) fn forget(folder: &Path) {
    registry().retain(|path| path != folder);
}

/// Removes every temporary file and folder: for a process that ends without running destructors.
pub(crate) fn remove_staged() {
    for path in registry().drain(..) {
        // Nothing could be done about a failure here.
        let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
    }
}

impl Staged {
    fn new(target: PathBuf, secrecy: Secrecy) -> io::Result<Self> {
        let mut builder = Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = match secrecy {
                Secrecy::Publishable => 0o666,
                Secrecy::Private => 0o600,
            };
            builder.permissions(fs::Permissions::from_mode(mode));
        }
        // Held until the file is listed, so that `remove_staged` cannot miss it.
        let mut registry = registry();
        let temp = temporary(&mut builder, folder(&target))?;
        registry.push(temp.path().to_owned());
        drop(registry);
        Ok(Self { temp, target, secrecy })
    }

    /// Adds bytes at the end of what is to be its content.
    pub(crate) fn fill(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.temp.write_all(bytes).map_err(|e| Failure::io(Attempt::Write, &self.target, &e))
    }

    /// Another one for the same target, as readable as this one.
    pub(crate) fn again(&self) -> Result<Self, Failure> {
        let failed = |e| Failure::io(Attempt::Write, &self.target, &e);
        Self::new(self.target.clone(), self.secrecy).map_err(failed)
    }

    /// The file itself.
    pub(crate) fn file(&mut self) -> &mut fs::File {
        self.temp.as_file_mut()
    }

    /// Where it is until it is renamed.
    pub(crate) fn path(&self) -> &Path {
        self.temp.path()
    }

    fn rename(self) -> Result<(), Failure> {
        let temporary = self.temp.path().to_owned();
        let renamed = self.temp.persist(&self.target);
        registry().retain(|p| *p != temporary);
        renamed.map_err(|e| Failure::io(Attempt::Write, &self.target, &e.error))?;
        sync_folder(folder(&self.target)).map_err(|e| Failure::io(Attempt::SyncFolder, &self.target, &e))
    }
}

/// A temporary file in a folder, locked until it is closed: who clears what killed runs have left does not take it for theirs. Where
/// the file system has no locks it is not locked, and none is cleared.
pub(crate) fn temporary(builder: &mut Builder<'static, 'static>, folder: &Path) -> io::Result<NamedTempFile> {
    for _ in 0..TRIES {
        let temp = Builder::tempfile_in(builder.prefix(HELD).suffix(TEMPORARY_END), folder)?;
        if cfg!(not(unix)) {
            return Ok(temp);
        }
        match temp.as_file().try_lock() {
            Ok(()) if is_at(temp.as_file(), temp.path()) => return Ok(temp),
            // Taken and removed before it was locked.
            Ok(()) | Err(fs::TryLockError::WouldBlock) => {}
            Err(fs::TryLockError::Error(_)) => return Ok(temp),
        }
    }
    Err(io::ErrorKind::ResourceBusy.into())
}

/// Whether the open file is still the one at the path. Where files have no number it always is: nobody removes it there.
pub(crate) fn is_at(file: &fs::File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let number = |there: fs::Metadata| (there.dev(), there.ino());
        match (file.metadata(), fs::symlink_metadata(path)) {
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

fn registry() -> MutexGuard<'static, Vec<PathBuf>> {
    STAGED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One name for each file: links followed, the folder canonical.
fn resolve(path: &Path) -> Result<PathBuf, Failure> {
    if let Ok(existing) = fs::canonicalize(path) {
        return Ok(existing);
    }
    let no_name = || Failure::input(FileFault::NoName { path: path.display().to_string() });
    let name: OsString = path.file_name().ok_or_else(no_name)?.to_owned();
    let folder = folder(path);
    let folder = fs::canonicalize(folder).map_err(|e| Failure::io(Attempt::FindFolder, folder, &e))?;
    Ok(folder.join(name))
}

/// Renaming replaces whatever is there: only a file may be replaced, and only one that may be written.
fn check_target(target: &Path) -> Result<(), Failure> {
    let refuse =
        |why| Err(Failure::system(FileFault::NotWritable { path: target.display().to_string(), why }));
    match fs::metadata(target) {
        Ok(there) if there.is_dir() => refuse(NotWritable::Folder),
        Ok(there) if !there.is_file() => refuse(NotWritable::NotRegular),
        Ok(there) if there.permissions().readonly() => refuse(NotWritable::ReadOnly),
        Ok(_) => Ok(()),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(Failure::io(Attempt::Write, target, &e)),
    }
}

pub(crate) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// A rename is durable once its folder is synced (POSIX); elsewhere the system sees to it.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    fs::File::open(folder)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

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
    fn dropping_what_is_staged_leaves_the_folder_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let old = dir.path().join("old.csv");
        fs::write(&old, "old").unwrap();
        let new = dir.path().join("new.csv");
        let staged =
            stage(Path::new("-"), &[(&old, Secrecy::Publishable), (&new, Secrecy::Private)]).unwrap();
        assert_eq!(names(dir.path()).len(), 3, "two temporary files beside the old one");
        drop(staged);
        assert_eq!(names(dir.path()), ["old.csv"]);
        assert_eq!(fs::read_to_string(old).unwrap(), "old");
    }

    #[test]
    fn committing_replaces_all() {
        let dir = tempfile::tempdir().unwrap();
        let (a, b) = (dir.path().join("a"), dir.path().join("b"));
        fs::write(&a, "a much longer old content").unwrap();
        let staged = stage(Path::new("-"), &[(&a, Secrecy::Publishable), (&b, Secrecy::Private)]).unwrap();
        commit(staged, &[b"1", b"2"]).unwrap();
        assert_eq!(names(dir.path()), ["a", "b"]);
        assert_eq!((fs::read(&a).unwrap(), fs::read(&b).unwrap()), (b"1".to_vec(), b"2".to_vec()));
        assert!(!registry().iter().any(|p| p.starts_with(dir.path())));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&b).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn one_file_under_two_names_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let input = dir.path().join("in.csv");
        fs::write(&input, "x").unwrap();
        let roundabout = dir.path().join(".").join("in.csv");
        let error = stage(&input, &[(&roundabout, Secrecy::Publishable)]).unwrap_err();
        assert_eq!(error.code(), 2);
        assert!(error.to_string().contains("the input"), "{error}");
        let out = dir.path().join("out");
        let error = stage(&input, &[(&out, Secrecy::Publishable), (&out, Secrecy::Private)]).unwrap_err();
        assert!(error.to_string().contains("another output"), "{error}");
        assert_eq!(names(dir.path()), ["in.csv"]);
        #[cfg(unix)]
        {
            let link = dir.path().join("link.csv");
            std::os::unix::fs::symlink(&input, &link).unwrap();
            assert_eq!(stage(&input, &[(&link, Secrecy::Publishable)]).unwrap_err().code(), 2);
        }
    }

    #[test]
    fn a_file_that_was_read_is_no_output() {
        let dir = tempfile::tempdir().unwrap();
        let secret = dir.path().join("secret");
        fs::write(&secret, "x").unwrap();
        assert!(stage(Path::new("-"), &[(&secret, Secrecy::Private)]).is_ok());
        assert_eq!(read(&secret).unwrap(), b"x");
        let error = stage(Path::new("-"), &[(&secret, Secrecy::Private)]).unwrap_err();
        assert!(error.code() == 2 && error.to_string().contains("that this run reads"), "{error}");
    }

    #[test]
    fn a_hyphen_is_no_file() {
        let error = stage(Path::new("-"), &[(Path::new("-"), Secrecy::Private)]).unwrap_err();
        assert_eq!(error.code(), 2);
        assert!(error.to_string().starts_with("- is standard output"), "{error}");
        assert_eq!(named(Some(Path::new("-"))), None);
        assert_eq!(named(Some(Path::new("./-"))), Some(Path::new("./-")));
    }

    #[test]
    fn only_files_are_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let refuse = |path: &Path| {
            let error = stage(Path::new("-"), &[(path, Secrecy::Publishable)]).unwrap_err();
            assert_eq!(error.code(), 4, "{error}");
        };
        refuse(dir.path());
        refuse(&dir.path().join("missing").join("out.csv"));
        #[cfg(unix)]
        refuse(Path::new("/dev/null"));
    }
}
