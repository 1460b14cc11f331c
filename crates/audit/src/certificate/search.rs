//! The search for a class whose reduced cost is below `-tolerance`.
//!
//! Depth first over the classes of one size s, each built once. With P chosen and r records to go, r >= 1, a candidate j
//! adds at least
//!
//! ```text
//! D_j(P) / s - lambda_j + N_j / (2 s) + p_j
//! ```
//!
//! where `D_j(P)` is the sum of its squared distances to P, `N_j` that to the r - 1 records nearest to it (each pair of new
//! members is counted by both, hence the half), and `p_j` is [`pending`]. Here
//! w(C) = (sum of squared distances of pairs) / s. Any class then costs at least what P does and the r smallest of
//! these, of different colours; and a candidate is dropped if no class with it can be cheap enough.

use super::{Certificate, Refusal, low::Low, pending::pending};

/// A candidate and what it adds, at least.
#[derive(Clone, Copy)]
struct Candidate {
    record: u32,
    adds: f64,
}

/// What is chosen.
#[derive(Clone, Default)]
struct Chosen {
    records: Vec<u32>,
    /// Sum of the squared distances of its pairs, of its duals, of their absolute values, of the cuts' terms.
    pairs: f64,
    duals: f64,
    mass: f64,
    cuts: f64,
}

pub(super) struct Search<'a> {
    distances: &'a [f64],
    colours: &'a [u32],
    certificate: &'a Certificate,
    /// For each record the cuts it is in.
    cuts_of: Vec<Vec<u32>>,
    /// Per record: sums of the squared distances to its nearest 0, 1, 2, ... others.
    nearest: Vec<Vec<f64>>,
    /// Per cut: how many of the chosen records are in it.
    inside: Vec<u32>,
    low: Low,
    budget: u64,
    nodes: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        distances: &'a [f64],
        colours: &'a [u32],
        certificate: &'a Certificate,
        dimensions: usize,
        budget: u64,
    ) -> Self {
        let most = 2 * certificate.rule.least();
        let records = colours.len();
        let mut cuts_of = vec![Vec::new(); records];
        for (index, cut) in (0..).zip(&certificate.cuts) {
            for &record in &cut.records {
                cuts_of[record as usize].push(index);
            }
        }
        let nearest = (0..records).map(|i| {
            let row = &distances[i * records..(i + 1) * records];
            let mut others: Vec<f64> = (0..records).filter(|&j| j != i).map(|j| row[j]).collect();
            others.sort_unstable_by(f64::total_cmp);
            let sum = |total: &mut f64, d: f64| {
                *total += d;
                Some(*total)
            };
            let sums = others.into_iter().take(most).scan(0.0, sum);
            [0.0].into_iter().chain(sums).collect()
        });
        let nearest = nearest.collect();
        let low = Low::new(dimensions + most * most + certificate.cuts.len() * most);
        let inside = vec![0; certificate.cuts.len()];
        Self { distances, colours, certificate, cuts_of, nearest, inside, low, budget, nodes: 0 }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Proves that no class of `size` records is too cheap.
    pub(super) fn run(&mut self, size: usize) -> Result<(), Refusal> {
        let all: Vec<u32> = (0..self.colours.len() as u32).collect();
        let sums = vec![0.0; all.len()];
        self.visit(&Chosen::default(), &all, &sums, size)
    }

    /// `sums`: per candidate the squared distances to what is chosen.
    fn visit(&mut self, chosen: &Chosen, records: &[u32], sums: &[f64], size: usize) -> Result<(), Refusal> {
        self.nodes += 1;
        if self.nodes > self.budget {
            return Err(Refusal::Budget(self.budget));
        }
        let open = size - chosen.records.len();
        let base = self.base(chosen, size);
        let kept = self.filter(base, records, sums, size, open);
        if open == 1 {
            let Some(&(candidate, _)) = kept.first() else { return Ok(()) };
            let mut class = chosen.records.clone();
            class.push(candidate.record);
            class.sort_unstable();
            let reduced_cost = self.total(base, candidate.adds, &[]);
            return Err(Refusal::Negative { class, reduced_cost, tolerance: self.certificate.tolerance });
        }
        for (at, &(candidate, sum)) in kept.iter().enumerate() {
            let record = candidate.record as usize;
            let row = &self.distances[record * self.colours.len()..];
            let colour = self.colours[record];
            let later = kept[at + 1..].iter().filter(|(c, _)| self.colours[c.record as usize] != colour);
            let (records, sums): (Vec<u32>, Vec<f64>) =
                later.map(|(c, sum)| (c.record, sum + row[c.record as usize])).unzip();
            if records.len() + 1 < open {
                continue;
            }
            let next = self.choose(chosen, candidate.record, sum);
            let result = self.visit(&next, &records, &sums, size);
            self.withdraw(candidate.record);
            result?;
        }
        Ok(())
    }

    /// At most what is chosen contributes to the reduced cost of a class of `size`.
    fn base(&self, chosen: &Chosen, size: usize) -> f64 {
        let pairs = chosen.pairs / size as f64;
        self.low.of(pairs - chosen.duals + chosen.cuts, pairs + chosen.mass + chosen.cuts)
    }

    /// At most `base + one + sum of rest`.
    fn total(&self, base: f64, one: f64, rest: &[f64]) -> f64 {
        let sum: f64 = rest.iter().sum();
        let mass: f64 = rest.iter().map(|r| r.abs()).sum();
        self.low.of(base + one + sum, base.abs() + one.abs() + mass)
    }

    /// The candidates with which a class can be cheap enough, those that add least first, and their sums.
    fn filter(
        &self,
        base: f64,
        records: &[u32],
        sums: &[f64],
        size: usize,
        open: usize,
    ) -> Vec<(Candidate, f64)> {
        let mut candidates: Vec<(Candidate, f64)> = records
            .iter()
            .zip(sums)
            .map(|(&record, &sum)| (Candidate { record, adds: self.adds(record, sum, size, open) }, sum))
            .collect();
        candidates.sort_unstable_by(|a, b| a.0.adds.total_cmp(&b.0.adds).then(a.0.record.cmp(&b.0.record)));
        // The least additions of different colours: `open` of them, if there are as many colours.
        let mut best: Vec<(u32, f64)> = Vec::with_capacity(open);
        for (candidate, _) in &candidates {
            let colour = self.colours[candidate.record as usize];
            if best.len() < open && best.iter().all(|b| b.0 != colour) {
                best.push((colour, candidate.adds));
            }
        }
        if best.len() < open {
            return Vec::new();
        }
        let mut rest = Vec::with_capacity(open);
        candidates.retain(|(candidate, _)| {
            let colour = self.colours[candidate.record as usize];
            rest.clear();
            rest.extend(best.iter().filter(|b| b.0 != colour).take(open - 1).map(|b| b.1));
            let total = self.total(base, candidate.adds, &rest);
            // What is no number is kept, so that it is refused in the end.
            total.is_nan() || total < -self.certificate.tolerance
        });
        candidates
    }

    fn adds(&self, record: u32, sum: f64, size: usize, open: usize) -> f64 {
        let record = record as usize;
        let nearest = &self.nearest[record];
        let near = nearest[(open - 1).min(nearest.len() - 1)] / (2 * size) as f64;
        let pending = pending(self.certificate, &self.cuts_of[record], &self.inside, open);
        let dual = self.certificate.duals[record];
        let sum = sum / size as f64;
        self.low.of(sum - dual + near + pending, sum + dual.abs() + near + pending)
    }

    fn choose(&mut self, chosen: &Chosen, record: u32, sum: f64) -> Chosen {
        let mut next = chosen.clone();
        next.records.push(record);
        next.pairs += sum;
        let dual = self.certificate.duals[record as usize];
        next.duals += dual;
        next.mass += dual.abs();
        for &cut in &self.cuts_of[record as usize] {
            let (inside, cut) = (&mut self.inside[cut as usize], &self.certificate.cuts[cut as usize]);
            *inside += 1;
            if *inside % cut.divisor == 0 {
                next.cuts += cut.sigma;
            }
        }
        next
    }

    fn withdraw(&mut self, record: u32) {
        for &cut in &self.cuts_of[record as usize] {
            self.inside[cut as usize] -= 1;
        }
    }
}
