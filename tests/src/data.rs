//! Data that is not in the repository.

use std::path::PathBuf;

use crate::program::workspace;

/// A file of the data folder (`LOOKALIKE_DATA`, or `../shared/data` beside the workspace); `None`, visibly, if it is
/// not there. With `LOOKALIKE_REQUIRE_DATA=1` a folder without the file is a failure.
pub fn file(name: &str) -> Option<PathBuf> {
    let folder =
        std::env::var_os("LOOKALIKE_DATA").map_or_else(|| workspace().join("../shared/data"), PathBuf::from);
    let path = folder.join(name);
    if path.is_file() {
        return Some(path);
    }
    let required = std::env::var("LOOKALIKE_REQUIRE_DATA").is_ok_and(|v| v == "1");
    assert!(!(required && folder.is_dir()), "{} holds no {name}, and data is required", folder.display());
    eprintln!("skipped: {} is not there", path.display());
    None
}

/// A checking script beside the data folder; `None`, visibly, if it is not there.
pub fn tool(name: &str) -> Option<PathBuf> {
    let path = workspace().join("../shared/tools").join(name);
    if path.is_file() {
        return Some(path);
    }
    eprintln!("skipped: {} is not there", path.display());
    None
}
