//! A method as it is asked for, before it is known whether name and options go together.

use std::num::NonZeroUsize;

use lookalike_words::Figure;
use serde::{Deserialize, Serialize};

use super::{
    CarryOptions, ColumnGenerationOptions, Construction, DecomposeOptions, Extent, InBlocks, Method,
    MethodName, MethodOption, Misplaced, SortOrder,
};

/// What flags, fields or a file say of the method. [`MethodAsked::method`] makes it a [`Method`], if it goes together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MethodAsked {
    /// Its name; `auto` if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<MethodName>,
    /// The construction that a search starts from; without one it chooses.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<super::ConstructionForm>))]
    pub start: Option<Construction>,
    /// Number of blocks, at least 1: of `decompose`, which without it has one for each 500 records; of `column-generation`,
    /// which without it solves the whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocks: Option<usize>,
    /// Whether two-swapping comes before the blocks of `decompose` or `column-generation`, too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub swap_first: bool,
    /// Whether the two-swapping after the blocks of `column-generation` is left out: the answer then has the bound of the blocks.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_final_swap: bool,
    /// `column-generation` stops once the gap between loss and bound is at most this, in per cent of the loss, 0 to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_gap_percent: Option<f64>,
    /// Whether the answer of `column-generation` is to bring the duals that prove its bound.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub duals: bool,
    /// The order of the list of `variance-sort`, `greedy-search` and `split-and-carry`, as the method or its start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<SortOrder>,
    /// How `split-and-carry`, as the method or its start, makes its sub-problems.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub carry: Option<CarryOptions>,
}

impl From<Construction> for MethodAsked {
    fn from(construction: Construction) -> Self {
        let (order, carry) = construction.options();
        Self { name: Some(construction.name()), order, carry, ..Self::default() }
    }
}

impl From<Method> for MethodAsked {
    fn from(method: Method) -> Self {
        let asked = Self { name: Some(method.name()), start: method.start(), ..Self::default() };
        match method {
            Method::Construct(construction) => construction.into(),
            Method::Decompose(DecomposeOptions { blocks, swap_first, .. }) => {
                Self { blocks: blocks.map(NonZeroUsize::get), swap_first, ..asked }
            }
            Method::ColumnGeneration(ColumnGenerationOptions { stop_gap_percent, extent, .. }) => {
                match extent {
                    Extent::Whole { duals } => Self { stop_gap_percent, duals, ..asked },
                    Extent::Blocks(InBlocks { count, swap_first, final_swap }) => Self {
                        stop_gap_percent,
                        blocks: Some(count.get()),
                        swap_first,
                        no_final_swap: !final_swap,
                        ..asked
                    },
                }
            }
            _ => asked,
        }
    }
}

impl TryFrom<MethodAsked> for Method {
    type Error = Misplaced;

    fn try_from(asked: MethodAsked) -> Result<Self, Misplaced> {
        asked.method()
    }
}

impl MethodAsked {
    /// Whether an option is asked for.
    #[must_use]
    pub fn has_options(&self) -> bool {
        Self { name: None, ..*self } != Self::default()
    }

    /// Whether this option is asked for.
    #[must_use]
    pub const fn asks(&self, option: MethodOption) -> bool {
        match option {
            MethodOption::Start => self.start.is_some(),
            MethodOption::Blocks => self.blocks.is_some(),
            MethodOption::SwapFirst => self.swap_first,
            MethodOption::NoFinalSwap => self.no_final_swap,
            MethodOption::StopGap => self.stop_gap_percent.is_some(),
            MethodOption::Duals => self.duals,
            MethodOption::Order => self.order.is_some(),
            MethodOption::Carry => self.carry.is_some(),
        }
    }

    /// This over another: what both ask for is taken from this one. Options of a method of another name are not taken over.
    #[must_use]
    pub fn over(self, below: Self) -> Self {
        if self.name.is_some_and(|name| name != below.name.unwrap_or_default()) {
            return self;
        }
        Self {
            name: self.name.or(below.name),
            start: self.start.or(below.start),
            blocks: self.blocks.or(below.blocks),
            swap_first: self.swap_first || below.swap_first,
            no_final_swap: self.no_final_swap || below.no_final_swap,
            stop_gap_percent: self.stop_gap_percent.or(below.stop_gap_percent),
            duals: self.duals || below.duals,
            order: self.order.or(below.order),
            carry: self.carry.or(below.carry),
        }
    }

    /// The method, if name and options go together.
    ///
    /// # Errors
    /// The first option that the method does not take, or that is not within its range.
    pub fn method(self) -> Result<Method, Misplaced> {
        let name = self.name.unwrap_or_default();
        let plain = Method::from(name);
        let (plain, start, order, carry) = match (plain, self.start) {
            (Method::Construct(construction), start) => {
                let (construction, order, carry) = construction.with(self.order, self.carry);
                (Method::Construct(construction), start, order, carry)
            }
            (other, Some(start)) => {
                let (start, order, carry) = start.with(self.order, self.carry);
                (other, Some(start), order, carry)
            }
            (other, None) => (other, None, self.order, self.carry),
        };
        let rest = Self { order, carry, ..self };
        let left_over = |option: &MethodOption| rest.asks(*option) && !name.takes(*option);
        // In this order, so that the most telling of several is named.
        let all = [
            MethodOption::Start,
            MethodOption::Blocks,
            MethodOption::SwapFirst,
            MethodOption::NoFinalSwap,
            MethodOption::StopGap,
            MethodOption::Duals,
            MethodOption::Order,
            MethodOption::Carry,
        ];
        if let Some(option) = all.into_iter().find(left_over) {
            return Err(Misplaced::of(option, name));
        }
        if let Some(percent) = self.stop_gap_percent.filter(|percent| !(0.0..=100.0).contains(percent)) {
            return Err(Misplaced::Gap { percent: Figure::shortest(percent) });
        }
        let blocks = match self.blocks {
            None => None,
            Some(count) => Some(NonZeroUsize::new(count).ok_or(Misplaced::NoBlock)?),
        };
        Ok(match plain {
            Method::Auto { .. } => Method::Auto { start },
            Method::Annealing { .. } => Method::Annealing { start },
            Method::Spatial { .. } => Method::Spatial { start },
            Method::LargeNeighbourhood { .. } => Method::LargeNeighbourhood { start },
            Method::TwoSwap { .. } => Method::TwoSwap { start },
            Method::Decompose(_) => DecomposeOptions { start, blocks, swap_first: self.swap_first }.into(),
            Method::ColumnGeneration(_) => {
                let extent = match blocks {
                    Some(_) if self.duals => return Err(Misplaced::DualsOfBlocks),
                    Some(count) => Extent::Blocks(InBlocks {
                        count,
                        swap_first: self.swap_first,
                        final_swap: !self.no_final_swap,
                    }),
                    None if self.swap_first || self.no_final_swap => return Err(Misplaced::SwapOfWhole),
                    None => Extent::Whole { duals: self.duals },
                };
                let stop_gap_percent = self.stop_gap_percent;
                ColumnGenerationOptions { start, stop_gap_percent, extent }.into()
            }
            plain @ (Method::Construct(_) | Method::Freeform(_) | Method::Programme) => plain,
        })
    }
}
