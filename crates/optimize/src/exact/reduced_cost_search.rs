//! The cheapest partition into listed classes, by branch and bound over their reduced costs.
//!
//! With duals that are feasible for all listed classes, the reduced costs of a partition's classes are none negative, and those
//! of a better partition add up to less than the gap. So no solver is needed: the gap is a budget for reduced
//! costs, and the record (the type) that the fewest affordable classes cover is covered by each of them in turn. Duals raised anew at the nodes, by dual ascent
//! or subgradient steps, were tried: they cost more than they save.

use super::{column::Column, effort::Stop};

/// Node evaluations between two evaluations at the clock; no answer depends on it.
const PATIENCE: u64 = 1 << 22;

/// Classes that may be chosen one within the other: each takes some of the stack and memory for what is still open.
const DEEPEST: usize = 2000;

/// What is to be covered, and by what.
pub(super) struct Task<'a> {
    /// How often each type is to be covered.
    pub(super) right: &'a [usize],
    /// The classes: ascending types, some of which may repeat.
    pub(super) columns: &'a [&'a Column],
    /// What each class costs above its duals; not negative but for rounding.
    pub(super) reduced: &'a [f64],
    /// The loss that is to be undercut.
    pub(super) loss: f64,
    /// The gap budget: what the reduced costs of a partition that does so may add up to, with a margin for rounding.
    pub(super) gap_budget: f64,
}

/// The answer of a search.
pub(super) struct Covering {
    /// The classes of a partition that costs less, as numbers of columns, if one was found: the best if `complete`.
    pub(super) classes: Option<Vec<u32>>,
    /// Whether the search came to its end: no partition into listed classes costs less.
    pub(super) complete: bool,
    /// Node evaluations: members of classes that were looked at.
    pub(super) evaluations: u64,
}

struct Search<'a> {
    task: &'a Task<'a>,
    /// Whether some class holds a type twice.
    repeating: bool,
    loss: f64,
    gap_budget: f64,
    need: Vec<u32>,
    chosen: Vec<u32>,
    best: Option<Vec<u32>>,
    evaluations: u64,
    most: u64,
    /// Node evaluations at the next look at the clock.
    pause: u64,
    stop: Stop<'a>,
    stopped: bool,
}

/// Searches to the end, or until `most` node evaluations are spent or `stop` says so.
pub(super) fn cheapest(task: &Task, most: u64, stop: Stop) -> Covering {
    let mut search = Search {
        task,
        repeating: task.columns.iter().any(|c| c.members.windows(2).any(|pair| pair[0] == pair[1])),
        loss: task.loss,
        gap_budget: task.gap_budget,
        need: task.right.iter().map(|&count| count as u32).collect(),
        chosen: Vec::new(),
        best: None,
        evaluations: 0,
        most,
        pause: PATIENCE,
        stop,
        stopped: false,
    };
    let all: Vec<u32> = (0..task.columns.len() as u32).collect();
    let open = search.open(&all, &[], task.gap_budget);
    search.node(&open, 0.0, 0.0);
    Covering { classes: search.best, complete: !search.stopped, evaluations: search.evaluations }
}

impl Search<'_> {
    fn members(&self, column: u32) -> &[u32] {
        &self.task.columns[column as usize].members
    }

    fn reduced(&self, column: u32) -> f64 {
        self.task.reduced[column as usize].max(0.0)
    }

    /// The classes that fit into what is needed and cost no more than is `left`, without those that are `done`.
    fn open(&mut self, among: &[u32], done: &[bool], left: f64) -> Vec<u32> {
        let often = |same: &[u32]| self.need[same[0] as usize] as usize >= same.len();
        let fits = |class: &[u32]| {
            class.iter().all(|&t| self.need[t as usize] > 0)
                && (!self.repeating || class.chunk_by(|a, b| a == b).all(often))
        };
        let still = |at: usize| !done.get(at).is_some_and(|&done| done);
        let open: Vec<u32> = (among.iter().enumerate())
            .filter(|&(at, &c)| still(at) && self.reduced(c) <= left && fits(self.members(c)))
            .map(|(_, &c)| c)
            .collect();
        self.evaluations +=
            among.len() as u64 + open.iter().map(|&c| self.members(c).len() as u64).sum::<u64>();
        open
    }

    /// Covers what is needed by open classes; `spent` of the gap budget is gone, `cost` is the loss of what was chosen.
    fn node(&mut self, open: &[u32], spent: f64, cost: f64) {
        let mut degree = vec![0_u32; self.need.len()];
        open.iter().flat_map(|&c| self.members(c)).for_each(|&t| degree[t as usize] += 1);
        let needed = (0..self.need.len()).filter(|&t| self.need[t] > 0);
        let Some(branch) = needed.min_by_key(|&t| degree[t]) else {
            if cost < self.loss {
                self.gap_budget -= self.loss - cost;
                self.loss = cost;
                self.best = Some(self.chosen.clone());
            }
            return;
        };
        let mut choices: Vec<(f64, usize)> = (open.iter().enumerate())
            .filter(|&(_, &c)| self.members(c).contains(&(branch as u32)))
            .map(|(at, &c)| (self.reduced(c), at))
            .collect();
        choices.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut done = vec![false; open.len()];
        for (reduced, at) in choices {
            if self.tired() || spent + reduced > self.gap_budget {
                return;
            }
            let column = open[at];
            self.take(column, |count| count - 1);
            let left = self.open(open, &done, self.gap_budget - spent - reduced);
            self.chosen.push(column);
            self.node(&left, spent + reduced, cost + self.task.columns[column as usize].cost);
            self.chosen.pop();
            self.take(column, |count| count + 1);
            // All partitions with this class have been looked at.
            done[at] = true;
        }
    }

    fn take(&mut self, column: u32, change: impl Fn(u32) -> u32) {
        let class = &self.task.columns[column as usize].members;
        for &t in class {
            self.need[t as usize] = change(self.need[t as usize]);
        }
    }

    /// Whether to give up.
    fn tired(&mut self) -> bool {
        if self.evaluations >= self.pause {
            self.pause = self.evaluations + PATIENCE;
            self.stopped |= (self.stop)();
        }
        self.stopped |= self.evaluations >= self.most || self.chosen.len() >= DEEPEST;
        self.stopped
    }
}

#[cfg(test)]
mod tests {
    use lookalike_lp::{
        Backend,
        partition::{Limits, Programme, solve},
    };
    use proptest::prelude::*;

    use super::*;

    /// Classes of any cost over six types, with the number of records of each type.
    fn tasks() -> impl Strategy<Value = (Vec<usize>, Vec<(Vec<u32>, u8)>)> {
        let class = (prop::collection::vec(0_u32..6, 1..4), 0_u8..40);
        (prop::collection::vec(1_usize..4, 6), prop::collection::vec(class, 4..40))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn the_search_finds_what_the_integer_programme_finds((right, classes) in tasks(), lambda in prop::array::uniform6(0.0..3.0)) {
            // Single records make a cover possible; a class's cost is no less than its duals.
            let single = (0_u32..6).map(|t| (vec![t], 60_u8));
            let mut columns: Vec<Column> = single
                .chain(classes)
                .map(|(mut members, above)| {
                    members.sort_unstable();
                    let duals: f64 = members.iter().map(|&t| lambda[t as usize]).sum();
                    Column { members, cost: duals + f64::from(above) / 8.0 }
                })
                .collect();
            columns.sort_by(|a, b| a.members.cmp(&b.members));
            let known: f64 = right.iter().zip(0_u32..).map(|(&count, t)| {
                let alone = columns.iter().filter(|c| c.members == [t]).map(|c| c.cost);
                count as f64 * alone.fold(f64::INFINITY, f64::min)
            }).sum();
            let bound: f64 = right.iter().zip(lambda).map(|(&count, lambda)| count as f64 * lambda).sum();
            let columns: Vec<&Column> = columns.iter().collect();
            let reduced: Vec<f64> = columns
                .iter()
                .map(|c| c.cost - c.members.iter().map(|&t| lambda[t as usize]).sum::<f64>())
                .collect();
            let task = Task { right: &right, columns: &columns, reduced: &reduced, loss: known - 1e-6, gap_budget: known - bound + 1e-6 };
            let found = cheapest(&task, u64::MAX, &|| false);
            prop_assert!(found.complete);
            let rows: Vec<(f64, Vec<u32>)> = columns.iter().map(|c| (c.cost, c.members.clone())).collect();
            let programme = Programme { right: &right, classes: &rows, cuts: &[], start: &[] };
            let limits = Limits { seconds: f64::INFINITY, nodes: u32::MAX >> 1 };
            let uses = solve(&programme, Backend::best(), limits).unwrap().uses.unwrap();
            let least: f64 = uses.iter().zip(&rows).map(|(&count, row)| count as f64 * row.0).sum();
            match &found.classes {
                None => prop_assert!(least >= known - 1e-5, "{least} {known}"),
                Some(chosen) => {
                    let mut covered = [0; 6];
                    chosen.iter().flat_map(|&c| &columns[c as usize].members).for_each(|&t| covered[t as usize] += 1);
                    prop_assert_eq!(&covered[..], &right[..]);
                    let cost: f64 = chosen.iter().map(|&c| columns[c as usize].cost).sum();
                    prop_assert!((cost - least).abs() < 1e-5, "{cost} {least}");
                }
            }
            // Who is stopped has proven nothing.
            let stopped = cheapest(&task, 1, &|| false);
            prop_assert!(!stopped.complete || found.classes.is_none());
        }
    }
}
