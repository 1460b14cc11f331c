//! How classes are found: a method with the options that it takes, and no others.
//!
//! [`MethodName`] is its name alone, [`MethodAsked`] what flags, fields or a file say of it before it is known whether that
//! goes together; `table.rs` says which option belongs to which method, `json.rs` how a method is written.

mod asked;
mod carry;
mod construction;
mod json;
mod message;
mod name;
mod table;

use std::num::NonZeroUsize;

pub use self::{
    asked::MethodAsked,
    carry::{Bubble, Carried, CarryOptions, SortOrder, SubSolver},
    construction::Construction,
    message::Misplaced,
    name::MethodName,
    table::MethodOption,
};
#[cfg(feature = "openapi")]
pub use json::{ConstructionForm, MethodForm};

/// How classes are found, with what the method is told. As JSON it is its name, or an object with its `name` and those of
/// its options that are not the defaults: `"annealing"`, `{"name": "decompose", "blocks": 3}`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// Chosen by size, attributes, rule, loss and budget; the report says what and why.
    Auto {
        /// The construction to start from; `None` is the best of several.
        start: Option<Construction>,
    },
    /// A partition at one go.
    Construct(Construction),
    /// A generalised row for each record instead of classes.
    Freeform(FreeformMethod),
    /// Simulated annealing.
    Annealing {
        /// As for [`Method::Auto`].
        start: Option<Construction>,
    },
    /// Annealing in spatial blocks that are cut anew along other boundaries, for many records.
    Spatial {
        /// As for [`Method::Auto`].
        start: Option<Construction>,
    },
    /// Exact set partitioning of a few neighbouring classes, again and again.
    LargeNeighbourhood {
        /// As for [`Method::Auto`].
        start: Option<Construction>,
    },
    /// The best swap of two records, again and again.
    TwoSwap {
        /// As for [`Method::Auto`].
        start: Option<Construction>,
    },
    /// Blocks of whole classes of the start, each solved by itself, then two-swapping (Tobar 2023, section IV).
    Decompose(DecomposeOptions),
    /// Column generation, the best partition with a proof of how far it can be from the best possible.
    ColumnGeneration(ColumnGenerationOptions),
    /// The general programme of Liang 2020 over all records, with a bound: for few records under NCP.
    Programme,
}

/// How each record gets a generalised row of its own: the table is then not k-anonymous, but every record has k matches among
/// its rows (k-concealment; Doka 2015).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FreeformMethod {
    /// Each record in turn takes the cheapest row.
    Greedy,
    /// The cheapest pairs of record and row first.
    SortGreedy,
    /// Rows assigned at the least cost of a round.
    Hungarian,
}

/// What [`Method::Decompose`] is told.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DecomposeOptions {
    /// The construction whose classes are put into blocks; `None` is that of the paper.
    pub start: Option<Construction>,
    /// Number of blocks; `None` is one for each 500 records.
    pub blocks: Option<NonZeroUsize>,
    /// Whether two-swapping comes before the blocks, too.
    pub swap_first: bool,
}

/// What [`Method::ColumnGeneration`] is told.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ColumnGenerationOptions {
    /// The construction to start from; `None` is bucketization by halving.
    pub start: Option<Construction>,
    /// Stop once the gap between loss and bound is at most this, in per cent of the loss, 0 to 100.
    pub stop_gap_percent: Option<f64>,
    /// Whether the problem is solved as a whole.
    pub extent: Extent,
}

/// Whether column generation solves the problem as a whole. The duals of blocks prove nothing of the whole, so that only the
/// whole has some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// As a whole.
    Whole {
        /// Whether the answer is to bring the duals that prove its bound.
        duals: bool,
    },
    /// In blocks.
    Blocks(InBlocks),
}

/// Column generation in blocks, and two-swapping around it (Tobar 2023, section IV).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InBlocks {
    /// How many.
    pub count: NonZeroUsize,
    /// Whether two-swapping comes before the blocks, too.
    pub swap_first: bool,
    /// Whether two-swapping of all records comes after them, which may leave the blocks.
    pub final_swap: bool,
}

/// So many blocks, as the paper has them.
impl From<NonZeroUsize> for InBlocks {
    fn from(count: NonZeroUsize) -> Self {
        Self { count, swap_first: false, final_swap: true }
    }
}

impl Default for Extent {
    fn default() -> Self {
        Self::Whole { duals: false }
    }
}

impl Default for Method {
    fn default() -> Self {
        Self::Auto { start: None }
    }
}

/// The method with the default of each option.
impl From<MethodName> for Method {
    fn from(name: MethodName) -> Self {
        match name {
            MethodName::Auto => Self::Auto { start: None },
            MethodName::Annealing => Self::Annealing { start: None },
            MethodName::Spatial => Self::Spatial { start: None },
            MethodName::LargeNeighbourhood => Self::LargeNeighbourhood { start: None },
            MethodName::TwoSwap => Self::TwoSwap { start: None },
            MethodName::Decompose => Self::Decompose(DecomposeOptions::default()),
            MethodName::ColumnGeneration => Self::ColumnGeneration(ColumnGenerationOptions::default()),
            MethodName::Programme => Self::Programme,
            MethodName::DokaGreedy => Self::Freeform(FreeformMethod::Greedy),
            MethodName::DokaSortGreedy => Self::Freeform(FreeformMethod::SortGreedy),
            MethodName::DokaHungarian => Self::Freeform(FreeformMethod::Hungarian),
            MethodName::Md => Construction::Md.into(),
            MethodName::Mdav => Construction::Mdav.into(),
            MethodName::VMdav => Construction::VMdav.into(),
            MethodName::HansenMukherjee => Construction::HansenMukherjee.into(),
            MethodName::Classic => Construction::Classic.into(),
            MethodName::Tau => Construction::Tau.into(),
            MethodName::VarianceSort => Construction::VarianceSort(SortOrder::default()).into(),
            MethodName::GreedySearch => Construction::GreedySearch(SortOrder::default()).into(),
            MethodName::SplitAndCarry => {
                Construction::SplitAndCarry(SortOrder::default(), CarryOptions::default()).into()
            }
            MethodName::KMember => Construction::KMember.into(),
            MethodName::Mondrian => Construction::Mondrian.into(),
            MethodName::MondrianRelaxed => Construction::MondrianRelaxed.into(),
            MethodName::Random => Construction::Random.into(),
        }
    }
}

impl From<Construction> for Method {
    fn from(construction: Construction) -> Self {
        Self::Construct(construction)
    }
}

impl From<ColumnGenerationOptions> for Method {
    fn from(options: ColumnGenerationOptions) -> Self {
        Self::ColumnGeneration(options)
    }
}

impl From<DecomposeOptions> for Method {
    fn from(options: DecomposeOptions) -> Self {
        Self::Decompose(options)
    }
}

impl FreeformMethod {
    /// Its name as a method.
    #[must_use]
    pub const fn name(self) -> MethodName {
        match self {
            Self::Greedy => MethodName::DokaGreedy,
            Self::SortGreedy => MethodName::DokaSortGreedy,
            Self::Hungarian => MethodName::DokaHungarian,
        }
    }
}

impl Method {
    /// Its name.
    #[must_use]
    pub const fn name(&self) -> MethodName {
        match self {
            Self::Auto { .. } => MethodName::Auto,
            Self::Construct(construction) => construction.name(),
            Self::Freeform(method) => method.name(),
            Self::Annealing { .. } => MethodName::Annealing,
            Self::Spatial { .. } => MethodName::Spatial,
            Self::LargeNeighbourhood { .. } => MethodName::LargeNeighbourhood,
            Self::TwoSwap { .. } => MethodName::TwoSwap,
            Self::Decompose(_) => MethodName::Decompose,
            Self::ColumnGeneration(_) => MethodName::ColumnGeneration,
            Self::Programme => MethodName::Programme,
        }
    }

    /// The construction that it was told to start from.
    #[must_use]
    pub const fn start(&self) -> Option<Construction> {
        match self {
            Self::Auto { start }
            | Self::Annealing { start }
            | Self::Spatial { start }
            | Self::LargeNeighbourhood { start }
            | Self::TwoSwap { start }
            | Self::Decompose(DecomposeOptions { start, .. })
            | Self::ColumnGeneration(ColumnGenerationOptions { start, .. }) => *start,
            Self::Construct(_) | Self::Freeform(_) | Self::Programme => None,
        }
    }

    /// The options of column generation, if it is that.
    #[must_use]
    pub const fn column_generation(&self) -> Option<&ColumnGenerationOptions> {
        match self {
            Self::ColumnGeneration(options) => Some(options),
            _ => None,
        }
    }

    /// Whether the answer is to bring the duals that prove its bound.
    #[must_use]
    pub const fn wants_duals(&self) -> bool {
        matches!(self.column_generation(), Some(options) if matches!(options.extent, Extent::Whole { duals: true }))
    }

    /// It without the wish for duals.
    #[must_use]
    pub const fn without_duals(self) -> Self {
        match self {
            Self::ColumnGeneration(options) if matches!(options.extent, Extent::Whole { .. }) => {
                Self::ColumnGeneration(ColumnGenerationOptions {
                    extent: Extent::Whole { duals: false },
                    ..options
                })
            }
            other => other,
        }
    }

    /// Whether each record gets a generalised row of its own instead of a class.
    #[must_use]
    pub const fn is_freeform(&self) -> bool {
        matches!(self, Self::Freeform(_))
    }

    /// Whether it is a construction.
    #[must_use]
    pub const fn is_construction(&self) -> bool {
        matches!(self, Self::Construct(_))
    }
}

#[cfg(test)]
mod tests;
