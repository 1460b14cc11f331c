//! Why there is no release, beside settings that do not fit: none is possible, or an answer is not one.

use lookalike_model::rule::Asked;
use lookalike_words::{Figure, Name, Said, messages};

messages! {
    in "core";

    /// Why no release can give the guarantee.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Impossible {
        /// All rows were dropped.
        NoRow {
            /// Rows of the table.
            rows: u64,
        },
        /// Fewer records than a class must have.
        TooFew {
            /// Records of the smallest class.
            k: usize,
            /// Records there are.
            records: u64,
        },
        /// All rows together do not keep a condition on the values of a further sensitive column.
        Condition {
            /// The column.
            column: Name,
            /// The condition.
            asked: Asked,
            /// The strictest parameter that is possible, if a number says it.
            best: Option<Figure>,
            /// The fewest records that must be left out for the others to keep it, if that is possible.
            without: Option<usize>,
        },
        /// Fewer persons than a class must have.
        TooFewPersons {
            /// Persons of the smallest class.
            k: usize,
            /// Persons there are.
            persons: u64,
            /// Their rows.
            rows: u64,
        },
        /// A sensitive value is too frequent, and nothing can be changed out of core.
        OutOfCore {
            /// How frequent, and what would help.
            why: Said,
        },
    }

    /// Why an answer from elsewhere does not go with the table.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Unusable {
        /// Rows that stand for themselves, where classes of different values were asked for.
        RowsOfTheirOwn,
        /// Classes, where levels of columns were asked for.
        NoLevels,
        /// The released table has no classes.
        NoClasses,
    }
}

impl std::error::Error for Impossible {}

impl std::error::Error for Unusable {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_records_are_counted() {
        let rows = |rows| Impossible::NoRow { rows }.to_string();
        assert_eq!(rows(1), "no row is left: the only one was dropped for missing values");
        assert_eq!(rows(20), "no row is left: all 20 were dropped for missing values");
        let few = |records| Impossible::TooFew { k: 5, records }.to_string();
        assert_eq!(few(1), "k = 5, but there is only 1 record; the largest possible k is 1");
        assert_eq!(few(4), "k = 5, but there are only 4 records; the largest possible k is 4");
    }
}
