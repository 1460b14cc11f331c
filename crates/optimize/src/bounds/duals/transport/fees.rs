//! What boxes charge for a value, and a step towards the best fees.
//!
//! With a soft minimum, the sum of what all records pay is a smooth concave function of fees and payments together. For given fees
//! the best payments are soft minima; for given payments the best fees of a box follow in closed form: the masses that would come to it
//! without fees are A(a), and those above a cap are brought down to it, the cap being the m-th part of what is left. Taking turns
//! raises the sum in every step; going a little farther, as here, is faster and nearly always does.

use rayon::prelude::*;

use super::{super::centres::Point, arcs::Arcs};

/// How far fees go towards the best: a little farther, since they follow each other.
const FARTHER: f64 = 1.5;

/// What is lighter by this factor (a logarithm) adds nothing.
const NOTHING: f64 = 40.0;

/// What came to a box: records, and the sum of their points.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Came {
    pub(super) records: f64,
    sum: Point,
}

impl Came {
    pub(super) fn add(&mut self, records: f64, point: &Point) {
        self.records += records;
        for (sum, x) in self.sum.iter_mut().zip(point) {
            *sum += records * x;
        }
    }

    /// Their middle; `None` of nothing.
    pub(super) fn middle(&self) -> Option<Point> {
        (self.records > 0.0).then(|| self.sum.map(|sum| sum / self.records))
    }
}

/// The fees of the boxes.
pub(super) struct Fees {
    colours: usize,
    m: usize,
    /// Of each colour in each box.
    all: Vec<f64>,
    /// What each box pays a record.
    back: Vec<f64>,
}

impl Fees {
    /// None yet, of one box.
    pub(super) fn new(colours: usize, m: usize) -> Self {
        Self { colours, m, all: vec![0.0; colours], back: vec![0.0] }
    }

    /// What a box charges for a colour, less what it pays.
    pub(super) fn fee(&self, leaf: usize, colour: u32) -> f64 {
        self.all[leaf * self.colours + colour as usize] - self.back[leaf]
    }

    /// The same by numbers.
    pub(super) fn of(&self, leaf: u32, colour: u32) -> f64 {
        self.fee(leaf as usize, colour)
    }

    /// A new box charges what this one does.
    pub(super) fn copy(&mut self, leaf: usize) {
        self.all.extend_from_within(leaf * self.colours..(leaf + 1) * self.colours);
        self.back.push(self.back[leaf]);
    }

    /// One step; what came to each of so many boxes before it.
    pub(super) fn step(
        &mut self,
        arcs: &Arcs,
        (colours, records, points): (&[u32], &[f64], &[Point]),
        softness: f64,
        boxes: usize,
    ) -> Vec<Came> {
        let (m, count) = (self.m, self.colours);
        let payments: Vec<f64> = (0..colours.len())
            .into_par_iter()
            .map(|kind| {
                let cost = |leaf: u32, price: f64| price + self.of(leaf, colours[kind]);
                soft_least(arcs.of(kind).iter().map(|arc| cost(arc.leaf, arc.price)), softness)
            })
            .collect();
        let logs: Vec<f64> = records.iter().map(|records| records.ln()).collect();
        let fees = &*self;
        let next: Vec<(Came, Vec<(u32, f64)>)> = (0..arcs.leaves())
            .into_par_iter()
            .map(|leaf| {
                let mut came = Came::default();
                let mut masses: Vec<(u32, f64)> = Vec::new();
                for run in arcs.to(leaf).chunk_by(|a, b| colours[a.0 as usize] == colours[b.0 as usize]) {
                    let colour = colours[run[0].0 as usize];
                    let weight = |&(kind, price): &(u32, f64)| {
                        (payments[kind as usize] - price) / softness + logs[kind as usize]
                    };
                    masses.push((colour, log_sum(run.iter().map(weight))));
                    let fee = fees.fee(leaf, colour) / softness;
                    for of in run {
                        let log = weight(of) - fee;
                        if log > -NOTHING {
                            came.add(log.exp(), &points[of.0 as usize]);
                        }
                    }
                }
                let cap = cap(&masses, m);
                let fee = |&(colour, mass): &(u32, f64)| (colour, (softness * (mass - cap)).max(0.0));
                (came, masses.iter().map(fee).collect())
            })
            .collect();
        let mut came = vec![Came::default(); boxes];
        for (leaf, (of_box, best)) in next.into_iter().enumerate() {
            came[leaf] = of_box;
            let own = &mut self.all[leaf * count..(leaf + 1) * count];
            let mut toward = vec![0.0; count];
            for (colour, fee) in best {
                toward[colour as usize] = fee;
            }
            for (fee, toward) in own.iter_mut().zip(toward) {
                *fee = (*fee + FARTHER * (toward - *fee)).max(0.0);
            }
            self.back[leaf] = own.iter().sum::<f64>() / m as f64;
        }
        came
    }
}

/// The soft minimum of some costs.
fn soft_least(costs: impl Iterator<Item = f64> + Clone, softness: f64) -> f64 {
    let least = costs.clone().fold(f64::INFINITY, f64::min);
    let sum: f64 =
        costs.map(|cost| (cost - least) / softness).filter(|x| *x < NOTHING).map(|x| (-x).exp()).sum();
    least - softness * sum.ln()
}

/// The logarithm of a sum by those of its parts.
fn log_sum(logs: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = logs.clone().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return most;
    }
    most + logs.map(|log| log - most).filter(|x| *x > -NOTHING).map(f64::exp).sum::<f64>().ln()
}

/// The logarithm of the cap on masses that are given by theirs: the m-th part of what is left once all above it are brought down to it;
/// infinite if none has to be.
fn cap(masses: &[(u32, f64)], m: usize) -> f64 {
    let mut logs: Vec<f64> = masses.iter().map(|of| of.1).collect();
    logs.sort_unstable_by(|a, b| b.total_cmp(a));
    // The sums of each and all smaller ones.
    let mut sums = logs.clone();
    for at in (1..sums.len()).rev() {
        sums[at - 1] = log_sum([sums[at - 1], sums[at]].into_iter());
    }
    let mut cap = f64::NEG_INFINITY;
    for above in 0..m.min(logs.len()) {
        cap = sums[above] - ((m - above) as f64).ln();
        if logs[above] <= cap {
            return if above == 0 { f64::INFINITY } else { cap };
        }
    }
    // Fewer values than m: nothing can stay. The rarest is the cap.
    logs.last().copied().unwrap_or(cap)
}
