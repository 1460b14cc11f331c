//! Constructions, with what they are told.

use super::{CarryOptions, Method, MethodName, SortOrder};

/// A partition made at one go, which can start a search. What each of them does: [`MethodName`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Construction {
    /// The two most distant records and their nearest.
    Md,
    /// The records most distant from the centroid and their nearest.
    Mdav,
    /// MDAV with classes of variable size.
    VMdav,
    /// Exact for one attribute, by a shortest path.
    HansenMukherjee,
    /// Bucketization by recursive halving.
    Classic,
    /// Bucketization whose buckets are cut by nearest neighbours.
    Tau,
    /// Runs of the sorted records.
    VarianceSort(SortOrder),
    /// Greedy Search, down the sorted records.
    GreedySearch(SortOrder),
    /// Split & Carry, sub-problems of the sorted records solved one after another.
    SplitAndCarry(SortOrder, CarryOptions),
    /// K-Member.
    KMember,
    /// Mondrian, cuts between values.
    Mondrian,
    /// Mondrian, cuts within values.
    MondrianRelaxed,
    /// At random.
    Random,
}

impl Construction {
    /// Every construction with the default of each option, in the order of [`MethodName::ALL`].
    #[must_use]
    pub fn all() -> Vec<Self> {
        MethodName::ALL.into_iter().filter_map(Self::named).collect()
    }

    /// The construction of this name, with the default of each option; `None` if the name is of another method.
    #[must_use]
    pub fn named(name: MethodName) -> Option<Self> {
        match Method::from(name) {
            Method::Construct(construction) => Some(construction),
            _ => None,
        }
    }

    /// Its name as a method.
    #[must_use]
    pub const fn name(&self) -> MethodName {
        match self {
            Self::Md => MethodName::Md,
            Self::Mdav => MethodName::Mdav,
            Self::VMdav => MethodName::VMdav,
            Self::HansenMukherjee => MethodName::HansenMukherjee,
            Self::Classic => MethodName::Classic,
            Self::Tau => MethodName::Tau,
            Self::VarianceSort(_) => MethodName::VarianceSort,
            Self::GreedySearch(_) => MethodName::GreedySearch,
            Self::SplitAndCarry(..) => MethodName::SplitAndCarry,
            Self::KMember => MethodName::KMember,
            Self::Mondrian => MethodName::Mondrian,
            Self::MondrianRelaxed => MethodName::MondrianRelaxed,
            Self::Random => MethodName::Random,
        }
    }

    /// The order of the list that it goes down, and what Split & Carry is told: those of its options that are not the defaults.
    pub(super) fn options(self) -> (Option<SortOrder>, Option<CarryOptions>) {
        let (order, carry) = match self {
            Self::VarianceSort(order) | Self::GreedySearch(order) => (order, None),
            Self::SplitAndCarry(order, carry) => (order, Some(carry)),
            _ => return (None, None),
        };
        let is_said = |order: &SortOrder| *order != SortOrder::default();
        (Some(order).filter(is_said), carry.filter(|carry| *carry != CarryOptions::default()))
    }

    /// It with these options where it takes them; those that it does not take are given back.
    pub(super) fn with(
        self,
        order: Option<SortOrder>,
        carry: Option<CarryOptions>,
    ) -> (Self, Option<SortOrder>, Option<CarryOptions>) {
        match self {
            Self::VarianceSort(own) => (Self::VarianceSort(order.unwrap_or(own)), None, carry),
            Self::GreedySearch(own) => (Self::GreedySearch(order.unwrap_or(own)), None, carry),
            Self::SplitAndCarry(own, told) => {
                (Self::SplitAndCarry(order.unwrap_or(own), carry.unwrap_or(told)), None, None)
            }
            other => (other, order, carry),
        }
    }
}
