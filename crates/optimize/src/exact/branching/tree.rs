//! Branching by pairs of records (Ryan and Foster 1981), over the listed classes.
//!
//! In a fractional solution of the master some two records share a class to a part. Either they share one in the best
//! partition, or they do not: two problems, each with the listed classes that agree. Both are relaxed anew, cuts
//! included, so that the least bound of the open ones bounds every partition that improves on the incumbent: the list
//! holds all classes of such a one ([`listed`](crate::exact::pricing::listed)). At each node the classes whose reduced cost is above what
//! is left of the gap are dropped, and those that stay are settled where that is quick.
//!
//! The pair is chosen by what either child's master gains ([`strong`](super::strong)).
//!
//! Records that no class can tell apart are one row of the master, and pairs of such are not branched on. Where nothing
//! else is fractional a node stays open for good, with its bound.

use std::{collections::BTreeMap, sync::Arc};

use lookalike_lp::master::Target;

use super::strong::{Fractional, Gains, Parent, Trial, Trials};
use crate::{
    Error,
    exact::{
        bound,
        column::Column,
        cuts::{ActiveCuts, SubsetRow},
        effort::Stop,
        master::restricted::RestrictedMaster,
        params::Params,
        pool::ColumnPool,
        pricing::{Listed, Request, sweep},
        problem::Problem,
        reduced_cost_search::{self, Task},
    },
};

/// Values of a column, and sums of them, nearer than this to a whole number are one.
const WHOLE: f64 = 1e-6;

/// Two types that share a class, or that share none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) types: (u32, u32),
    pub(super) together: bool,
}

impl Pair {
    pub(super) fn admits(self, class: &[u32]) -> bool {
        let holds = |t: u32| class.binary_search(&t).is_ok();
        let (first, second) = (holds(self.types.0), holds(self.types.1));
        if self.together { first == second } else { !(first && second) }
    }
}

/// Duals that are feasible for all classes of a node.
struct Known {
    duals: Vec<f64>,
    cuts: ActiveCuts,
}

/// The same without an index, for there may be many open nodes.
#[derive(Clone)]
struct Stored {
    duals: Vec<f64>,
    /// One a cut of the tree.
    sigmas: Vec<f64>,
}

/// A problem yet to be looked at.
struct Node {
    /// No partition of this node loses less: what the duals below prove, no more, since classes are dropped by both.
    bound: f64,
    pairs: Vec<Pair>,
    known: Arc<Stored>,
}

/// What a step may use.
pub(super) struct Ground<'a> {
    pub(super) problem: &'a Problem,
    pub(super) params: &'a Params,
    /// Loss of the incumbent.
    pub(super) loss: f64,
    /// Reduced costs of at least minus this count as 0.
    pub(super) tolerance: f64,
    /// Seconds that a solver may take.
    pub(super) seconds: Option<f64>,
    pub(super) stop: Stop<'a>,
}

/// What a step has found.
#[derive(Default)]
pub(super) struct Step {
    /// Classes of a partition that is better than the incumbent.
    pub(super) classes: Option<Vec<Vec<u32>>>,
    /// Units of work.
    pub(super) work: f64,
}

/// The master of a node, solved.
struct Relaxed {
    bound: f64,
    known: Known,
    sigmas: Vec<f64>,
    /// Value of the master.
    value: f64,
    /// Numbers of listed classes of the node with their values.
    solution: Vec<(u32, f64)>,
    /// The master, to try children with.
    trials: Trials,
}

/// The open nodes.
pub(super) struct Tree {
    /// All classes that can improve on what was the incumbent when it was planted.
    list: Arc<Vec<Column>>,
    cuts: Vec<SubsetRow>,
    open: Vec<Node>,
    /// The least bound of nodes without a pair to branch on.
    aside: f64,
    /// What pairs gained so far.
    gains: Gains,
    /// Nodes looked at.
    pub(super) nodes: u64,
}

impl Tree {
    /// A tree of one node: `duals` and `cuts` are feasible for all listed classes, with this bound.
    pub(super) fn plant(list: Arc<Vec<Column>>, duals: Vec<f64>, cuts: ActiveCuts, bound: f64) -> Self {
        let sigmas = cuts.sets.iter().map(|cut| cut.sigma).collect();
        let root = Node { bound, pairs: Vec::new(), known: Arc::new(Stored { duals, sigmas }) };
        Self {
            list,
            cuts: cuts.sets,
            open: vec![root],
            aside: f64::INFINITY,
            gains: Gains::default(),
            nodes: 0,
        }
    }

    /// Whether nothing is left to look at.
    pub(super) fn is_over(&self) -> bool {
        self.open.is_empty()
    }

    /// No partition into listed classes that is not yet found loses less; infinite if there is none.
    pub(super) fn bound(&self) -> f64 {
        self.open.iter().map(|node| node.bound).fold(self.aside, f64::min)
    }

    /// Looks at the node with the least bound.
    ///
    /// # Errors
    /// If the master cannot be stated.
    pub(super) fn step(&mut self, ground: &Ground) -> Result<Step, Error> {
        let mut step = Step::default();
        self.open.retain(|node| node.bound < ground.loss);
        let least = self.open.iter().enumerate().min_by(|a, b| a.1.bound.total_cmp(&b.1.bound));
        let Some(at) = least.map(|least| least.0) else { return Ok(step) };
        let node = self.open.swap_remove(at);
        self.nodes += 1;
        step.work += self.list.len() as f64 * ground.params.work.listed_class;
        let agree = self.list.iter().filter(|c| node.pairs.iter().all(|pair| pair.admits(&c.members)));
        let known = self.known(&node.known);
        let classes = affordable(agree, &known, node.bound, ground);
        if settled(&classes, &known, node.bound, ground, &mut step) || (ground.stop)() {
            if (ground.stop)() {
                self.open.push(node);
            }
            return Ok(step);
        }
        let Some(mut relaxed) = self.relax(classes.clone(), &known, ground, &mut step)? else {
            // Stopped, or the solver failed: the node is not done with.
            if (ground.stop)() {
                self.open.push(node);
            } else {
                self.aside = self.aside.min(node.bound);
            }
            return Ok(step);
        };
        let bound = relaxed.bound.max(node.bound);
        if bound >= ground.loss {
            return Ok(step);
        }
        let fewer = affordable(classes.iter(), &relaxed.known, relaxed.bound, ground);
        if settled(&fewer, &relaxed.known, relaxed.bound, ground, &mut step) {
            return Ok(step);
        }
        let pairs = fractional(ground.problem, &classes, &relaxed.solution);
        let parent = Parent { value: relaxed.value, loss: ground.loss };
        let choice = self.gains.choose(&pairs, parent, &ground.params.branching, |pair| {
            relaxed.trials.solve(pair, ground, &mut step.work)
        })?;
        let Some(choice) = choice else {
            if relaxed.solution.iter().all(|s| (s.1 - s.1.round()).abs() < WHOLE) {
                let uses = relaxed.solution.iter().map(|s| (&classes[s.0 as usize].members, s.1.round()));
                let all = uses.flat_map(|(class, count)| std::iter::repeat_n(class.clone(), count as usize));
                step.classes = Some(all.collect());
            }
            self.aside = self.aside.min(bound);
            return Ok(step);
        };
        let known = if relaxed.bound >= node.bound {
            Arc::new(Stored { duals: relaxed.known.duals, sigmas: relaxed.sigmas })
        } else {
            Arc::clone(&node.known)
        };
        for (trial, together) in choice.children.into_iter().zip([true, false]) {
            let pair = Pair { types: choice.types, together };
            let mut pairs = node.pairs.clone();
            pairs.push(pair);
            let mut child = Node { bound, pairs, known: Arc::clone(&known) };
            if let Some(trial) = trial {
                self.raise(&mut child, trial, pair, &fewer, ground, &mut step);
            }
            if child.bound < ground.loss {
                self.open.push(child);
            }
        }
        Ok(step)
    }

    /// Gives a child the bound of its trial, if that is better than its parent's: the duals are made feasible for its classes.
    fn raise(
        &self,
        child: &mut Node,
        trial: Trial,
        pair: Pair,
        classes: &[Column],
        ground: &Ground,
        step: &mut Step,
    ) {
        let own: Vec<Column> = classes.iter().filter(|c| pair.admits(&c.members)).cloned().collect();
        step.work += own.len() as f64 * ground.params.work.listed_class;
        let mut stored = Stored { duals: trial.duals, sigmas: trial.sigmas };
        let known = self.known(&stored);
        let sweep = sweep::price(&Listed(Arc::new(own)), &request(ground, &known));
        let bound = bound::proven(ground.problem, &known.cuts, &sweep, ground.tolerance);
        if let Some(bound) = bound.filter(|&bound| bound > child.bound) {
            stored.duals = sweep.duals;
            (child.bound, child.known) = (bound, Arc::new(stored));
        }
    }

    fn known(&self, stored: &Stored) -> Known {
        let cuts = self.cuts.iter().zip(&stored.sigmas);
        let cuts: Vec<SubsetRow> = cuts.map(|(cut, &sigma)| SubsetRow { sigma, ..cut.clone() }).collect();
        let cuts = ActiveCuts::new(&cuts, stored.duals.len());
        Known { duals: stored.duals.clone(), cuts }
    }

    /// Solves the linear relaxation over these classes; `None` if it was stopped or failed.
    fn relax(
        &self,
        classes: Vec<Column>,
        known: &Known,
        ground: &Ground,
        step: &mut Step,
    ) -> Result<Option<Relaxed>, Error> {
        let problem = ground.problem;
        let types = problem.types();
        let params = &ground.params.branching;
        let mut cuts = self.cuts.clone();
        let mut master = RestrictedMaster::new(problem, ground.loss, &ground.params.master)?;
        let pool = ColumnPool::of(classes);
        master.change_cuts(&pool, &[], &cuts)?;
        let mut add =
            least(&pool.reduced_costs(&request(ground, known)), params.first_columns * types, |_| true);
        loop {
            master.add_columns(&pool, &cuts, &add)?;
            let Some(solution) = master.solve(Target::Primal, ground.seconds, ground.stop)? else {
                return Ok(None);
            };
            let work = &ground.params.work;
            step.work += work.master_entry * master.entries() as f64 + pool.len() as f64 * work.listed_class;
            for (cut, sigma) in cuts.iter_mut().zip(&solution.sigmas) {
                cut.sigma = *sigma;
            }
            let known = Known { duals: solution.duals, cuts: ActiveCuts::new(&cuts, types) };
            let request = request(ground, &known);
            let reduced = pool.reduced_costs(&request);
            add = least(&reduced, params.columns_per_round * types, |c| {
                reduced[c as usize] < request.threshold && !master.holds(c)
            });
            if add.is_empty() {
                let sweep = sweep::price(&Listed(pool.columns()), &request);
                let bound = bound::proven(problem, &known.cuts, &sweep, ground.tolerance).unwrap_or(0.0);
                let known = Known { duals: sweep.duals, cuts: known.cuts };
                return Ok(Some(Relaxed {
                    bound,
                    known,
                    sigmas: solution.sigmas,
                    value: solution.value,
                    solution: solution.columns,
                    trials: Trials::new(master, pool, cuts),
                }));
            }
        }
    }
}

/// Whether all partitions into these classes were looked at; better ones go into `step`.
fn settled(classes: &[Column], known: &Known, bound: f64, ground: &Ground, step: &mut Step) -> bool {
    let right: Vec<usize> = (0..ground.problem.types()).map(|t| ground.problem.multiplicity(t)).collect();
    let request = request(ground, known);
    let columns: Vec<&Column> = classes.iter().collect();
    let reduced: Vec<f64> = classes.iter().map(|c| request.reduced_cost_of(c)).collect();
    let gap_budget = gap_budget(bound, ground);
    let task = Task { right: &right, columns: &columns, reduced: &reduced, loss: ground.loss, gap_budget };
    let found = reduced_cost_search::cheapest(&task, ground.params.branching.evaluations, ground.stop);
    step.work += found.evaluations as f64 / ground.params.work.evaluations_per_node;
    if let Some(chosen) = found.classes {
        step.classes = Some(chosen.iter().map(|&at| classes[at as usize].members.clone()).collect());
    }
    found.complete
}

fn request<'a>(ground: &Ground<'a>, known: &'a Known) -> Request<'a> {
    Request {
        tolerance: ground.tolerance,
        threshold: -ground.tolerance,
        ..sweep::request(ground.problem, &known.duals, &known.cuts, 1)
    }
}

/// The gap budget: what the reduced costs of a better partition add up to at most, with a margin for rounding.
fn gap_budget(bound: f64, ground: &Ground) -> f64 {
    let classes = (ground.problem.instance.records() / ground.problem.min) as f64;
    (ground.loss - bound) * (1.0 + 1e-9) + classes * ground.tolerance
}

/// The classes that a better partition can hold.
fn affordable<'a>(
    classes: impl Iterator<Item = &'a Column>,
    known: &Known,
    bound: f64,
    ground: &Ground,
) -> Vec<Column> {
    let (request, gap_budget) = (request(ground, known), gap_budget(bound, ground));
    classes.filter(|c| request.reduced_cost_of(c) < gap_budget).cloned().collect()
}

/// The numbers of the least `most` of these, of those that are `wanted`.
fn least(numbers: &[f64], most: usize, wanted: impl Fn(u32) -> bool) -> Vec<u32> {
    let mut order: Vec<u32> = (0..numbers.len() as u32).filter(|&c| wanted(c)).collect();
    order.sort_by(|&a, &b| numbers[a as usize].total_cmp(&numbers[b as usize]).then(a.cmp(&b)));
    order.truncate(most);
    order
}

/// The pairs of types of one record each that share a class to a part, those nearest to half first.
fn fractional(problem: &Problem, classes: &[Column], solution: &[(u32, f64)]) -> Vec<Fractional> {
    let mut shared: BTreeMap<(u32, u32), f64> = BTreeMap::new();
    for &(at, value) in solution.iter().filter(|s| s.1 < 1.0 - WHOLE) {
        let class = &classes[at as usize].members;
        let single = || class.iter().copied().filter(|&t| problem.multiplicity(t as usize) == 1);
        for (first, a) in single().enumerate() {
            for b in single().skip(first + 1) {
                *shared.entry((a, b)).or_default() += value;
            }
        }
    }
    let parts = shared.into_iter().filter(|s| s.1 > WHOLE && s.1 < 1.0 - WHOLE);
    let mut pairs: Vec<Fractional> = parts.map(|(types, shared)| Fractional { types, shared }).collect();
    let from_half = |pair: &Fractional| (pair.shared - 0.5).abs();
    pairs.sort_by(|a, b| from_half(a).total_cmp(&from_half(b)).then(a.types.cmp(&b.types)));
    pairs
}

#[cfg(test)]
mod tests;
