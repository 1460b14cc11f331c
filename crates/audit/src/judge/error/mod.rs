//! Why a table cannot be judged.

mod reason;

use lookalike_words::{Cell, Figure, Name};

pub use reason::{CellKind, LedgerFault, SourceFault, TableName, Unlinked, Unmeasurable};

use super::fault::Fault;

impl std::error::Error for Error {}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self::Unreadable { fault }
    }
}

lookalike_words::messages! {
    in "audit";

    /// Why a table cannot be judged at all.
    #[derive(Clone, Debug, PartialEq)]
    pub enum Error {
        /// The bytes do not have the form of a release.
        Unreadable {
            /// Where, and in what.
            fault: Fault,
        },
        /// A column that the question names is not there.
        NoColumn {
            /// Its name.
            column: Name,
        },
        /// A column that attacks are to go by is not there.
        AttackedColumn {
            /// In which table.
            table: TableName,
            /// Its name.
            column: Name,
        },
        /// A column of one of two sources is none that attackers know.
        NotAttacked {
            /// Its name.
            column: Name,
        },
        /// How often the values of a column occur cannot be told from its published cells.
        Spread {
            /// Its name.
            column: Name,
            /// What stands in the way.
            why: Unmeasurable,
        },
        /// Two cells are not the ends of a range.
        NotEnds {
            /// The column whose ranges they are to be.
            column: Name,
            /// The cell with the least value.
            min: Cell,
            /// The cell with the greatest value.
            max: Cell,
        },
        /// k, l or m is 0 or 1.
        TooSmall {
            /// "k", "l" or "m".
            parameter: &'static str,
            /// Its value.
            value: usize,
        },
        /// What is said to separate the cells of a release cannot do so.
        Delimiter,
        /// Nothing says what an attacker knows.
        NoQuasi,
        /// m-uniqueness is about sensitive values.
        NoSensitive,
        /// A column is named twice.
        RoleTwice {
            /// Its name.
            column: Name,
        },
        /// A model needs a sensitive column.
        NoSensitiveFor {
            /// Which.
            model: Protecting,
        },
        /// A parameter has no meaning.
        Senseless(Senseless),
        /// A table is no sample of fewer people than it has rows.
        Population {
            /// People, as was said.
            size: usize,
            /// Rows of the table.
            rows: usize,
        },
        /// Ordered distance needs an order.
        NoOrder {
            /// The sensitive column.
            column: Name,
            /// A value that is no number.
            value: Cell,
        },
        /// The order given lacks a value.
        OrderLacks {
            /// The sensitive column.
            column: Name,
            /// The value.
            value: Cell,
        },
        /// The order given names a value twice.
        OrderTwice {
            /// The sensitive column.
            column: Name,
            /// The value.
            value: Cell,
        },
        /// A sampling weight is no number above 0.
        Weight {
            /// The column.
            column: Name,
            /// The row, from 1.
            row: usize,
            /// The cell.
            value: Cell,
        },
        /// A row is in no household.
        Household {
            /// The column.
            column: Name,
            /// The row, from 1.
            row: usize,
        },
        /// Hierarchical distance needs a hierarchy.
        NoHierarchy {
            /// The sensitive column.
            column: Name,
        },
        /// The hierarchy lacks a value, or a label of it.
        HierarchyLacks {
            /// The sensitive column.
            column: Name,
            /// The value.
            value: Cell,
        },
        /// A label of the hierarchy leads to two coarser ones.
        HierarchyTorn {
            /// The sensitive column.
            column: Name,
            /// The label.
            label: Cell,
        },
        /// Conditions on sensitive values are about classes of records, one a row.
        ConditionsOfRecords,
        /// The sensitive values have one order.
        TwoOrders,
        /// The linking key does not fit.
        Links {
            /// What is wrong with it.
            why: Unlinked,
        },
        /// Without a class column the linking key leads nowhere.
        NoClassOfLinks,
        /// A quasi-identifier is not in the original.
        NoOriginalColumn {
            /// Its name.
            column: Name,
        },
        /// A published column cannot be held against the original's.
        Incomparable {
            /// Its name.
            column: Name,
            /// What stands in the way.
            why: Unmeasurable,
        },
        /// A series has at least one release.
        NoRelease,
        /// The ledger knows classes, the release has none.
        NoClasses {
            /// Which release, from 1.
            release: usize,
        },
        /// A source for every release.
        Sources {
            /// Number of releases.
            releases: usize,
            /// Number of sources.
            sources: usize,
        },
        /// A source cannot be used.
        Source {
            /// Which, from 1.
            source: usize,
            /// What is wrong with it.
            why: SourceFault,
        },
        /// The ledger cannot be used.
        Ledger {
            /// What is wrong with it.
            why: LedgerFault,
        },
        /// Nobody has that name.
        NoIndividual {
            /// The name.
            individual: Name,
        },
    }

    /// A parameter that has no meaning.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Senseless {
        /// c of recursive diversity is above 0.
        C {
            /// What was given.
            value: Figure,
        },
        /// l of entropy diversity is above 1.
        L {
            /// What was given.
            value: Figure,
        },
        /// A share is above 0 and at most 1.
        Alpha {
            /// What was given.
            value: Figure,
        },
        /// A part of a range is above 0 and at most 1.
        Spread {
            /// What was given.
            value: Figure,
        },
        /// beta and delta are above 0.
        Positive {
            /// What was given.
            value: Figure,
        },
        /// t of t-closeness is a distance.
        T {
            /// What was given.
            value: Figure,
        },
        /// A sample has a share of its population.
        SampleFraction {
            /// What was given.
            value: Figure,
        },
        /// Conditions on sensitive values need all groups at once.
        ConditionsInParts,
        /// A population has people.
        Population,
        /// A threshold is a probability.
        Threshold {
            /// What was given.
            value: Figure,
        },
        /// A confidence lies between 0 and 1.
        Confidence {
            /// What was given.
            value: Figure,
        },
        /// A tolerance is not negative.
        Tolerance {
            /// What was given.
            value: Figure,
        },
        /// Attacks are tried with something.
        NoAttack,
    }

    /// Models that protect a sensitive column.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Protecting {
        /// m-uniqueness.
        MUniqueness,
        /// l-diversity.
        LDiversity,
        /// t-closeness.
        TCloseness,
        /// Conditions on sensitive values.
        Conditions,
    }
}
