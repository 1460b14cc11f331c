//! A folder and a file that are their owner's only.

use std::path::Path;

use crate::exit::{Attempt, Failure};

/// The folder holds pseudonymised records of people: nobody else may look into it.
pub(super) fn folder(folder: &Path) -> Result<(), Failure> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|e| Failure::io(Attempt::MakeFolder, folder, &e))
}

/// The file is its owner's only, also in a folder that was there before; the journal takes over its mode.
pub(super) fn file(path: &Path) -> Result<(), Failure> {
    let mut options = std::fs::OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let wrong = |e| Failure::io(Attempt::Open, path, &e);
    let file = options.open(path).map_err(wrong)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &Path| std::fs::metadata(path).map(|about| about.permissions().mode());
        if mode(path).map_err(wrong)? & 0o077 != 0 {
            file.set_permissions(std::fs::Permissions::from_mode(0o600)).map_err(wrong)?;
        }
        let folder = path.parent().unwrap_or(path);
        if mode(folder).map_err(wrong)? & 0o077 != 0 {
            tracing::warn!(
                folder = %folder.display(),
                "others may look into the folder of the jobs: take that from them (chmod 700)"
            );
        }
    }
    drop(file);
    Ok(())
}
