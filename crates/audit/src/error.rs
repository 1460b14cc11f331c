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
    /// k or m is 0 or 1.
    #[error("{parameter} = {value} protects nobody: ask for at least 2")]
    TooSmall {
        /// "k" or "m".
        parameter: &'static str,
        /// Its value.
        value: usize,
    },
    /// Nothing says what an attacker knows.
    #[error("no quasi-identifier is named: name the columns that an attacker may know")]
    NoQuasi,
    /// m-uniqueness is about sensitive values.
    #[error("no sensitive column is named: m-uniqueness protects one")]
    NoSensitive,
    /// A column is named twice.
    #[error(
        "column {0:?} is named twice: a column is a quasi-identifier, the sensitive column or the class, and once only"
    )]
    RoleTwice(String),
}
