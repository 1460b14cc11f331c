//! How classes are sought.

use lookalike_model::settings::{BoundWork, CarryOptions, Loss, MethodName, SortOrder};
use serde::{Deserialize, Serialize};

/// How the search is limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum BudgetChoice {
    /// By a number of moves: reproducible.
    #[default]
    Effort,
    /// By the clock.
    Seconds,
}

/// What a class costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LossChoice {
    /// What the published table loses, or squared errors where that has no penalty.
    #[default]
    Published,
    /// This, whatever is published.
    Of(Loss),
}

/// How classes are sought. Numbers are kept as they were typed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchForm {
    /// How the search is limited.
    pub budget: BudgetChoice,
    /// Effort, in the command line's units.
    pub effort: String,
    /// Seconds.
    pub seconds: String,
    /// What a class costs.
    pub loss: LossChoice,
    /// How classes are found.
    pub method: MethodName,
    /// The construction that a search starts from; `None` is the search's own choice.
    pub start: Option<MethodName>,
    /// Number of blocks of a decomposition; empty is the method's own choice.
    pub blocks: String,
    /// Whether two-swapping comes before the blocks, too.
    pub swap_first: bool,
    /// Gap to the bound, in per cent, at which the search may end; empty is none.
    pub stop_gap: String,
    /// How much work a proven bound is worth beside the search.
    pub bound: BoundWork,
    /// Price of a record that is left out, in units of the loss; empty is none.
    pub price: String,
    /// How many may be left out; empty is no limit.
    pub limit: String,
    /// What a configuration says and no field shows.
    pub unseen: Unseen,
}

/// What a configuration says and no field shows: it stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Unseen {
    /// The order of the sorted list.
    pub order: Option<SortOrder>,
    /// What Split & Carry is told.
    pub carry: Option<CarryOptions>,
    /// Whether nothing is swapped after the blocks of column generation.
    pub no_final_swap: bool,
}

impl Default for SearchForm {
    fn default() -> Self {
        Self {
            budget: BudgetChoice::default(),
            effort: String::from("5"),
            seconds: String::from("15"),
            loss: LossChoice::default(),
            method: MethodName::default(),
            start: None,
            blocks: String::new(),
            swap_first: false,
            stop_gap: String::new(),
            bound: BoundWork::default(),
            price: String::new(),
            limit: String::new(),
            unseen: Unseen::default(),
        }
    }
}
