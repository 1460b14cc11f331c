//! A file system that is soon full.

use std::process::Command;

use crate::program::Folder;

/// A file system of a few megabytes; gone when dropped.
pub struct SmallDisk(Folder);

impl SmallDisk {
    /// One of this size (`3m`); `None`, visibly, where nobody may make one.
    pub fn new(size: &str) -> Option<Self> {
        let folder = Folder::new();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"])
            .arg(folder.path())
            .output();
        match mounted {
            Ok(output) if output.status.success() => Some(Self(folder)),
            Ok(output) => {
                eprintln!("skipped: no small disk ({})", String::from_utf8_lossy(&output.stderr).trim());
                None
            }
            Err(why) => {
                eprintln!("skipped: no small disk ({why})");
                None
            }
        }
    }

    /// Where it is.
    pub fn folder(&self) -> &Folder {
        &self.0
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}
