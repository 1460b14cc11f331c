//! What is checked.

use lookalike_words::{Arg, AsArg, Figure, Name};

use super::Wanted;

/// How rows are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// By class label.
    Class,
    /// By equal published quasi-identifiers.
    Group,
}

/// The words for a class and for a group take other articles and endings: templates choose by 1 for a class and 0 for a
/// group.
impl AsArg for Grouping {
    fn as_arg(&self) -> Arg {
        (*self == Self::Class).as_arg()
    }
}

impl Subject {
    /// At least so many rows in every class or group.
    pub(crate) fn of_sizes(grouping: Grouping) -> Self {
        match grouping {
            Grouping::Class => Self::ClassSize,
            Grouping::Group => Self::GroupSize,
        }
    }
}

lookalike_words::messages! {
    in "audit";

    /// What a check is about, in the order of a verdict.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Subject {
        /// Whether classes could be judged at all; appears only when there is no class column.
        NoClass,
        /// At least k persons in every class.
        ClassPersons,
        /// All rows of a person in one class.
        PersonClass,
        /// At least k persons in every group.
        GroupPersons,
        /// The classes have as many rows as the linking key says.
        KeyRows,
        /// The classes have the sensitive values of the original's rows that the linking key puts there.
        KeyValues,
        /// The linking key is that of the published rows.
        Linked,
        /// No sensitive value of a class is held by two of its persons.
        ClassOwners,
        /// No sensitive value is held by more than 1/m of the persons of a group.
        GroupOwners,
        /// At least k or m rows in every class.
        ClassSize,
        /// Equal published quasi-identifiers within a class.
        ClassAlike,
        /// m-unique: no sensitive value twice in a class.
        ClassValues,
        /// At least k or m rows in every group.
        GroupSize,
        /// No sensitive value above 1/m of a group.
        GroupValues,
        /// What a table of single rows is not; always holds.
        NotGroups,
        /// Row order tells nothing.
        Sorted,
        /// Class labels tell nothing.
        Labels,
        /// The cells of columns that are published unchanged are those of the source.
        Unchanged,
        /// m over known values, beside m; always holds.
        KnownValues,
        /// Sensitive values that occur once in the whole table; always holds.
        RareValues,
        /// Persons of whom a sensitive value is known; always holds.
        KnownPersons,
        /// Sensitive values that one person of the whole table holds; always holds.
        RareOwners,
        /// Sensitive values that people read as one; always holds, and is there only if there are such.
        NearValues,
        /// Rows that belong to no class; always holds.
        Suppressed,
        /// Whether several releases could be judged together at all.
        Across,
        /// The ledger is that of these releases.
        Ledger,
        /// The sources are those of these releases.
        Covered,
        /// m-invariance and tau-safety.
        Signatures,
        /// Tuples whose signature the sources do not tell; always holds.
        Open,
        /// At least m values are left of every tuple.
        Intersection,
        /// The attacker who believes that values never change; always holds.
        Believer,
        /// Releases that can be compared class by class; always holds.
        OneTable,
        /// Rows of a source that are in no class; always holds.
        Unpublished,
        /// Releases of which no assignment of individuals to rows exists; always holds.
        Unassigned,
        /// Columns that the question does not name; always holds.
        Unjudged,
        /// Ranges in two columns are those of their records.
        Ends,
        /// The values that are published lie in the declared domains.
        Domains,
        /// The loss that a report states is that of the published bytes; holds where these leave it open.
        StatedLoss,
        /// A condition on the sensitive values of each class or group.
        Condition {
            /// The sensitive column, if it is a further one.
            column: Option<Name>,
            /// Which.
            wanted: Wanted,
            /// Of classes or groups.
            grouping: Grouping,
        },
        /// Enough rows are alike for whoever knows a set of quasi-identifiers alone.
        Set {
            /// The set.
            columns: Vec<Name>,
            /// So many rows.
            k: usize,
        },
        /// What a privacy model promises.
        Promise(Promise),
    }

    /// What a privacy model promises, by classes or groups, or between a table and its original.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Promise {
        /// Enough rows in each.
        KAnonymity {
            /// So many rows.
            k: usize,
            /// Of classes or groups.
            grouping: Grouping,
        },
        /// Enough rows in each, and no value too often.
        MUniqueness {
            /// So many different values.
            m: usize,
            /// Of classes or groups.
            grouping: Grouping,
        },
        /// Enough different values.
        DistinctDiversity {
            /// So many.
            l: usize,
            /// Of classes or groups.
            grouping: Grouping,
        },
        /// Values of enough entropy.
        EntropyDiversity {
            /// At least log l.
            l: usize,
            /// Of classes or groups.
            grouping: Grouping,
        },
        /// No value much more frequent than the rarer ones together.
        RecursiveDiversity {
            /// Less than c times as frequent.
            c: Figure,
            /// As the l-th and all rarer ones.
            l: usize,
            /// Of classes or groups.
            grouping: Grouping,
        },
        /// Values distributed as in the whole table.
        TCloseness {
            /// The largest distance.
            t: Figure,
            /// By ranks, instead of equally distant values.
            ordered: bool,
            /// Of classes or groups.
            grouping: Grouping,
        },
        /// Enough published rows for each original record.
        OneK {
            /// So many.
            k: usize,
        },
        /// Enough original records for each published row.
        KOne {
            /// So many.
            k: usize,
        },
        /// Both.
        KK {
            /// So many.
            k: usize,
        },
        /// Enough matches for each original record.
        Concealment {
            /// So many.
            k: usize,
        },
    }
}
