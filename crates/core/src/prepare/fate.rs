//! Why rows are not published.

use lookalike_words::{Figure, Name, messages};

messages! {
    in "core";

    /// Why a row is not published.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum FateReason {
        /// A cell is missing, and its rows are dropped.
        Dropped {
            /// The column.
            column: Name,
        },
        /// Too many have its value.
        Deleted {
            /// The value.
            value: Name,
        },
        /// Too many have no known value.
        DeletedUnknown,
        /// It waits for a later release of the series: too many of the new records have its value.
        Waits {
            /// The value.
            value: Name,
        },
        /// It waits for a later release of the series: too many of the new records have no known value.
        WaitsUnknown,
        /// Its class would lose more than the price of a record.
        Suppressed {
            /// The price.
            price: Figure,
        },
        /// The records that are published alike with it at the levels that were chosen are too few, or break a condition.
        NotInAGroup,
    }
}

impl FateReason {
    /// Too many have this value; blank cells are none.
    pub(crate) fn deleted(value: &str) -> Self {
        if value.trim().is_empty() { Self::DeletedUnknown } else { Self::Deleted { value: value.into() } }
    }

    /// Too many of the new records of a series have this value; blank cells are none.
    pub(crate) fn waits(value: &str) -> Self {
        if value.trim().is_empty() { Self::WaitsUnknown } else { Self::Waits { value: value.into() } }
    }

    /// It as many rows share it.
    pub(crate) fn shared(self) -> std::sync::Arc<lookalike_words::Said> {
        std::sync::Arc::new(self.into())
    }
}
