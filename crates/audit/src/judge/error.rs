//! Why a table cannot be judged.

use super::{fault::Fault, text::counted};

/// Why a table cannot be judged at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The bytes do not have the form of a release.
    #[error("the published table cannot be read: {0}")]
    Unreadable(#[from] Fault),
    /// A column that the question names is not there.
    #[error("the published table has no column {0:?}")]
    NoColumn(String),
    /// How often the values of a column occur cannot be told from its published cells.
    #[error("column {0:?} cannot be measured: {1}")]
    Spread(String, String),
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
    /// A model needs a sensitive column.
    #[error("no sensitive column is named: {0} protects one")]
    NoSensitiveFor(&'static str),
    /// A parameter has no meaning.
    #[error("{parameter} = {value} makes no sense: {why}")]
    Parameter {
        /// Its name.
        parameter: &'static str,
        /// Its value, as text.
        value: String,
        /// What it must be.
        why: &'static str,
    },
    /// A table is no sample of fewer people than it has rows.
    #[error(
        "a population of {} is smaller than the table of {}: the table is a sample of it, so give the size of the whole \
         population, or leave it out if the table holds everybody",
        counted(*size, "person", "people"),
        counted(*rows, "row", "rows")
    )]
    Population {
        /// People, as was said.
        size: usize,
        /// Rows of the table.
        rows: usize,
    },
    /// Ordered distance needs an order.
    #[error(
        "column {column:?} has no order: {value:?} is no number; name the order of its values, or take the equal distance"
    )]
    NoOrder {
        /// The sensitive column.
        column: String,
        /// A value that is no number.
        value: String,
    },
    /// The order given lacks a value.
    #[error("the order of column {column:?} lacks the value {value:?}: name every value, in order")]
    OrderLacks {
        /// The sensitive column.
        column: String,
        /// The value.
        value: String,
    },
    /// The order given names a value twice.
    #[error("the order of column {column:?} names {value:?} twice")]
    OrderTwice {
        /// The sensitive column.
        column: String,
        /// The value.
        value: String,
    },
    /// The sensitive values have one order.
    #[error("two orders of the sensitive values are given: give one")]
    TwoOrders,
    /// The linking key does not fit.
    #[error("the linking key (row, class) does not fit: {0}")]
    Links(String),
    /// A quasi-identifier is not in the original.
    #[error("the original table has no column {0:?}")]
    NoOriginalColumn(String),
    /// A published column cannot be held against the original's.
    #[error("column {column:?} cannot be compared with the original: {why}")]
    Incomparable {
        /// Its name.
        column: String,
        /// What stands in the way.
        why: String,
    },
    /// A series has at least one release.
    #[error("no release is given")]
    NoRelease,
    /// The ledger knows classes, the release has none.
    #[error(
        "release {0} has no class column, and without classes nothing can be held against the ledger: name the column, or \
         give the table as it was published"
    )]
    NoClasses(usize),
    /// A source for every release.
    #[error(
        "{releases} releases, but {sources} sources: give one source for each release, in the same order"
    )]
    Sources {
        /// Number of releases.
        releases: usize,
        /// Number of sources.
        sources: usize,
    },
    /// A source cannot be used.
    #[error("source {0}: {1}")]
    Source(usize, String),
    /// The ledger cannot be used.
    #[error("the ledger cannot be read: {0}")]
    Ledger(String),
    /// Nobody has that name.
    #[error("individual {0:?} is in no release that can be told (sources or a ledger tell who is in which)")]
    NoIndividual(String),
}
