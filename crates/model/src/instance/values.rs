//! The sensitive values of a job's records, column by column: the records of a job are the whole table.

use std::sync::Arc;

use super::{
    LARGEST_COORDINATE,
    message::{JobFault, RanksFault},
};
use crate::{
    Error,
    job::{Job, Ranks},
    rule::{ValueCondition, Values},
};

/// Most levels of a hierarchy of values: the root and as many as a hierarchy has.
const MOST_LEVELS: usize = 65;

/// The distributions, if the rule asks for any.
///
/// # Errors
/// [`Error::Job`] for ranks or codes that do not fit, a condition on a column that the job has not, or counterfeits.
pub(super) fn of_job(job: &Job, colour_count: usize) -> Result<Vec<Arc<Values>>, Error> {
    let asks = |of: usize| {
        let asked = || job.rule.values().filter(move |(column, _)| *column == of).map(|(_, c)| c);
        (asked().any(ValueCondition::is_ordered), asked().any(ValueCondition::is_hierarchical))
    };
    check(job.ranks.as_ref(), (colour_count, job.colours.len()), asks(0))?;
    let records = job.colours.len();
    let mut counts = vec![colour_count];
    for (column, further) in (1..).zip(&job.further) {
        let count = further.values.iter().map(|&code| code as usize + 1).max().unwrap_or(0);
        let mut seen = vec![false; count.min(records)];
        for &code in &further.values {
            if let Some(seen) = seen.get_mut(code as usize) {
                *seen = true;
            }
        }
        if further.values.len() != records || count > records || seen.contains(&false) {
            return Err(JobFault::Further { column }.into());
        }
        check(further.ranks.as_ref(), (count, records), asks(column))?;
        counts.push(count);
    }
    if let Some((column, _)) = job.rule.values().find(|(column, _)| *column >= counts.len()) {
        return Err(JobFault::Further { column }.into());
    }
    if !job.rule.has_values() {
        return Ok(Vec::new());
    }
    if job.points.len() / job.dims < records {
        return Err(JobFault::CounterfeitsAmongValues.into());
    }
    let columns = std::iter::once((&job.colours, &job.ranks))
        .chain(job.further.iter().map(|further| (&further.values, &further.ranks)));
    let whole = |((codes, ranks), &count): ((&Vec<u32>, &Option<Ranks>), &usize)| {
        Arc::new(Values::whole(codes, count, ranks.as_ref()))
    };
    Ok(columns.zip(&counts).map(whole).collect())
}

/// Refuses ranks and branches that do not fit so many values of so many records, and none where a condition goes by them.
fn check(
    ranks: Option<&Ranks>,
    (count, records): (usize, usize),
    (ordered, hierarchical): (bool, bool),
) -> Result<(), Error> {
    let fits = |of: &Ranks| {
        of.colours.len() == count
            && of.colours.iter().all(|&rank| rank < of.count)
            && placed(of)
            && nested(&of.branches, count)
    };
    // More ranks than this would be room for nothing.
    let most = u32::try_from(records).unwrap_or(u32::MAX).saturating_mul(64).max(1 << 16);
    let fault = match ranks {
        None if ordered => Some(RanksFault::Missing),
        _ if hierarchical && ranks.is_none_or(|of| of.branches.is_empty()) => Some(RanksFault::NoBranches),
        Some(ranks) if !fits(ranks) || ranks.count > most => Some(RanksFault::Misfit),
        Some(_) | None => None,
    };
    fault.map_or(Ok(()), |fault| Err(JobFault::Ranks(fault).into()))
}

/// Whether these are the levels of a tree of so many values: labels are numbers below that of values, values of one label have one at each coarser level,
/// and all have one at the last.
fn nested(branches: &[Vec<u32>], count: usize) -> bool {
    let sound = |branch: &Vec<u32>| branch.len() == count && branch.iter().all(|&of| (of as usize) < count);
    let within = |pair: &[Vec<u32>]| {
        let mut coarser = vec![None; count];
        pair[0]
            .iter()
            .zip(&pair[1])
            .all(|(&fine, &coarse)| *coarser[fine as usize].get_or_insert(coarse) == coarse)
    };
    let root = |last: &Vec<u32>| last.windows(2).all(|pair| pair[0] == pair[1]);
    branches.len() <= MOST_LEVELS
        && branches.iter().all(sound)
        && branches.windows(2).all(within)
        && branches.last().is_none_or(root)
}

/// Whether values of a higher rank lie further along, and those of one rank at one place; or no places are told.
fn placed(of: &Ranks) -> bool {
    if of.places.is_empty() {
        return true;
    }
    let mut order: Vec<usize> = (0..of.colours.len()).collect();
    order.sort_by_key(|&code| of.colours[code]);
    let rises = |pair: &[usize]| {
        let (a, b) = (pair[0], pair[1]);
        let (x, y) = (of.places[a], of.places[b]);
        if of.colours[a] == of.colours[b] { x == y } else { x < y }
    };
    let moderate = |x: &f64| x.abs() <= LARGEST_COORDINATE;
    of.places.len() == of.colours.len() && of.places.iter().all(moderate) && order.windows(2).all(rises)
}
