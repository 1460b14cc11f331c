//! Integer masters: the best way to cover given types by given classes.

use lookalike_lp::{
    Backend,
    partition::{self, Limits, Programme},
};

use super::{column::Column, cuts::SubsetRow};
use crate::Error;

/// The answer to an integer master.
pub struct Cover {
    /// The classes of the best solution, if there is one.
    pub classes: Option<Vec<Vec<u32>>>,
    /// Whether nothing better exists.
    pub complete: bool,
}

/// Covers each type as often as `right` says (0: it takes no part). `start` is a solution, all of whose classes are
/// among `columns`, which are sorted by members.
///
/// # Errors
/// If the programme cannot be stated; a solver that fails has found nothing.
pub fn solve(
    right: &[usize],
    columns: &[&Column],
    cuts: &[SubsetRow],
    start: &[Vec<u32>],
    limits: Limits,
) -> Result<Cover, Error> {
    let mut number = vec![0; right.len()];
    let mut rows = Vec::new();
    for (t, &count) in right.iter().enumerate().filter(|r| *r.1 > 0) {
        number[t] = rows.len() as u32;
        rows.push(count);
    }
    let scale = scale(columns.iter().map(|c| c.cost));
    let classes: Vec<(f64, Vec<u32>)> = columns
        .iter()
        .map(|c| (scale * c.cost, c.members.iter().map(|&t| number[t as usize]).collect()))
        .collect();
    let cuts: Vec<(f64, Vec<(u32, f64)>)> = cuts
        .iter()
        .map(|cut| {
            let all = columns.iter().zip(0..).map(|(c, at)| (at, cut.coefficient(&c.members)));
            (cut.limit, all.filter(|c| c.1 > 0.0).collect())
        })
        .collect();
    let at = |class: &Vec<u32>| columns.binary_search_by(|c| c.members.cmp(class)).ok().map(|at| at as u32);
    let start: Option<Vec<u32>> = start.iter().map(at).collect();
    let start = start.unwrap_or_default();
    let programme = Programme { right: &rows, classes: &classes, cuts: &cuts, start: &start };
    let found = match partition::solve(&programme, Backend::best(), limits) {
        // A solver that fails has found nothing and proven nothing.
        Err(lookalike_lp::Error::Backend { .. }) => return Ok(Cover { classes: None, complete: false }),
        other => other?,
    };
    let chosen = |uses: Vec<usize>| {
        let repeated = columns.iter().zip(uses);
        repeated.flat_map(|(c, count)| std::iter::repeat_n(c.members.clone(), count)).collect()
    };
    Ok(Cover { classes: found.uses.map(chosen), complete: found.complete })
}

/// The power of two that brings the mean of these numbers near 1, so that a solver's absolute tolerances are small beside
/// them; multiplying by it rounds nothing.
pub(super) fn scale(numbers: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = numbers.fold((0.0, 0.0), |(sum, count), x: f64| (sum + x.abs(), count + 1.0));
    let mean = sum / count;
    if mean.is_normal() { libm::exp2(-libm::floor(libm::log2(mean))) } else { 1.0 }
}
