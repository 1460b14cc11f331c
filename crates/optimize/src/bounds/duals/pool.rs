//! Classes that have been met, and the duals that are best for them.
//!
//! max sum of n(i) lambda(i) over all lambda with lambda(C) <= w(C) for the classes C of the pool, n(i) records being of kind i: a linear programme, solved by
//! the primal-dual method of Chambolle 2011 with the diagonal steps of Pock 2011. It factorizes
//! nothing, so that it takes millions of classes; what it reaches need not be feasible, since pricing repairs any duals.

use std::hash::BuildHasher as _;

use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashSet};

/// Classes or kinds of one parallel piece.
const PIECE: usize = 4096;

/// Members that are gone through before the host can listen to its user again, about.
const SLICE: usize = 4_000_000;

/// The pool.
#[derive(Default)]
pub(super) struct Pool {
    /// The kinds of each class, one after another: those of class c up to `end[c]`.
    members: Vec<u32>,
    end: Vec<usize>,
    costs: Vec<f64>,
    /// How often each class is taken.
    taken: Vec<f64>,
    known: FxHashSet<u64>,
    /// The classes of each kind, once for each of its records in it: those of kind i up to `last[i]`.
    classes: Vec<u32>,
    last: Vec<usize>,
}

/// Duals on their way to the best for a pool.
pub(super) struct Ascent {
    duals: Vec<f64>,
    /// The sum of the second half of the steps.
    sum: Vec<f64>,
    steps: usize,
    done: usize,
    /// How far a dual moves in a step where no class takes its record.
    scale: f64,
}

/// The part of `all` that belongs to place `at`, each ending where the next begins.
fn part<'a, T>(all: &'a [T], ends: &[usize], at: usize) -> &'a [T] {
    let begin = at.checked_sub(1).map_or(0, |before| ends[before]);
    &all[begin..ends[at]]
}

impl Pool {
    /// Classes in it.
    pub(super) fn len(&self) -> usize {
        self.costs.len()
    }

    pub(super) fn members(&self, class: usize) -> &[u32] {
        part(&self.members, &self.end, class)
    }

    /// Adds a class, by its kinds, ascending, unless it is there; it is taken so often now.
    pub(super) fn add(&mut self, class: &[u32], cost: f64, taken: f64) {
        // Two classes of one hash are so rare that nobody misses the second: no class has to be in the pool.
        if self.known.insert(FxBuildHasher.hash_one(class)) {
            self.members.extend(class);
            self.end.push(self.members.len());
            self.costs.push(cost);
            self.taken.push(taken);
        }
    }

    /// Begins an ascent from these duals, after classes have come.
    pub(super) fn begin(&mut self, duals: &[f64], steps: usize, scale: f64) -> Ascent {
        let mut last = vec![0; duals.len()];
        for &kind in &self.members {
            last[kind as usize] += 1;
        }
        let mut next = 0;
        for place in &mut last {
            (*place, next) = (next, next + *place);
        }
        self.classes.clear();
        self.classes.resize(self.members.len(), 0);
        for class in 0..self.len() {
            for &kind in part(&self.members, &self.end, class) {
                self.classes[last[kind as usize]] = class as u32;
                last[kind as usize] += 1;
            }
        }
        self.last = last;
        Ascent { duals: duals.to_vec(), sum: vec![0.0; duals.len()], steps, done: 0, scale }
    }

    /// Goes some steps; true when there are no more. Of kind i there are `records[i]` records.
    pub(super) fn advance(&mut self, ascent: &mut Ascent, records: &[f64]) -> bool {
        let steps = (SLICE / self.members.len().max(1)).max(1).min(ascent.steps - ascent.done);
        let mut taken = std::mem::take(&mut self.taken);
        let mut ahead = taken.clone();
        for _ in 0..steps {
            self.take(&mut taken, &mut ahead, ascent);
            self.move_duals(&ahead, records, ascent);
            ascent.done += 1;
        }
        self.taken = taken;
        ascent.done >= ascent.steps
    }

    /// Takes each class more often, the more its duals exceed its cost; `ahead` is as far again.
    fn take(&self, taken: &mut [f64], ahead: &mut [f64], ascent: &Ascent) {
        let pieces = taken.par_chunks_mut(PIECE).zip(ahead.par_chunks_mut(PIECE)).enumerate();
        pieces.for_each(|(piece, (taken, ahead))| {
            for (at, (taken, ahead)) in taken.iter_mut().zip(ahead).enumerate() {
                let class = piece * PIECE + at;
                let members = self.members(class);
                let lambda: f64 = members.iter().map(|&kind| ascent.duals[kind as usize]).sum();
                let step = (lambda - self.costs[class]) / (ascent.scale * members.len() as f64);
                let next = (*taken + step).max(0.0);
                *ahead = 2.0 * next - *taken;
                *taken = next;
            }
        });
    }

    /// Raises the duals of records that are taken too seldom, and lowers those of others.
    fn move_duals(&self, ahead: &[f64], records: &[f64], ascent: &mut Ascent) {
        let (late, scale) = (2 * ascent.done >= ascent.steps, ascent.scale);
        let pieces = ascent.duals.par_chunks_mut(PIECE).zip(ascent.sum.par_chunks_mut(PIECE)).enumerate();
        pieces.for_each(|(piece, (duals, sums))| {
            for (at, (dual, sum)) in duals.iter_mut().zip(sums).enumerate() {
                let kind = piece * PIECE + at;
                let classes = part(&self.classes, &self.last, kind);
                if !classes.is_empty() {
                    let covered: f64 = classes.iter().map(|&class| ahead[class as usize]).sum();
                    *dual += scale * (records[kind] - covered) / classes.len() as f64;
                }
                if late {
                    *sum += *dual;
                }
            }
        });
    }

    /// The mean reduced cost of a record in each class.
    pub(super) fn means_by_class(&self, duals: &[f64]) -> Vec<f64> {
        let mean = |class: usize| {
            let members = self.members(class);
            let lambda: f64 = members.iter().map(|&kind| duals[kind as usize]).sum();
            (self.costs[class] - lambda) / members.len() as f64
        };
        (0..self.len()).map(mean).collect()
    }

    /// The least mean reduced cost of the classes of each kind; infinity for one that is in none.
    pub(super) fn means(&self, duals: &[f64]) -> Vec<f64> {
        let mut means = vec![f64::INFINITY; duals.len()];
        for (class, mean) in self.means_by_class(duals).into_iter().enumerate() {
            for &kind in self.members(class) {
                let least = &mut means[kind as usize];
                *least = least.min(mean);
            }
        }
        means
    }
}

impl Ascent {
    /// The mean of the second half of the steps: single steps go round the best duals.
    pub(super) fn mean(&self) -> Vec<f64> {
        let late = self.steps - self.steps.div_ceil(2);
        self.sum.iter().map(|sum| sum / late.max(1) as f64).collect()
    }
}
