//! What flags say of single columns, as the settings have it.

use std::collections::BTreeMap;

use lookalike_core::{check::Unread, table::DateFault};
use lookalike_model::{
    cells::{WidthFault, width},
    settings::Kind,
};
use lookalike_words::{Name, Said};

use crate::{
    exit::Failure,
    flag_values::{Labels, LabelsByColumn, Order, Pairs, named},
};

lookalike_words::messages! {
    in "worker";

    /// What flags say of single columns that cannot be.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum GivenFault {
        /// A weight that is not a number.
        Weight {
            /// The column.
            column: Name,
            /// What is given.
            value: Name,
        },
        /// What is no domain.
        Domain {
            /// The column.
            column: Name,
            /// What is given.
            value: Name,
        },
        /// Two domains of one column.
        DomainTwice {
            /// The column.
            column: Name,
        },
        /// Two flags with labels of one column.
        LabelsTwice {
            /// The column.
            column: Name,
        },
        /// Two orders of one column.
        OrderTwice {
            /// The column.
            column: Name,
        },
        /// A kind that there is not.
        Kind {
            /// The column.
            column: Name,
            /// What is given.
            value: Name,
        },
        /// A kind that published cells do not have.
        PublishedKind {
            /// The column.
            column: Name,
            /// What is given.
            value: Name,
        },
        /// A format of dates that is not understood.
        DateFormat {
            /// The column.
            column: Name,
            /// The format.
            format: Name,
            /// Why.
            why: DateFault,
        },
        /// An ordered column without its order.
        NoOrder {
            /// The column.
            column: Name,
        },
        /// Two kinds or orders of one column.
        KindTwice {
            /// The column.
            column: Name,
        },
        /// Two hierarchies of one column.
        TwoHierarchies {
            /// The column.
            column: Name,
        },
        /// A limit that is not a number.
        Limit {
            /// The column.
            column: Name,
            /// What is given.
            value: Name,
        },
        /// A width that is not a number.
        Width(WidthFault),
        /// A form that there is not.
        Form {
            /// The column.
            column: Name,
            /// What is given.
            value: Name,
        },
        /// A cost that is not a whole number.
        Cost {
            /// Of what.
            what: Name,
            /// What is given.
            value: Name,
        },
        /// A cost of what has none.
        NoCost {
            /// Of what.
            what: Name,
        },
        /// A flag without an effect.
        FlagOfRepair {
            /// The flag.
            flag: &'static str,
            /// The repairs that use it.
            with: &'static str,
        },
        /// A hierarchy that does not fit its column.
        Hierarchy {
            /// The column.
            column: Name,
            /// Why.
            why: Said,
        },
    }
}

impl From<Unread> for GivenFault {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::Date { column, format, why } => {
                Self::DateFormat { column: column.as_str().into(), format: format.as_str().into(), why }
            }
            Unread::Hierarchy { column, why } => {
                Self::Hierarchy { column: column.as_str().into(), why: why.into() }
            }
        }
    }
}

/// The weights that a flag gives.
pub(crate) fn weights(given: &Pairs) -> Result<BTreeMap<String, f64>, Failure> {
    let mut weights = BTreeMap::new();
    for (name, value) in &given.0 {
        let weight = value.parse().ok().filter(|weight: &f64| weight.is_finite()).ok_or_else(|| {
            Failure::input(GivenFault::Weight { column: name.as_str().into(), value: value.as_str().into() })
        })?;
        weights.insert(name.clone(), weight);
    }
    Ok(weights)
}

/// The labels that flags give to codes.
pub(crate) fn labels(given: &[Labels]) -> Result<LabelsByColumn, Failure> {
    let mut labels = BTreeMap::new();
    for Labels { column, of_codes } in given {
        if labels.insert(column.clone(), of_codes.0.iter().cloned().collect()).is_some() {
            return Err(Failure::input(GivenFault::LabelsTwice { column: column.as_str().into() }));
        }
    }
    Ok(labels)
}

/// The orders that flags give.
pub(crate) fn orders(given: &[Order]) -> Result<BTreeMap<String, Vec<String>>, Failure> {
    let mut orders = BTreeMap::new();
    for order in given {
        if orders.insert(order.column.clone(), order.values.clone()).is_some() {
            return Err(Failure::input(GivenFault::OrderTwice { column: order.column.as_str().into() }));
        }
    }
    Ok(orders)
}

/// The widths that a flag gives.
pub(crate) fn widths(given: &Pairs) -> Result<BTreeMap<String, u8>, Failure> {
    let of_column = |(name, value): &'_ (String, String)| {
        let width = width(name, value).map_err(|why| Failure::input(GivenFault::Width(why)))?;
        Ok((name.clone(), width))
    };
    given.0.iter().map(of_column).collect()
}

/// The kinds that a flag gives.
pub(crate) fn kinds(given: &Pairs) -> Result<BTreeMap<String, Kind>, Failure> {
    let mut kinds = BTreeMap::new();
    for (name, value) in &given.0 {
        let kind = named(value).map_err(|_| {
            Failure::input(GivenFault::Kind { column: name.as_str().into(), value: value.as_str().into() })
        })?;
        kinds.insert(name.clone(), kind);
    }
    Ok(kinds)
}
