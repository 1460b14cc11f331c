//! `lookalike`, built beside this program.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

/// Where it is.
///
/// # Errors
/// If it is not built.
pub(crate) fn beside() -> Result<PathBuf> {
    let here = std::env::current_exe().context("this program does not know where it is")?;
    let program = here.with_file_name(format!("lookalike{}", std::env::consts::EXE_SUFFIX));
    if !program.is_file() {
        bail!("{} is not built: cargo build --release --package lookalike", program.display());
    }
    Ok(program)
}
