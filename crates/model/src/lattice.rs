//! One level for a whole column (full-domain recoding): the problem as numbers, and whether an answer is one.
//!
//! Each column is published at one level of its hierarchy, the same in all records. A choice of levels, one a column, is a node of
//! a lattice. Records that are published alike at a node are its groups: a group that is admissible is published, all others are
//! suppressed, and of these there may be so many. What is minimised is the loss of the published records and the price of the
//! suppressed ones.
//!
//! **Invariants.** Levels are nested: leaves that share a node share all coarser ones. Costs never fall from a level to a coarser
//! one, and the price of a record is no less than what it can lose. So the loss of all records at a node is a lower bound on what
//! this node and every coarser one costs, whatever is suppressed.

use serde::{Deserialize, Serialize};

use crate::{
    Error,
    instance::Instance,
    job::{Answer, Job},
    received::AnswerFault,
    rule::Condition,
};

/// Rounding of a sum of weights.
const ROUNDING: f64 = 1e-9;

/// The problem, beside the rule of a [`Job`], whose records it is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lattice {
    /// The columns, at least one.
    pub columns: Vec<Levels>,
    /// What a suppressed record costs; at least what a record loses at the coarsest levels, 0 or more.
    pub price: f64,
    /// Most records that may be suppressed.
    pub most: usize,
    /// Sets of columns in which more records are to be alike than the rule asks for in all of them.
    pub sets: Vec<LatticeSet>,
}

/// Columns that are known without the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LatticeSet {
    /// Their places, ascending.
    pub columns: Vec<usize>,
    /// At least so many published records are alike in them.
    pub least: usize,
}

/// A column with its levels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Levels {
    /// The leaf of each record, in the job's order.
    pub leaf: Vec<u32>,
    /// At least one, from fine to coarse.
    pub levels: Vec<Level>,
}

/// A level of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// The node of each leaf.
    pub node: Vec<u32>,
    /// What a record of each leaf loses that is published at this level, weight included; at least 0.
    pub cost: Vec<f64>,
}

/// What a search over a [`Lattice`] found, beside the groups that it published.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FullDomain {
    /// The level of each column.
    pub levels: Vec<u32>,
    /// The records that are suppressed, ascending: whole groups.
    pub suppressed: Vec<u32>,
    /// Nodes of the lattice.
    pub nodes: u64,
    /// Nodes whose groups were counted; the others were excluded by proof, as far as the search was complete.
    pub looked_at: u64,
}

impl Lattice {
    /// What a record loses at the coarsest levels, at most: what it can lose.
    #[must_use]
    pub fn most_to_lose(&self) -> f64 {
        let largest = |column: &Levels| {
            column.levels.last().map_or(0.0, |level| level.cost.iter().copied().fold(0.0, f64::max))
        };
        self.columns.iter().map(largest).sum()
    }

    /// Whether it keeps its invariants, for so many records.
    #[must_use]
    pub fn is_sound(&self, records: usize) -> bool {
        let nested = |fine: &Level, coarse: &Level| {
            let mut above: Vec<Option<u32>> = vec![None; fine.node.len()];
            (fine.node.iter().zip(&coarse.node)).all(|(&node, &next)| {
                above.get_mut(node as usize).is_some_and(|above| *above.get_or_insert(next) == next)
            })
        };
        let whole = |column: &Levels| {
            let leaves = column.levels.first().map_or(0, |level| level.node.len());
            let levels = &column.levels;
            column.leaf.len() == records
                && column.leaf.iter().all(|&leaf| (leaf as usize) < leaves)
                && levels.iter().all(|level| level.node.len() == leaves && level.cost.len() == leaves)
                && levels.iter().flat_map(|level| &level.cost).all(|cost| cost.is_finite() && *cost >= 0.0)
                && levels.iter().flat_map(|level| &level.node).all(|&node| (node as usize) < leaves)
                && levels.windows(2).all(|pair| {
                    nested(&pair[0], &pair[1])
                        && pair[0].cost.iter().zip(&pair[1].cost).all(|(fine, coarse)| fine <= coarse)
                })
        };
        let of_columns = |set: &LatticeSet| {
            !set.columns.is_empty()
                && set.columns.windows(2).all(|pair| pair[0] < pair[1])
                && set.columns.last().is_some_and(|&last| last < self.columns.len())
        };
        !self.columns.is_empty()
            && self.columns.iter().all(whole)
            && self.sets.iter().all(of_columns)
            && self.price.is_finite()
            && self.price + ROUNDING >= self.most_to_lose()
    }

    /// What a record loses at these levels.
    #[must_use]
    pub fn loss_of(&self, record: usize, levels: &[u32]) -> f64 {
        let cost = |(column, &level): (&Levels, &u32)| {
            column.levels[level as usize].cost[column.leaf[record] as usize]
        };
        self.columns.iter().zip(levels).map(cost).sum()
    }

    /// Records that are published alike at these levels have the same number, `0..groups`, in the order of their first records.
    #[must_use]
    pub fn groups(&self, levels: &[u32]) -> Vec<u32> {
        let all: Vec<usize> = (0..self.columns.len()).collect();
        self.groups_in(&all, levels)
    }

    /// The same of some of the columns, by their places; `levels` are those of all.
    #[must_use]
    pub fn groups_in(&self, columns: &[usize], levels: &[u32]) -> Vec<u32> {
        let records = self.columns.first().map_or(0, |column| column.leaf.len());
        let nodes = |record: u32| {
            columns.iter().map(move |&at| {
                let column = &self.columns[at];
                column.levels[levels[at] as usize].node[column.leaf[record as usize] as usize]
            })
        };
        let mut order: Vec<u32> = (0..records as u32).collect();
        order.sort_by(|&a, &b| nodes(a).cmp(nodes(b)));
        let mut group = vec![0; records];
        let mut firsts = Vec::new();
        // Stable: the first of a run is its first record.
        for run in order.chunk_by(|&a, &b| nodes(a).eq(nodes(b))) {
            for &record in run {
                group[record as usize] = run[0];
            }
            firsts.push(run[0]);
        }
        firsts.sort_unstable();
        for number in &mut group {
            *number = firsts.partition_point(|first| first < number) as u32;
        }
        group
    }

    /// What an answer costs, from scratch, after checking that its classes are the groups of its levels, that those which are
    /// published are admissible, and that no more records are suppressed than may be.
    ///
    /// # Errors
    /// [`Error::Answer`] if one of these is not so.
    pub fn verified(&self, job: &Job, answer: &Answer, instance: &Instance) -> Result<f64, Error> {
        let wrong = || Error::from(AnswerFault::Levels);
        let found = answer.full_domain.as_ref().ok_or(AnswerFault::OtherForm)?;
        let is_level = |(column, &level): (&Levels, &u32)| (level as usize) < column.levels.len();
        let records = instance.records();
        let sound = self.is_sound(records)
            && found.levels.len() == self.columns.len()
            && self.columns.iter().zip(&found.levels).all(is_level)
            && found.suppressed.len() <= self.most
            // Where everybody is left out, nothing is published.
            && found.suppressed.len() < records
            && found.suppressed.windows(2).all(|pair| pair[0] < pair[1])
            && found.suppressed.last().is_none_or(|&last| (last as usize) < records);
        if !sound || answer.labels != self.groups(&found.levels) {
            return Err(wrong());
        }
        let mut gone = vec![false; records];
        for &record in &found.suppressed {
            gone[record as usize] = true;
        }
        let count = answer.labels.iter().map(|&label| label as usize + 1).max().unwrap_or(0);
        let mut groups = vec![Vec::new(); count];
        for (record, &label) in (0..).zip(&answer.labels) {
            groups[label as usize].push(record);
        }
        let mut loss = 0.0;
        for group in groups {
            let suppressed = group.iter().filter(|&&record| gone[record as usize]).count();
            if suppressed == group.len() {
                continue;
            }
            if suppressed > 0 || !admissible(job, instance, &group) {
                return Err(wrong());
            }
            loss += group.iter().map(|&record| self.loss_of(record as usize, &found.levels)).sum::<f64>();
        }
        for set in &self.sets {
            let alike = self.groups_in(&set.columns, &found.levels);
            let mut sizes = vec![0_usize; records];
            for (&group, _) in alike.iter().zip(&gone).filter(|(_, gone)| !**gone) {
                sizes[group as usize] += 1;
            }
            if sizes.iter().any(|&size| size > 0 && size < set.least) {
                return Err(wrong());
            }
        }
        Ok(loss + self.price * found.suppressed.len() as f64)
    }
}

/// Whether a group may be published, from scratch.
fn admissible(job: &Job, instance: &Instance, group: &[u32]) -> bool {
    group.len() >= job.rule.min_size
        && job.rule.conditions.iter().all(|condition| match condition {
            // Groups are whatever records are published alike: no choice of levels is for that.
            Condition::Different => false,
            Condition::Values { of, condition } => instance.keeps(group, (*of, condition)),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four leaves in two pairs; weight 0.5.
    fn pairs(leaf: &[u32]) -> Levels {
        let level = |node: [u32; 4], cost: f64| Level { node: node.to_vec(), cost: vec![cost; 4] };
        Levels {
            leaf: leaf.to_vec(),
            levels: vec![level([0, 1, 2, 3], 0.0), level([0, 0, 1, 1], 0.5 / 3.0), level([0; 4], 0.5)],
        }
    }

    #[test]
    fn groups_are_numbered_by_their_first_records() {
        let lattice = Lattice {
            columns: vec![pairs(&[3, 0, 1, 2]), pairs(&[0, 0, 0, 1])],
            price: 1.0,
            most: 0,
            sets: Vec::new(),
        };
        assert!(lattice.is_sound(4));
        assert_eq!(lattice.groups(&[0, 0]), [0, 1, 2, 3]);
        assert_eq!(lattice.groups(&[1, 1]), [0, 1, 1, 0]);
        assert_eq!(lattice.groups(&[1, 0]), [0, 1, 1, 2]);
        assert_eq!(lattice.groups(&[2, 2]), [0; 4]);
        assert_eq!(lattice.groups_in(&[1], &[0, 0]), [0, 0, 0, 1]);
        assert!((lattice.loss_of(0, &[2, 1]) - (0.5 + 0.5 / 3.0)).abs() < 1e-15);
    }

    #[test]
    fn what_breaks_an_invariant_is_no_lattice() {
        let sound = Lattice { columns: vec![pairs(&[3, 0, 1, 2])], price: 0.5, most: 0, sets: Vec::new() };
        assert!(sound.is_sound(4) && !sound.is_sound(3));
        assert!(!Lattice { price: 0.4, ..sound.clone() }.is_sound(4), "cheaper to suppress than to publish");
        let mut torn = sound.clone();
        torn.columns[0].levels[2].node = vec![0, 1, 1, 1];
        assert!(!torn.is_sound(4), "two that share a node share the coarser one");
        let mut falls = sound.clone();
        falls.columns[0].levels[1].cost = vec![0.6; 4];
        assert!(!falls.is_sound(4), "a coarser level costs less");
        let set = |columns: &[usize]| vec![LatticeSet { columns: columns.to_vec(), least: 3 }];
        assert!(Lattice { sets: set(&[0]), ..sound.clone() }.is_sound(4));
        assert!(
            !Lattice { sets: set(&[1]), ..sound.clone() }.is_sound(4)
                && !Lattice { sets: set(&[]), ..sound.clone() }.is_sound(4)
        );
        let mut beyond = sound;
        beyond.columns[0].leaf[0] = 4;
        assert!(!beyond.is_sound(4));
    }
}
