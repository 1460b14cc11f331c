//! Where checks fail.

use lookalike_words::{Cell, Figure, Name};

use super::{Diverse, SeriesWitness};

lookalike_words::messages! {
    in "audit";

    /// Where a check fails: private. Rows count from 1.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Witness {
        /// A class or group is too small.
        TooSmall {
            /// What its rows share.
            of: Vec<Shared>,
            /// Its rows.
            rows: usize,
            /// The first one.
            first: usize,
        },
        /// A class or group does not keep a condition.
        Broken {
            /// What its rows share.
            of: Vec<Shared>,
            /// What it reaches, if a number says it.
            reached: Option<Figure>,
        },
        /// Two rows of a class are published differently.
        Unlike {
            /// What its rows share.
            of: Vec<Shared>,
            /// The first one.
            first: usize,
            /// The first that differs.
            row: usize,
        },
        /// A published row is none of the source's in its class.
        Foreign {
            /// The published row.
            row: usize,
        },
        /// A row of the source is not published in its class.
        Lost {
            /// The row of the linking key.
            row: usize,
        },
        /// The cells of a published row are not the ends of a range and its middle.
        NotEnds {
            /// The published row.
            row: usize,
            /// The column.
            column: Name,
        },
        /// The published ends are not those of the records of a class.
        OtherEnds {
            /// The class.
            class: Cell,
            /// The column.
            column: Name,
        },
        /// A class holds a value more than once.
        Repeated {
            /// What its rows share.
            of: Vec<Shared>,
            /// The value.
            value: Cell,
            /// How often.
            times: usize,
        },
        /// A value is too frequent in a group.
        Frequent {
            /// What its rows share.
            of: Vec<Shared>,
            /// The value.
            value: Cell,
            /// Its rows.
            count: usize,
            /// Rows of the group.
            rows: usize,
        },
        /// A row is out of order.
        Unsorted {
            /// The row.
            row: usize,
            /// The one before it.
            before: usize,
            /// The column that decides.
            column: Name,
        },
        /// A label is not the next one.
        Misplaced {
            /// The label.
            label: Cell,
            /// The next one.
            expected: String,
        },
        /// A value.
        Value {
            /// Which.
            value: Cell,
        },
        /// A class or group is too distant from the whole table.
        Distant {
            /// What its rows share.
            of: Vec<Shared>,
            /// How far.
            distance: Figure,
        },
        /// A class or group is not diverse enough.
        NotDiverse {
            /// What its rows share.
            of: Vec<Shared>,
            /// How diverse it is.
            diverse: Diverse,
        },
        /// A published row has few original rows.
        Published {
            /// Its quasi-identifiers.
            of: Vec<Shared>,
            /// Original rows that are consistent with it.
            rows: usize,
        },
        /// An original row has few published rows.
        Original {
            /// Its quasi-identifiers.
            of: Vec<Shared>,
            /// Published rows that are consistent with it.
            rows: usize,
        },
        /// An original row has few matches.
        Matched {
            /// Its quasi-identifiers.
            of: Vec<Shared>,
            /// Published rows that match it.
            rows: usize,
        },
        /// The rows of a table and its original cannot be matched.
        NoMatching,
        /// The two have different numbers of rows.
        OtherNumber,
        /// Over several releases.
        Series(SeriesWitness),
        /// A class has too few persons.
        FewPersons {
            /// What its rows share.
            of: Vec<Shared>,
            /// Its persons.
            persons: usize,
            /// Its rows.
            rows: usize,
        },
        /// Several persons of a class, or too many of a group, hold a value.
        HeldBy {
            /// The class, or the classes of the group.
            of: Vec<Shared>,
            /// The value.
            value: Cell,
            /// How many hold it.
            holders: usize,
            /// Of how many persons.
            persons: usize,
        },
        /// Two rows of a person are in different classes.
        TwoClasses {
            /// One row of the source.
            one: usize,
            /// The other one.
            other: usize,
        },
        /// The rows of a class are not those that the linking key puts there.
        Unlinked {
            /// What its rows share.
            of: Vec<Shared>,
            /// Its published rows.
            published: usize,
            /// Rows that are linked to it.
            linked: usize,
        },
        /// A class publishes a sensitive value more often than the linking key puts it there.
        ForeignValue {
            /// The class.
            of: Vec<Shared>,
            /// The value.
            value: Cell,
            /// Its published rows.
            published: usize,
            /// Rows with it that are linked to the class.
            linked: usize,
            /// The first published one.
            first: usize,
        },
        /// A class publishes one less often.
        LostValue {
            /// The class.
            of: Vec<Shared>,
            /// The value.
            value: Cell,
            /// Its published rows.
            published: usize,
            /// Rows with it that are linked to the class.
            linked: usize,
            /// The first of these in the original, if one is of the original.
            first: Option<usize>,
        },
    }

    /// What the rows of a class or group have in common.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Shared {
        /// A cell.
        Cell {
            /// The name of its column, as it stands.
            column: String,
            /// What it holds.
            cell: Cell,
        },
    }
}
