//! What raising duals may look at, and how a round keeps to what is left of it.
//!
//! How much a round looks at depends on how far it goes from the best feasible duals: near them few classes are of interest, and
//! searches end soon. So some kinds are tried first, and a round that would take too much goes less far. Cutting its searches off instead
//! costs more than it saves: what they leave open lowers the duals. All of it is counted, so that it is the same on any machine.

use super::least_mean::Limit;

/// How many times as much as its share of what is left one search may take: most take less.
const AHEAD: f64 = 8.0;

/// Times that a round is made to go less far before it begins.
pub(super) const ATTEMPTS: usize = 6;

/// What raising duals may look at.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Allowance {
    /// So many records beside others, and no round looks at more than is left.
    Looks(f64),
    /// So many candidates of classes, and rounds as long as they are: what a search of its own effort is given by them must not
    /// depend on how rounds are paced.
    Candidates(f64),
}

/// What may be looked at, and has been.
pub(super) struct Pace {
    allowed: f64,
    looks: f64,
    /// Whether all looks count, and rounds keep to what is left.
    pub(super) kept: bool,
    /// What a look costs beside one under squared errors.
    price: f64,
    /// The part of what is left that a round should not exceed, by the kinds that are tried.
    part: f64,
}

impl Pace {
    pub(super) fn new(allowance: Allowance, price: f64, part: f64) -> Self {
        let (allowed, kept, price) = match allowance {
            Allowance::Looks(allowed) => (allowed, true, price),
            Allowance::Candidates(allowed) => (allowed, false, 1.0),
        };
        Self { allowed, looks: 0.0, kept, price, part }
    }

    /// What has been looked at.
    pub(super) fn looks(&self) -> f64 {
        self.looks
    }

    /// Counts looks by what they cost.
    pub(super) fn pay(&mut self, looks: f64) {
        self.looks += looks * self.price;
    }

    /// Whether a part of all has been looked at.
    pub(super) fn is_past(&self, part: f64) -> bool {
        self.looks > self.allowed * part
    }

    /// Whether nothing is left.
    pub(super) fn is_spent(&self) -> bool {
        self.looks >= self.allowed
    }

    /// Whether so many looks more are too many.
    pub(super) fn lacks(&self, looks: f64) -> bool {
        self.looks + looks * self.price > self.allowed
    }

    /// Whether rounds have to be paced.
    pub(super) fn is_tight(&self) -> bool {
        self.kept && self.allowed.is_finite()
    }

    /// Whether a round of so many looks takes too much of what is left for others to follow.
    pub(super) fn is_long(&self, looks: f64) -> bool {
        self.is_tight() && looks * self.price > self.part * (self.allowed - self.looks)
    }

    /// What each of the next searches may look at, `left` being to come with them: all of them together no more than is left.
    pub(super) fn limit(&self, next: usize, left: usize, most: u64) -> Limit {
        let share = (AHEAD / left.max(1) as f64).min(1.0 / next.max(1) as f64);
        let looks = (self.allowed - self.looks).max(0.0) / self.price * share;
        let looks = if self.is_tight() { (looks as u64).min(most) } else { most };
        Limit { looks, all: self.kept }
    }

    /// What each of some searches before a round may look at: one that takes all of it is enough to say that the round is too long.
    pub(super) fn trial(&self, searches: usize, most: u64) -> Limit {
        let looks = self.part * (self.allowed - self.looks).max(0.0) / self.price / searches.max(1) as f64;
        let looks = if self.is_tight() { (looks as u64).min(most) } else { most };
        Limit { looks, all: self.kept }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_that_take_all_they_may_stay_within_the_limit() {
        let mut pace = Pace::new(Allowance::Looks(1e6), 2.5, 0.5);
        for from in (0..1000).step_by(50) {
            let limit = pace.limit(50, 1000 - from, 60_000);
            pace.pay((50 * limit.looks) as f64);
        }
        assert!(pace.looks() > 0.99e6 && !pace.is_past(1.0), "{}", pace.looks());
    }

    #[test]
    fn candidates_alone_leave_rounds_as_long_as_they_are() {
        let mut pace = Pace::new(Allowance::Candidates(1e3), 2.5, 0.5);
        pace.pay(900.0);
        assert!(!pace.is_long(1e9) && pace.lacks(101.0) && !pace.lacks(100.0));
        let limit = pace.limit(10, 10, 60_000);
        assert!(limit.looks == 60_000 && !limit.all);
    }
}
