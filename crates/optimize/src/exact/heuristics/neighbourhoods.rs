//! Large neighbourhoods: take the classes around one apart, enumerate what could stand in their place, and solve the
//! integer programme over it. Reduced costs at the best proven duals *with their cuts* say which classes are worth it:
//! the loss of the incumbent is the bound plus the reduced costs of its classes plus what its cuts leave slack.

use lookalike_lp::partition::Limits;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Heuristic, Outcome};
use crate::{
    Error,
    exact::{
        column::Column,
        cuts::SubsetRow,
        dual_bound::FeasibleDuals,
        effort::Stop,
        loss::Priceable,
        params,
        pricing::{Priced, Request, Sweep},
        problem::Problem,
        reduced_cost_search::{self, Task},
        set_partitioning,
        state::State,
    },
};

/// The search of neighbourhoods.
pub(in crate::exact) struct Neighbourhoods {
    params: params::Neighbourhoods,
    rng: ChaCha8Rng,
    /// Classes of the next one, about. The number grows while integer programmes are easy.
    classes: f64,
    /// Neighbourhoods in a row that have not improved the incumbent.
    failures: u32,
    /// Neighbourhoods so far.
    count: u64,
}

impl<L: Priceable> Heuristic<L> for Neighbourhoods {
    /// One neighbourhood.
    fn run(&mut self, state: &mut State<L>, stop: Stop) -> Result<Outcome, Error> {
        self.count += 1;
        let before = state.incumbent.loss();
        self.search(state, stop)?;
        let improved = state.incumbent.loss() < before;
        self.failures = if improved { 0 } else { self.failures + 1 };
        Ok(Outcome::of(improved))
    }
}

impl Neighbourhoods {
    pub(in crate::exact) fn new(seed: u64, params: &params::Neighbourhoods) -> Self {
        Self {
            params: params.clone(),
            rng: ChaCha8Rng::seed_from_u64(seed),
            classes: params.classes,
            failures: 0,
            count: 0,
        }
    }

    /// Neighbourhoods so far.
    pub(in crate::exact) fn count(&self) -> u64 {
        self.count
    }

    /// So many in a row have not improved the incumbent that something else should be tried.
    pub(in crate::exact) fn are_exhausted(&self) -> bool {
        self.failures >= self.params.failures
    }

    /// Failures count from here on.
    pub(in crate::exact) fn restart(&mut self) {
        self.failures = 0;
    }

    fn search<L: Priceable>(&mut self, state: &mut State<L>, stop: Stop) -> Result<(), Error> {
        let Some(proof) = state.dual_bound.proof().cloned() else { return Ok(()) };
        let problem = &state.input.problem;
        let classes = problem.classes(state.incumbent.partition());
        // There is nothing to exchange with.
        if classes.len() < 2 {
            return Ok(());
        }
        let request = state.request(&proof.duals, &proof.cuts, 1);
        let reduced: Vec<f64> = classes.iter().map(|c| request.reduced_cost(c).max(0.0)).collect();
        let chosen = choose(problem, &mut self.rng, &classes, &reduced, self.classes);
        let mut only = vec![false; problem.types()];
        let mut right = vec![0; problem.types()];
        for &c in &chosen {
            for &t in &classes[c] {
                only[t as usize] = true;
                right[t as usize] += 1;
            }
        }
        // Any better way to cover these records has classes whose reduced costs sum up to less than the gap.
        let threshold = state.gap().min(2.0 * chosen.iter().map(|&c| reduced[c]).sum::<f64>());
        let (columns, nodes) = match &state.list {
            Some(list) => (inside(list.classes(), &only, &request), list.classes().len() as u64 / 16),
            None => self.enumerate(state, &proof, &only, threshold, stop),
        };
        if stop() {
            return Ok(());
        }
        // Of a type with records elsewhere a class may want more than are here.
        let here = |same: &[u32]| same.len() <= right[same[0] as usize];
        let columns = columns.into_iter().filter(|c| c.members.chunk_by(|a, b| a == b).all(here)).collect();
        let mut candidates = self.best(columns, problem.types());
        candidates.extend(chosen.iter().map(|&c| classes[c].clone()).filter(|c| problem.admits(c)));
        candidates.sort();
        candidates.dedup();
        let columns: Vec<Column> =
            candidates.into_iter().map(|members| Column { cost: problem.cost(&members), members }).collect();
        let columns: Vec<&Column> = columns.iter().collect();
        let start: Vec<Vec<u32>> = chosen.iter().map(|&c| classes[c].clone()).collect();
        let cover = self.cover(state, &proof, &right, &columns, &start, stop)?;
        let easy = cover.complete && columns.len() <= self.params.columns;
        let grown = if easy { self.params.growth } else { self.params.shrinkage };
        let most = (classes.len() as f64).max(self.params.least_classes);
        self.classes = (self.classes * grown).clamp(self.params.least_classes, most);
        let work = nodes as f64 + state.input.params.work.integer_column * columns.len() as f64;
        state.effort.visit(nodes);
        state.effort.pay(work);
        if let Some(mut better) = cover.classes {
            let others = classes.iter().enumerate().filter(|(c, _)| !chosen.contains(c));
            better.extend(others.map(|(_, class)| class.clone()));
            if let Some(partition) = state.input.problem.partition(&better) {
                state.offer(partition);
            }
        }
        Ok(())
    }

    /// The columns of least reduced cost a member that are worth a place in the integer programme.
    fn best(&self, mut columns: Vec<Priced>, types: usize) -> Vec<Vec<u32>> {
        let key = |c: &Priced| c.reduced_cost / c.members.len() as f64;
        columns.sort_by(|a, b| key(a).total_cmp(&key(b)).then_with(|| a.members.cmp(&b.members)));
        let mut used = vec![0; types];
        columns.retain(|c| {
            let wanted = c.members.iter().any(|&t| used[t as usize] < self.params.per_type);
            for &t in &c.members {
                used[t as usize] += 1;
            }
            wanted
        });
        columns.truncate(self.params.columns);
        columns.into_iter().map(|c| c.members).collect()
    }

    /// The best cover of `right` by `columns`, if it is better than `start`: by their reduced costs, or by the integer programme
    /// where that takes too long.
    fn cover<L: Priceable>(
        &self,
        state: &mut State<L>,
        proof: &FeasibleDuals,
        right: &[usize],
        columns: &[&Column],
        start: &[Vec<u32>],
        stop: Stop,
    ) -> Result<set_partitioning::Cover, Error> {
        let problem = &state.input.problem;
        let request = state.request(&proof.duals, &proof.cuts, 1);
        let reduced: Vec<f64> = columns.iter().map(|c| request.reduced_cost_of(c)).collect();
        let loss: f64 = start.iter().map(|class| problem.cost(class)).sum();
        // The reduced costs of a cover of these types are its loss less their duals plus what the cuts charge, and no cover
        // groups more records of a cut's set than those that are here allow.
        let here = |cut: &SubsetRow| cut.members.iter().map(|&t| right[t as usize]).sum::<usize>();
        let charged: f64 =
            proof.cuts.sets.iter().map(|cut| cut.sigma * (here(cut) / cut.divisor as usize) as f64).sum();
        let duals: f64 = right.iter().zip(&proof.duals).map(|(&count, lambda)| count as f64 * lambda).sum();
        let gap_budget = loss - duals + charged + state.tolerance();
        let task = Task { right, columns, reduced: &reduced, loss: loss - state.tolerance(), gap_budget };
        let covering = reduced_cost_search::cheapest(&task, self.params.evaluations, stop);
        let evaluations_per_node = state.input.params.work.evaluations_per_node;
        state.effort.pay(covering.evaluations as f64 / evaluations_per_node);
        let named =
            |chosen: Vec<u32>| chosen.iter().map(|&at| columns[at as usize].members.clone()).collect();
        if covering.complete || stop() {
            return Ok(set_partitioning::Cover {
                classes: covering.classes.map(named),
                complete: covering.complete,
            });
        }
        let seconds = state.effort.seconds_left().map(|left| self.params.seconds.min(left));
        let limits = Limits { seconds: seconds.unwrap_or(f64::INFINITY), nodes: self.params.nodes };
        // Cuts of types that are covered here alone hold here alone.
        let whole = |t: &u32| right[*t as usize] == problem.multiplicity(*t as usize);
        let cuts: Vec<SubsetRow> =
            state.master.cuts().iter().filter(|c| c.members.iter().all(whole)).cloned().collect();
        set_partitioning::solve(right, columns, &cuts, start, limits)
    }

    /// All classes of the types in `only` below a threshold, which is halved until there are not too many; and the
    /// nodes that it took.
    fn enumerate<L: Priceable>(
        &self,
        state: &State<L>,
        proof: &FeasibleDuals,
        only: &[bool],
        mut threshold: f64,
        stop: Stop,
    ) -> (Vec<Priced>, u64) {
        let params = &self.params;
        let mut nodes = 0;
        let mut columns = Vec::new();
        for _ in 0..params.halvings {
            let request = Request {
                threshold,
                only: Some(only),
                nodes: params.seed_nodes,
                ..state.request(&proof.duals, &proof.cuts, params.seed_columns)
            };
            let pricer = state.input.pricers.combinatorial(&state.input.problem);
            let mut run = Sweep::new(&*pricer, &request);
            let fits = |run: &Sweep| {
                run.columns.len() <= params.enumerated
                    && run.nodes <= params.enumeration_nodes
                    && !run.gave_up()
            };
            while !run.advance(&request) && fits(&run) {
                if stop() {
                    return (Vec::new(), nodes + run.nodes);
                }
            }
            nodes += run.nodes;
            let whole = fits(&run);
            columns = run.columns;
            if whole {
                break;
            }
            threshold *= 0.5;
        }
        (columns, nodes)
    }
}

/// The listed classes of the types in `only`.
fn inside(list: &[Column], only: &[bool], request: &Request) -> Vec<Priced> {
    let within = |c: &&Column| c.members.iter().all(|&t| only[t as usize]);
    let priced = |c: &Column| Priced { members: c.members.clone(), reduced_cost: request.reduced_cost_of(c) };
    list.iter().filter(within).map(priced).collect()
}

/// A class drawn by its reduced cost, and the classes nearest to it.
fn choose(
    problem: &Problem,
    rng: &mut ChaCha8Rng,
    classes: &[Vec<u32>],
    reduced: &[f64],
    window: f64,
) -> Vec<usize> {
    let total: f64 = reduced.iter().sum();
    let mut draw = rng.random::<f64>() * total;
    let centre = reduced.iter().position(|r| {
        draw -= r;
        draw <= 0.0
    });
    let centre = centre.unwrap_or_else(|| rng.random_range(0..classes.len()));
    let many = ((window * (0.7 + 0.6 * rng.random::<f64>())) as usize).clamp(2, classes.len());
    // Mean distance between members of two classes: no centroid needed.
    let distance = |class: &[u32]| {
        let pairs =
            classes[centre].iter().flat_map(|&t| class.iter().map(move |&u| problem.distances(t).to(u)));
        pairs.sum::<f64>() / (class.len() * classes[centre].len()) as f64
    };
    let mut order: Vec<(f64, usize)> =
        classes.iter().enumerate().map(|(c, class)| (distance(class), c)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut chosen: Vec<usize> =
        order.into_iter().map(|o| o.1).filter(|&c| c != centre).take(many - 1).collect();
    chosen.push(centre);
    chosen.sort_unstable();
    chosen
}
