//! The smallest keys of candidates that could share a class.

use crate::exact::problem::Problem;

/// The t smallest keys of different colours, ascending.
#[derive(Default)]
pub(super) struct Smallest {
    /// Keys with their colours.
    pub(super) list: Vec<(f64, u32)>,
}

impl Smallest {
    /// Takes candidates as keys and types.
    pub(super) fn fill(&mut self, problem: &Problem, candidates: impl Iterator<Item = (f64, u32)>, t: usize) {
        self.list.clear();
        for (key, of) in candidates {
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
        }
    }
}
