//! Exact set partitioning of a few records: all their classes are enumerated, and the cheapest that cover each record once
//! are found by branch and bound: the first record not yet covered is given each class that begins with it; a record costs
//! at least its share, a feasible dual.

use std::sync::Arc;

use lookalike_model::{instance::Instance, loss::Loss};

use super::enumerate::{Candidate, Enumeration};

/// The cheapest exact cover of the records.
pub(crate) struct Cover {
    /// The classes, if some cost less than what was known.
    pub(crate) classes: Option<Vec<Vec<u32>>>,
    /// Whether there are no better ones.
    pub(crate) complete: bool,
    /// Sets and nodes looked at.
    pub(crate) steps: u64,
}

/// The cheapest classes of `sizes.0` to `sizes.1` of these records, `min_real` of them real, if they cost less than `limit`.
pub(crate) fn best<L: Loss>(
    instance: &Arc<Instance>,
    loss: L,
    records: &[u32],
    distinct: bool,
    (sizes, min_real): ((usize, usize), usize),
    limit: f64,
    most_nodes: u32,
) -> Cover {
    let all = Enumeration::run(instance, loss, records, distinct, (sizes, min_real), limit);
    let (cover, nodes) = cheapest(&all.found, records.len(), limit, most_nodes);
    let named = |c: Candidate| bits(c.members).map(|b| records[b]).collect();
    Cover {
        classes: cover.map(|classes| classes.into_iter().map(named).collect()),
        complete: nodes <= most_nodes,
        steps: all.steps + u64::from(nodes),
    }
}

/// Number of classes of `sizes.0` to `sizes.1` among so many records, whatever their colours; infinite for more than the 32
/// that can be named.
pub(crate) fn classes(records: usize, sizes: (usize, usize)) -> f64 {
    if records > 32 {
        return f64::INFINITY;
    }
    let mut count = 0.0;
    let mut choose = 1.0;
    for size in 1..=sizes.1.min(records) {
        choose *= (records - size + 1) as f64 / size as f64;
        if size >= sizes.0 {
            count += choose;
        }
    }
    count
}

/// The places of a set.
pub(super) fn bits(set: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |b| set >> b & 1 == 1)
}

/// The cheapest classes that cover `records` records once each, if they cost less than `limit`, and the nodes it took;
/// above `most_nodes` it gave up.
pub(super) fn cheapest(
    candidates: &[Candidate],
    records: usize,
    limit: f64,
    most_nodes: u32,
) -> (Option<Vec<Candidate>>, u32) {
    let (share, slack) = shares(candidates, records);
    let total: f64 = share.iter().sum();
    let mut by_first: Vec<Vec<(f64, Candidate)>> = vec![Vec::new(); records];
    for (&slack, c) in slack.iter().zip(candidates) {
        // A class in a cover of less than the limit has no more slack than that.
        if total + slack < limit {
            by_first[c.members.trailing_zeros() as usize].push((slack, *c));
        }
    }
    for list in &mut by_first {
        list.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.members.cmp(&b.1.members)));
    }
    let mut search =
        CoverSearch { by_first, share, limit, best: None, chosen: Vec::new(), nodes: 0, most_nodes };
    search.branch(((1u64 << records) - 1) as u32, 0.0, total);
    (search.best, search.nodes)
}

/// What each record costs at least, so that the records of no class cost more than it: a feasible dual, which no single
/// record can raise any more; and what each class costs above its records.
fn shares(candidates: &[Candidate], records: usize) -> (Vec<f64>, Vec<f64>) {
    let mut share = vec![f64::INFINITY; records];
    let mut of = vec![Vec::new(); records];
    for (at, c) in candidates.iter().enumerate() {
        let part = c.loss / f64::from(c.members.count_ones());
        for b in bits(c.members) {
            share[b] = share[b].min(part);
            of[b].push(at);
        }
    }
    let own = |c: &Candidate| c.loss - bits(c.members).map(|b| share[b]).sum::<f64>();
    let mut slack: Vec<f64> = candidates.iter().map(own).collect();
    for (share, of) in share.iter_mut().zip(&of) {
        let least = of.iter().map(|&at| slack[at]).fold(f64::INFINITY, f64::min);
        if least.is_finite() {
            *share += least;
            for &at in of {
                slack[at] -= least;
            }
        }
    }
    (share, slack)
}

struct CoverSearch {
    /// Classes by their first record, with their slack, ascending.
    by_first: Vec<Vec<(f64, Candidate)>>,
    share: Vec<f64>,
    limit: f64,
    best: Option<Vec<Candidate>>,
    chosen: Vec<Candidate>,
    nodes: u32,
    most_nodes: u32,
}

impl CoverSearch {
    /// Covers what is left; `bound` is the sum of its shares.
    fn branch(&mut self, left: u32, cost: f64, bound: f64) {
        self.nodes += 1;
        if left == 0 {
            if cost < self.limit {
                self.limit = cost;
                self.best = Some(self.chosen.clone());
            }
            return;
        }
        let first = left.trailing_zeros() as usize;
        for at in 0..self.by_first[first].len() {
            let (slack, class) = self.by_first[first][at];
            if cost + bound + slack >= self.limit || self.nodes > self.most_nodes {
                break;
            }
            if class.members & !left == 0 {
                let own: f64 = bits(class.members).map(|b| self.share[b]).sum();
                self.chosen.push(class);
                self.branch(left & !class.members, cost + class.loss, bound - own);
                self.chosen.pop();
            }
        }
    }
}
