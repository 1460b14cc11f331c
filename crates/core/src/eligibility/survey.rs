//! What every `m` would cost.

use lookalike_model::settings::Ties;

use super::{Changes, hybrid::best_cap};

/// What one `m` would cost. A way that cannot reach `m` is `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurveyRow {
    /// The parameter.
    pub m: u64,
    /// The table is m-eligible as it is.
    pub eligible: bool,
    /// Fewest counterfeits.
    pub additions: Option<u64>,
    /// Fewest deletions.
    pub deletions: Option<u64>,
    /// Fewest changes of both kinds together.
    pub hybrid: Option<Hybrid>,
    /// The hybrid changes as a share of the records, 0 to 1 or more.
    pub share: Option<f64>,
    /// `m` is the size of the domain: every repair makes all counts equal (Proposition 10). A smaller `m` is advisable.
    pub levels_all: bool,
}

/// The fewest changes of both kinds together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hybrid {
    /// Counterfeits.
    pub additions: u64,
    /// Deletions.
    pub deletions: u64,
}

impl Hybrid {
    /// Changes in total.
    #[must_use]
    pub fn total(self) -> u64 {
        self.additions + self.deletions
    }
}

impl From<&Changes> for Hybrid {
    fn from(changes: &Changes) -> Self {
        Self { additions: changes.added(), deletions: changes.deleted() }
    }
}

/// What each `m` would cost: one row an `m`, in the order given.
///
/// The counts are sorted once; each `m` then takes O(log C log l), so that a chart over all `m` can be drawn anew at
/// every change of the column.
#[must_use]
pub fn survey(counts: &[u64], ms: impl IntoIterator<Item = u64>) -> Vec<SurveyRow> {
    let profile = Profile::new(counts);
    ms.into_iter().map(|m| profile.row(m)).collect()
}

/// Sorted counts with their partial sums.
struct Profile {
    /// Ascending.
    sorted: Vec<u64>,
    /// `sums[i]`: sum of the `i` smallest.
    sums: Vec<u128>,
}

impl Profile {
    fn new(counts: &[u64]) -> Self {
        let mut sorted = counts.to_vec();
        sorted.sort_unstable();
        let mut sums = Vec::with_capacity(sorted.len() + 1);
        let mut sum = 0;
        sums.push(sum);
        for &c in &sorted {
            sum += u128::from(c);
            sums.push(sum);
        }
        Self { sorted, sums }
    }

    fn records(&self) -> u128 {
        self.sums.last().copied().unwrap_or(0)
    }

    /// D(t) of docs/eligibility.md: deletions down to a cap.
    fn deleted_at(&self, t: u64) -> u128 {
        let kept = self.sorted.partition_point(|&c| c <= t);
        self.records() - self.sums[kept] - u128::from(t) * (self.sorted.len() - kept) as u128
    }

    /// A(t): additions that the cap then needs.
    fn added_at(&self, m: u64, t: u64) -> u128 {
        (u128::from(m) * u128::from(t)).saturating_sub(self.records() - self.deleted_at(t))
    }

    fn row(&self, m: u64) -> SurveyRow {
        let (top, n) = (self.sorted.last().copied().unwrap_or(0), self.records());
        let occurring = (self.sorted.len() - self.sorted.partition_point(|&c| c == 0)) as u64;
        let eligible = u128::from(m) * u128::from(top) <= n && occurring >= m;
        let values = self.sorted.len() as u64;
        let reachable = m <= values || n == 0;
        let number = |changes: u128| u64::try_from(changes).ok();
        let deletions = (occurring >= m || n == 0).then(|| {
            // The largest cap that needs no addition.
            let mut low = 0;
            let mut high = top;
            while low < high {
                let middle = low + (high - low).div_ceil(2);
                if self.added_at(m, middle) == 0 {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            self.deleted_at(low)
        });
        let hybrid = reachable.then(|| {
            let cost = |t| self.deleted_at(t) + self.added_at(m, t);
            let t = best_cap(top, Ties::FewestDeletions, cost);
            Some(Hybrid { additions: number(self.added_at(m, t))?, deletions: number(self.deleted_at(t))? })
        });
        let hybrid = hybrid.flatten();
        SurveyRow {
            m,
            eligible,
            additions: reachable.then(|| number(self.added_at(m, top))).flatten(),
            deletions: deletions.and_then(number),
            hybrid,
            share: hybrid.filter(|_| n > 0).map(|h| h.total() as f64 / n as f64),
            levels_all: m == values && !eligible && n > 0,
        }
    }
}
