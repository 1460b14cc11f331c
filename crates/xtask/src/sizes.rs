//! Sizes of the page's files, as they are and as a server would send them.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use flate2::Compression;
use flate2::write::GzEncoder;

/// `371.2 kB, 142.0 kB gzip`; 1 kB is 1,000 bytes.
pub(crate) fn of_file(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&bytes)?;
    let gzip = encoder.finish()?.len();
    Ok(format!("{}, {} gzip", kilobytes(bytes.len()), kilobytes(gzip)))
}

fn kilobytes(bytes: usize) -> String {
    format!("{:.1} kB", bytes as f64 / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kilobytes_are_decimal() {
        assert_eq!(kilobytes(371_240), "371.2 kB");
    }
}
