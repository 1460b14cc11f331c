//! What a class in the making costs, and what more records add to it at the least: one way a loss.
//!
//! A class C of q records has the reduced cost w(C) - lambda(C). Of such a class S is known, t records; each of the q - t others, j, adds
//! no less than its *key*, so that
//!
//! > w(C) - lambda(C)  >=  base(S) + the sum of the keys of the others.
//!
//! Squared errors: w(C) is the sum of all squared distances of pairs over q. base has the pairs within S; key has those between j and
//! S, and half of those between j and its q - t - 1 nearest partners, all over q, less lambda. Penalty: every record of C loses
//! the width of C, which is no less than that of S with j, and no less than the distance of j to its (q - 1)-th nearest partner.

use lookalike_model::{
    instance::{Instance, LANE, Lane, fold},
    loss::{Loss, Ncp, Sse},
};

use super::{candidates::Candidate, prices::Prices};

/// A loss that pricing can add records to.
pub(crate) trait Measure: Loss {
    /// What it keeps of a class in the making.
    type Partial: Clone + Default + Send;

    /// Whether a class loses its width for each record.
    const WIDE: bool;

    /// What a look costs beside one under squared errors, measured: ends of ranges are kept beside sums.
    const PRICE: f64;

    /// A class of one record.
    fn begin(&self, instance: &Instance, record: u32) -> Self::Partial;

    /// The class with one more record, whose reach is known.
    fn with(&self, instance: &Instance, partial: &Self::Partial, record: u32, reach: f64) -> Self::Partial;

    /// How far a record is from the class: the sum of its distances, or the width of both. `before` is the same without the
    /// record that joined last.
    fn reach(&self, instance: &Instance, partial: &Self::Partial, last: u32, before: f64, record: u32)
    -> f64;

    /// What the class of q costs that consists of this and a last record within this reach, lambda left out.
    fn whole(&self, partial: &Self::Partial, reach: f64, q: usize) -> f64;

    /// What pricing keeps of the distances of a record to its nearest partners, ascending: the *near* of the others.
    fn near(&self, distances: &mut [f64]);

    /// What the records of the class cost at the least if it has q records in the end; `near` is of each of them.
    fn base<'a>(&self, partial: &Self::Partial, near: impl Iterator<Item = &'a [f64]>, q: usize) -> f64;

    /// What a record adds at the least to t records of a class of q in the end, lambda left out.
    fn key(&self, reach: f64, near: &[f64], t: usize, q: usize) -> f64;

    /// The part of a key beside one record that does not depend on that record.
    fn own(&self, near: &[f64], q: usize) -> f64;

    /// Bounds the reduced costs of the classes of q with each of these, t records being known with the sum lambda of their duals.
    fn bounds(&self, _list: &mut [Candidate], _prices: &Prices, _lambda: f64, (_t, _q): (usize, usize)) {}

    /// A share of what a class of these records costs for one of them, by which duals begin.
    fn share(&self, instance: &Instance, class: &[u32], cost: f64, record: u32) -> f64;

    /// A lower bound on the keys beside one record of others that are no nearer to it than `distance`, `dearest` being
    /// their largest lambda less own part.
    fn node(&self, distance: f64, dearest: f64, q: usize) -> f64;
}

impl Measure for Sse {
    /// The sum of the squared distances of all pairs.
    type Partial = f64;
    const WIDE: bool = false;
    const PRICE: f64 = 1.0;

    fn begin(&self, _: &Instance, _: u32) -> f64 {
        0.0
    }

    fn with(&self, _: &Instance, pairs: &f64, _: u32, reach: f64) -> f64 {
        pairs + reach
    }

    fn reach(&self, instance: &Instance, _: &f64, last: u32, before: f64, record: u32) -> f64 {
        before + self.distance(instance, last, record)
    }

    fn whole(&self, pairs: &f64, reach: f64, q: usize) -> f64 {
        (pairs + reach) / q as f64
    }

    /// Sums of the nearest.
    fn near(&self, distances: &mut [f64]) {
        let mut sum = 0.0;
        for distance in distances {
            sum += *distance;
            *distance = sum;
        }
    }

    fn base<'a>(&self, pairs: &f64, _: impl Iterator<Item = &'a [f64]>, q: usize) -> f64 {
        pairs / q as f64
    }

    fn key(&self, reach: f64, near: &[f64], t: usize, q: usize) -> f64 {
        let others = if t + 1 < q { near[q - t - 2] } else { 0.0 };
        (reach + others / 2.0) / q as f64
    }

    fn own(&self, near: &[f64], q: usize) -> f64 {
        self.key(0.0, near, 1, q)
    }

    fn node(&self, distance: f64, dearest: f64, q: usize) -> f64 {
        distance / q as f64 - dearest
    }

    /// Half of its own squared distance from the centroid and half of the mean of all: half the mean of its distances.
    fn share(&self, instance: &Instance, class: &[u32], _: f64, record: u32) -> f64 {
        let q = class.len() as f64;
        let apart: f64 = class.iter().map(|&other| self.distance(instance, record, other)).sum();
        apart / q / 2.0
    }
}

/// Whether no member has the record's value of a category.
fn is_new(instance: &Instance, extent: &Extent, category: usize, record: u32) -> bool {
    let code = |i: u32| instance.codes_of(i)[category];
    extent.members.iter().all(|&member| code(member) != code(record))
}

/// The box of a class.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extent {
    low: Vec<Lane>,
    high: Vec<Lane>,
    members: Vec<u32>,
    /// How many values the members have of each category.
    distinct: Vec<usize>,
    width: f64,
}

impl Measure for Ncp {
    type Partial = Extent;
    const WIDE: bool = true;
    const PRICE: f64 = 2.5;

    fn begin(&self, instance: &Instance, record: u32) -> Extent {
        let point = instance.point(record).to_vec();
        let distinct = vec![1; instance.categories.len()];
        Extent { low: point.clone(), high: point, members: vec![record], distinct, width: 0.0 }
    }

    fn with(&self, instance: &Instance, extent: &Extent, record: u32, reach: f64) -> Extent {
        let mut next = extent.clone();
        let ends = next.low.iter_mut().flatten().zip(next.high.iter_mut().flatten());
        for ((low, high), x) in ends.zip(instance.point(record).iter().flatten()) {
            (*low, *high) = (low.min(*x), high.max(*x));
        }
        for (c, distinct) in next.distinct.iter_mut().enumerate() {
            *distinct += usize::from(is_new(instance, extent, c, record));
        }
        next.members.push(record);
        next.width = reach;
        next
    }

    fn reach(&self, instance: &Instance, extent: &Extent, _: u32, _: f64, record: u32) -> f64 {
        let mut sum = [0.0; LANE];
        let ends = extent.low.iter().zip(&extent.high);
        for ((low, high), x) in ends.zip(instance.point(record)) {
            for l in 0..LANE {
                sum[l] += high[l].max(x[l]) - low[l].min(x[l]);
            }
        }
        let mut width = fold(sum);
        let ends = |axis: usize| {
            let ((lane, l), x) = (instance.layout.slot(axis), instance.coordinate(record, axis));
            (extent.low[lane][l].min(x), extent.high[lane][l].max(x))
        };
        for (c, category) in instance.categories.iter().enumerate() {
            let (low, high) = ends(category.axis);
            let distinct = extent.distinct[c] + usize::from(is_new(instance, extent, c, record));
            width += category.step * self.further(distinct) - (high - low);
        }
        for hierarchy in &instance.hierarchies {
            let (low, high) = ends(hierarchy.axis);
            width += hierarchy.penalty(low, high) - (high - low);
        }
        // Rounding must not let a class grow narrower.
        width.max(extent.width)
    }

    fn whole(&self, _: &Extent, reach: f64, q: usize) -> f64 {
        q as f64 * reach
    }

    fn near(&self, _: &mut [f64]) {}

    fn base<'a>(&self, extent: &Extent, near: impl Iterator<Item = &'a [f64]>, q: usize) -> f64 {
        near.map(|near| extent.width.max(near[q - 2])).sum()
    }

    fn key(&self, reach: f64, near: &[f64], _: usize, q: usize) -> f64 {
        reach.max(near[q - 2])
    }

    fn own(&self, _: &[f64], _: usize) -> f64 {
        0.0
    }

    fn node(&self, distance: f64, dearest: f64, _: usize) -> f64 {
        distance - dearest
    }

    fn share(&self, _: &Instance, class: &[u32], cost: f64, _: u32) -> f64 {
        cost / class.len() as f64
    }

    /// A class is as wide as it reaches: those that reach no farther than one of its records share out the largest lambda.
    fn bounds(&self, list: &mut [Candidate], prices: &Prices, lambda: f64, (t, q): (usize, usize)) {
        list.sort_unstable_by(|a, b| a.reach.total_cmp(&b.reach).then(a.kind.cmp(&b.kind)));
        let others = q - t - 1;
        // The largest lambda so far, descending.
        let (mut largest, mut sum): (Vec<f64>, f64) = (Vec::with_capacity(others + 1), 0.0);
        for (at, c) in list.iter_mut().enumerate() {
            let dual = prices.dual(c.kind);
            let place = largest.partition_point(|&l| l >= dual);
            if place < others {
                largest.insert(place, dual);
                largest.truncate(others);
                sum = largest.iter().sum();
            }
            // The class that reaches no farther than this one.
            c.bound = if at < others { f64::INFINITY } else { q as f64 * c.reach - lambda - sum };
        }
        // Some record of a class is the farthest, and none is nearer than the one at hand.
        let mut least = f64::INFINITY;
        for c in list.iter_mut().rev() {
            least = least.min(c.bound);
            c.bound = least - prices.dual(c.kind);
        }
    }
}
