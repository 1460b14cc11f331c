//! Why a table is not m-eligible, and what is odd in its sensitive values.

use lookalike_table::Near;
use lookalike_words::{Figure, Name, messages};

messages! {
    in "core";

    /// Why a table is not m-eligible, or no changes of the kind asked for make it so.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum NotEligible {
        /// There are fewer than m values: not even counterfeits of each of them help.
        TooFewValues {
            /// How many there are.
            values: u64,
            /// m.
            m: u64,
            /// The largest m without changes, where it is not that of changes.
            without: Option<u64>,
        },
        /// Fewer than m values occur: deletions leave nothing.
        TooFewOccur {
            /// How many occur.
            occurring: u64,
            /// Of how many.
            values: u64,
            /// m.
            m: u64,
        },
        /// A value is too frequent.
        TooFrequent {
            /// The value, if it has a name.
            value: Option<Name>,
            /// Its records.
            count: u64,
            /// All records.
            records: u64,
            /// m.
            m: u64,
            /// The most records of one value.
            at_most: u64,
            /// The largest m without changes.
            without: u64,
            /// Fewest counterfeits, if nothing is deleted.
            counterfeits: Option<u64>,
            /// Fewest deletions, if nothing is added.
            deletions: Option<u64>,
            /// The fewest changes of both kinds, if there are of both.
            mixed: Option<Mixed>,
        },
        /// There are too few people for as many classes as changes of the kind asked for leave.
        TooFewReal {
            /// Real records that each class is to have.
            real: u64,
            /// The largest number that these changes allow, at least 1.
            largest: u64,
            /// Whether deletions beside counterfeits would reach it.
            hybrid: bool,
        },
        /// People who were deleted had one of too few values.
        ToldByDeletion {
            /// The largest probability that a value may have.
            most: Figure,
            /// The probability that one has.
            told: Figure,
        },
        /// Where persons have several rows: values that persons hold together count as one, and are those of too many.
        LinkedTooFrequent {
            /// The sensitive column.
            column: Name,
            /// The value, if no other is linked with it.
            value: Option<Name>,
            /// How many values are linked.
            linked: usize,
            /// How many persons hold one of them.
            held: u64,
            /// All persons.
            persons: u64,
            /// m.
            m: u64,
            /// The most persons whom m allows.
            at_most: u64,
            /// The largest m that goes.
            largest: u64,
        },
        /// It is m-eligible, and was said not to be.
        AsItIs {
            /// m.
            m: u64,
        },
        /// A column whose values are linked by people who hold several, so that fewer than two groups of values are left.
        NoChoiceOfPeople {
            /// The column.
            column: Name,
            /// Groups of values.
            values: u64,
            /// People.
            people: u64,
        },
        /// A column with fewer than two values.
        NoChoice {
            /// The column.
            column: Name,
            /// Its values.
            values: u64,
            /// Its rows.
            rows: u64,
        },
    }

    /// Changes of both kinds.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Mixed {
        /// So many.
        Changes {
            /// Counterfeits.
            counterfeits: u64,
            /// Deletions.
            deletions: u64,
        },
    }

    /// Why the changes that are wanted are not changes of this table.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum WantedFault {
        /// Costs of other values than there are.
        Rates {
            /// How many values there are.
            values: usize,
            /// Costs of additions.
            additions: usize,
            /// Costs of deletions.
            deletions: usize,
        },
        /// A change that costs nothing.
        Free,
        /// Neither additions nor deletions.
        NoChange,
        /// An order that names a value twice, or one that there is not.
        OrderValue {
            /// Its place.
            value: usize,
        },
        /// An order that lacks values.
        OrderLength {
            /// How many it names.
            named: usize,
            /// How many there are.
            values: usize,
        },
    }

    /// What is odd in the sensitive values of a table.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum ValuesWarning {
        /// Values that people read as one.
        Near(Near),
        /// Values that one row holds.
        Single {
            /// How many.
            single: usize,
            /// Of how many.
            values: usize,
        },
    }

    /// What is wrong with the fewest changes that make a table eligible: a mistake of the program.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum RepairFault {
        /// They do not make it eligible.
        NotEligible {
            /// m.
            m: u64,
        },
        /// They would leave classes of counterfeits alone.
        CounterfeitsAlone,
        /// A solver finds changes of another cost.
        OtherCost {
            /// The solver.
            backend: &'static str,
            /// m.
            m: u64,
            /// What its changes cost.
            confirmed: Figure,
            /// What the changes of the closed form cost.
            closed: Figure,
        },
    }
}

impl std::error::Error for NotEligible {}

impl std::error::Error for WantedFault {}

impl std::error::Error for RepairFault {}
