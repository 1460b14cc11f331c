//! What is wrong with a release of a series, and what a reader of its report should know.

use lookalike_model::{ErrorKind, ledger::Difference};
use lookalike_words::{Figure, Name, messages};

messages! {
    in "core";

    /// Why a table cannot be the next release of a series. Rows are those of the data, counted from 1.
    #[derive(Clone, Debug, PartialEq)]
    pub enum SeriesFault {
        /// Settings of another series.
        OtherSettings {
            /// What is different.
            differences: Vec<Difference>,
        },
        /// The column of individuals would be published.
        IdPublished {
            /// The column.
            column: Name,
        },
        /// A row without a name.
        NoName {
            /// The row.
            row: usize,
            /// The column of individuals.
            column: Name,
        },
        /// A name that means that it is not known.
        NameMissing {
            /// The row.
            row: usize,
            /// The name.
            name: Name,
            /// The column of individuals.
            column: Name,
        },
        /// People with several rows.
        SeveralRows {
            /// They with their rows, the first of them.
            people: Vec<NamedRows>,
            /// Whether there are more.
            more: bool,
        },
        /// Names in the table that may mean the same person.
        NamesAlike {
            /// Those that go together, the first of them.
            groups: Vec<AlikeNames>,
            /// Whether there are more.
            more: bool,
        },
        /// New names that may mean people of the ledger.
        NamesOfLedger {
            /// They with those in the ledger, the first of them.
            names: Vec<LikeOld>,
            /// Whether there are more.
            more: bool,
        },
        /// An individual with two rows.
        Twice {
            /// The individual.
            individual: Name,
        },
        /// Individuals are gone from a series that only grows.
        Gone {
            /// How many.
            individuals: usize,
            /// The first of them.
            shown: Vec<Name>,
            /// Whether there are more.
            more: bool,
        },
        /// Individuals are back, which the mode does not allow.
        Back {
            /// How many.
            individuals: usize,
            /// The first of them.
            shown: Vec<Name>,
            /// Whether there are more.
            more: bool,
        },
        /// Individuals have other values, which the mode does not allow.
        Changed {
            /// How many.
            individuals: usize,
            /// The first of them.
            shown: Vec<Name>,
            /// Whether there are more.
            more: bool,
            /// The mode.
            mode: &'static str,
        },
        /// A price of a counterfeit below 0, or none.
        Price {
            /// The price.
            price: Figure,
        },
        /// A bucket that is none.
        Bucket {
            /// Its place.
            place: usize,
            /// Its signature.
            signature: Vec<u32>,
            /// The survivors of each value.
            survivors: Vec<u64>,
        },
        /// Counterfeits must stand in for individuals that left, and none are allowed.
        CounterfeitsNeeded {
            /// How many.
            counterfeits: u64,
        },
        /// The new records are not m-eligible, and no change is allowed.
        NewNotEligible {
            /// How many there are.
            records: u64,
            /// m.
            m: u64,
            /// Counterfeits that would make them so.
            counterfeits: u64,
        },
        /// Random counterfeits that never suffice.
        NoEnd,
        /// All records would wait.
        AllWait {
            /// How many there are.
            records: u64,
        },
        /// No row has all values that it needs.
        NoRowLeft {
            /// How many there were.
            rows: usize,
        },
        /// The ledger has pseudonyms, and there is no key.
        NoKey,
        /// The ledger's pseudonyms were made with another key.
        OtherKey,
        /// The ledger has names, and there is a key.
        HasNames,
        /// People who were erased from the ledger.
        Erased {
            /// They with their rows, the first of them.
            people: Vec<NamedRows>,
            /// Whether there are more.
            more: bool,
        },
        /// An answer gives a tuple another signature than it has.
        OtherSignature {
            /// The individual.
            individual: Name,
        },
    }

    /// A name in a table.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum NamedRows {
        /// With the rows that have it.
        Rows {
            /// The name.
            name: Name,
            /// The rows.
            rows: Vec<u32>,
        },
    }

    /// Names that may mean the same person.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum AlikeNames {
        /// All of them.
        Names {
            /// With their rows.
            names: Vec<NamedRows>,
        },
    }

    /// A new name that may mean a person of the ledger.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum LikeOld {
        /// It, and those that it may mean.
        Names {
            /// The new name, with its rows.
            new: NamedRows,
            /// Names of the ledger.
            old: Vec<Name>,
        },
    }

    /// What a reader of the report of a series should know.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum SeriesWarning {
        /// There are counterfeits.
        Counterfeits {
            /// How many.
            counterfeits: usize,
        },
        /// Values may change.
        ValuesChange,
    }
}

impl std::error::Error for SeriesFault {}

impl SeriesFault {
    /// The same with other names of people.
    pub(super) fn renamed(&self, name: &dyn Fn(&str) -> String) -> Self {
        let one = |old: &Name| Name(name(&old.0));
        let all = |names: &[Name]| names.iter().map(one).collect::<Vec<_>>();
        let rows = |NamedRows::Rows { name, rows }: &NamedRows| NamedRows::Rows {
            name: one(name),
            rows: rows.clone(),
        };
        let mut fault = self.clone();
        match &mut fault {
            Self::SeveralRows { people, .. } | Self::Erased { people, .. } => {
                *people = people.iter().map(rows).collect();
            }
            Self::NamesAlike { groups, .. } => {
                for AlikeNames::Names { names } in groups {
                    *names = names.iter().map(rows).collect();
                }
            }
            Self::NamesOfLedger { names, .. } => {
                for LikeOld::Names { new, .. } in names {
                    *new = rows(new);
                }
            }
            Self::Twice { individual } | Self::OtherSignature { individual } => *individual = one(individual),
            Self::Gone { shown, .. } | Self::Back { shown, .. } | Self::Changed { shown, .. } => {
                *shown = all(shown);
            }
            _ => {}
        }
        fault
    }

    /// What it means to whoever asked.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        match self {
            Self::OtherSettings { .. }
            | Self::IdPublished { .. }
            | Self::NoName { .. }
            | Self::NameMissing { .. }
            | Self::SeveralRows { .. }
            | Self::NamesAlike { .. }
            | Self::NamesOfLedger { .. }
            | Self::Twice { .. }
            | Self::NoKey
            | Self::OtherKey
            | Self::HasNames
            | Self::Erased { .. }
            | Self::Gone { .. }
            | Self::Back { .. }
            | Self::Changed { .. }
            | Self::Price { .. }
            | Self::Bucket { .. } => ErrorKind::Input,
            Self::CounterfeitsNeeded { .. }
            | Self::NewNotEligible { .. }
            | Self::NoEnd
            | Self::AllWait { .. }
            | Self::NoRowLeft { .. } => ErrorKind::Infeasible,
            Self::OtherSignature { .. } => ErrorKind::Answer,
        }
    }
}
