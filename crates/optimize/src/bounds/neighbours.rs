//! The neighbour bound: what a record costs beside its nearest partners alone.
//!
//! Squared errors: a class C of q records loses sum |a - b|^2 / 2q over its ordered pairs, so at least N(q - 1) / 2q for each of its
//! records, N(r) being the sum of the r least squared distances from it to records that may share its class. N(q - 1) / q does
//! not fall when q grows. Penalty: a class loses its width for each of its records, and is as wide as each two of them; of the
//! q - 1 others one is at least as far away as the nearest but q - 2. So the least size bounds all classes of a record.

use std::sync::Arc;

use lookalike_model::{
    instance::Instance,
    job::{Bound, BoundOf, Job},
    loss::{Loss, Ncp, Sse},
    neighbours::PointTree,
    proof::Duals,
    rule::Rule,
    settings::Loss as LossName,
};
use rayon::prelude::*;

use super::{
    ProvenByDuals,
    counterfeits::{Choices, best_price},
    kinds::{Kind, Kinds},
    nearest::Partners,
};
use crate::Error;

/// What is left of a sum after all that rounding may have added to it.
const ROUNDING: f64 = 1e-9;

/// Kinds that are looked at before the host can listen to its user again.
const BATCH: usize = 4096;

/// Coordinates that are looked at for a kind, about: what is farther away than all that was left out counts as no farther.
const WORK: usize = 50_000;

/// Points that are looked at in any number of attributes.
const FEWEST: usize = 256;

/// A neighbour bound in the making. What has not been looked at counts as nothing, so that it is a bound at any moment.
pub struct NeighbourBound<L: Loss> {
    instance: Arc<Instance>,
    loss: L,
    rule: Rule,
    kinds: Kinds,
    tree: PointTree,
    /// Kinds that have been looked at.
    looked: usize,
    /// The bound so far, where there are no counterfeits.
    value: f64,
    /// The duals of the kinds that have been looked at, where there are no counterfeits.
    duals: Vec<f64>,
    /// What the kinds cost that have been looked at, where there are.
    choices: Vec<Choices>,
    /// Counterfeits that a class has at the most.
    counterfeits: usize,
    /// What partners beside the records are no nearer than, by points; empty if there are none.
    borders: Vec<f64>,
}

impl<L: Loss> NeighbourBound<L> {
    /// Sorts the records. O(n log n).
    #[must_use]
    pub fn new(instance: &Arc<Instance>, loss: L, rule: &Rule) -> Self {
        let kinds = Kinds::new(instance, rule);
        let tree = PointTree::new(instance, &loss, &kinds.heads);
        let counterfeits = counterfeits_in_a_class(instance, rule);
        let (instance, rule, choices) = (Arc::clone(instance), rule.clone(), Vec::new());
        Self {
            instance,
            loss,
            rule,
            kinds,
            tree,
            looked: 0,
            value: 0.0,
            duals: Vec::new(),
            choices,
            counterfeits,
            borders: Vec::new(),
        }
    }

    /// The same where partners may be records that are not here, each at least so far from every one that is.
    fn beside(mut self, borders: &[f64]) -> Self {
        let points = &self.kinds.points;
        let of = |&i: &u32| borders.get(i as usize).copied().unwrap_or(0.0);
        let least = |point| points.members(point).iter().map(of).fold(f64::INFINITY, f64::min);
        self.borders = (0..points.len()).map(least).collect();
        self
    }

    /// Part of it that is done.
    #[must_use]
    pub fn fraction(&self) -> f64 {
        self.looked as f64 / self.kinds.all.len().max(1) as f64
    }

    /// Looks at some thousand records; true when there are no more.
    pub fn advance(&mut self) -> bool {
        let to = (self.looked + BATCH).min(self.kinds.all.len());
        let found: Vec<Choices> =
            self.kinds.all[self.looked..to].par_iter().map(|&kind| self.choices(kind)).collect();
        self.looked = to;
        if self.counterfeits > 0 {
            self.choices.extend(found);
        } else {
            // In the order of the kinds, whatever computed them.
            self.duals.extend(found.iter().map(|of| of.dual(0.0)));
            self.value += found.iter().map(|of| of.records * of.dual(0.0)).sum::<f64>() * (1.0 - ROUNDING);
        }
        self.looked == self.kinds.all.len()
    }

    /// The bound so far; 0 if nothing is known.
    #[must_use]
    pub fn value(&self) -> f64 {
        let mut value = self.value;
        if self.counterfeits > 0 {
            let counterfeits = (self.instance.records() - self.instance.reals) as f64;
            let mu = best_price(&self.choices, counterfeits);
            let records: f64 = self.choices.iter().map(|of| of.records * of.dual(mu)).sum();
            let price = mu * counterfeits;
            value = records - price - ROUNDING * (records + price);
        }
        if value.is_finite() { value.max(0.0) } else { 0.0 }
    }

    /// The bound as an answer has it; `None` if nothing is known.
    #[must_use]
    pub fn bound(&self) -> Option<Bound> {
        let value = self.value();
        let others = self.rule.min_size - 1;
        let proven_by = ProvenByDuals::Nearest { others, different: self.rule.distinct() }.into();
        (value > 0.0).then_some(Bound { value, proven_by, of: BoundOf::WholeProblem })
    }

    /// The duals behind the bound, where a certificate can carry them: no class has counterfeits, and none keeps a signature.
    #[must_use]
    pub fn duals(&self) -> Option<Duals> {
        let carried = self.counterfeits == 0 && self.instance.series.is_none() && self.value() > 0.0;
        carried.then(|| self.kinds.by_record(&self.instance, &self.duals))
    }

    /// What a record of this kind costs at the least by the number of real records in its class.
    fn choices(&self, kind: Kind) -> Choices {
        let signature = self.instance.signature(self.instance.bound(kind.head));
        let size = signature.map_or(self.rule.min_size, <[u32]>::len);
        let mut partners = Partners::new(&self.kinds, kind, signature, size - 1);
        let most = most_points(&self.instance);
        let left_out = self.tree.search_some(&self.instance, &self.loss, kind.head, &mut partners, most);
        let border = self.borders.get(kind.point as usize).copied().unwrap_or(f64::INFINITY);
        let distances = partners.distances(left_out.min(border));
        let fewest = size.saturating_sub(self.counterfeits).max(self.rule.min_real);
        // A record that has not so many partners is in no such class.
        let most = size.min(distances.len() + 1);
        let costs = (fewest.min(most)..=most).map(|reals| (reals as f64, self.least(&distances, reals)));
        Choices { records: kind.records as f64, costs: costs.collect(), size: size as f64 }
    }

    /// What a record with these distances to its nearest partners costs at the least in a class of so many real records.
    fn least(&self, distances: &[f64], reals: usize) -> f64 {
        match self.loss.name() {
            _ if reals < 2 => 0.0,
            LossName::Sse => distances[..reals - 1].iter().sum::<f64>() / (2 * reals) as f64,
            LossName::Ncp | LossName::NcpBinary => distances[reals - 2],
        }
    }
}

/// Points that are looked at for the nearest partners of a record at the most.
pub(super) fn most_points(instance: &Instance) -> usize {
    (WORK / instance.dims).max(FEWEST)
}

/// Counterfeits that a class has at the most: one of each colour, where colours must differ.
fn counterfeits_in_a_class(instance: &Instance, rule: &Rule) -> usize {
    let mut colours: Vec<u32> = instance.colours[instance.reals..].to_vec();
    if rule.distinct() {
        colours.sort_unstable();
        colours.dedup();
    }
    colours.len()
}

/// The neighbour bound of a job.
///
/// # Errors
/// [`Error::Model`] for an inconsistent job.
pub fn neighbour_bound(job: &Job) -> Result<Option<Bound>, Error> {
    bound_of(job, None)
}

/// What the records of a job lose at least in any classes of a larger problem of which they are a part: of each the distance to any
/// record beside them is at least its border (docs/bounds.md, theorem 7). Bounds of parts add up to one of the whole.
///
/// # Errors
/// [`Error::Model`] for an inconsistent job.
pub fn neighbour_bound_of_part(job: &Job, borders: &[f64]) -> Result<Option<Bound>, Error> {
    bound_of(job, Some(borders))
}

fn bound_of(job: &Job, borders: Option<&[f64]>) -> Result<Option<Bound>, Error> {
    fn all<L: Loss>(job: &Job, loss: L, borders: Option<&[f64]>) -> Result<Option<Bound>, Error> {
        let mut bound = NeighbourBound::new(&Arc::new(Instance::from_job(job)?), loss, &job.rule);
        if let Some(borders) = borders {
            bound = bound.beside(borders);
        }
        while !bound.advance() {}
        Ok(bound.bound())
    }
    match job.loss {
        LossName::Sse => all(job, Sse, borders),
        LossName::Ncp => all(job, Ncp { binary: false }, borders),
        LossName::NcpBinary => all(job, Ncp { binary: true }, borders),
    }
}
