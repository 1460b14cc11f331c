//! Odd sets that a fractional solution violates.
//!
//! With M(S) odd, sum floor(|C n S| / 2) x = (M(S) - odd(S)) / 2, where odd(S) is the weight of the columns that meet
//! S in an odd number of types; so S is violated by (1 - odd(S)) / 2, and the aim is a set that few columns meet
//! oddly. Local search from every fractional type: flip the two types (or the one type of even multiplicity) that
//! lower odd(S) most, among those that share a fractional column with S. The first step from a single type finds
//! the triples.

use rayon::prelude::*;

use super::{
    Fractional, Separator,
    selection::{Wanted, select},
};
use crate::exact::{column::Weighted, cuts::SubsetRow, effort::Stop, params, problem::Problem};

/// Starts between two looks at whether to stop; no answer depends on it.
const CHUNK: usize = 64;

/// Looks for odd sets.
pub(super) struct OddSets(pub(super) params::OddSets);

impl Separator for OddSets {
    fn separate(&self, fractional: &Fractional, violation: f64, stop: Stop) -> Vec<SubsetRow> {
        let &Fractional { problem, solution, most } = fractional;
        let params = &self.0;
        let fractional: Vec<Weighted> =
            solution.iter().filter(|s| (s.1 - s.1.round()).abs() > 1e-6).copied().collect();
        let mut of = vec![Vec::new(); problem.types()];
        for (at, (class, _)) in fractional.iter().enumerate() {
            for t in oddly(class) {
                of[t as usize].push(at as u32);
            }
        }
        // Columns at whole values count as well, but they meet a set oddly wherever it is drawn through them: only sets
        // of fractional types are sought, and whole columns through them are added here.
        let mut whole = vec![0.0; problem.types()];
        for (class, x) in solution.iter().filter(|s| (s.1 - s.1.round()).abs() <= 1e-6) {
            for t in oddly(class) {
                whole[t as usize] += x;
            }
        }
        let graph = Graph { problem, columns: &fractional, of: &of, whole: &whole, violation, params };
        let starts: Vec<u32> = (0..problem.types() as u32)
            .filter(|&t| !of[t as usize].is_empty() && problem.multiplicity(t as usize) % 2 == 1)
            .collect();
        // From single types; and from whole columns, and one column and what another adds, for larger sets.
        let search = |sets: Vec<Vec<u32>>| -> Vec<(f64, Vec<u32>)> {
            let chunks = sets.chunks(CHUNK).take_while(|_| !stop());
            let found = |chunk: &[Vec<u32>]| -> Vec<_> {
                chunk.par_iter().flat_map_iter(|set| graph.descend(set.clone())).collect()
            };
            chunks.flat_map(found).collect()
        };
        let mut found = search(starts.iter().map(|&t| vec![t]).collect());
        if found.len() < params.few {
            found.extend(search(graph.unions()));
        }
        select(problem, found, &Wanted { most, per_type: params.per_type, divisor: 2 })
    }
}

struct Graph<'a> {
    problem: &'a Problem,
    columns: &'a [Weighted<'a>],
    of: &'a [Vec<u32>],
    whole: &'a [f64],
    violation: f64,
    params: &'a params::OddSets,
}

impl Graph<'_> {
    /// Sets of odd many records that consist of one or two fractional columns.
    fn unions(&self) -> Vec<Vec<u32>> {
        let mut sets: Vec<Vec<u32>> = Vec::new();
        for (at, (class, _)) in self.columns.iter().enumerate() {
            let mut own = class.to_vec();
            own.dedup();
            sets.push(own);
            for t in oddly(class) {
                for &other in &self.of[t as usize] {
                    if (other as usize) < at {
                        let mut union = [*class, self.columns[other as usize].0].concat();
                        union.sort_unstable();
                        union.dedup();
                        sets.push(union);
                    }
                }
            }
        }
        let records = |s: &Vec<u32>| s.iter().map(|&t| self.problem.multiplicity(t as usize)).sum::<usize>();
        sets.retain(|s| records(s) % 2 == 1);
        sets.sort();
        sets.dedup();
        sets.truncate(self.params.unions);
        sets
    }

    /// All sets on the way down from `set`, with their violation.
    fn descend(&self, mut set: Vec<u32>) -> Vec<(f64, Vec<u32>)> {
        let mut odd = Vec::new();
        for &t in &set {
            for &c in &self.of[t as usize] {
                toggle(&mut odd, c);
            }
        }
        let mut weight: f64 = self.weight(&odd) + set.iter().map(|&t| self.whole[t as usize]).sum::<f64>();
        let mut found = vec![(0.5 * (1.0 - weight), set.clone())];
        let mut tabu: Vec<u32> = Vec::new();
        let mut both = vec![0.0; self.of.len()];
        for _ in 0..self.params.flips {
            let Some((change, flips)) = self.best_flip(&set, &odd, &tabu, &mut both) else { break };
            weight += change;
            for t in flips.into_iter().flatten() {
                toggle(&mut set, t);
                for &c in &self.of[t as usize] {
                    toggle(&mut odd, c);
                }
                tabu.push(t);
            }
            let old = tabu.len().saturating_sub(self.params.tabu);
            tabu.drain(..old);
            if set.len() > self.params.largest || set.is_empty() {
                break;
            }
            found.push((0.5 * (1.0 - weight), set.clone()));
        }
        found.retain(|f| f.0 > self.violation && f.1.len() >= 2);
        found
    }

    fn weight(&self, columns: &[u32]) -> f64 {
        columns.iter().map(|&c| self.columns[c as usize].1).sum()
    }

    /// The best flip of two types of odd multiplicity, or of one of even multiplicity.
    /// `both` has a zero a type, before and after.
    fn best_flip(
        &self,
        set: &[u32],
        odd: &[u32],
        tabu: &[u32],
        both: &mut [f64],
    ) -> Option<(f64, [Option<u32>; 2])> {
        let mut around: Vec<u32> = set
            .iter()
            .flat_map(|&t| &self.of[t as usize])
            .flat_map(|&c| self.columns[c as usize].0)
            .copied()
            .collect();
        around.sort_unstable();
        around.dedup();
        around.retain(|t| !tabu.contains(t));
        let sign = |c: u32| if odd.binary_search(&c).is_ok() { -1.0 } else { 1.0 };
        let signed =
            |t: u32| self.of[t as usize].iter().map(move |&c| (c, sign(c) * self.columns[c as usize].1));
        // Toggling a column that is met oddly lowers the weight.
        let mut gains: Vec<(f64, u32)> = around
            .iter()
            .map(|&t| {
                let fractional: f64 = signed(t).map(|s| s.1).sum();
                let inside = set.binary_search(&t).is_ok();
                (fractional + if inside { -self.whole[t as usize] } else { self.whole[t as usize] }, t)
            })
            .collect();
        gains.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        gains.truncate(self.params.around);
        let even = |t: u32| self.problem.multiplicity(t as usize).is_multiple_of(2);
        let mut best: Option<(f64, [Option<u32>; 2])> = None;
        let mut offer = |change: f64, flips| {
            if best.as_ref().is_none_or(|b| change < b.0) {
                best = Some((change, flips));
            }
        };
        for (at, &(gain, t)) in gains.iter().enumerate() {
            if even(t) {
                offer(gain, [Some(t), None]);
                continue;
            }
            // Columns through both are met as before.
            for (c, x) in signed(t) {
                oddly(self.columns[c as usize].0).for_each(|u| both[u as usize] += x);
            }
            for &(other, u) in gains[..at].iter().filter(|g| !even(g.1)) {
                offer(gain + other - 2.0 * both[u as usize], [Some(t), Some(u)]);
            }
            for (c, _) in signed(t) {
                oddly(self.columns[c as usize].0).for_each(|u| both[u as usize] = 0.0);
            }
        }
        best
    }
}

/// The types that an ascending class holds an odd number of times: the others never meet a set oddly.
fn oddly(class: &[u32]) -> impl Iterator<Item = u32> {
    class.chunk_by(|a, b| a == b).filter(|same| same.len() % 2 == 1).map(|same| same[0])
}

/// Puts a number into an ascending list, or takes it out.
fn toggle(list: &mut Vec<u32>, x: u32) {
    match list.binary_search(&x) {
        Ok(at) => {
            list.remove(at);
        }
        Err(at) => list.insert(at, x),
    }
}
