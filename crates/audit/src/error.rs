//! Why a table cannot be judged.

/// Why a table cannot be judged at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The bytes are no table.
    #[error("the published table cannot be read: {0}")]
    Unreadable(#[from] lookalike_table::Error),
    /// A column that the question names is not there.
    #[error("the published table has no column {0:?}")]
    NoColumn(String),
}
