//! The search for a class whose reduced cost under the certainty penalty is below `-tolerance`.
//!
//! Let W(S) be the weighted width of a set, so that w(C) = |C| W(C). Depth first over the classes of one size s, each built
//! once: its first record is its least; then, with P chosen, the member j with the largest W(P + j) is chosen next (among
//! equals the later record). The r - 1 others that are to come have smaller W(P + .), and W never falls when a set grows.
//! So a class that goes on with j costs at least
//!
//! ```text
//! s W(P + j) - lambda(P) - g_j - (the r - 1 largest g before j) + cuts(P)
//! ```
//!
//! with `g_l = lambda_l - p_l`, `p_l` being [`pending`]. A candidate is dropped if neither a
//! class that goes on with it, nor one that goes on with a later one and holds it, can be cheap enough.

use super::{Certificate, Refusal, WidthKind, Widths, low::Low, pending::pending};

/// A record that may join.
#[derive(Clone, Copy)]
struct Candidate {
    record: u32,
    /// W of what is chosen with it.
    width: f64,
    /// g, at least.
    gain: f64,
}

/// What is chosen.
#[derive(Clone, Default)]
struct Chosen {
    records: Vec<u32>,
    duals: f64,
    mass: f64,
    cuts: f64,
}

pub(super) struct Penalties<'a> {
    widths: &'a Widths,
    colours: &'a [u32],
    certificate: &'a Certificate,
    /// Whether c >= 2 labels cost c instead of c - 1.
    binary: bool,
    cuts_of: Vec<Vec<u32>>,
    /// Per cut: how many of the chosen records are in it.
    inside: Vec<u32>,
    low: Low,
    budget: u64,
    nodes: u64,
}

impl<'a> Penalties<'a> {
    pub(super) fn new(
        widths: &'a Widths,
        colours: &'a [u32],
        certificate: &'a Certificate,
        binary: bool,
        budget: u64,
    ) -> Self {
        let mut cuts_of = vec![Vec::new(); colours.len()];
        for (index, cut) in (0..).zip(&certificate.cuts) {
            for &record in &cut.records {
                cuts_of[record as usize].push(index);
            }
        }
        let most = 2 * certificate.rule.least();
        let low = Low::new(8 * widths.attributes.len() + 2 * most + certificate.cuts.len() * most);
        let inside = vec![0; certificate.cuts.len()];
        Self { widths, colours, certificate, binary, cuts_of, inside, low, budget, nodes: 0 }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Proves that no class of `size` records is too cheap.
    pub(super) fn run(&mut self, size: usize) -> Result<(), Refusal> {
        let records = self.colours.len() as u32;
        for first in 0..records {
            let chosen = self.choose(&Chosen::default(), first);
            let later: Vec<u32> = (first + 1..records).collect();
            let found = self.visit(&chosen, &later, size);
            self.withdraw(first);
            found?;
        }
        Ok(())
    }

    fn visit(&mut self, chosen: &Chosen, records: &[u32], size: usize) -> Result<(), Refusal> {
        self.nodes += 1;
        if self.nodes > self.budget {
            return Err(Refusal::Budget(self.budget));
        }
        let open = size - chosen.records.len();
        let differs = |record: &&u32| {
            let own = self.colours[**record as usize];
            chosen.records.iter().all(|&other| self.colours[other as usize] != own)
        };
        let mut candidates: Vec<Candidate> = (records.iter().filter(differs))
            .map(|&record| Candidate {
                record,
                width: self.width(&chosen.records, record),
                gain: self.gain(record, open),
            })
            .collect();
        candidates.sort_unstable_by(|a, b| a.width.total_cmp(&b.width).then(a.record.cmp(&b.record)));
        let kept = self.filter(chosen, candidates, size, open);
        if open == 1 {
            // Whoever is kept makes a class that may be too cheap.
            let Some(last) = kept.first() else { return Ok(()) };
            let mut class = chosen.records.clone();
            class.push(last.record);
            class.sort_unstable();
            let reduced_cost = self.cost(chosen, last.width, (last.gain, last.gain.abs()), size);
            return Err(Refusal::Negative { class, reduced_cost, tolerance: self.certificate.tolerance });
        }
        for (at, candidate) in kept.iter().enumerate().skip(open - 1) {
            let before: Vec<u32> = kept[..at].iter().map(|c| c.record).collect();
            let next = self.choose(chosen, candidate.record);
            let found = self.visit(&next, &before, size);
            self.withdraw(candidate.record);
            found?;
        }
        Ok(())
    }

    /// Drops candidates again and again until all that are left may be in a cheap class.
    fn filter(
        &self,
        chosen: &Chosen,
        mut candidates: Vec<Candidate>,
        size: usize,
        open: usize,
    ) -> Vec<Candidate> {
        loop {
            let before = candidates.len();
            if before < open {
                return Vec::new();
            }
            let costs = self.costs(chosen, &candidates, size, open);
            let mut later = f64::INFINITY;
            let mut keep = vec![false; before];
            for at in (0..before).rev() {
                let (own, shared) = costs[at];
                let gain = candidates[at].gain;
                let held = if later == f64::INFINITY {
                    later
                } else {
                    self.low.of(later - gain, later.abs() + gain.abs())
                };
                // What is no number is kept, so that it is refused in the end.
                let cheap = |cost: f64| cost.is_nan() || cost < -self.certificate.tolerance;
                keep[at] = cheap(own) || cheap(held);
                later = if shared.is_nan() { f64::NEG_INFINITY } else { later.min(shared) };
            }
            let mut kept = keep.into_iter();
            candidates.retain(|_| kept.next().unwrap_or(true));
            if candidates.len() == before {
                return candidates;
            }
        }
    }

    /// For each candidate the least that a class costs which goes on with it; and the same with a place left among the
    /// others, whose gain is not counted.
    fn costs(&self, chosen: &Chosen, candidates: &[Candidate], size: usize, open: usize) -> Vec<(f64, f64)> {
        let mut largest: Vec<f64> = Vec::with_capacity(open);
        let mut costs = Vec::with_capacity(candidates.len());
        for c in candidates {
            let cost = |others: usize| {
                let few = &largest[..others];
                let gains = c.gain + few.iter().sum::<f64>();
                let mass = c.gain.abs() + few.iter().map(|gain| gain.abs()).sum::<f64>();
                self.cost(chosen, c.width, (gains, mass), size)
            };
            costs.push(match (largest.len() + 1 >= open, open) {
                (false, _) => (f64::INFINITY, f64::INFINITY),
                (true, 1) => (cost(0), f64::INFINITY),
                (true, _) => (cost(open - 1), cost(open - 2)),
            });
            let place = largest.partition_point(|gain| *gain >= c.gain);
            largest.insert(place, c.gain);
            largest.truncate(open - 1);
        }
        costs
    }

    /// At most the reduced cost of classes of a width; `gains` are their sum and that of their absolute values.
    fn cost(&self, chosen: &Chosen, width: f64, gains: (f64, f64), size: usize) -> f64 {
        let penalty = size as f64 * width;
        let value = penalty - chosen.duals - gains.0 + chosen.cuts;
        self.low.of(value, penalty + chosen.mass + gains.1 + chosen.cuts)
    }

    /// W of some records and one more.
    fn width(&self, chosen: &[u32], record: u32) -> f64 {
        let mut sum = 0.0;
        for attribute in &self.widths.attributes {
            let value = |record: u32| attribute.values[record as usize];
            let own = value(record);
            let ends = || {
                let all = chosen.iter().map(|&other| value(other));
                all.fold((own, own), |(low, high), x| (low.min(x), high.max(x)))
            };
            let width = match &attribute.kind {
                WidthKind::Number => {
                    let (low, high) = ends();
                    high - low
                }
                WidthKind::Leaves(joins) => {
                    let (low, high) = ends();
                    joins[low as usize..high as usize].iter().copied().fold(0.0, f64::max)
                }
                WidthKind::Labels(levels) => {
                    let new =
                        |at: &usize| chosen[..*at].iter().all(|&other| value(other) != value(chosen[*at]));
                    let others = (0..chosen.len()).filter(new).count();
                    let count = others + usize::from(chosen.iter().all(|&other| value(other) != own));
                    let counted = if self.binary && count > 1 { count } else { count - 1 };
                    counted as f64 / f64::from(*levels)
                }
            };
            sum += attribute.weight * width;
        }
        sum
    }

    /// g, at least: a larger one makes classes cheaper.
    fn gain(&self, record: u32, open: usize) -> f64 {
        let pending = pending(self.certificate, &self.cuts_of[record as usize], &self.inside, open);
        let dual = self.certificate.duals[record as usize];
        -self.low.of(pending - dual, pending + dual.abs())
    }

    fn choose(&mut self, chosen: &Chosen, record: u32) -> Chosen {
        let mut next = chosen.clone();
        next.records.push(record);
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
