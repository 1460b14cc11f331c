//! Annealing over classes and groups together: a record moves to the class of another one and to its groups, or the two change places.
//! Every class and every group keeps its least size.

use std::sync::Arc;

use lookalike_model::{
    instance::Instance,
    loss::{Loss, LossTable as _},
    neighbours::Neighbours,
    partition::Partition,
};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::{Groups, Parts, ROUNDING};

/// Neighbours of a record by the attributes of each part that a move looks at.
const WIDTH: usize = 12;

/// One partition: the classes by the attributes outside the sets, or the groups of a set.
struct Level<L: Loss> {
    instance: Arc<Instance>,
    table: L::Table,
    labels: Vec<u32>,
    members: Vec<Vec<u32>>,
    /// Place of each record among the members of its class.
    places: Vec<u32>,
    least: usize,
}

/// The search.
pub(crate) struct Exchange<L: Loss> {
    /// The groups of the sets, then the classes.
    levels: Vec<Level<L>>,
    near: Vec<Neighbours>,
    rng: ChaCha8Rng,
    temperature: f64,
    moves: u64,
    most: u64,
}

impl<L: Loss> Exchange<L> {
    /// A search of so many moves from these groups.
    pub(crate) fn new(parts: &Parts<L>, groups: &Groups, seed: u64, most: u64) -> Self {
        let loss = parts.loss;
        let sets = parts.sets.iter().zip(&groups.coarser);
        let levels: Vec<Level<L>> = sets
            .map(|((instance, least), labels)| Level::new(instance, &loss, labels, *least))
            .chain([Level::new(&parts.rest, &loss, &groups.classes, parts.least)])
            .collect();
        let near = parts.sets.iter().map(|(instance, _)| instance).chain([&parts.whole]);
        let near = near.map(|instance| Neighbours::new(instance, &loss, WIDTH)).collect();
        let records = parts.whole.records().max(1) as f64;
        let temperature = loss.start_temperature(parts.least) * parts.loss(groups) / records;
        Self { levels, near, rng: ChaCha8Rng::seed_from_u64(seed), temperature, moves: 0, most }
    }

    /// Moves that were proposed.
    pub(crate) const fn moves(&self) -> u64 {
        self.moves
    }

    /// Moves of a step that cools slowly enough: a hundredth of all.
    pub(crate) const fn portion(&self) -> u64 {
        self.most / 100 + 1
    }

    /// The part of the moves that is done.
    pub(crate) fn fraction(&self) -> f64 {
        self.moves as f64 / self.most.max(1) as f64
    }

    /// So many moves, `fraction` of all the work being done before; whether all are done.
    pub(crate) fn step(&mut self, moves: u64, fraction: f64) -> bool {
        let records = self.levels.last().map_or(0, |level| level.labels.len()) as u32;
        let until = self.most.min(self.moves.saturating_add(moves));
        // The last quarter goes downhill only.
        let heat = self.temperature * (1.0 - fraction / 0.75).max(0.0);
        while self.moves < until && records > 1 {
            self.moves += 1;
            let i = self.rng.random_range(0..records);
            let by = self.rng.random_range(0..self.near.len());
            let (rank, pick) = (self.rng.random_range(0..WIDTH), self.rng.random());
            let rank = rank.min(self.near[by].width().saturating_sub(1));
            let j = if self.near[by].width() == 0 || self.rng.random_range(0..8) == 0 {
                Some(self.rng.random_range(0..records))
            } else {
                self.near[by].at(i, rank, pick)
            };
            let Some(j) = j.filter(|&j| j != i) else { continue };
            let moves = self.change(i, j, false);
            let swaps = self.change(i, j, true);
            let (change, swap) = match (moves, swaps) {
                (Some(moves), Some(swaps)) if moves <= swaps => (moves, false),
                (_, Some(swaps)) => (swaps, true),
                (Some(moves), None) => (moves, false),
                (None, None) => continue,
            };
            let scale = ROUNDING * (1.0 + change.abs());
            let takes = change < -scale
                || heat > 0.0 && self.rng.random::<f64>() < libm::exp(-change.max(0.0) / heat);
            if takes {
                self.apply(i, j, swap);
            }
        }
        // Running values are sums of differences.
        self.levels.iter_mut().for_each(Level::refresh);
        self.moves >= self.most || records < 2
    }

    /// By how much the loss changes if `i` goes to the classes of `j`, or changes places with it; `None` if it may not, or if
    /// nothing changes.
    fn change(&self, i: u32, j: u32, swap: bool) -> Option<f64> {
        let (mut change, mut any) = (0.0, false);
        for level in &self.levels {
            let (from, to) = (level.labels[i as usize], level.labels[j as usize]);
            if from == to {
                continue;
            }
            any = true;
            let (left, joined) = (&level.members[from as usize], &level.members[to as usize]);
            if !swap && left.len() <= level.least {
                return None;
            }
            let table = &level.table;
            change += table.value_after(from, left, swap.then_some(j), Some(i)) - table.value(from)
                + table.value_after(to, joined, Some(i), swap.then_some(j))
                - table.value(to);
        }
        any.then_some(change)
    }

    fn apply(&mut self, i: u32, j: u32, swap: bool) {
        for level in &mut self.levels {
            let (from, to) = (level.labels[i as usize], level.labels[j as usize]);
            if from == to {
                continue;
            }
            level.place(i, to);
            if swap {
                level.place(j, from);
            }
            let other = swap.then_some(j);
            level.table.apply(from, &level.members[from as usize], other, Some(i));
            level.table.apply(to, &level.members[to as usize], Some(i), other);
        }
    }

    /// The classes and groups as they are now.
    pub(crate) fn groups(&self) -> Groups {
        let mut all: Vec<Vec<u32>> = self.levels.iter().map(|level| level.labels.clone()).collect();
        let classes = all.pop().unwrap_or_default();
        Groups { classes, coarser: all }
    }
}

impl<L: Loss> Level<L> {
    fn new(instance: &Arc<Instance>, loss: &L, labels: &[u32], least: usize) -> Self {
        let partition = Partition::from_labels(labels);
        let members = partition.members();
        let mut places = vec![0; labels.len()];
        for (place, &i) in members.iter().flat_map(|class| (0..).zip(class)) {
            places[i as usize] = place;
        }
        let table = loss.table(instance, members.len());
        let mut level =
            Self { instance: Arc::clone(instance), table, labels: partition.labels, members, places, least };
        level.refresh();
        level
    }

    /// Computes the running values afresh, which removes accumulated rounding.
    fn refresh(&mut self) {
        debug_assert_eq!(self.instance.records(), self.labels.len());
        for (class, members) in (0..).zip(&self.members) {
            self.table.refresh(class, members);
        }
    }

    fn place(&mut self, i: u32, to: u32) {
        let (from, at) = (self.labels[i as usize], self.places[i as usize] as usize);
        let members = &mut self.members[from as usize];
        members.swap_remove(at);
        if let Some(&moved) = members.get(at) {
            self.places[moved as usize] = at as u32;
        }
        let members = &mut self.members[to as usize];
        self.places[i as usize] = members.len() as u32;
        members.push(i);
        self.labels[i as usize] = to;
    }
}
