//! Room on the disk that is kept for one purpose: to remove something where there is no room left.

use std::{
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// Name of the file in the data folder.
const FILE: &str = "reserve";

/// Bytes that are kept free. A journal of removing holds about as much as is removed.
const BYTES: usize = 8 << 20;

/// Less than this is of no use.
const LEAST: usize = 64 << 10;

/// A file without content.
pub(super) struct Reserve {
    path: PathBuf,
    filled: bool,
}

impl Reserve {
    /// The one of this folder; it is made if there is room.
    pub(super) fn in_folder(folder: &Path) -> Self {
        let path = folder.join(FILE);
        // Of a link nothing is known, and nothing is written through one.
        let about = fs::symlink_metadata(&path);
        let filled = about.is_ok_and(|about| about.is_file() && about.len() >= LEAST as u64);
        let mut reserve = Self { path, filled };
        reserve.fill();
        reserve
    }

    /// Makes it if it is not there: as large as it is to be, or half of that where there is less room, and so on. As much
    /// again must be left for others.
    pub(super) fn fill(&mut self) {
        let mut bytes = BYTES;
        while !self.filled && bytes >= LEAST {
            self.filled = write(&self.path, bytes).is_ok();
            bytes /= 2;
        }
        if !self.filled {
            // Half a file would only take room.
            let _ = fs::remove_file(&self.path);
        }
    }

    /// Gives the room back to the disk; false if there is none.
    pub(super) fn give_up(&mut self) -> bool {
        let given = std::mem::take(&mut self.filled) && fs::remove_file(&self.path).is_ok();
        if given {
            tracing::warn!("the disk is full: the reserve is used to remove a job");
        }
        given
    }
}

/// Writes zeros, since a file with a hole in it would reserve nothing: twice as many as are to stay.
fn write(path: &Path, bytes: usize) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    // A file of its own: what somebody else has put there is taken away, not written to.
    let mut file = File::create_new(path)?;
    let zeros = vec![0; LEAST];
    for _ in 0..2 * (bytes / LEAST) {
        file.write_all(&zeros)?;
    }
    file.set_len(bytes as u64)?;
    file.sync_all()
}
