//! Duals by a transport of all records to boxes of centres, where values must differ.
//!
//! Divide space into boxes B, and let each box charge a fee lambda(a, B) >= 0 for a record of value a and pay every record the m-th part
//! of all its fees. What the cheapest box costs a record,
//!
//! > u(i)  =  min over B of  sum over the axes of (x - low) (x - high)  +  lambda(a, B)  -  (1 / m) sum over the values b of lambda(b, B),
//!
//! is a feasible dual, whatever the fees (theorem 6 of docs/bounds.md): nothing has to be searched, no class be met. The best fees are the
//! duals of a transport in which no value has more than the m-th part of what comes to a box. It sees what neighbours do not: that a
//! scarce value has to come from afar. Fees are found by alternating maximization of the same with a soft minimum, as Sinkhorn does it
//! for a transport between two sides (Cuturi 2013), with ever smaller softness and ever more boxes where they are too wide.

mod arcs;
mod boxes;
mod fees;

#[cfg(test)]
mod tests;

use rayon::prelude::*;

use self::{
    arcs::Arcs,
    boxes::{Boxes, Found},
    fees::{Came, Fees},
};
use super::centres::{Flat, Point};

/// Boxes that it begins with.
const FIRST: usize = 64;

/// How many times as many boxes the next level has.
const GROWTH: f64 = 1.5;

/// Softness and steps of the first boxes, and of those of each further level; softness as a part of what a record loses on average.
const BEGINNING: &[(f64, usize)] = &[(1.5, 30), (0.5, 30), (0.15, 30)];
const LEVEL: &[(f64, usize)] = &[(0.15, 10), (0.09, 10)];

/// A level that has raised the bound by less than this part of it was the last.
const LITTLE: f64 = 0.003;

/// Memory: fees of so many values in boxes, and so many kinds of records, with their arcs.
const FEES: usize = 20_000_000;
const KINDS: usize = 500_000;

/// What a transport needs of the kinds of records.
pub(super) struct Question<'a> {
    /// Their points.
    pub(super) flat: &'a Flat,
    /// Their colours.
    pub(super) colours: &'a [u32],
    /// How many records are of each.
    pub(super) records: &'a [f64],
}

/// A transport that gets better.
pub(super) struct Transport {
    /// The kinds by colour; all that follows is in this order.
    order: Vec<u32>,
    points: Vec<Point>,
    colours: Vec<u32>,
    records: Vec<f64>,
    axes: usize,
    boxes: Boxes,
    fees: Fees,
    arcs: Arcs,
    /// What came to each box in the last step.
    came: Vec<Came>,
    /// What each kind can pay at the most, by all boxes, and the best boxes of each.
    paid: Vec<f64>,
    best: Vec<Vec<Found>>,
    /// What a record loses on average in the partition that is known.
    scale: f64,
    most: usize,
    kept: usize,
    /// Which part of a level is at hand, and its steps that are left.
    phase: usize,
    left: usize,
    begun: bool,
    value: f64,
    before: f64,
    looks: f64,
}

impl Transport {
    /// Begins with a few boxes for classes of at least `m` records, each of which loses about `scale`; it is to have `most` boxes
    /// in the end, and looks at `kept` boxes beside those that a record goes to. `None` if there is nothing to gain.
    pub(super) fn new(
        question: &Question,
        m: usize,
        scale: f64,
        (most, kept): (usize, usize),
    ) -> Option<Self> {
        let Question { flat, colours, records } = question;
        let mut order: Vec<u32> = (0..colours.len() as u32).collect();
        order.sort_by_key(|&kind| (colours[kind as usize], kind));
        let sorted =
            |of: &dyn Fn(usize) -> f64| order.iter().map(|&kind| of(kind as usize)).collect::<Vec<f64>>();
        let mut names: Vec<u32> = colours.to_vec();
        names.sort_unstable();
        names.dedup();
        let most = most.min(FEES / names.len().max(1));
        let many = colours.len() > KINDS;
        if !(scale > 0.0 && scale.is_finite()) || many || most < 2 || flat.axes == 0 || names.len() < m {
            return None;
        }
        let place = |&kind: &u32| names.partition_point(|&name| name < colours[kind as usize]) as u32;
        let points: Vec<Point> = order.iter().map(|&kind| flat.points[kind as usize]).collect();
        let kinds = points.len();
        let mut transport = Self {
            colours: order.iter().map(place).collect(),
            records: sorted(&|kind| records[kind]),
            boxes: Boxes::new(flat, &points),
            fees: Fees::new(names.len(), m),
            arcs: Arcs::default(),
            came: Vec::new(),
            paid: vec![0.0; kinds],
            best: vec![Vec::new(); kinds],
            axes: flat.axes,
            points,
            order,
            scale,
            most,
            kept,
            phase: 0,
            left: 0,
            begun: false,
            value: f64::NEG_INFINITY,
            before: f64::NEG_INFINITY,
            looks: 0.0,
        };
        transport.lay_out();
        Some(transport)
    }

    /// Boxes, before anything is moved.
    pub(super) fn boxes(&self) -> usize {
        self.boxes.len()
    }

    /// What it has looked at.
    pub(super) fn looks(&self) -> f64 {
        self.looks
    }

    /// The duals of the kinds as of the last evaluation, in the order of the question.
    pub(super) fn duals(&self) -> Vec<f64> {
        let mut duals = vec![0.0; self.order.len()];
        for (&kind, &paid) in self.order.iter().zip(&self.paid) {
            duals[kind as usize] = paid;
        }
        duals
    }

    /// The first boxes: where most records are farthest apart.
    fn lay_out(&mut self) {
        while self.boxes.len() < FIRST.min(self.most) {
            self.came = self.boxes.of_points(&self.points, &self.records);
            if self.refine(1.0) == 0 {
                break;
            }
        }
        self.evaluate();
        self.begin(0);
    }

    fn phases(&self) -> &'static [(f64, usize)] {
        if self.begun { LEVEL } else { BEGINNING }
    }

    fn begin(&mut self, phase: usize) {
        self.phase = phase;
        self.left = self.phases()[phase].1;
        let softness = self.softness();
        let colours = &self.colours;
        self.arcs.renew(
            &self.best,
            |kind, arc| self.fees.of(arc, colours[kind]),
            &self.paid,
            (colours, softness),
        );
    }

    fn softness(&self) -> f64 {
        self.scale * self.phases()[self.phase].0
    }

    /// One step; `Some` after an evaluation: whether there is something left to do.
    pub(super) fn advance(&mut self) -> Option<bool> {
        let softness = self.softness();
        self.came = self.fees.step(
            &self.arcs,
            (&self.colours, &self.records, &self.points),
            softness,
            self.boxes.len(),
        );
        self.looks += 2.0 * self.arcs.len() as f64;
        self.left -= 1;
        if self.left > 0 {
            return None;
        }
        self.evaluate();
        if self.phase + 1 < self.phases().len() {
            self.begin(self.phase + 1);
            return Some(true);
        }
        let gain = self.value - self.before;
        let little = self.begun && self.value > 0.0 && gain < LITTLE * self.value;
        self.before = self.value;
        self.begun = true;
        if little || self.boxes.len() >= self.most || self.refine(GROWTH - 1.0) == 0 {
            return Some(false);
        }
        self.begin(0);
        Some(true)
    }

    /// The exact duals of all kinds by all boxes.
    fn evaluate(&mut self) {
        let (boxes, fees, points) = (&self.boxes, &self.fees, &self.points);
        let kept = self.kept;
        // The cheapest of each box and node, by colour.
        let runs: Vec<(u32, std::ops::Range<usize>)> = runs(&self.colours);
        let found: Vec<Vec<(f64, Vec<Found>, u64)>> = runs
            .into_par_iter()
            .map(|(colour, kinds)| {
                let least = boxes.least(|leaf| fees.fee(leaf, colour));
                let one = |kind: usize| boxes.cheapest(&least, &points[kind], kept);
                kinds.into_par_iter().map(one).collect()
            })
            .collect();
        let mut looks = 0;
        let (mut paid, mut best) = (Vec::with_capacity(points.len()), Vec::with_capacity(points.len()));
        for (dual, boxes, looked) in found.into_iter().flatten() {
            paid.push(dual);
            best.push(boxes);
            looks += looked;
        }
        (self.paid, self.best) = (paid, best);
        self.looks += looks as f64;
        self.value = self.paid.iter().zip(&self.records).map(|(dual, records)| dual * records).sum();
    }

    /// Halves this part of the boxes, those that are too wide for most of what comes to them; how many there were.
    fn refine(&mut self, part: f64) -> usize {
        let mut wide: Vec<(f64, usize, u32)> = (0..self.boxes.len())
            .filter_map(|leaf| {
                let (axis, gain) = self.boxes.widest(leaf, self.axes, &self.came[leaf])?;
                Some((gain, axis, leaf as u32))
            })
            .collect();
        wide.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
        let count = ((self.boxes.len() as f64 * part).ceil() as usize).min(self.most - self.boxes.len());
        wide.truncate(count);
        for &(_, axis, leaf) in &wide {
            let new = self.boxes.halve(leaf, axis, &self.came[leaf as usize]);
            self.fees.copy(leaf as usize);
            self.arcs.split(leaf, new);
        }
        let (boxes, points) = (&self.boxes, &self.points);
        self.arcs.price(|kind, leaf| boxes.price(leaf as usize, &points[kind]));
        // The best of before are among the arcs, with both halves.
        self.best.iter_mut().for_each(Vec::clear);
        wide.len()
    }
}

/// Runs of equal colours, which stand together.
fn runs(colours: &[u32]) -> Vec<(u32, std::ops::Range<usize>)> {
    let mut runs: Vec<(u32, std::ops::Range<usize>)> = Vec::new();
    for (at, &colour) in colours.iter().enumerate() {
        match runs.last_mut() {
            Some((last, run)) if *last == colour => run.end = at + 1,
            _ => runs.push((colour, at..at + 1)),
        }
    }
    runs
}
