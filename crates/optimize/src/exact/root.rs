//! The loop of column generation: master, pool, heuristic pricing, exact pricing.

use std::sync::Arc;

use lookalike_lp::master::Target;
use lookalike_model::settings::Budget;

use super::{
    bound,
    cuts::Cuts,
    measure::Priceable,
    pricing::{Request, Sweep, sweep},
    proof::Proof,
    restricted::Stop,
    run::{ColumnGeneration, WORK_PER_EFFORT},
    stage::Stage,
};
use crate::Error;

/// Columns that a part of the exact pricing reports.
const KEEP_EXACT: usize = 3;

/// Columns that a start of the heuristic pricing reports.
const KEEP_HEURISTIC: usize = 3;

/// Columns taken into the master in one round, as a multiple of the number of types.
const COLUMNS_PER_TYPE: usize = 3;

/// Columns that the master starts with for each type.
const SEED_PER_TYPE: usize = 5;

/// Columns of the master for each type (for at least so many types), at most.
const MASTER_PER_TYPE: usize = 20;
const MASTER_LEAST: usize = 500;

/// Gap, as a part of the loss, below which the duals are kept in a box.
const BOXED: f64 = 0.05;

/// Nodes of the tree above which pricing with cuts goes by boxes instead, for good: their sweeps hardly depend on the cuts.
pub(super) const TREE_NODES: u64 = 150_000;

/// Nodes of an exact pricing above which cuts are given up, at least; and as a part of the budget.
const CUT_NODES: u64 = 1_500_000;
const CUT_SHARE: f64 = 0.05;

/// Nodes that a core visits in a second, about.
const NODES_PER_SECOND: f64 = 3e6;

/// A round that leaves less than this part of the gap to the master is tailing off; small problems go to the end.
const TAIL: f64 = 1e-3;
const SMALL: usize = 300;

impl<L: Priceable> ColumnGeneration<L> {
    /// The request for the current duals. The tolerance is one for the run, so that all duals are judged alike.
    pub(super) fn request<'a>(&'a self, duals: &'a [f64], cuts: &'a Cuts, keep: usize) -> Request<'a> {
        Request {
            tolerance: self.tolerance(),
            threshold: -self.tolerance(),
            ..sweep::request(&self.problem, duals, cuts, keep)
        }
    }

    /// A reduced cost that counts as 0.
    pub(super) fn tolerance(&self) -> f64 {
        1e-10 * self.loss / self.problem.instance.records() as f64
    }

    /// Solves the master, and prices what the pool holds already.
    pub(super) fn solve_master(&mut self, stop: Stop) -> Result<Stage<L>, Error> {
        if !self.problem.bounded {
            return Ok(self.stuck());
        }
        if let Some(annealing) = self.anneal_after_cuts() {
            return Ok(annealing);
        }
        if self.counts.rounds == 0 {
            self.seed_master()?;
        }
        let Some(solution) = self.master.solve(Target::Duals, self.seconds_left(), stop)? else {
            return Ok(self.stuck());
        };
        self.counts.rounds += 1;
        self.worked(self.master.work());
        self.backend = self.master.backend();
        self.value = solution.value;
        self.duals = solution.duals;
        self.solution = solution.columns;
        for (cut, sigma) in self.cuts.iter_mut().zip(solution.sigmas) {
            cut.sigma = sigma;
        }
        self.felt = Cuts::new(&self.cuts, self.problem.types());
        let added = self.reactivate()?;
        if added > self.problem.types() / 10 {
            return Ok(Stage::Master);
        }
        if self.listed.is_some() {
            return Ok(Stage::Exact(self.exact_sweep()));
        }
        let request = self.request(&self.duals, &self.felt, KEEP_HEURISTIC);
        Ok(Stage::Heuristic(Sweep::new(&*self.problem.heuristic(), &request)))
    }

    /// The master starts with the incumbent's columns and the latest of annealing; the pool holds the others.
    fn seed_master(&mut self) -> Result<(), Error> {
        let classes = self.problem.classes(&self.best);
        let mut first: Vec<u32> = classes
            .into_iter()
            .filter(|c| self.problem.admits(c))
            .map(|c| self.pool.insert(&self.problem, &c))
            .collect();
        let from = self.pool.len().saturating_sub(SEED_PER_TYPE * self.problem.types());
        first.extend(from as u32..self.pool.len() as u32);
        self.master.add_columns(&self.pool, &self.cuts, &first)
    }

    /// Adds the columns of the pool that violate the duals, the worst ones first, not too many.
    fn reactivate(&mut self) -> Result<usize, Error> {
        let request = self.request(&self.duals, &self.felt, 1);
        let threshold = request.threshold;
        let reduced = self.pool.reduced_costs(&request);
        self.purge(&reduced)?;
        let mut violated: Vec<u32> = (0..self.pool.len() as u32)
            .filter(|&c| reduced[c as usize] < threshold && !self.master.holds(c))
            .collect();
        violated.sort_by(|&a, &b| reduced[a as usize].total_cmp(&reduced[b as usize]).then(a.cmp(&b)));
        violated.truncate(COLUMNS_PER_TYPE * self.problem.types());
        self.master.add_columns(&self.pool, &self.cuts, &violated)?;
        Ok(violated.len())
    }

    /// A master that has grown too large loses the half of its columns that is furthest from being used; they stay in
    /// the pool and may come back.
    fn purge(&mut self, reduced: &[f64]) -> Result<(), Error> {
        let limit = MASTER_PER_TYPE * self.problem.types().max(MASTER_LEAST);
        if self.master.columns() <= limit {
            return Ok(());
        }
        let mut order: Vec<f64> = (0..self.pool.len() as u32)
            .filter(|&c| self.master.holds(c))
            .map(|c| reduced[c as usize])
            .collect();
        let (_, middle, _) = order.select_nth_unstable_by(limit / 2, f64::total_cmp);
        let middle = middle.max(0.0);
        self.master.retain(|c| reduced[c as usize] <= middle)
    }

    /// Takes priced columns into the pool and the violated ones into the master; returns how many were new to it.
    pub(super) fn take(&mut self, sweep: &Sweep) -> Result<usize, Error> {
        for column in &sweep.columns {
            self.pool.insert(&self.problem, &column.members);
        }
        self.reactivate()
    }

    pub(super) fn price_heuristically(&mut self, mut sweep: Sweep) -> Result<Stage<L>, Error> {
        let done = sweep.advance(&self.request(&self.duals, &self.felt, KEEP_HEURISTIC));
        if !done {
            return Ok(Stage::Heuristic(sweep));
        }
        self.counts.nodes += sweep.nodes;
        let added = self.take(&sweep)?;
        // The first rounds want a bound soon; later ones only when there is nothing easy to be had.
        if added > self.problem.types() / 20 && self.proof.is_some() && !self.counts.rounds.is_multiple_of(8)
        {
            return Ok(Stage::Master);
        }
        Ok(Stage::Exact(self.exact_sweep()))
    }

    /// Columns that a part of the exact pricing reports: parts of a list are larger.
    fn keep(&self) -> usize {
        if self.listed.is_some() { 100 * KEEP_EXACT } else { KEEP_EXACT }
    }

    /// An exact pricing of the master's duals.
    fn exact_sweep(&self) -> Sweep {
        Sweep::new(&*self.exact_pricing(), &self.request(&self.duals, &self.felt, self.keep()))
    }

    /// Nodes that a part of the budget pays for, about.
    fn nodes_of(&self, share: f64) -> u64 {
        let all = match self.budget {
            Budget::Effort(effort) => effort * WORK_PER_EFFORT,
            Budget::Seconds(seconds) => seconds * NODES_PER_SECOND,
        };
        (share * all) as u64
    }

    pub(super) fn price_exactly(&mut self, mut sweep: Sweep) -> Result<Stage<L>, Error> {
        let charged = self.listed.is_none() && !self.felt.sets.is_empty();
        // The tree first, then boxes where there are any.
        let tree = charged && !self.by_boxes && self.problem.by_boxes().is_some();
        let most = match (charged, tree) {
            (false, _) => u64::MAX,
            (true, true) => self.tree_nodes,
            (true, false) => CUT_NODES.max(self.nodes_of(CUT_SHARE)),
        };
        let request = Request { nodes: most, ..self.request(&self.duals, &self.felt, self.keep()) };
        let before = sweep.nodes;
        let done = sweep.advance(&request);
        self.counts.nodes += sweep.nodes - before;
        let over = (sweep.nodes > most || sweep.gave_up()) && !(done && sweep.proven());
        if over && tree {
            self.by_boxes = true;
            self.take(&sweep)?;
            return Ok(Stage::Exact(self.exact_sweep()));
        }
        if over {
            // Large classes: pricing with cuts takes too long. The bound without them stays.
            self.drop_cuts()?;
            return Ok(Stage::Neighbourhood);
        }
        if !done {
            return Ok(Stage::Exact(sweep));
        }
        self.counts.exact += 1;
        let proven = bound::proven(&self.problem, &self.felt, &sweep, self.tolerance());
        // Asked before the box moves.
        let boxed = self.master.binds(&self.duals);
        let gained = self.accept(proven, &sweep)?;
        self.take(&sweep)?;
        // Those of the heuristic pricing count too: the master has not seen them yet.
        let added = self.master.unseen();
        let bound = proven.unwrap_or(0.0);
        let left = (self.value - bound) / (self.loss - bound).max(1e-300);
        let tail = if self.problem.types() <= SMALL { 0.0 } else { TAIL };
        if added > 0 && (left > tail || boxed) {
            return Ok(Stage::Master);
        }
        if boxed && gained {
            return Ok(Stage::Master);
        }
        if boxed {
            self.master.grow()?;
            return Ok(Stage::Master);
        }
        if self.cuts.is_empty() && self.root.is_none() {
            self.root = self.proof.as_ref().map(|p| p.value);
        }
        Ok(Stage::Round)
    }

    /// Keeps a better bound, and puts the box around its duals. Says whether it was better.
    pub(super) fn accept(&mut self, proven: Option<f64>, sweep: &Sweep) -> Result<bool, Error> {
        let Some(value) = proven else { return Ok(false) };
        if self.proof.as_ref().is_some_and(|p| p.value >= value) {
            return Ok(false);
        }
        let by = self.exact_pricing().name();
        let tolerance = self.tolerance();
        let proof =
            Arc::new(Proof { value, duals: sweep.duals.clone(), cuts: self.felt.clone(), by, tolerance });
        if self.listed.is_none() {
            self.whole = Some(Arc::clone(&proof));
        }
        self.proof = Some(proof);
        // Duals far from the best ones are a bad place for a box: it would move in small steps.
        if self.loss - value < BOXED * self.loss {
            self.master.recentre(&sweep.duals)?;
        }
        self.shorten_list();
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lookalike_model::{
        Ctx,
        instance::Instance,
        loss::Sse,
        rule::Rule,
        settings::{Method, SearchOptions},
    };
    use lookalike_testkit::best_partition_sse;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::construct;

    /// A run that asks for duals, so that cuts are tried before lists; the tree may have no node.
    fn run(points: &[f64], dims: usize, colours: &[u32], rule: Rule) -> (f64, f64, bool) {
        let columns: Vec<Vec<f64>> =
            (0..dims).map(|j| points.iter().skip(j).step_by(dims).copied().collect()).collect();
        let instance = Arc::new(Instance::from_columns(&columns, colours).unwrap());
        let start = construct::build(Method::Classic, &instance, &Sse, &rule, 1).unwrap();
        let options = SearchOptions { duals: true, ..SearchOptions::default() };
        let budget = Budget::Effort(0.5);
        let mut run = ColumnGeneration::from(&instance, &start, Sse, rule, budget, options, 1).unwrap();
        run.tree_nodes = 0;
        let ctx = Ctx::silent();
        let mut steps = 0;
        while !run.step(&ctx, 0.0).unwrap() {
            steps += 1;
            assert!(steps < 100_000);
        }
        (run.bound().unwrap_or(0.0), run.proof.as_ref().map_or(0.0, |p| p.value), run.by_boxes)
    }

    #[test]
    fn bounds_by_boxes_with_cuts_stay_below_the_optimum() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut boxed = 0;
        for case in 0..60 {
            let (n, dims) = (rng.random_range(9..13_usize), 1 + case % 4);
            let points: Vec<f64> = (0..n * dims).map(|_| f64::from(rng.random_range(0..12u32))).collect();
            let colours: Vec<u32> = (0..n as u32).map(|i| i % 5).collect();
            let distinct = case % 3 > 0;
            let optimum = best_partition_sse(&points, dims, distinct.then_some(&colours), 3);
            let (bound, proven, by_boxes) = if distinct {
                run(&points, dims, &colours, Rule::all_different(3))
            } else {
                run(&points, dims, &colours, Rule::at_least(3))
            };
            let most = optimum * (1.0 + 1e-9) + 1e-9;
            assert!(bound <= most && proven <= most, "{bound} and {proven} above {optimum}");
            boxed += usize::from(by_boxes);
        }
        assert!(boxed > 5, "{boxed}");
    }
}
