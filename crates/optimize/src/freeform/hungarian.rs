//! Hungarian: all records at once, so that the rows together grow least.

use lookalike_model::loss::Loss;

use super::{assignment::Assignment, partial::Partial, round::Round, rows::Rows};

/// A round by the assignment problem.
pub(super) enum Hungarian {
    /// The costs, record by record.
    Costs(Vec<f64>),
    /// The assignment under way.
    Assigning(Assignment),
}

impl Hungarian {
    pub(super) fn new(n: usize) -> Self {
        Self::Costs(Vec::with_capacity(n * n))
    }
}

impl<L: Loss> Round<L> for Hungarian {
    fn advance(&mut self, rows: &Rows<L>, matched: &mut Partial) -> Option<usize> {
        let n = rows.len();
        match self {
            Self::Costs(costs) if costs.len() < n * n => {
                let record = (costs.len() / n) as u32;
                costs.extend((0..n as u32).map(|row| rows.increase(record, row)));
                // A pair that is matched already never is again.
                for row in rows.of_record(record) {
                    costs[record as usize * n + row as usize] = f64::INFINITY;
                }
                Some(n)
            }
            Self::Costs(costs) => {
                *self = Self::Assigning(Assignment::new(n, std::mem::take(costs)));
                Some(n * n)
            }
            Self::Assigning(assignment) => {
                let looked = assignment.advance();
                if looked.is_none() {
                    for (record, row) in assignment.pairs() {
                        matched.place(record, row);
                    }
                }
                looked
            }
        }
    }
}
