//! Names of models.

use std::fmt;

use lookalike_words::{Figure, Message, Name, Said, Variant};

use super::{Distance, Diversity, Model};
use crate::Wanted;

impl Model {
    /// Its name with its parameters.
    #[must_use]
    pub fn name(&self) -> ModelName {
        match *self {
            Self::KAnonymity { k } => ModelName::KAnonymity { k },
            Self::Set { ref columns, k } => {
                let columns = columns.iter().map(|name| Name::from(name.as_str())).collect();
                ModelName::Set { columns, k }
            }
            Self::MUniqueness { m } => ModelName::MUniqueness { m },
            Self::Diversity { l, kind: Diversity::Distinct } => ModelName::DistinctDiversity { l },
            Self::Diversity { l, kind: Diversity::Entropy } => ModelName::EntropyDiversity { l },
            Self::Diversity { l, kind: Diversity::Recursive { c } } => {
                ModelName::RecursiveDiversity { c: Figure::shortest(c), l }
            }
            Self::TCloseness { t, distance: Distance::Equal } => {
                ModelName::EqualCloseness { t: Figure::shortest(t) }
            }
            Self::Condition { condition, .. } => ModelName::Condition(condition.wanted()),
            Self::TCloseness { t, .. } => ModelName::OrderedCloseness { t: Figure::shortest(t) },
        }
    }
}

impl Message for Model {
    const VARIANTS: &'static [Variant] = ModelName::VARIANTS;

    fn said(&self) -> Said {
        self.name().said()
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.name(), f)
    }
}

lookalike_words::messages! {
    in "audit";

    /// The name of a model with its parameters.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum ModelName {
        /// k-anonymity.
        KAnonymity {
            /// k.
            k: usize,
        },
        /// Enough rows that are alike in some columns.
        Set {
            /// The columns.
            columns: Vec<Name>,
            /// k.
            k: usize,
        },
        /// A condition on sensitive values.
        Condition(Wanted),
        /// m-uniqueness.
        MUniqueness {
            /// m.
            m: usize,
        },
        /// Distinct l-diversity.
        DistinctDiversity {
            /// l.
            l: usize,
        },
        /// Entropy l-diversity.
        EntropyDiversity {
            /// l.
            l: usize,
        },
        /// Recursive (c, l)-diversity.
        RecursiveDiversity {
            /// c.
            c: Figure,
            /// l.
            l: usize,
        },
        /// t-closeness of values that are equally distant.
        EqualCloseness {
            /// t.
            t: Figure,
        },
        /// t-closeness of values that have an order.
        OrderedCloseness {
            /// t.
            t: Figure,
        },
    }
}
