//! The problem as column generation sees it: types instead of records, sizes that can occur, distances.
//!
//! Records that no class can tell apart (same point, same colour) form one *type*, so that the master needs one row a
//! type, with the number of records on its right-hand side. Averaging the duals of such records over their permutations
//! keeps a feasible dual feasible and its value, so nothing is lost. When colours must differ, a class holds at most one
//! record of a type. Without colours it may hold several, and stands for a list of types in which some repeat.

use std::{cmp::Ordering, sync::Arc};

use lookalike_model::{instance::Instance, partition::Partition, rule::Rule};
use rayon::prelude::*;

use super::{
    ExactFault,
    loss::{Measure, Priceable},
    params,
};
use crate::Error;

/// Most types that a table of distances is kept of: 6000 squared numbers are 288 MB. Of more, distances are computed when
/// they are asked for.
const MOST_IN_TABLE: usize = 6000;

/// Mean number of records of a type above which a table is of mostly equal ones.
const MEAN_OF_MOSTLY_EQUAL: usize = 4;

/// Most types: pricings look at each pair of them, some hundred million pairs in a second.
const MOST_TYPES: usize = 20_000;

/// Sizes of the classes that are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Whether the colours of a class must differ.
    pub distinct: bool,
    /// Fewest members.
    pub min: usize,
    /// Most members.
    pub max: usize,
    /// Fewest real members, at least 1.
    pub real: usize,
}

/// The problem over types.
#[derive(Debug)]
pub struct Problem {
    /// The records.
    pub instance: Arc<Instance>,
    /// Whether the colours of a class must differ.
    pub distinct: bool,
    /// Fewest members of a class.
    pub min: usize,
    /// Most members of a class that some optimal partition needs.
    pub max: usize,
    /// Fewest real members of a class, at least 1; where it is more, the others are counterfeits.
    pub min_real: usize,
    /// Whether a bound over these sizes bounds all partitions. Not so with counterfeits unless all classes have the least
    /// size: a class with one real record cannot be split.
    pub bounded: bool,
    /// The records of each type, ascending.
    pub records: Vec<Vec<u32>>,
    /// Type of each record.
    pub type_of: Vec<u32>,
    /// Colour of each type; its own number where colours play no part.
    pub colours: Vec<u32>,
    /// Whether a type has a point; the other types are counterfeits.
    pub real: Vec<bool>,
    /// How it is priced.
    pub(super) params: params::Pricers,
    /// What the loss says.
    measure: Arc<dyn Measure>,
    /// Nearest types of each type, itself first, as rows of `nearest_width`.
    nearest: Vec<u32>,
    nearest_width: usize,
    /// Distances, row by row, if there is a table of them.
    distances: Option<Vec<f64>>,
    /// `near[t * max + q]`: sum of the distances from a record of type t to the q nearest others that could share a
    /// class with it, their colours differing.
    near: Vec<f64>,
}

/// The distances from a type to the others.
#[derive(Clone, Copy)]
pub enum Row<'a> {
    /// They are in the table.
    Known(&'a [f64]),
    /// They are computed.
    Computed(&'a Problem, u32),
}

impl Row<'_> {
    /// The distance to `u`, squared under SSE; 0 where a counterfeit takes part.
    #[inline]
    #[must_use]
    pub fn to(self, u: u32) -> f64 {
        match self {
            Self::Known(row) => row[u as usize],
            Self::Computed(problem, t) => problem.computed(t, u),
        }
    }
}

impl Problem {
    /// Builds types, distances and neighbours: O(T^2 (d + log T)) for T types.
    ///
    /// # Errors
    /// [`Error::Exact`] for more than 20,000 types.
    pub fn new<L: Priceable>(instance: &Arc<Instance>, loss: &L, rule: &Rule) -> Result<Self, Error> {
        Self::with_params(instance, loss, rule, &params::Pricers::default())
    }

    /// The same, to be priced with these parameters.
    ///
    /// # Errors
    /// As [`Problem::new`].
    pub fn with_params<L: Priceable>(
        instance: &Arc<Instance>,
        loss: &L,
        rule: &Rule,
        params: &params::Pricers,
    ) -> Result<Self, Error> {
        Self::part(instance, loss, types(instance, true), sizes(instance, rule), params)
    }

    /// The problem with every record a type of its own, as the papers have it.
    ///
    /// # Errors
    /// As [`Problem::new`].
    pub fn unmerged(instance: &Arc<Instance>, loss: &impl Priceable, rule: &Rule) -> Result<Self, Error> {
        let params = params::Pricers::default();
        Self::part(instance, loss, types(instance, false), sizes(instance, rule), &params)
    }

    /// The problem of some of the records, with classes of these sizes.
    ///
    /// # Errors
    /// As [`Problem::new`].
    pub(super) fn part<L: Priceable>(
        instance: &Arc<Instance>,
        loss: &L,
        records: Vec<Vec<u32>>,
        sizes: Sizes,
        params: &params::Pricers,
    ) -> Result<Self, Error> {
        let n = instance.records();
        let Sizes { distinct, min, max, real: min_real } = sizes;
        if records.len() > MOST_TYPES {
            return Err(ExactFault::TooManyRecords { records: records.len(), most: MOST_TYPES }.into());
        }
        let mut type_of = vec![0; n];
        for (t, list) in records.iter().enumerate() {
            for &i in list {
                type_of[i as usize] = t as u32;
            }
        }
        let head = |t: usize| records[t][0];
        let colours = (0..records.len())
            .map(|t| if distinct { instance.colours[head(t) as usize] } else { t as u32 })
            .collect();
        let real = (0..records.len()).map(|t| instance.is_real(head(t))).collect();
        let mut problem = Self {
            instance: Arc::clone(instance),
            distinct,
            min,
            max,
            min_real,
            bounded: instance.reals == n || distinct && max == min,
            type_of,
            colours,
            real,
            measure: loss.measure(instance, &records),
            nearest: Vec::new(),
            nearest_width: params.nearest.min(records.len()),
            params: params.clone(),
            distances: None,
            near: Vec::new(),
            records,
        };
        problem.fill();
        Ok(problem)
    }

    /// Fills the table of distances, if there is to be one, and what is read from it.
    fn fill(&mut self) {
        let (count, max, width) = (self.types(), self.max, self.nearest_width);
        let mut near = vec![0.0; count * max];
        let mut nearest = vec![0; count * width];
        let this = &*self;
        let counterfeit = this.real.iter().any(|r| !r);
        let rows = near.par_chunks_mut(max).zip(nearest.par_chunks_mut(width)).enumerate();
        let distances = if count <= MOST_IN_TABLE {
            let mut table = vec![0.0; count * count];
            table.par_chunks_mut(count).zip(rows).for_each(|(row, (t, (near, nearest)))| {
                this.fill_row(t as u32, row, near, nearest, counterfeit);
            });
            Some(table)
        } else {
            rows.for_each_init(
                || vec![0.0; count],
                |row, (t, (near, nearest))| this.fill_row(t as u32, row, near, nearest, counterfeit),
            );
            None
        };
        self.distances = distances;
        self.near = near;
        self.nearest = nearest;
    }

    /// Fills what is known of one type.
    fn fill_row(&self, t: u32, row: &mut [f64], near: &mut [f64], nearest: &mut [u32], counterfeit: bool) {
        let (count, max, width) = (self.types(), self.max, self.nearest_width);
        for (u, x) in row.iter_mut().enumerate() {
            *x = self.computed(t, u as u32);
        }
        let mut order: Vec<u32> = (0..count as u32).collect();
        let nearer = |&a: &u32, &b: &u32| {
            // Itself first; then near ones; counterfeits last, since they are near to nobody.
            let key = |u: u32| (u != t, !self.real[u as usize]);
            key(a).cmp(&key(b)).then(row[a as usize].total_cmp(&row[b as usize])).then(a.cmp(&b))
        };
        // Sorting all would take most of the time, and the first few are nearly always enough.
        let first = width.max(self.params.sorted * max).min(count);
        if first < count {
            order.select_nth_unstable_by(first, nearer);
        }
        order[..first].sort_unstable_by(nearer);
        nearest.copy_from_slice(&order[..width]);
        if counterfeit {
            return;
        }
        // The record itself is one of its type, and has its colour.
        let mut colours = if self.distinct { vec![self.colours[t as usize]] } else { Vec::new() };
        let (mut known, mut sum) = (1, 0.0);
        for at in 0..count {
            if known == max {
                break;
            }
            if at == first {
                order[first..].sort_unstable_by(nearer);
            }
            let u = order[at];
            let colour = self.colours[u as usize];
            if self.distinct && colours.contains(&colour) {
                continue;
            }
            if self.distinct {
                colours.push(colour);
            }
            let others = self.copies(u) - usize::from(u == t);
            for place in near.iter_mut().take(max.min(known + others)).skip(known) {
                sum += row[u as usize];
                *place = sum;
            }
            known = max.min(known + others);
        }
        // With too few others nothing larger can be formed; the largest sum known stays a valid bound.
        near[known..].fill(sum);
    }

    /// Number of types.
    #[must_use]
    pub fn types(&self) -> usize {
        self.records.len()
    }

    /// Number of records of a type.
    #[must_use]
    pub fn multiplicity(&self, t: usize) -> usize {
        self.records[t].len()
    }

    /// Point of a type.
    #[must_use]
    pub fn point(&self, t: usize) -> &[lookalike_model::instance::Lane] {
        self.instance.point(self.records[t][0])
    }

    /// Distances from type `t` to the others.
    #[inline]
    #[must_use]
    pub fn distances(&self, t: u32) -> Row<'_> {
        let count = self.types();
        match &self.distances {
            Some(table) => Row::Known(&table[t as usize * count..(t as usize + 1) * count]),
            None => Row::Computed(self, t),
        }
    }

    /// The distance between two types.
    fn computed(&self, t: u32, u: u32) -> f64 {
        let real = self.real[t as usize] && self.real[u as usize];
        if real { self.measure.distance(self, t, u) } else { 0.0 }
    }

    /// Nearest types of `t`, itself first.
    #[must_use]
    pub fn nearest(&self, t: u32) -> &[u32] {
        &self.nearest[t as usize * self.nearest_width..(t as usize + 1) * self.nearest_width]
    }

    /// Sum of the distances from a record of `t` to the `q` nearest others that could share a class with it.
    #[inline]
    #[must_use]
    pub fn near(&self, t: u32, q: usize) -> f64 {
        self.near[t as usize * self.max + q.min(self.max - 1)]
    }

    /// Duals that are feasible since no class of a record has nearer partners than its nearest, one a type; `None` where there is
    /// no such theorem: for counterfeits, and in a series.
    pub(super) fn neighbour_duals(&self) -> Option<Vec<f64>> {
        let whole = self.bounded && self.instance.series.is_none() && self.real.iter().all(|&real| real);
        let dual = |near: &[f64]| self.measure.neighbour_dual(&near[..self.min]);
        whole.then(|| self.near.chunks_exact(self.max).map(dual).collect())
    }

    /// Loss of a class of types, ascending.
    #[must_use]
    pub fn cost(&self, members: &[u32]) -> f64 {
        self.measure.cost(self, members)
    }

    /// Sizes of the classes that are looked for.
    pub(super) fn sizes(&self) -> Sizes {
        Sizes { distinct: self.distinct, min: self.min, max: self.max, real: self.min_real }
    }

    /// What the loss says.
    pub(super) fn measure(&self) -> &dyn Measure {
        &*self.measure
    }

    /// Whether classes may repeat a type, and there are many records of each.
    pub(super) fn is_mostly_equal(&self) -> bool {
        !self.distinct && self.instance.records() > MEAN_OF_MOSTLY_EQUAL * self.types()
    }

    /// Most records of a type that a class may hold.
    #[must_use]
    pub fn copies(&self, t: u32) -> usize {
        if self.distinct { 1 } else { self.multiplicity(t as usize) }
    }

    /// Whether `t` may join a class.
    #[must_use]
    pub fn joins(&self, class: &[u32], t: u32) -> bool {
        if self.distinct {
            let colour = self.colours[t as usize];
            return class.iter().all(|&u| self.colours[u as usize] != colour);
        }
        class.iter().filter(|&&u| u == t).count() < self.multiplicity(t as usize)
    }

    /// Whether a class of types (ascending) is one that the search looks for.
    #[must_use]
    pub fn admits(&self, members: &[u32]) -> bool {
        let mut colours: Vec<u32> = members.iter().map(|&t| self.colours[t as usize]).collect();
        colours.sort_unstable();
        let kept = members.iter().map(|&t| self.instance.bound(self.records[t as usize][0]));
        if kept.max().is_some_and(|kept| kept > 0) {
            // Classes of old records have the size of their signature.
            let heads: Vec<u32> = members.iter().map(|&t| self.records[t as usize][0]).collect();
            return colours.windows(2).all(|w| w[0] != w[1])
                && lookalike_model::rule::signature::fault(&self.instance, &heads).is_none();
        }
        (self.min..=self.max).contains(&members.len())
            && (!self.distinct || colours.windows(2).all(|w| w[0] != w[1]))
            && members.chunk_by(|a, b| a == b).all(|same| same.len() <= self.copies(same[0]))
            && self.has_real(members)
    }

    /// Whether a class of types has enough real members.
    #[must_use]
    pub fn has_real(&self, members: &[u32]) -> bool {
        let real = members.iter().filter(|&&t| self.real[t as usize]);
        real.take(self.min_real).count() == self.min_real
    }

    /// Whether a class of `size` members, of which these are some, may hold no more counterfeits than it does.
    #[must_use]
    pub(super) fn is_full_of_counterfeits(&self, members: &[u32], size: usize) -> bool {
        let counterfeits = members.iter().filter(|&&t| !self.real[t as usize]).count();
        counterfeits + self.min_real >= size
    }

    /// The classes of a partition as types, each ascending; classes larger than the search looks for stay as they are.
    #[must_use]
    pub fn classes(&self, partition: &Partition) -> Vec<Vec<u32>> {
        let sorted = |class: Vec<u32>| {
            let mut types: Vec<u32> = class.into_iter().map(|i| self.type_of[i as usize]).collect();
            types.sort_unstable();
            types
        };
        partition.members().into_iter().map(sorted).collect()
    }

    /// The partition of the records for classes of types, `None` unless every record is used exactly once.
    #[must_use]
    pub fn partition(&self, classes: &[Vec<u32>]) -> Option<Partition> {
        let mut used = vec![0; self.types()];
        let mut labels = vec![0; self.instance.records()];
        for (label, class) in classes.iter().enumerate() {
            for &t in class {
                let record = *self.records[t as usize].get(used[t as usize])?;
                used[t as usize] += 1;
                labels[record as usize] = label as u32;
            }
        }
        let whole = used.iter().zip(&self.records).all(|(&u, list)| u == list.len());
        whole.then(|| Partition::from_labels(&labels))
    }
}

/// Records by type, ordered by their first record; all alone unless they are to be merged.
fn types(instance: &Instance, merged: bool) -> Vec<Vec<u32>> {
    let mut order: Vec<u32> = (0..instance.records() as u32).collect();
    if !merged {
        return order.into_iter().map(|i| vec![i]).collect();
    }
    let same = |a: u32, b: u32| -> Ordering {
        let xs = instance.point(a).iter().flatten().zip(instance.point(b).iter().flatten());
        let points = xs.map(|(x, y)| x.total_cmp(y)).find(|o| o.is_ne()).unwrap_or(Ordering::Equal);
        let colours = instance.colours[a as usize].cmp(&instance.colours[b as usize]);
        let kept = instance.bound(a).cmp(&instance.bound(b));
        instance.is_real(b).cmp(&instance.is_real(a)).then(colours).then(kept).then(points)
    };
    order.sort_by(|&a, &b| same(a, b).then(a.cmp(&b)));
    let mut types: Vec<Vec<u32>> = order.chunk_by(|&a, &b| same(a, b).is_eq()).map(<[u32]>::to_vec).collect();
    types.sort_by_key(|list| list[0]);
    types
}

/// The sizes that can occur in a partition worth looking for.
fn sizes(instance: &Instance, rule: &Rule) -> Sizes {
    Sizes { distinct: rule.distinct(), min: rule.min_size, max: largest(instance, rule), real: rule.min_real }
}

/// The largest class size that can occur in a partition worth looking for.
///
/// With different colours there are at least as many classes as records of the most frequent colour, and each other
/// class takes its least size. In particular all classes have the least size when that colour is as frequent as it
/// may be, which is so whenever counterfeits were added.
fn largest(instance: &Instance, rule: &Rule) -> usize {
    let (n, min) = (instance.records(), rule.min_size);
    let max = rule.max_size.min(n);
    if !rule.distinct() {
        return max;
    }
    let most = instance.colour_counts().into_iter().max().unwrap_or(1);
    max.min(n.saturating_sub((most - 1) * min)).max(min)
}
