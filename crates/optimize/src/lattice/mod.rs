//! One level for a whole column (full-domain recoding): the choice of levels that loses least, proven.
//!
//! The nodes of the lattice (Samarati 2001; `LeFevre` et al. 2005) are searched with what holds whatever is suppressed:
//!
//! * *Loss.* All records at a node lose no less than at a finer one, and a suppressed record costs no less than it would lose. So what
//!   all records lose at a node bounds from below what this node and every coarser one costs.
//! * *Small groups.* A group that is large enough stays so at every coarser node: groups only merge. So a finer node suppresses all
//!   records that a node suppresses for the size of their groups, and its cost is at least its own loss and the penalty of these. If they
//!   are more than may be suppressed, no finer node is admissible (predictive tagging: Kohlmayer et al. 2012).
//! * *Sets of columns* with larger groups: records leave whole groups of all columns for them, until each group of a set has enough. What is left at a
//!   finer node is left at a coarser one, since its groups only merge: so the two bounds above hold with sets as well.
//! * *Without suppression* a union of groups that keep the conditions keeps them (docs/conditions.md), so that no node below one that
//!   breaks the rule is admissible. With suppression this is false, and not used: a group that keeps a condition may lose it by merging
//!   with one that does not.
//!
//! A node is resolved once it was looked at, or once one of these bounds says that it costs no less than the best found. The search takes
//! the unresolved node of least loss, climbs from it to a node above which all is resolved, and looks from there downwards by halving
//! the way. It is over when every node is resolved: what was found is then the best of all.

mod groups;
mod nodes;

use std::sync::Arc;

use lookalike_model::{
    instance::Instance,
    job::{Bound, BoundOf, Job, Status},
    lattice::{FullDomain, Lattice},
    rule::Condition,
};
use lookalike_words::Said;

pub use self::nodes::MOST_NODES;
use self::{
    groups::{Found, Groups},
    nodes::Nodes,
};
use crate::{
    Error,
    solve::{ProvenByLevels, Unfit},
};

/// A search over the nodes of a lattice. It goes on node by node.
pub struct LevelSearch {
    lattice: Arc<Lattice>,
    nodes: Nodes,
    groups: Groups,
    /// All nodes by loss; those before `at` are resolved.
    order: Vec<u32>,
    at: usize,
    looked: Vec<bool>,
    looked_at: u64,
    /// What a node costs beyond its loss, at least; infinite if it is not admissible. It never rises from a node to a coarser one.
    floor: Vec<f64>,
    /// The way from an unresolved node up, and the place on it from which the search goes on downwards.
    way: Vec<u32>,
    turn: usize,
    best: Option<Best>,
    /// How many records there are.
    records: u64,
    /// Cells that were looked at.
    work: u64,
    /// Whether any groups that keep the rule are a union that does: where nothing is suppressed.
    unions_keep: bool,
}

/// The best node so far: of those that cost the same the one of least height.
#[derive(Clone, Copy, Debug)]
struct Best {
    cost: f64,
    height: u32,
    node: u32,
}

/// What a search has come to.
#[derive(Clone, Debug)]
pub struct Levelled {
    /// Its answer; `None` if no node that was looked at is admissible.
    pub found: Option<FullDomain>,
    /// What that costs: the loss of the published records and the price of the suppressed ones.
    pub cost: f64,
    /// The group of each record.
    pub labels: Vec<u32>,
    /// What no node costs less than.
    pub bound: f64,
    /// Whether every node is resolved.
    pub complete: bool,
}

impl LevelSearch {
    /// The search that a job asks for.
    ///
    /// # Errors
    /// [`Error::Unfit`] if the job has no sound lattice, if that has more than [`MOST_NODES`] nodes, and for classes of different values.
    pub fn new(job: &Job, instance: &Instance) -> Result<Self, Error> {
        let sound = |lattice: &&Arc<Lattice>| {
            lattice.is_sound(instance.records()) && instance.reals == instance.records()
        };
        let lattice = job.lattice.as_ref().filter(sound).ok_or(Unfit::NoLevels)?;
        if job.rule.conditions.contains(&Condition::Different) {
            return Err(Unfit::NoLevels.into());
        }
        job.rule.protects()?;
        let nodes = Nodes::new(lattice)
            .ok_or_else(|| Unfit::TooManyLevels { columns: lattice.columns.len(), most: MOST_NODES })?;
        let count = nodes.count as usize;
        Ok(Self {
            lattice: Arc::clone(lattice),
            groups: Groups::new(lattice, &job.rule, instance),
            order: nodes.by_loss(),
            nodes,
            at: 0,
            looked: vec![false; count],
            looked_at: 0,
            floor: vec![0.0; count],
            way: Vec::new(),
            turn: 0,
            best: None,
            records: instance.records() as u64,
            work: 0,
            unions_keep: lattice.most == 0,
        })
    }

    /// Looks at one more node; whether there was one to be looked at.
    pub fn step(&mut self) -> bool {
        // The coarsest node is looked at first: it is admissible if any is, but for what suppression allows.
        let node = if self.looked_at == 0 { Some(self.nodes.top()) } else { self.next() };
        let Some(node) = node else { return false };
        let found = self.groups.at(&self.nodes.levels(node));
        self.looked[node as usize] = true;
        self.looked_at += 1;
        self.work += self.groups.work();
        self.learn(node, &found);
        true
    }

    /// Cells that were looked at so far.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Different records.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.groups.rows()
    }

    /// What the best node so far costs.
    #[must_use]
    pub fn cost(&self) -> Option<f64> {
        self.best.map(|best| best.cost)
    }

    /// Part of the nodes, by loss, that are known to be resolved.
    #[must_use]
    pub fn fraction(&self) -> f64 {
        self.at as f64 / self.order.len() as f64
    }

    /// Takes in what was found at a node.
    fn learn(&mut self, node: u32, found: &Found) {
        let most = self.lattice.most as u64;
        // Where everybody is left out, nothing is published.
        if found.suppressed <= most && found.suppressed < self.records {
            let cost = self.nodes.loss(node) + found.penalty;
            let height = self.nodes.height(node);
            let better = |best: Best| cost < best.cost || cost == best.cost && height < best.height;
            if self.best.is_none_or(better) {
                self.best = Some(Best { cost, height, node });
            }
        }
        let never = found.small > most || self.unions_keep && found.suppressed > 0;
        let floor = if never { f64::INFINITY } else { found.penalty_of_small };
        if floor <= 0.0 {
            return;
        }
        // Nodes below one that has such a floor have it, too.
        let mut waiting = vec![node];
        while let Some(node) = waiting.pop() {
            let before = &mut self.floor[node as usize];
            if *before < floor {
                *before = floor;
                waiting.extend(self.nodes.finer(node));
            }
        }
    }

    /// Whether a node may be the best.
    fn is_open(&self, node: u32) -> bool {
        !self.looked[node as usize] && self.may_be_better(node)
    }

    /// Whether the bounds leave it open that a node is better than the best.
    fn may_be_better(&self, node: u32) -> bool {
        let least = self.least(node);
        least.is_finite()
            && self.best.is_none_or(|best| {
                least < best.cost || least == best.cost && self.nodes.height(node) < best.height
            })
    }

    /// What a node costs at least.
    fn least(&self, node: u32) -> f64 {
        self.nodes.loss(node) + self.floor[node as usize]
    }

    /// The node to look at next.
    fn next(&mut self) -> Option<u32> {
        loop {
            while let Some(&low) = self.way.first().filter(|&&low| self.is_open(low)) {
                let node = self.way[self.turn];
                if self.turn == 0 {
                    self.way.clear();
                    return Some(low);
                }
                self.turn /= 2;
                if self.is_open(node) {
                    return Some(node);
                }
            }
            while !self.is_open(*self.order.get(self.at)?) {
                self.at += 1;
            }
            self.climb(self.order[self.at]);
        }
    }

    /// The way from an open node up over open nodes, each time to the one that loses least.
    fn climb(&mut self, from: u32) {
        self.way.clear();
        let mut next = Some(from);
        while let Some(node) = next {
            self.way.push(node);
            let open = self.nodes.coarser(node).filter(|&above| self.is_open(above));
            next = open.min_by(|&a, &b| self.nodes.loss(a).total_cmp(&self.nodes.loss(b)).then(a.cmp(&b)));
        }
        self.turn = self.way.len() - 1;
    }

    /// The records that are not published at these levels, ascending.
    fn suppressed(&self, (levels, labels): (&[u32], &[u32]), job: &Job, instance: &Instance) -> Vec<u32> {
        let count = labels.iter().map(|&label| label as usize + 1).max().unwrap_or(0);
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (record, &label) in (0..).zip(labels) {
            members[label as usize].push(record);
        }
        let keeps = |group: &Vec<u32>| {
            group.len() >= job.rule.min_size && job.rule.values().all(|of| instance.keeps(group, of))
        };
        let mut gone: Vec<bool> = members.iter().map(|group| !keeps(group)).collect();
        let sizes: Vec<u32> = members.iter().map(|group| group.len() as u32).collect();
        let sets: Vec<(usize, Vec<u32>)> = (self.lattice.sets.iter())
            .map(|set| {
                let alike = self.lattice.groups_in(&set.columns, levels);
                (set.least, members.iter().map(|group| alike[group[0] as usize]).collect())
            })
            .collect();
        groups::shrink(&sets, &sizes, &mut gone);
        let mut out: Vec<u32> = (members.into_iter().zip(gone))
            .filter_map(|(group, gone)| gone.then_some(group))
            .flatten()
            .collect();
        out.sort_unstable();
        out
    }

    /// What has come of it, whether it was complete or not. O(nodes).
    #[must_use]
    pub fn finish(&self, instance: &Instance, job: &Job) -> Levelled {
        let open = self.order[self.at.min(self.order.len())..].iter().copied();
        let open = open.filter(|&node| self.is_open(node)).map(|node| self.least(node));
        let least_open = open.min_by(f64::total_cmp);
        let cost = self.best.map_or(f64::INFINITY, |best| best.cost);
        let mut levelled = Levelled {
            found: None,
            cost,
            labels: Vec::new(),
            bound: least_open.map_or(cost, |open| open.min(cost)),
            complete: least_open.is_none(),
        };
        if let Some(best) = self.best {
            let levels = self.nodes.levels(best.node);
            levelled.labels = self.lattice.groups(&levels);
            let suppressed = self.suppressed((&levels, &levelled.labels), job, instance);
            let (nodes, looked_at) = (u64::from(self.nodes.count), self.looked_at);
            levelled.found = Some(FullDomain { levels, suppressed, nodes, looked_at });
        }
        levelled
    }
}

impl Levelled {
    /// The bound, with its proof, and the status of a search that ended so.
    #[must_use]
    pub fn proven(&self, looked_at: u64, nodes: u64, ended: Status) -> (Option<Bound>, Status) {
        let proven_by: Said = ProvenByLevels::Bounds { looked_at, nodes }.into();
        let bound = self.bound.is_finite() && self.bound > 0.0 || self.complete;
        let bound = bound.then_some(Bound { value: self.bound, proven_by, of: BoundOf::WholeProblem });
        (bound, if self.complete { Status::Optimal } else { ended })
    }
}
