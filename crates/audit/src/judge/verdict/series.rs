//! What is found over several releases. Releases count from 1.

use std::fmt;

use lookalike_words::{Cell, Message, Said, Variant};

use super::{Parts, Shared};

/// Values of a set that are shown.
const FEW: usize = 12;

impl ValueSet {
    /// The set of these values, of which the first few are shown.
    #[must_use]
    pub fn of(values: &[String]) -> Self {
        let shown = values.iter().take(FEW).map(|value| Cell::from(value.as_str())).collect();
        Self::Of { values: shown, more: values.len().saturating_sub(FEW) }
    }
}

/// What a class of a release is known by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClassName {
    /// Its label.
    Label(String),
    /// What its rows share, where there are no labels.
    Alike(Vec<Shared>),
    /// It is the rows that were suppressed.
    Suppressed,
}

impl Message for ClassName {
    const VARIANTS: &'static [Variant] = QuotedClass::VARIANTS;

    fn said(&self) -> Said {
        match self {
            Self::Label(label) => QuotedClass::Label { label: Cell::from(label.as_str()) }.said(),
            Self::Alike(of) => QuotedClass::Alike { of: of.clone() }.said(),
            Self::Suppressed => QuotedClass::Suppressed.said(),
        }
    }
}

impl fmt::Display for ClassName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.said(), f)
    }
}

lookalike_words::messages! {
    in "audit";

    /// A class in quotation marks.
    #[derive(Clone, Debug, PartialEq, Eq)]
    enum QuotedClass {
        /// Its label.
        Label {
            /// The label.
            label: Cell,
        },
        /// What its rows share.
        Alike {
            /// The cells.
            of: Vec<Shared>,
        },
        /// The suppressed rows.
        Suppressed,
    }

    /// What was found over several releases.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum SeriesObservation {
        /// Nothing tells who is in which class.
        NotJudged {
            /// Number of releases.
            releases: usize,
        },
        /// What the ledger says is in the tables.
        LedgerFits {
            /// Number of releases.
            releases: usize,
            /// Number of individuals.
            individuals: usize,
        },
        /// It is not.
        LedgerDiffers {
            /// In so many things.
            things: usize,
        },
        /// Every class covers somebody of its source.
        Covered,
        /// Some do not.
        NotCovered {
            /// Number of those.
            classes: usize,
        },
        /// Individuals that are in no class.
        Unpublished {
            /// Their rows in the sources.
            rows: usize,
        },
        /// The individuals of a source have no rows of their own.
        Unassigned,
        /// Every tuple keeps its signature.
        Kept {
            /// Number of tuples.
            tuples: usize,
            /// Through which releases.
            through: Lifespans,
        },
        /// No tuple surely changed it.
        MayBeKept {
            /// Number of tuples.
            tuples: usize,
            /// Through which releases.
            through: Lifespans,
        },
        /// Some tuples changed it.
        Changed {
            /// Number of those.
            changed: usize,
            /// Number of tuples.
            tuples: usize,
            /// Through which releases they must not.
            through: Lifespans,
        },
        /// Tuples whose signature the sources do not tell.
        Open {
            /// Number of those.
            open: usize,
            /// Number of tuples.
            tuples: usize,
        },
        /// Nobody is in a release.
        Nobody,
        /// What an intersection leaves.
        Intersected {
            /// Number of tuples.
            tuples: usize,
            /// Values left of the most exposed one.
            least: usize,
            /// Values that must be left.
            m: usize,
            /// Tuples with fewer.
            below: usize,
        },
        /// What is left to an attacker who believes that values never change.
        Believer {
            /// Values of the most exposed individual.
            least: usize,
            /// Number of individuals.
            individuals: usize,
            /// Values that would have to be left.
            m: usize,
            /// Individuals with fewer.
            below: usize,
            /// Individuals with none.
            empty: usize,
        },
        /// Releases that can be compared class by class.
        OneTable {
            /// Two at a time.
            pairs: Parts<Pair>,
        },
    }

    /// The releases that a tuple keeps its signature through.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Lifespans {
        /// Consecutive ones.
        Each,
        /// All that hold it.
        All,
    }

    /// Two releases that can be compared class by class.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Pair {
        /// Their sources are the same.
        SameSource {
            /// One release.
            first: usize,
            /// The other.
            second: usize,
            /// What both leave.
            together: Together,
        },
        /// They hold the same people with the same values.
        SamePeople {
            /// One release.
            first: usize,
            /// The other.
            second: usize,
            /// What both leave.
            together: Together,
        },
        /// They hold the same values.
        SameValues {
            /// One release.
            first: usize,
            /// The other.
            second: usize,
        },
    }

    /// What two releases leave together.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Together {
        /// Values, where classes are not known.
        Values {
            /// What is left.
            left: Left,
        },
        /// Values, and people of two classes.
        People {
            /// What is left of the values.
            left: Left,
            /// The fewest individuals that a class of one and a class of the other have in common.
            fewest: usize,
            /// m.
            m: usize,
            /// Individuals in such a pair of classes with fewer.
            exposed: usize,
        },
    }

    /// Values that an intersection leaves.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Left {
        /// So many.
        Values {
            /// To the most exposed individual.
            values: usize,
            /// m.
            m: usize,
            /// Individuals with fewer.
            below: usize,
        },
    }

    /// Some values of the sensitive column.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum ValueSet {
        /// These; see [`ValueSet::of`].
        Of {
            /// Those that are shown.
            values: Vec<Cell>,
            /// How many more there are.
            more: usize,
        },
    }

    /// The set of values that an individual's class has in a release.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum SeenSet {
        /// This.
        In {
            /// The release.
            release: usize,
            /// The values.
            values: ValueSet,
        },
    }

    /// The signatures that an individual's class may have in a release.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Seen {
        /// One of these.
        Of {
            /// The first one.
            first: ValueSet,
            /// Another.
            second: Option<ValueSet>,
            /// Another.
            third: Option<ValueSet>,
            /// Whether there are others.
            others: bool,
            /// The release.
            release: usize,
        },
    }

    /// Where a check over several releases fails: private.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum SeriesWitness {
        /// A release.
        Release {
            /// Which.
            release: usize,
        },
        /// An individual of a source.
        Unpublished {
            /// The release.
            release: usize,
            /// Who.
            individual: Cell,
        },
        /// A class that covers nobody.
        NotCovered {
            /// The release.
            release: usize,
            /// Which.
            class: ClassName,
        },
        /// A tuple that changed its signature.
        Changed {
            /// Whose.
            individual: Cell,
            /// Its value.
            value: Cell,
            /// Where it was seen.
            seen: Vec<Seen>,
        },
        /// A tuple that may have.
        Open {
            /// Whose.
            individual: Cell,
            /// Its value.
            value: Cell,
        },
        /// A tuple of which few values are left.
        Intersected {
            /// Whose.
            individual: Cell,
            /// The values of its classes.
            seen: Vec<SeenSet>,
            /// Those that are left.
            left: ValueSet,
        },
        /// The ledger has another number of releases.
        Releases {
            /// Releases of the ledger.
            ledger: usize,
            /// Tables that are given.
            given: usize,
        },
        /// The ledger puts an individual in a class without its value.
        NotItsValue {
            /// The release.
            release: usize,
            /// Who.
            individual: Cell,
            /// Its value.
            value: Cell,
            /// The values of the class.
            values: ValueSet,
        },
        /// The ledger tells of another table.
        OtherBytes {
            /// The release.
            release: usize,
        },
        /// The ledger has another number of rows.
        Rows {
            /// The release.
            release: usize,
            /// Rows of the ledger.
            ledger: usize,
            /// Rows of the table.
            table: usize,
        },
        /// The ledger has another number of classes.
        Classes {
            /// The release.
            release: usize,
            /// Classes of the ledger.
            ledger: usize,
            /// Classes of the table.
            table: usize,
        },
        /// By the ledger a class holds counterfeits alone.
        NobodyIn {
            /// The release.
            release: usize,
            /// The class.
            class: ClassName,
        },
        /// No class has the values that the ledger says.
        NoSuchClass {
            /// The release.
            release: usize,
            /// Individuals that are said to be in it.
            individuals: usize,
            /// The values.
            values: ValueSet,
        },
        /// There are more or fewer individuals than rows for them.
        Individuals {
            /// The release.
            release: usize,
            /// Individuals of the ledger; may be 0.
            individuals: usize,
            /// Rows of the table that are no counterfeits.
            real: usize,
            /// The values of their classes.
            values: ValueSet,
        },
        /// More individuals have a value than there are classes for them.
        Crowded {
            /// The release.
            release: usize,
            /// Individuals with the value.
            individuals: usize,
            /// The value.
            value: Cell,
            /// Classes with it.
            classes: usize,
            /// The values of these classes.
            values: ValueSet,
        },
    }
}
