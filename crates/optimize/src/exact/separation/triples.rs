//! Sets of which the classes of a fractional solution hold too many triples.
//!
//! With five records such a cut says that classes which hold three of them each exclude one another. Local search from
//! every fractional column of few types, filled up to two records more than a multiple of three: one type is swapped for
//! another that shares a column with S, as long as that is better. (Where classes hold a type several times its gain is only
//! estimated; what is violated in the end is computed.)

use rayon::prelude::*;

use super::{
    Fractional, Separator,
    selection::{Wanted, select},
};
use crate::exact::{column::Weighted, cuts::SubsetRow, effort::Stop, params, problem::Problem};

/// Starts between two looks at whether to stop; no answer depends on it.
const CHUNK: usize = 64;

/// Looks for subset-row cuts of triples.
pub(super) struct Triples(pub(super) params::Triples);

impl Separator for Triples {
    fn separate(&self, fractional: &Fractional, violation: f64, stop: Stop) -> Vec<SubsetRow> {
        let &Fractional { problem, solution, most } = fractional;
        let params = &self.0;
        let columns: Vec<Weighted> = solution.iter().filter(|s| s.1 > 1e-6).copied().collect();
        let mut of = vec![Vec::new(); problem.types()];
        for (at, (class, _)) in columns.iter().enumerate() {
            for &t in *class {
                of[t as usize].push(at as u32);
            }
        }
        let graph = Graph { problem, columns: &columns, of: &of, params };
        let is_fractional = |x: f64| (x - x.round()).abs() > 1e-6;
        let starts: Vec<usize> = (0..columns.len())
            .filter(|&c| is_fractional(columns[c].1) && columns[c].0.len() <= params.largest)
            .collect();
        let searched = |chunk: &[usize]| -> Vec<_> {
            chunk
                .par_iter()
                .map_init(|| vec![0_u32; columns.len()], |counts, &c| graph.search(columns[c].0, counts))
                .flatten_iter()
                .filter(|f| f.0 > violation)
                .collect()
        };
        let found = starts.chunks(CHUNK).take_while(|_| !stop()).flat_map(searched).collect();
        select(problem, found, &Wanted { most, per_type: params.per_type, divisor: 3 })
    }
}

struct Graph<'a> {
    problem: &'a Problem,
    columns: &'a [Weighted<'a>],
    of: &'a [Vec<u32>],
    params: &'a params::Triples,
}

impl Graph<'_> {
    fn records(&self, set: &[u32]) -> usize {
        set.iter().map(|&t| self.problem.multiplicity(t as usize)).sum()
    }

    /// What one more type adds to the cut's left side.
    fn gain(&self, t: u32, counts: &[u32]) -> f64 {
        let third = |c: &&u32| counts[**c as usize] % 3 == 2;
        self.of[t as usize].iter().filter(third).map(|&c| self.columns[c as usize].1).sum()
    }

    fn put(&self, t: u32, counts: &mut [u32]) {
        self.of[t as usize].iter().for_each(|&c| counts[c as usize] += 1);
    }

    fn take(&self, t: u32, counts: &mut [u32]) {
        self.of[t as usize].iter().for_each(|&c| counts[c as usize] -= 1);
    }

    /// The types that share a column with the set, without its own.
    fn around(&self, set: &[u32]) -> Vec<u32> {
        let mut all: Vec<u32> = set
            .iter()
            .flat_map(|&t| &self.of[t as usize])
            .flat_map(|&c| self.columns[c as usize].0)
            .copied()
            .collect();
        all.sort_unstable();
        all.dedup();
        all.retain(|t| !set.contains(t));
        all
    }

    /// The cut's left side.
    fn value(&self, set: &[u32], counts: &[u32]) -> f64 {
        let mut all: Vec<u32> = set.iter().flat_map(|&t| self.of[t as usize].iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all.iter().map(|&c| f64::from(counts[c as usize] / 3) * self.columns[c as usize].1).sum()
    }

    /// Sets on the way from a column to the largest ones, with their violation. `counts` has a zero a column, before and after.
    fn search(&self, start: &[u32], counts: &mut [u32]) -> Vec<(f64, Vec<u32>)> {
        let mut found = Vec::new();
        let mut set = start.to_vec();
        set.dedup();
        for &t in &set {
            self.put(t, counts);
        }
        while set.len() <= self.params.largest {
            self.fill(&mut set, counts);
            if self.records(&set) % 3 != 2 {
                break;
            }
            self.swaps(&mut set, counts);
            let mut members = set.clone();
            members.sort_unstable();
            found.push((self.value(&set, counts) - (self.records(&set) / 3) as f64, members));
            // Larger sets go on from this one.
            let Some(next) = self.best(&set, counts) else { break };
            self.put(next, counts);
            set.push(next);
        }
        for &t in &set {
            self.take(t, counts);
        }
        found
    }

    /// The type that is best taken in.
    fn best(&self, set: &[u32], counts: &[u32]) -> Option<u32> {
        let touch = |t: u32| -> f64 {
            self.of[t as usize]
                .iter()
                .filter(|&&c| counts[c as usize] % 3 == 1)
                .map(|&c| self.columns[c as usize].1)
                .sum()
        };
        self.around(set)
            .into_iter()
            .filter(|&t| self.problem.multiplicity(t as usize) % 3 == 1)
            .map(|t| (self.gain(t, counts) + self.params.lacking_two * touch(t), t))
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
            .map(|x| x.1)
    }

    /// Takes types in until two records are over a multiple of three: then one more adds nothing to the right side.
    fn fill(&self, set: &mut Vec<u32>, counts: &mut [u32]) {
        while self.records(set) % 3 != 2 && set.len() <= self.params.largest {
            let Some(t) = self.best(set, counts) else { return };
            self.put(t, counts);
            set.push(t);
        }
    }

    /// Swaps one type for another as long as that is better.
    fn swaps(&self, set: &mut [u32], counts: &mut [u32]) {
        for _ in 0..self.params.swaps {
            let around = self.around(set);
            let mut best = (self.params.swap_gain, 0, 0);
            for (at, &out) in set.iter().enumerate() {
                self.take(out, counts);
                let lost = self.gain(out, counts);
                let multiplicity = self.problem.multiplicity(out as usize) % 3;
                for &t in &around {
                    if self.problem.multiplicity(t as usize) % 3 != multiplicity {
                        continue;
                    }
                    let more = (self.problem.multiplicity(t as usize) / 3) as f64
                        - (self.problem.multiplicity(out as usize) / 3) as f64;
                    let change = self.gain(t, counts) - lost - more;
                    if change > best.0 {
                        best = (change, at, t);
                    }
                }
                self.put(out, counts);
            }
            if best.0 <= self.params.swap_gain {
                return;
            }
            self.take(set[best.1], counts);
            set[best.1] = best.2;
            self.put(best.2, counts);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lookalike_model::{instance::Instance, loss::Sse, rule::Rule};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn problem(records: usize) -> Problem {
        let points: Vec<f64> = (0..records).map(|i| i as f64).collect();
        let instance = Arc::new(Instance::from_columns(&[points], &[], &vec![0; records]).unwrap());
        Problem::new(&instance, &Sse, &Rule::at_least(4)).unwrap()
    }

    fn separate(problem: &Problem, solution: &[Weighted], most: usize) -> Vec<SubsetRow> {
        let fractional = Fractional { problem, solution, most };
        Triples(params::Triples::default()).separate(&fractional, 0.02, &|| false)
    }

    fn left(cut: &SubsetRow, solution: &[Weighted]) -> f64 {
        solution.iter().map(|(class, x)| cut.coefficient(class) * x).sum()
    }

    #[test]
    fn classes_that_share_three_of_five_exclude_one_another() {
        let problem = problem(12);
        // Each two of them have one or two records in common, so odd sets of three see little.
        let classes = [[0, 1, 2, 5], [0, 3, 4, 6], [1, 2, 3, 7], [1, 2, 4, 8]];
        let solution: Vec<Weighted> = classes.iter().map(|class| (class.as_slice(), 0.4)).collect();
        let cuts = separate(&problem, &solution, 10);
        let found = cuts.iter().map(|cut| left(cut, &solution) - cut.limit).fold(0.0, f64::max);
        assert!((found - 0.6).abs() < 1e-9, "{found}");
    }

    #[test]
    fn cuts_are_violated_and_valid() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let problem = problem(20);
        let mut count = 0;
        for _ in 0..200 {
            let classes: Vec<Vec<u32>> = (0..12)
                .map(|_| {
                    let from = rng.random_range(0..14u32);
                    let mut class: Vec<u32> = (from..from + 6).filter(|_| rng.random_bool(0.8)).collect();
                    class.truncate(5);
                    class
                })
                .collect();
            let solution: Vec<Weighted> =
                classes.iter().map(|class| (class.as_slice(), rng.random_range(0.1..0.9))).collect();
            for cut in separate(&problem, &solution, 50) {
                assert!(left(&cut, &solution) > cut.limit + 0.02);
                assert!(cut.members.is_sorted() && cut.limit >= (cut.members.len() / 3) as f64);
                count += 1;
            }
        }
        assert!(count > 200, "{count}");
    }
}
