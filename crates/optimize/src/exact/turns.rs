//! Whose turn it is: what raises the bound and what lowers the loss get equal shares of the budget.
//!
//! Over a list branching raises the bound; after a long annealing, when the gap is wide for the loss as much as for the bound,
//! rounds of cuts do. Neighbourhoods lower the loss.

use super::stage::Stage;

/// Parts of the budget that went into either.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turns {
    branching: f64,
    /// Rounds of cuts since the first long annealing.
    cuts: f64,
    neighbourhoods: f64,
}

impl Turns {
    /// A stage took a part of the budget; `long` says that there was a long annealing before it.
    pub(super) fn took(&mut self, stage: &Stage, long: bool, part: f64) {
        match stage {
            Stage::Branching => self.branching += part,
            Stage::Neighbourhoods => self.neighbourhoods += part,
            bounding if bounding.raises_the_bound() && long => self.cuts += part,
            _ => {}
        }
    }

    /// What rounds of cuts have had.
    #[cfg(test)]
    pub(super) fn cuts(&self) -> f64 {
        self.cuts
    }

    /// Rounds of cuts have had no more than neighbourhoods.
    pub(super) fn cuts_are_next(&self) -> bool {
        self.cuts <= self.neighbourhoods
    }

    /// Branching has had no more than neighbourhoods.
    pub(super) fn branching_is_next(&self) -> bool {
        self.branching <= self.neighbourhoods
    }
}
