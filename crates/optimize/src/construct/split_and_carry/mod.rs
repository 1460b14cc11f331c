//! Split & Carry (Liang 2020, Algorithm 1), and the variants that its section 6 leaves for later.
//!
//! The sorted list of the initial feasible solution is cut into k-sets (the last takes what is left over). A sub-problem
//! is what was carried from the one before and the next S k-sets; it is solved to its optimum. The records in classes with
//! one of its last l = k records are carried to the next sub-problem, all other classes are final.
//!
//! *Indirect equivalence.* Of a class with a record of the boundary, k records are carried, those of the boundary among
//! them; the others stay if they are at least k, else they are carried too. So at most 2k - 1 records are carried for each
//! record of the boundary, and a sub-problem has at most k (2k - 1 + S) records (Lemma 2; the last one up to k - 1 more,
//! those that the last k-set has above k).
//!
//! *Variants.* A boundary of l records; of a class of k + r records only the r that contribute least to its loss
//! ([`Carried::Subset`]); sub-problems of exactly P records of which the A classes of least loss are kept and all other
//! records are carried ([`Bubble`]).

mod solver;
mod study;

use std::sync::Arc;

use lookalike_model::settings::{Bubble, Carried, CarryOptions, SortOrder, SubSolver};

use solver::Solved;
pub use study::split_and_carry;

use lookalike_model::{instance::Instance, rule::Rule};
use lookalike_words::Figure;

use super::{
    CarryFault, ConstructionFault,
    construction::{Construction, Partial},
    params::SplitAndCarry as Params,
    variance_sort::{runs, sorted},
};
use crate::{Error, exact::loss::Priceable};

/// Split & Carry, a sub-problem at a time.
pub(super) struct SplitAndCarry<L: Priceable> {
    loss: L,
    k: usize,
    options: CarryOptions,
    params: Params,
    /// The sorted list, and the place of each record in it.
    list: Vec<u32>,
    place: Vec<u32>,
    /// Records of the list that were taken.
    taken: usize,
    /// Classes to go on from; the last may be smaller than k.
    carried: Vec<Vec<u32>>,
    classes: Vec<Vec<u32>>,
    /// Records of each sub-problem.
    sizes: Vec<usize>,
    /// Sub-problems that their time limit has ended.
    cut: usize,
}

impl<L: Priceable> SplitAndCarry<L> {
    pub(super) fn new(
        instance: &Arc<Instance>,
        loss: &L,
        rule: &Rule,
        (order, carry): (SortOrder, CarryOptions),
        params: &Params,
    ) -> Result<Self, Error> {
        let k = rule.min_size;
        check(carry, k)?;
        if carry.solver == SubSolver::Programme && loss.programme(instance).is_none() {
            let hierarchies = !instance.hierarchies.is_empty();
            let fault = if hierarchies {
                ConstructionFault::ProgrammeHasNoHierarchies
            } else {
                ConstructionFault::ProgrammeNeedsNcp
            };
            return Err(fault.into());
        }
        let list = sorted(instance, order);
        let mut place = vec![0; list.len()];
        for (at, &i) in (0..).zip(&list) {
            place[i as usize] = at;
        }
        Ok(Self {
            loss: *loss,
            k,
            options: carry,
            params: params.clone(),
            list,
            place,
            taken: 0,
            carried: Vec::new(),
            classes: Vec::new(),
            sizes: Vec::new(),
            cut: 0,
        })
    }

    /// The classes that the next sub-problem starts from: what was carried, and the next rows of the list.
    fn take(&mut self) -> Vec<Vec<u32>> {
        let (k, all) = (self.k, self.list.len());
        let mut classes = std::mem::take(&mut self.carried);
        let end = match self.options.bubble {
            None => self.taken + k * self.options.sets,
            Some(bubble) => self.taken + bubble.size - classes.iter().map(Vec::len).sum::<usize>(),
        };
        // Fewer than k rows make no k-set: the one before takes them.
        let end = if end + k > all { all } else { end };
        let mut rows = self.list[self.taken..end].to_vec();
        self.taken = end;
        if classes.last().is_some_and(|c| c.len() < k)
            && let Some(few) = classes.pop()
        {
            rows.splice(0..0, few);
        }
        if rows.len() >= k {
            classes.extend(runs(&rows, k));
        } else if let Some(last) = classes.last_mut() {
            last.extend(rows);
        }
        classes
    }

    /// Partial the classes of a solved sub-problem into those that are final and those that are carried.
    fn part(&mut self, instance: &Instance, mut classes: Vec<Vec<u32>>) {
        if let Some(Bubble { keep, .. }) = self.options.bubble {
            let loss = |class: &Vec<u32>| self.loss.class(instance, class);
            // Among equals those that stand earlier in the list.
            let first = |class: &Vec<u32>| class.iter().map(|&i| self.place[i as usize]).min();
            classes.sort_by(|a, b| loss(a).total_cmp(&loss(b)).then(first(a).cmp(&first(b))));
            self.carried = classes.split_off(keep.min(classes.len()));
            self.classes.extend(classes);
            return;
        }
        let mut places: Vec<u32> = classes.iter().flatten().map(|&i| self.place[i as usize]).collect();
        places.sort_unstable();
        let boundary = self.options.boundary.unwrap_or(self.k).min(places.len());
        let from = places[places.len() - boundary];
        let mut loose = Vec::new();
        for mut class in classes {
            let inside = class.iter().filter(|&&i| self.place[i as usize] >= from).count();
            if inside == 0 {
                self.classes.push(class);
                continue;
            }
            match self.options.carried {
                Carried::Classes => {
                    // Those of the boundary stand last in the list.
                    class.sort_by_key(|&i| self.place[i as usize]);
                    let stay = class.len() - inside.max(self.k).min(class.len());
                    if stay >= self.k {
                        self.carried.push(class.split_off(stay));
                        self.classes.push(class);
                    } else {
                        self.carried.push(class);
                    }
                }
                Carried::Subset => {
                    let without = |i: u32| {
                        let others: Vec<u32> = class.iter().copied().filter(|&j| j != i).collect();
                        self.loss.class(instance, &others)
                    };
                    let mut ranked: Vec<(f64, u32)> = class.iter().map(|&i| (without(i), i)).collect();
                    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
                    let kept = ranked.split_off(class.len() - self.k);
                    loose.extend(ranked.into_iter().map(|r| r.1));
                    self.classes.push(kept.into_iter().map(|r| r.1).collect());
                }
            }
        }
        if !loose.is_empty() {
            self.carried.push(loose);
        }
    }
}

impl<L: Priceable> Construction for SplitAndCarry<L> {
    fn advance(&mut self, instance: &Instance) -> Option<usize> {
        if self.taken == self.list.len() {
            return None;
        }
        let start = self.take();
        self.sizes.push(start.iter().map(Vec::len).sum());
        let Solved { classes, looked, cut } =
            solver::solve(instance, &self.loss, self.k, start, &self.options, &self.params);
        self.cut += usize::from(cut);
        if self.taken == self.list.len() {
            self.classes.extend(classes);
        } else {
            self.part(instance, classes);
        }
        Some(looked)
    }

    fn cut(&self) -> usize {
        self.cut
    }

    fn leave(self: Box<Self>) -> Partial {
        let mut open = self.carried.concat();
        open.extend(&self.list[self.taken..]);
        Partial::new(self.classes, open)
    }
}

/// Checks the options for classes of at least k records.
fn check(options: CarryOptions, k: usize) -> Result<(), Error> {
    let refuse = |fault: CarryFault| Err(Error::from(ConstructionFault::SplitAndCarry { fault }));
    if let Some(bubble) = options.bubble {
        if bubble.size < 2 * k || bubble.keep == 0 {
            return refuse(CarryFault::Bubble { size: bubble.size, keep: bubble.keep, least: 2 * k });
        }
    } else if options.sets < 2 || options.boundary == Some(0) {
        return refuse(CarryFault::Sets);
    }
    match (options.solver, options.seconds) {
        (SubSolver::SetPartitioning, Some(_)) => refuse(CarryFault::EarlyTermination),
        (_, Some(seconds)) if !(seconds.is_finite() && seconds > 0.0) => {
            refuse(CarryFault::Seconds { seconds: Figure::shortest(seconds) })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
