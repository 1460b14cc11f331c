//! The groups of records that are published alike at a node, and which of them are admissible.

use std::sync::Arc;

use lookalike_model::{
    instance::Instance,
    lattice::{Lattice, LatticeSet},
    rule::{Rule, TableValues, ValueCondition},
};
use rustc_hash::FxHashMap;

/// Different records, each with how often it occurs: all that a search over levels looks at.
pub(super) struct Groups {
    lattice: Arc<Lattice>,
    /// Different records, a row a record: their leaves, and their value in each sensitive column that the rule asks for.
    leaves: Vec<u32>,
    values: Vec<u32>,
    counts: Vec<u32>,
    /// Different nodes of each level of each column, as many as numbers for them.
    sizes: Vec<Vec<u64>>,
    least: usize,
    /// Fewest records that the conditions need by themselves, or `least`.
    least_of_all: usize,
    /// Each with its sensitive column.
    conditions: Vec<(usize, ValueCondition)>,
    /// The values of the whole table in each sensitive column.
    tables: Vec<Arc<TableValues>>,
}

/// What there is at a node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Found {
    /// Records in groups that are not admissible.
    pub(super) suppressed: u64,
    /// Those of them that would go for the sizes of groups alone, in all columns and in the sets, whatever their values. There are never more of them at a
    /// coarser node.
    pub(super) small: u64,
    /// What the suppressed records cost beyond what they would lose there.
    pub(super) penalty: f64,
    /// The same of those that go for sizes alone. It never rises from a node to a coarser one.
    pub(super) penalty_of_small: f64,
}

impl Groups {
    /// Of the records of an instance.
    pub(super) fn new(lattice: &Arc<Lattice>, rule: &Rule, instance: &Instance) -> Self {
        let values = |record: u32| instance.values.iter().map(move |values| values.of[record as usize]);
        let leaves = |record: u32| lattice.columns.iter().map(move |column| column.leaf[record as usize]);
        let mut order: Vec<u32> = (0..instance.records() as u32).collect();
        order.sort_unstable_by(|&a, &b| values(a).cmp(values(b)).then_with(|| leaves(a).cmp(leaves(b))));
        let mut all = Self {
            lattice: Arc::clone(lattice),
            leaves: Vec::new(),
            values: Vec::new(),
            counts: Vec::new(),
            sizes: (lattice.columns.iter())
                .map(|column| column.levels.iter().map(|level| numbers(&level.node)).collect())
                .collect(),
            least: rule.min_size,
            least_of_all: rule.relaxed().min_size,
            conditions: rule.values().map(|(of, condition)| (of, *condition)).collect(),
            tables: instance.values.iter().map(|values| Arc::clone(&values.table)).collect(),
        };
        for run in order.chunk_by(|&a, &b| values(a).eq(values(b)) && leaves(a).eq(leaves(b))) {
            all.leaves.extend(leaves(run[0]));
            all.values.extend(values(run[0]));
            all.counts.push(run.len() as u32);
        }
        all
    }

    /// Different records.
    pub(super) fn rows(&self) -> usize {
        self.counts.len()
    }

    /// What is looked at for one node: cells.
    pub(super) fn work(&self) -> u64 {
        let sets: usize = self.lattice.sets.iter().map(|set| set.columns.len()).sum();
        (self.rows() * (self.lattice.columns.len() + sets)) as u64
    }

    /// Counts the groups at a node.
    pub(super) fn at(&self, levels: &[u32]) -> Found {
        let (group, count) = self.group(levels);
        let mut records = vec![0_u32; count];
        for (&group, &records_of) in group.iter().zip(&self.counts) {
            records[group as usize] += records_of;
        }
        let sets = self.sets_at(levels, &group, &records);
        let small: Vec<bool> =
            records.iter().map(|&records| (records as usize) < self.least_of_all).collect();
        let mut gone = small.clone();
        for (gone, broken) in gone.iter_mut().zip(self.broken(&group, &records)) {
            *gone |= broken;
        }
        // What is too small in a set, without the records that go for another reason and with them.
        let mut small = small;
        shrink(&sets, &records, &mut small);
        shrink(&sets, &records, &mut gone);
        let mut found = Found::default();
        for (row, &group) in group.iter().enumerate() {
            let small = small[group as usize];
            if !gone[group as usize] {
                continue;
            }
            let records = self.counts[row];
            let penalty = f64::from(records) * (self.lattice.price - self.loss(row, levels)).max(0.0);
            found.suppressed += u64::from(records);
            found.penalty += penalty;
            if small {
                found.small += u64::from(records);
                found.penalty_of_small += penalty;
            }
        }
        found
    }

    /// The sets, each with the group in it of each group of all columns.
    fn sets_at(&self, levels: &[u32], group: &[u32], records: &[u32]) -> Vec<(usize, Vec<u32>)> {
        let of = |set: &LatticeSet| {
            let (alike, _) = self.group_in(&set.columns, levels);
            let mut of_group = vec![0; records.len()];
            for (&group, &alike) in group.iter().zip(&alike) {
                of_group[group as usize] = alike;
            }
            (set.least, of_group)
        };
        self.lattice.sets.iter().map(of).collect()
    }

    /// What a record like this one loses at these levels.
    fn loss(&self, row: usize, levels: &[u32]) -> f64 {
        let columns = self.lattice.columns.len();
        let leaves = &self.leaves[row * columns..(row + 1) * columns];
        let of = self.lattice.columns.iter().zip(levels).zip(leaves);
        of.map(|((column, &level), &leaf)| column.levels[level as usize].cost[leaf as usize]).sum()
    }

    /// The group of each different record at these levels, and how many groups there are.
    fn group(&self, levels: &[u32]) -> (Vec<u32>, usize) {
        let all: Vec<usize> = (0..self.lattice.columns.len()).collect();
        self.group_in(&all, levels)
    }

    /// The same of some of the columns, by their places; `levels` are those of all.
    fn group_in(&self, places: &[usize], levels: &[u32]) -> (Vec<u32>, usize) {
        let columns = self.lattice.columns.len();
        let mut group = vec![0_u32; self.rows()];
        let mut count = 1;
        let mut at = 0;
        // As many columns at once as one number holds their nodes beside the groups so far.
        while at < places.len() {
            let mut room = count as u64;
            let first = at;
            while at < places.len() {
                let size = self.sizes[places[at]][levels[places[at]] as usize];
                let Some(more) = room.checked_mul(size) else { break };
                room = more;
                at += 1;
            }
            // A column by itself always fits: groups and nodes are 32 bits each.
            at = at.max(first + 1);
            let tables: Vec<(usize, &[u32], u64)> = (places[first..at].iter())
                .map(|&column| {
                    let level = levels[column] as usize;
                    (
                        column,
                        self.lattice.columns[column].levels[level].node.as_slice(),
                        self.sizes[column][level],
                    )
                })
                .collect();
            let mut names: FxHashMap<u64, u32> = FxHashMap::default();
            names.reserve(count.min(self.rows()));
            for (row, group) in self.leaves.chunks_exact(columns).zip(&mut group) {
                let key = tables.iter().fold(u64::from(*group), |key, (column, nodes, size)| {
                    key * size + u64::from(nodes[row[*column] as usize])
                });
                let next = names.len() as u32;
                *group = *names.entry(key).or_insert(next);
            }
            count = names.len();
        }
        (group, count)
    }

    /// The groups that are large enough and break a condition, or are smaller than the rule's least size.
    fn broken(&self, group: &[u32], records: &[u32]) -> Vec<bool> {
        if self.conditions.is_empty() {
            return Vec::new();
        }
        // Rows by group.
        let mut ends = vec![0_u32; records.len() + 1];
        for &group in group {
            ends[group as usize + 1] += 1;
        }
        for at in 1..ends.len() {
            ends[at] += ends[at - 1];
        }
        let mut places = ends.clone();
        let mut rows = vec![0_u32; group.len()];
        for (row, &group) in (0..).zip(group) {
            let place = &mut places[group as usize];
            rows[*place as usize] = row;
            *place += 1;
        }
        let columns = self.tables.len();
        let mut counts: Vec<(u32, u32)> = Vec::new();
        let keeps = |group: usize, counts: &mut Vec<(u32, u32)>| {
            (self.tables.iter().enumerate()).all(|(of, table)| {
                counts.clear();
                let of_group = &rows[ends[group] as usize..ends[group + 1] as usize];
                let value = |row: u32| self.values[row as usize * columns + of];
                counts.extend(of_group.iter().map(|&row| (value(row), self.counts[row as usize])));
                counts.sort_unstable();
                counts.dedup_by(|next, kept| {
                    let same = next.0 == kept.0;
                    kept.1 += if same { next.1 } else { 0 };
                    same
                });
                let mut asked = self.conditions.iter().filter(|(column, _)| *column == of);
                asked.all(|(_, condition)| condition.holds(counts.iter().copied(), table))
            })
        };
        (0..records.len())
            .map(|group| (records[group] as usize) < self.least || !keeps(group, &mut counts))
            .collect()
    }
}

/// Takes out the groups of all columns that belong to a group of a set which is too small without those that went before, until each group of a set
/// has enough. What is left is the most that can be: it does not depend on the order.
pub(super) fn shrink(sets: &[(usize, Vec<u32>)], records: &[u32], gone: &mut [bool]) {
    let mut more = !sets.is_empty();
    while more {
        more = false;
        for (least, alike) in sets {
            let mut sizes = vec![0_u64; records.len()];
            for ((&set, &records), gone) in alike.iter().zip(records).zip(gone.iter()) {
                sizes[set as usize] += if *gone { 0 } else { u64::from(records) };
            }
            for (&set, gone) in alike.iter().zip(gone.iter_mut()) {
                let short = !*gone && sizes[set as usize] < *least as u64;
                *gone |= short;
                more |= short;
            }
        }
    }
}

/// How many numbers there are up to the largest.
fn numbers(nodes: &[u32]) -> u64 {
    nodes.iter().max().map_or(1, |&largest| u64::from(largest) + 1)
}
