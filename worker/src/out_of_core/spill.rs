//! The files of a run out of core: what the rows of each leaf are, and the classes of each block.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufReader, Cursor, Read, Write as _},
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

use lookalike_core::table::{ReadOptions, Table, read_from, write_row};

use super::{
    fault::{LargeFault, Left},
    resume::Known,
};
use crate::{
    exit::{Attempt, Failure},
    files,
    progress::say,
};

/// Bytes that are kept in memory before they are written: for all leaves, and for each of them.
const HELD: (usize, usize) = (8 << 20, 1 << 12);

/// What each folder's owner holds as long as it lives.
const LOCK: &str = "lock";

/// The files, in a folder of their own that nobody else may enter. They are removed with it.
pub(crate) struct Spill {
    folder: PathBuf,
    /// Says that somebody lives here.
    lock: Option<File>,
    header: Vec<u8>,
    /// What is still to be written of each leaf.
    leaves: Vec<Vec<u8>>,
    held: usize,
    /// Number of the next file that is no leaf.
    next: AtomicUsize,
}

impl Spill {
    /// Takes over the folder of a run that was killed and was one of the `wanted`, or makes one within another folder; removes what
    /// other runs left there that were killed.
    pub(super) fn open(within: &Path, wanted: &dyn Fn(&Known) -> bool) -> Result<Self, Failure> {
        let (folder, lock) = if let Some((folder, lock)) = left(within, wanted) {
            (folder, Some(lock))
        } else {
            let folder = files::private_folder(within)
                .map_err(|e| Failure::io(Attempt::MakeFolderIn, within, &e))?
                .keep();
            let lock = lock(&folder).map_err(|e| Failure::io(Attempt::WriteIn, &folder, &e))?;
            (folder, lock)
        };
        let (header, leaves) = (Vec::new(), Vec::new());
        Ok(Self { folder, lock, header, leaves, held: 0, next: AtomicUsize::new(0) })
    }

    /// What the run is that left this folder.
    pub(super) fn known(&self) -> Option<Known> {
        Known::left_in(&self.folder)
    }

    /// Removes all that another run left in it.
    pub(super) fn clear(&self) -> Result<(), Failure> {
        let failed = |e: &io::Error| Failure::io(Attempt::Remove, &self.folder, e);
        for entry in fs::read_dir(&self.folder).map_err(|e| failed(&e))? {
            let path = entry.map_err(|e| failed(&e))?.path();
            if path.file_name().is_none_or(|name| name != LOCK) {
                remove(&path)?;
            }
        }
        Ok(())
    }

    /// A file of the folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// So many leaves with rows of these columns.
    pub(crate) fn begin(&mut self, names: &[String], leaves: usize) {
        let mut row = String::from("row");
        while names.contains(&row) {
            row.push('_');
        }
        self.header.clear();
        write_row(&mut self.header, std::iter::once(row.as_str()).chain(names.iter().map(String::as_str)));
        self.leaves = vec![Vec::new(); leaves];
    }

    /// Adds a row to a leaf.
    pub(crate) fn push<'a>(
        &mut self,
        leaf: u32,
        row: u64,
        cells: impl Iterator<Item = &'a str>,
    ) -> Result<(), Failure> {
        let held = &mut self.leaves[leaf as usize];
        let before = held.len();
        held.extend_from_slice(row.to_string().as_bytes());
        held.push(b',');
        write_row(held, cells);
        self.held += held.len() - before;
        let (all, each) = HELD;
        if self.held < all + each * self.leaves.len() { Ok(()) } else { self.flush() }
    }

    /// Writes what is held of all leaves.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        for leaf in 0..self.leaves.len() {
            let held = std::mem::take(&mut self.leaves[leaf]);
            if !held.is_empty() {
                let path = self.leaf(leaf as u32);
                let done = append(&path).and_then(|mut file| file.write_all(&held));
                done.map_err(|e| Failure::io(Attempt::Write, &path, &e))?;
            }
        }
        self.held = 0;
        Ok(())
    }

    /// The rows of some leaves, with their numbers in the input.
    pub(crate) fn read(&self, leaves: &[u32]) -> Result<(Table, Vec<u64>), Failure> {
        let mut source: Box<dyn Read> = Box::new(Cursor::new(self.header.clone()));
        for &leaf in leaves {
            let path = self.leaf(leaf);
            let file = File::open(&path).map_err(|e| Failure::io(Attempt::Read, &path, &e))?;
            source = Box::new(source.chain(BufReader::new(file)));
        }
        let mut table = read_from(source, &ReadOptions::default())?;
        let row = table.columns.remove(0);
        let number = |&cell: &u32| row.values[cell as usize].parse().ok();
        let rows: Option<Vec<u64>> = row.cells.iter().map(number).collect();
        Ok((table, rows.ok_or_else(|| self.changed())?))
    }

    /// Its files are not what was written.
    pub(super) fn changed(&self) -> Failure {
        Failure::system(LargeFault::SpillChanged { folder: self.folder.display().to_string() })
    }

    /// Removes the rows of leaves that are not needed any more.
    pub(crate) fn remove(&self, leaves: &[u32]) -> Result<(), Failure> {
        leaves.iter().try_for_each(|&leaf| remove(&self.leaf(leaf)))
    }

    /// The name of a new file.
    pub(crate) fn file(&self) -> PathBuf {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.path(&format!("run-{number}"))
    }

    pub(super) fn leaf(&self, leaf: u32) -> PathBuf {
        self.path(&format!("leaf-{leaf}.csv"))
    }
}

impl Drop for Spill {
    fn drop(&mut self) {
        files::forget(&self.folder);
        // Where open files cannot be removed.
        self.lock = None;
        // Nothing could be done about a failure here.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Marks a folder as that of a process that lives; `None` where the disk knows no locks.
fn lock(folder: &Path) -> io::Result<Option<File>> {
    // Under its name it is locked from the first.
    let before = folder.join("lock-to-be");
    let file = append(&before)?;
    if file.try_lock().is_err() {
        fs::remove_file(&before)?;
        return Ok(None);
    }
    fs::rename(&before, folder.join(LOCK))?;
    Ok(Some(file))
}

/// Removes the folders of runs that do not live any more, with the rows that are in them, but for the first that is wanted: that one
/// is this run's from now on.
fn left(within: &Path, wanted: &dyn Fn(&Known) -> bool) -> Option<(PathBuf, File)> {
    let mut taken = None;
    // Whoever cannot read it says so when it is used.
    for entry in fs::read_dir(within).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let ours =
            name.to_str().and_then(|name| name.strip_prefix("lookalike-")?.strip_suffix(".tmp")).is_some();
        if !ours || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        let path = entry.path();
        let Ok(lock) = File::options().append(true).open(path.join(LOCK)) else {
            say(&Left::Perhaps { path: path.display().to_string() }.to_string());
            continue;
        };
        let dead = lock.try_lock().is_ok();
        if dead && taken.is_none() && Known::left_in(&path).is_some_and(|known| wanted(&known)) {
            files::adopt(&path);
            taken = Some((path, lock));
            continue;
        }
        // Where open files cannot be removed.
        drop(lock);
        if dead {
            let shown = path.display().to_string();
            let left = match fs::remove_dir_all(&path) {
                Ok(()) => Left::Removed { path: shown },
                Err(error) => Left::Stays { path: shown, why: error.to_string() },
            };
            say(&left.to_string());
        }
    }
    taken
}

/// A file to write to at its end, the owner's alone.
pub(crate) fn append(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path)
}

/// Removes a file of the folder.
pub(crate) fn remove(path: &Path) -> Result<(), Failure> {
    fs::remove_file(path).map_err(|e| Failure::io(Attempt::Remove, path, &e))
}
