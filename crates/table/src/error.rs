//! What can be wrong with a file.

/// What can be wrong with a file; every message says where and what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// No bytes, or only white space.
    #[error("the file is empty: it needs a header row and at least one row of data")]
    Empty,
}
