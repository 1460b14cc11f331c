//! A block of an instance as plain numbers, and the instance from them, bit for bit.

use std::sync::Arc;

use lookalike_model::{
    block::{AnnealBlock, Block, BlockValues, Work},
    instance::{Category, Generalised, Instance, LANE, LARGEST_COORDINATE, Layout, Tree},
    partition::Partition,
    rule::{Rule, TableValues, Values},
    settings::Loss,
};

use super::{BlockFault, Classes};
use crate::Error;

/// Without what a series asks: its blocks stay where they are.
impl From<Classes> for Block {
    fn from(task: Classes) -> Self {
        let Classes { instance, names: (rule, loss), start, work, seed, .. } = task;
        let rows = 0..instance.reals as u32;
        Self::Anneal(AnnealBlock {
            dims: instance.dims,
            points: rows
                .flat_map(|i| (0..instance.dims).map(move |j| (i, j)))
                .map(|(i, j)| instance.coordinate(i, j))
                .collect(),
            colours: instance.colours.clone(),
            categories: instance.categories.iter().map(|c| (c.axis as u32, c.step)).collect(),
            codes: instance.codes.clone(),
            hierarchies: (instance.hierarchies.iter())
                .map(|h| (h.axis as u32, h.weight, h.tree.joins().to_vec()))
                .collect(),
            steps: match loss {
                Loss::Sse => instance.hierarchies.iter().map(|h| h.step).collect(),
                Loss::Ncp | Loss::NcpBinary => Vec::new(),
            },
            ranks: instance.ranks.clone(),
            rule,
            values: (instance.values.iter())
                .map(|values| BlockValues {
                    totals: values.table.totals().to_vec(),
                    ranks: values.table.ranks().to_vec(),
                    rank_count: values.table.rank_count(),
                    places: values.table.places().to_vec(),
                    levels: values.table.levels().iter().map(|level| level.groups().to_vec()).collect(),
                    of: values.of.clone(),
                })
                .collect(),
            loss,
            start: start.labels,
            work,
            seed,
        })
    }
}

impl Classes {
    /// The block that these numbers are.
    ///
    /// # Errors
    /// [`Error::Block`] for numbers that are no block, [`Error::Model`] for classes that are not admissible.
    pub(super) fn read(part: &AnnealBlock, rule: &Rule) -> Result<Self, Error> {
        let (instance, start) = instance(part, rule)?;
        let (work, names) = (part.work.clone(), (part.rule.clone(), part.loss));
        Ok(Self { instance: Arc::new(instance), names, start, work, limit: None, seed: part.seed })
    }
}

/// The instance of a block, and the classes it begins with, after checking both.
///
/// # Errors
/// [`Error::Block`] for numbers that are no block, [`Error::Model`] for classes that are not admissible.
fn instance(part: &AnnealBlock, rule: &Rule) -> Result<(Instance, Partition), Error> {
    let bad = |fault: BlockFault| Err(Error::from(fault));
    let (dims, n) = (part.dims, part.colours.len());
    if dims == 0 || part.points.is_empty() || !part.points.len().is_multiple_of(dims) {
        return bad(BlockFault::Points);
    }
    let reals = part.points.len() / dims;
    if reals > n || u32::try_from(n).is_err() {
        return bad(BlockFault::Records);
    }
    if part.points.iter().any(|x| !x.is_finite() || x.abs() > LARGEST_COORDINATE) {
        return bad(BlockFault::Coordinate);
    }
    let colour_count = part.colours.iter().map(|&c| c as usize + 1).max().unwrap_or(0);
    let mut seen = vec![false; colour_count.min(n)];
    for &colour in &part.colours {
        match seen.get_mut(colour as usize) {
            Some(seen) => *seen = true,
            None => return bad(BlockFault::ColourGap),
        }
    }
    if seen.contains(&false) {
        return bad(BlockFault::ColourGap);
    }
    let ascending = part.categories.is_sorted_by(|a, b| a.0 < b.0);
    let within = part.categories.iter().all(|&(axis, step)| (axis as usize) < dims && step.is_finite());
    let generalised = part.hierarchies.is_sorted_by(|a, b| a.0 < b.0)
        && part.hierarchies.iter().all(|(axis, weight, joins)| {
            let number = |x: &f64| (0.0..=LARGEST_COORDINATE).contains(x);
            (*axis as usize) < dims && number(weight) && joins.iter().all(number)
        })
        && match part.loss {
            Loss::Sse => {
                part.steps.len() == part.hierarchies.len() && part.steps.iter().all(|&step| step > 0.0)
            }
            Loss::Ncp | Loss::NcpBinary => part.steps.is_empty(),
        };
    if !ascending
        || !within
        || !generalised
        || part.codes.len() != n * part.categories.len()
        || part.ranks.len() != dims
    {
        return bad(BlockFault::Attributes);
    }
    let work = match &part.work {
        Work::Anneal { effort } => effort.is_finite() && *effort >= 0.0,
        Work::Cool { temperatures, moves, .. } => {
            // So that the product of both is a number, too.
            *moves < 1 << 40 && temperatures.len() < 1 << 20 && temperatures.iter().all(|t| *t >= 0.0)
        }
    };
    if !work || rule.min_size < 2 {
        return bad(BlockFault::Work);
    }
    let hierarchy = |((axis, weight, joins), step): (&(u32, f64, Vec<f64>), Option<f64>)| {
        let new = Generalised::new(*axis as usize, *weight, Arc::new(Tree::new(joins.clone())));
        Generalised { step: step.unwrap_or(new.step), ..new }
    };
    let steps = part.steps.iter().copied().map(Some).chain(std::iter::repeat(None));
    let hierarchies: Vec<Generalised> = part.hierarchies.iter().zip(steps).map(hierarchy).collect();
    let layout = match part.loss {
        Loss::Sse => Layout::apart(dims, |j| hierarchies.iter().any(|h| h.axis == j)),
        Loss::Ncp | Loss::NcpBinary => Layout::in_order(dims),
    };
    let lanes = layout.lanes;
    let mut points = vec![[0.0; LANE]; n * lanes];
    for (i, row) in part.points.chunks_exact(dims).enumerate() {
        for (j, &x) in row.iter().enumerate() {
            let (lane, l) = layout.slot(j);
            points[i * lanes + lane][l] = x;
        }
    }
    let category = |&(axis, step): &(u32, f64)| Category { axis: axis as usize, step };
    let instance = Instance {
        dims,
        points,
        lanes,
        layout,
        colours: part.colours.clone(),
        colour_count,
        reals,
        categories: part.categories.iter().map(category).collect(),
        codes: part.codes.clone(),
        hierarchies,
        ranks: part.ranks.clone(),
        series: None,
        values: values(part)?,
    };
    if part.start.len() != n || part.start.iter().any(|&label| label as usize >= n) {
        return bad(BlockFault::Classes);
    }
    let start = Partition::from_labels(&part.start);
    start.check(&instance, rule)?;
    Ok((instance, start))
}

/// How the values of the whole table are distributed in each sensitive column, if the rule of a block goes by that.
///
/// # Errors
/// [`Error::Block`] for numbers that contradict each other.
fn values(part: &AnnealBlock) -> Result<Vec<Arc<Values>>, Error> {
    if part.rule.values().any(|(of, _)| of >= part.values.len()) {
        return Err(BlockFault::Values.into());
    }
    part.values.iter().map(|values| column(values, part.colours.len()).map(Arc::new)).collect()
}

/// The same of one column of so many records.
fn column(values: &BlockValues, records: usize) -> Result<Values, Error> {
    let BlockValues { totals, ranks, rank_count, places, levels, of } = values;
    let below = |numbers: &[u32], most: usize| numbers.iter().all(|&number| (number as usize) < most);
    let sound = totals.len() == ranks.len()
        && ranks.is_sorted()
        && places.len() == totals.len()
        && places.is_sorted()
        && places.iter().all(|x| x.abs() <= LARGEST_COORDINATE)
        && below(ranks, *rank_count as usize)
        && *rank_count <= 1 << 28
        && !totals.contains(&0)
        && u32::try_from(totals.iter().map(|&count| u64::from(count)).sum::<u64>()).is_ok()
        && of.len() == records
        && below(of, totals.len())
        && levels.iter().all(|groups| groups.len() == totals.len() && below(groups, totals.len()));
    let mut counts = vec![0_u32; totals.len()];
    if sound {
        for &value in of {
            counts[value as usize] += 1;
        }
    }
    if !sound || counts.iter().zip(totals).any(|(here, all)| here > all) {
        return Err(BlockFault::Values.into());
    }
    let table = TableValues::new(totals.clone(), ranks.clone(), *rank_count)
        .placed(places.clone())
        .leveled(levels.clone());
    Ok(Values { table: Arc::new(table), of: of.clone() })
}
