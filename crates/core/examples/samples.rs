//! Writes the sample tables: `cargo run --release -p lookalike-core --example samples -- samples`.

use std::{env, fs, io, path::PathBuf};

fn main() -> io::Result<()> {
    let Some(folder) = env::args_os().nth(1).map(PathBuf::from) else {
        return Err(io::Error::other("usage: samples FOLDER"));
    };
    for (name, content) in lookalike_core::demo::samples() {
        fs::write(folder.join(name), content)?;
    }
    Ok(())
}
