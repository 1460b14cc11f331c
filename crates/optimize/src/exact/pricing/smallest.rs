//! The smallest keys of records that could share a class.

use crate::exact::problem::Problem;

/// The t smallest keys, ascending: of different colours, or those of each type as often as it has records.
#[derive(Default)]
pub(super) struct Smallest {
    /// Keys with their colours.
    pub(super) list: Vec<(f64, u32)>,
}

impl Smallest {
    /// Takes candidates as keys, types and the number of their records that may join.
    pub(super) fn fill(
        &mut self,
        problem: &Problem,
        candidates: impl Iterator<Item = (f64, u32, usize)>,
        t: usize,
    ) {
        self.list.clear();
        for (key, of, left) in candidates {
            if self.list.len() == t && key >= self.list[t - 1].0 {
                continue;
            }
            let colour = problem.colours[of as usize];
            if problem.distinct
                && let Some(at) = self.list.iter().position(|x| x.1 == colour)
            {
                if self.list[at].0 <= key {
                    continue;
                }
                self.list.remove(at);
            } else if self.list.len() == t {
                self.list.pop();
            }
            let at = self.list.partition_point(|x| x.0 <= key);
            self.list.insert(at, (key, colour));
            for _ in 1..left.min(t) {
                if self.list.len() == t {
                    if key >= self.list[t - 1].0 {
                        break;
                    }
                    self.list.pop();
                }
                self.list.insert(at, (key, colour));
            }
        }
    }
}
