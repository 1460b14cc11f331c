//! What can be wrong with a configuration.

use std::fmt;

/// What is wrong, and where: "fields[2].lookalike.role: ...".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Path of the property; empty for the whole.
    pub path: String,
    /// What is wrong with it, and what to do.
    pub what: String,
}

impl Error {
    pub(crate) fn at(path: impl Into<String>, what: impl Into<String>) -> Self {
        Self { path: path.into(), what: what.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() { f.write_str(&self.what) } else { write!(f, "{}: {}", self.path, self.what) }
    }
}

impl std::error::Error for Error {}
