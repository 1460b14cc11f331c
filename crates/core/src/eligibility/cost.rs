//! What changes cost: per value, and growing with every further change of one value.

use super::{Changes, Costs};

/// The cost of one kind of change of one value: the j-th such change costs `first + (j - 1) growth`. A growth above 0
/// penalises repeated changes of one value (Tobar 2024 names this as future work).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Cost of the first change; at least 1.
    pub first: u64,
    /// What each further change costs more than the one before.
    pub growth: u64,
}

impl Rate {
    /// Every change costs 1.
    pub const ONE: Self = Self { first: 1, growth: 0 };

    /// What `amount` changes cost together; convex in `amount`. Saturates.
    #[must_use]
    pub fn of(self, amount: u64) -> u128 {
        let n = u128::from(amount);
        let pairs = n.saturating_mul(n.saturating_sub(1)) / 2;
        (u128::from(self.first) * n).saturating_add(u128::from(self.growth).saturating_mul(pairs))
    }

    /// How many of `room` changes cost at most `price` each.
    pub(super) fn affordable(self, price: u128, room: u64) -> u64 {
        let first = u128::from(self.first);
        if price < first {
            return 0;
        }
        match (price - first).checked_div(u128::from(self.growth)) {
            None => room,
            Some(further) => u128::from(room).min(further + 1) as u64,
        }
    }

    /// The cost of the last of `room` changes.
    pub(super) fn last(self, room: u64) -> u128 {
        u128::from(self.first) + u128::from(self.growth) * u128::from(room.saturating_sub(1))
    }
}

/// What changes cost, per value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rates {
    /// Counterfeits.
    pub addition: Vec<Rate>,
    /// Deletions.
    pub deletion: Vec<Rate>,
}

impl Rates {
    /// Every change of every one of `values` values costs 1.
    #[must_use]
    pub fn unit(values: usize) -> Self {
        Self { addition: vec![Rate::ONE; values], deletion: vec![Rate::ONE; values] }
    }

    /// What `changes` cost in total.
    #[must_use]
    pub fn of(&self, changes: &Changes) -> u128 {
        let sum = |rates: &[Rate], amounts: &[u64]| {
            rates.iter().zip(amounts).fold(0_u128, |sum, (r, &a)| sum.saturating_add(r.of(a)))
        };
        sum(&self.addition, &changes.additions).saturating_add(sum(&self.deletion, &changes.deletions))
    }

    /// The same as costs of the integer programme; `None` if a cost grows, which that programme does not know.
    #[must_use]
    pub fn linear(&self) -> Option<Costs> {
        let of = |rates: &[Rate]| -> Option<Vec<u64>> {
            rates.iter().map(|r| (r.growth == 0).then_some(r.first)).collect()
        };
        Some(Costs { addition: of(&self.addition)?, deletion: of(&self.deletion)? })
    }

    /// The rates of the values in another order.
    pub(super) fn permuted(&self, order: &[usize]) -> Self {
        let of = |rates: &[Rate]| order.iter().map(|&value| rates[value]).collect();
        Self { addition: of(&self.addition), deletion: of(&self.deletion) }
    }
}

impl From<&Costs> for Rates {
    fn from(costs: &Costs) -> Self {
        let of = |costs: &[u64]| costs.iter().map(|&first| Rate { first, growth: 0 }).collect();
        Self { addition: of(&costs.addition), deletion: of(&costs.deletion) }
    }
}
