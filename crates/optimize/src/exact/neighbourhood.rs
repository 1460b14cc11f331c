//! Large neighbourhoods: take the classes around one apart, enumerate what could stand in their place, and solve the
//! integer programme over it. Reduced costs at the best proven duals *with their cuts* say which classes are worth a
//! look: the loss of the incumbent is the bound plus the reduced costs of its classes plus what its cuts leave slack.

use lookalike_lp::partition::Limits;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::{
    close::LOOKS_PER_UNIT,
    cuts::SubsetRow,
    integer,
    measure::Priceable,
    pool::Column,
    pricing::{Priced, Request, Sweep},
    problem::Problem,
    proof::Proof,
    restricted::Stop,
    run::ColumnGeneration,
    settle::{self, Task},
};
use crate::Error;

/// Classes of a neighbourhood: at the start, and at least. The number grows while integer programmes are easy.
pub(super) const WINDOW: f64 = 40.0;
const LEAST: f64 = 12.0;
const GROWTH: f64 = 1.1;
const SHRINKAGE: f64 = 0.8;

/// Columns enumerated, at most: above, the threshold is halved.
const ENUMERATED: usize = 60_000;

/// Columns kept a record, and in all.
const PER_TYPE: usize = 20;
const COLUMNS: usize = 4000;

/// Looks of the search by reduced costs.
const LOOKS: u64 = 10_000_000;

/// Nodes and seconds for an integer programme.
const INTEGER_NODES: u32 = 200;
const SECONDS: f64 = 4.0;

/// Nodes and columns of a seed, at most, and nodes of an enumeration.
const NODES: u64 = 20_000;
const ALL_NODES: u64 = 600_000;
const PER_SEED: usize = 2000;

/// Halvings of the threshold.
const HALVINGS: u32 = 8;

impl<L: Priceable> ColumnGeneration<L> {
    pub(super) fn search_neighbourhood(&mut self, stop: Stop) -> Result<(), Error> {
        let Some(proof) = self.proof.clone() else { return Ok(()) };
        let classes = self.problem.classes(&self.best);
        let request = self.request(&proof.duals, &proof.cuts, 1);
        let reduced: Vec<f64> = classes.iter().map(|c| request.reduced_cost(c).max(0.0)).collect();
        let chosen = choose(&self.problem, &mut self.rng, &classes, &reduced, self.window);
        let request = self.request(&proof.duals, &proof.cuts, 1);
        let mut only = vec![false; self.problem.types()];
        let mut right = vec![0; self.problem.types()];
        for &c in &chosen {
            for &t in &classes[c] {
                only[t as usize] = true;
                right[t as usize] += 1;
            }
        }
        // Any better way to cover these records has classes whose reduced costs sum up to less than the gap.
        let threshold = self.gap().min(2.0 * chosen.iter().map(|&c| reduced[c]).sum::<f64>());
        let (mut columns, nodes) = match &self.listed {
            Some(listed) => (inside(&listed.0, &only, &request), listed.0.len() as u64 / 16),
            None => self.enumerate_inside(&proof, &only, threshold, stop),
        };
        if stop() {
            return Ok(());
        }
        let key = |c: &Priced| c.reduced_cost / c.members.len() as f64;
        columns.sort_by(|a, b| key(a).total_cmp(&key(b)).then_with(|| a.members.cmp(&b.members)));
        let mut used = vec![0; self.problem.types()];
        columns.retain(|c| {
            let wanted = c.members.iter().any(|&t| used[t as usize] < PER_TYPE);
            for &t in &c.members {
                used[t as usize] += 1;
            }
            wanted
        });
        columns.truncate(COLUMNS);
        let mut candidates: Vec<Vec<u32>> = columns.into_iter().map(|c| c.members).collect();
        candidates.extend(chosen.iter().map(|&c| classes[c].clone()).filter(|c| self.problem.admits(c)));
        candidates.sort();
        candidates.dedup();
        let columns: Vec<Column> = candidates
            .into_iter()
            .map(|members| Column { cost: self.problem.cost(&members), members })
            .collect();
        let columns: Vec<&Column> = columns.iter().collect();
        let start: Vec<Vec<u32>> = chosen.iter().map(|&c| classes[c].clone()).collect();
        let found = self.solve_inside(&proof, &right, &columns, &start, stop)?;
        let all = classes.len() as f64;
        let grown = if found.complete && columns.len() <= COLUMNS { GROWTH } else { SHRINKAGE };
        self.window = (self.window * grown).clamp(LEAST, all.max(LEAST));
        let work = nodes as f64 + 100.0 * columns.len() as f64;
        self.counts.nodes += nodes;
        self.worked(work);
        if let Some(mut better) = found.classes {
            better.extend(
                classes
                    .iter()
                    .enumerate()
                    .filter(|(c, _)| !chosen.contains(c))
                    .map(|(_, class)| class.clone()),
            );
            if let Some(partition) = self.problem.partition(&better) {
                self.offer(partition);
            }
        }
        Ok(())
    }

    /// The best cover of `right` by `columns`, if it is better than `start`: by their reduced costs, or by the integer programme
    /// where that takes too long.
    fn solve_inside(
        &mut self,
        proof: &Proof,
        right: &[usize],
        columns: &[&Column],
        start: &[Vec<u32>],
        stop: Stop,
    ) -> Result<integer::Found, Error> {
        let request = self.request(&proof.duals, &proof.cuts, 1);
        let reduced: Vec<f64> = columns.iter().map(|c| request.reduced_cost_of(c)).collect();
        let loss: f64 = start.iter().map(|class| self.problem.cost(class)).sum();
        // The reduced costs of a cover of these types are its loss less their duals plus what the cuts charge, and no cover
        // groups more records of a cut's set than those that are here allow.
        let here = |cut: &SubsetRow| cut.members.iter().map(|&t| right[t as usize]).sum::<usize>();
        let charged: f64 =
            proof.cuts.sets.iter().map(|cut| cut.sigma * (here(cut) / cut.divisor as usize) as f64).sum();
        let duals: f64 = right.iter().zip(&proof.duals).map(|(&count, lambda)| count as f64 * lambda).sum();
        let purse = loss - duals + charged + self.tolerance();
        let task = Task { right, columns, reduced: &reduced, loss: loss - self.tolerance(), purse };
        let settled = settle::settle(&task, LOOKS, stop);
        self.worked(settled.looks as f64 / LOOKS_PER_UNIT);
        let named =
            |chosen: Vec<u32>| chosen.iter().map(|&at| columns[at as usize].members.clone()).collect();
        if settled.complete || stop() {
            return Ok(integer::Found { classes: settled.classes.map(named), complete: settled.complete });
        }
        let seconds = self.seconds_left().map(|left| SECONDS.min(left));
        let limits = Limits { seconds: seconds.unwrap_or(f64::INFINITY), nodes: INTEGER_NODES };
        // Cuts of types that are covered here alone hold here alone.
        let whole = |t: &u32| right[*t as usize] == self.problem.multiplicity(*t as usize);
        let cuts: Vec<SubsetRow> =
            self.cuts.iter().filter(|c| c.members.iter().all(whole)).cloned().collect();
        integer::solve(right, columns, &cuts, start, limits)
    }

    /// All classes of the types in `only` below a threshold, which is halved until there are not too many; and the
    /// nodes that it took.
    fn enumerate_inside(
        &self,
        proof: &Proof,
        only: &[bool],
        mut threshold: f64,
        stop: Stop,
    ) -> (Vec<Priced>, u64) {
        let mut nodes = 0;
        let mut columns = Vec::new();
        for _ in 0..HALVINGS {
            let request = Request {
                threshold,
                only: Some(only),
                nodes: NODES,
                ..self.request(&proof.duals, &proof.cuts, PER_SEED)
            };
            let mut run = Sweep::new(&*self.problem.combinatorial(), &request);
            let fits =
                |run: &Sweep| run.columns.len() <= ENUMERATED && run.nodes <= ALL_NODES && !run.gave_up();
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
        let pairs = classes[centre]
            .iter()
            .flat_map(|&t| class.iter().map(move |&u| problem.distances(t)[u as usize]));
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
