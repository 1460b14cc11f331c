//! All kinds at once, box after box of centres.

use std::ops::Range;

use rayon::prelude::*;

use super::{
    corners::{Cell, Judged, Question},
    flat::{AXES, Flat, Point},
};

/// Boxes that are looked at side by side, whatever the number of threads.
const SIDE_BY_SIDE: usize = 64;

/// A search over all centres for all kinds.
pub(in super::super) struct Sweep {
    cells: Vec<Cell>,
    /// The least mean reduced cost of each kind that is known, and the others of that class if it was met here.
    known: Vec<f64>,
    classes: Vec<Vec<u32>>,
    /// Classes that were the best of a kind until a better one was met.
    met: Vec<(u32, Vec<u32>)>,
    /// No class of the kind with its centre in a box that is settled has a lower mean reduced cost.
    settled: Vec<f64>,
    /// What a bound may be too low by.
    slack: f64,
    looks: f64,
    /// The volume of all boxes, and of those that are settled.
    whole: f64,
    done: f64,
}

impl Sweep {
    /// Begins with what is known of the kinds.
    pub(in super::super) fn new(flat: &Flat, colours: &[u32], known: Vec<f64>, slack: f64) -> Self {
        let kinds = known.len();
        let mut others: Vec<u32> = (0..kinds as u32).collect();
        others.sort_by_key(|&kind| colours[kind as usize]);
        let of = (0..kinds as u32).map(|kind| (kind, f64::NEG_INFINITY)).collect();
        let (mut middle, mut half): (Point, Point) = ([0.0; AXES], [0.0; AXES]);
        for axis in 0..flat.axes {
            middle[axis] = f64::midpoint(flat.low[axis], flat.high[axis]);
            // A little more than what rounding leaves out.
            half[axis] = (flat.high[axis] - flat.low[axis]) * (0.5 + 1e-9);
        }
        let cell = Cell { middle, half, others, of };
        Self {
            whole: cell.volume(),
            done: 0.0,
            cells: vec![cell],
            known,
            classes: vec![Vec::new(); kinds],
            met: Vec::new(),
            settled: vec![f64::INFINITY; kinds],
            slack,
            looks: 0.0,
        }
    }

    /// Looks at some more boxes; true when there are none left.
    pub(in super::super) fn advance(
        &mut self,
        flat: &Flat,
        (colours, duals): (&[u32], &[f64]),
        sizes: &Range<usize>,
    ) -> bool {
        let question = Question { flat, colours, duals, sizes: sizes.clone() };
        let from = self.cells.len().saturating_sub(SIDE_BY_SIDE);
        let cells: Vec<Cell> = self.cells.drain(from..).collect();
        let (known, slack) = (&self.known, self.slack);
        let judged: Vec<Judged> =
            cells.into_par_iter().map(|cell| cell.judge(&question, known, slack)).collect();
        for Judged { met, left, settled, looks } in judged {
            self.looks += looks as f64;
            for class in met {
                let known = &mut self.known[class.kind as usize];
                if class.mean < *known {
                    *known = class.mean;
                    let before = std::mem::replace(&mut self.classes[class.kind as usize], class.others);
                    if !before.is_empty() {
                        self.met.push((class.kind, before));
                    }
                }
            }
            for (kind, bound) in settled {
                let settled = &mut self.settled[kind as usize];
                *settled = settled.min(bound);
            }
            if left.of.is_empty() {
                self.done += left.volume();
            } else {
                self.cells.extend(left.halves());
            }
        }
        self.cells.is_empty()
    }

    /// What was looked at so far.
    pub(in super::super) fn looks(&self) -> f64 {
        self.looks
    }

    /// Part of the space that is settled.
    pub(in super::super) fn fraction(&self) -> f64 {
        if self.whole > 0.0 { self.done / self.whole } else { 1.0 }
    }

    /// The last so many classes that were the best of a kind for a while: the kind, and the others.
    pub(in super::super) fn met(&mut self, most: usize) -> Vec<(u32, Vec<u32>)> {
        self.met.split_off(self.met.len().saturating_sub(most))
    }

    /// For each kind a mean reduced cost that no class of it is below, and the class of the least that it has met, without itself. Boxes
    /// that were not looked at count by what is known of them.
    pub(in super::super) fn end(mut self, flat: &Flat) -> Vec<(f64, Vec<u32>)> {
        for cell in &self.cells {
            for &(kind, bound) in &cell.of {
                let settled = &mut self.settled[kind as usize];
                *settled = settled.min(bound);
            }
        }
        self.settled.into_iter().map(|bound| bound - flat.rounding).zip(self.classes).collect()
    }
}
