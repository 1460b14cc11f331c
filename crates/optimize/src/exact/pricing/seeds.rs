//! The order of the seeds: every class is found at the first of its types in it.

use rayon::prelude::*;

use super::Request;

/// The order of the seeds, and the place of each type in it.
pub(super) struct Seeds {
    pub(super) order: Vec<u32>,
    pub(super) place: Vec<u32>,
}

impl Seeds {
    /// Types with few affordable partners first: their searches are short, and they are out of the way then.
    /// `affordable(d, lambda)` says whether a pair at distance d with the sum lambda of duals is.
    pub(super) fn new(request: &Request, affordable: impl Fn(f64, f64) -> bool + Sync) -> Self {
        let problem = request.problem;
        let partners: Vec<usize> = (0..problem.types())
            .into_par_iter()
            .map(|t| {
                let lambda = request.duals[t];
                let row = problem.distances(t as u32);
                let others = request.duals.iter().zip(0..);
                others.filter(|&(l, u)| affordable(row.to(u), lambda + l)).count()
            })
            .collect();
        let mut order: Vec<u32> = (0..problem.types() as u32).collect();
        // Counterfeits last: a class without real records is not admissible, so they never are seeds.
        order.sort_by_key(|&t| (!problem.real[t as usize], partners[t as usize], t));
        let mut place = vec![0; order.len()];
        for (at, &t) in order.iter().enumerate() {
            place[t as usize] = at as u32;
        }
        order.retain(|&t| problem.real[t as usize] && request.only.is_none_or(|only| only[t as usize]));
        Self { order, place }
    }

    /// The seed of a part, from the last to the first: what is lowered for late types helps all seeds before them.
    pub(super) fn of(&self, part: usize) -> u32 {
        self.order[self.order.len() - 1 - part]
    }

    /// Whether a class of `seed` may hold `t`.
    pub(super) fn later(&self, request: &Request, seed: u32, t: u32) -> bool {
        self.place[t as usize] > self.place[seed as usize] && request.only.is_none_or(|only| only[t as usize])
    }
}
