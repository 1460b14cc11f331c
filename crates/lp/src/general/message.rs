//! What contradicts itself in k-anonymity as one programme.

use lookalike_words::Figure;

lookalike_words::messages! {
    in "lp";

    /// What contradicts itself in k-anonymity as one programme.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum GeneralFault {
        /// The values are not as many as the attributes of some records.
        Values {
            /// How many there are.
            values: usize,
            /// Attributes of a record.
            attributes: usize,
        },
        /// k is below 2, or above the number of records.
        Records {
            /// How many there are.
            records: usize,
            /// k.
            k: usize,
        },
        /// The known solution is one of other records.
        Start {
            /// Its labels.
            labels: usize,
            /// Records of the programme.
            records: usize,
        },
        /// Prices are not one a record, not finite, or some class costs less than those of its records.
        Prices,
        /// A weight is negative or not finite.
        Weight {
            /// The attribute, from 0.
            attribute: usize,
            /// Its weight.
            weight: Figure,
        },
        /// A value is beyond the bounds of its attribute, or not whole where it must be.
        Value {
            /// The record, from 0.
            record: usize,
            /// The attribute, from 0.
            attribute: usize,
            /// The value.
            value: Figure,
        },
    }
}
