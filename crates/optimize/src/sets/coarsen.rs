//! Groups of given classes, of at least so many records each.
//!
//! Classes are halved along the attribute in which they differ most until a block is small enough to be grouped one by one: the group
//! with the fewest records goes to the one with which it loses least, until all are large enough. Then classes change groups as
//! long as that loses less. O(b² s) a block of b classes with groups of s records.

use lookalike_model::{instance::Instance, loss::Loss};

use super::ROUNDING;

/// Records that are looked at in a block that is grouped one by one, at most: some ten milliseconds.
const BLOCK: usize = 4_000_000;

/// The same for changes of groups, in all.
const CHANGES: usize = 10_000_000;

/// Other groups that a class may change to: those whose middle is nearest.
const NEAREST: usize = 24;

/// A group that is being made.
struct Group {
    units: Vec<usize>,
    members: Vec<u32>,
    loss: f64,
}

/// The groups of these units, as labels of the records. There are enough records for one.
pub(crate) fn coarsen<L: Loss>(instance: &Instance, loss: &L, units: &[Vec<u32>], least: usize) -> Vec<u32> {
    let mut groups = Vec::new();
    let mut open = vec![(0..units.len()).collect::<Vec<usize>>()];
    while let Some(block) = open.pop() {
        let records: usize = block.iter().map(|&unit| units[unit].len()).sum();
        let size = least + records / block.len().max(1);
        let parted = (block.len() * block.len() * size > BLOCK)
            .then(|| halves(instance, units, &block, (records, least)))
            .flatten();
        match parted {
            Some(both) => open.extend(both),
            None if block.len() * block.len() * size > BLOCK => {
                groups.push(Group::of(instance, loss, units, block));
            }
            None => groups.extend(joined(instance, loss, units, (&block, least))),
        }
    }
    change(instance, loss, units, least, &mut groups);
    let mut labels = vec![0; instance.records()];
    for (label, group) in (0..).zip(&groups) {
        for &i in &group.members {
            labels[i as usize] = label;
        }
    }
    labels
}

impl Group {
    fn of<L: Loss>(instance: &Instance, loss: &L, units: &[Vec<u32>], of: Vec<usize>) -> Self {
        let members: Vec<u32> = of.iter().flat_map(|&unit| units[unit].iter().copied()).collect();
        let loss = loss.class(instance, &members);
        Self { units: of, members, loss }
    }
}

/// The mean of the coordinates of these records.
fn middle(instance: &Instance, members: &[u32]) -> Vec<f64> {
    let mean = |axis| members.iter().map(|&i| instance.coordinate(i, axis)).sum::<f64>();
    (0..instance.dims).map(|axis| mean(axis) / members.len().max(1) as f64).collect()
}

/// Two blocks in place of one, each with enough records; `None` if that cannot be.
fn halves(
    instance: &Instance,
    units: &[Vec<u32>],
    block: &[usize],
    (records, least): (usize, usize),
) -> Option<[Vec<usize>; 2]> {
    if records < 2 * least {
        return None;
    }
    let middles: Vec<Vec<f64>> = block.iter().map(|&unit| middle(instance, &units[unit])).collect();
    let spread = |axis: usize| {
        let mean = middles.iter().map(|at| at[axis]).sum::<f64>() / middles.len() as f64;
        middles.iter().map(|at| (at[axis] - mean) * (at[axis] - mean)).sum::<f64>()
    };
    let widest = (0..instance.dims).map(|axis| (axis, spread(axis)));
    let (axis, _) = widest.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
    let mut order: Vec<usize> = (0..block.len()).collect();
    order.sort_by(|&a, &b| middles[a][axis].total_cmp(&middles[b][axis]).then(block[a].cmp(&block[b])));
    let mut held = 0;
    let place = order.iter().position(|&at| {
        held += units[block[at]].len();
        held >= least.max(records / 2)
    })?;
    let (low, high) = order.split_at(place + 1);
    let held_of = |part: &[usize]| part.iter().map(|&at| units[block[at]].len()).sum::<usize>();
    let of = |part: &[usize]| part.iter().map(|&at| block[at]).collect();
    (held_of(high) >= least).then(|| [of(low), of(high)])
}

/// The groups of a block, one by one.
fn joined<L: Loss>(
    instance: &Instance,
    loss: &L,
    units: &[Vec<u32>],
    (block, least): (&[usize], usize),
) -> Vec<Group> {
    let mut groups: Vec<Group> =
        block.iter().map(|&unit| Group::of(instance, loss, units, vec![unit])).collect();
    while groups.len() > 1 {
        let small = groups.iter().enumerate().filter(|(_, group)| group.members.len() < least);
        let Some((at, _)) = small.min_by_key(|(at, group)| (group.members.len(), *at)) else { break };
        let small = groups.swap_remove(at);
        let more = |group: &Group| {
            let both: Vec<u32> = group.members.iter().chain(&small.members).copied().collect();
            loss.class(instance, &both) - group.loss
        };
        let best = groups.iter().map(more).enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((to, more)) = best {
            let group = &mut groups[to];
            group.loss += more;
            group.units.extend(small.units);
            group.members.extend(small.members);
        }
    }
    groups
}

/// Lets units change groups as long as that loses less.
fn change<L: Loss>(instance: &Instance, loss: &L, units: &[Vec<u32>], least: usize, groups: &mut [Group]) {
    let mut left = CHANGES;
    let mut changed = groups.len() > 1;
    while changed && left > 0 {
        changed = false;
        for from in 0..groups.len() {
            for unit in groups[from].units.clone() {
                if groups[from].members.len() < least + units[unit].len() {
                    continue;
                }
                let stays: Vec<u32> =
                    groups[from].members.iter().copied().filter(|i| !units[unit].contains(i)).collect();
                let kept = loss.class(instance, &stays);
                let gain = groups[from].loss - kept;
                left = left.saturating_sub(stays.len());
                let mut best: Option<(usize, f64)> = None;
                for to in nearest(instance, groups, from, &units[unit]) {
                    let group = &groups[to];
                    let both: Vec<u32> = group.members.iter().chain(&units[unit]).copied().collect();
                    left = left.saturating_sub(both.len());
                    let more = loss.class(instance, &both) - group.loss;
                    if best.is_none_or(|(_, least)| more < least) {
                        best = Some((to, more));
                    }
                }
                let Some((to, more)) = best else { continue };
                if more < gain - ROUNDING * groups[from].loss.max(1.0) {
                    let group = &mut groups[from];
                    (group.members, group.loss) = (stays, kept);
                    group.units.retain(|&other| other != unit);
                    let group = &mut groups[to];
                    group.members.extend(&units[unit]);
                    group.units.push(unit);
                    group.loss += more;
                    changed = true;
                }
                if left == 0 {
                    return;
                }
            }
        }
    }
}

/// The groups that a unit may change to.
fn nearest(instance: &Instance, groups: &[Group], from: usize, unit: &[u32]) -> Vec<usize> {
    let others = (0..groups.len()).filter(|&to| to != from);
    if groups.len() <= NEAREST + 1 {
        return others.collect();
    }
    let at = middle(instance, unit);
    // One record of a group stands for it: it is near enough where groups are small.
    let far = |to: usize| -> f64 {
        let other = groups[to].members.first().copied().unwrap_or(0);
        (0..instance.dims).map(|axis| (at[axis] - instance.coordinate(other, axis)).powi(2)).sum()
    };
    let mut near: Vec<(f64, usize)> = others.map(|to| (far(to), to)).collect();
    near.select_nth_unstable_by(NEAREST, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    near.truncate(NEAREST);
    near.into_iter().map(|(_, to)| to).collect()
}
