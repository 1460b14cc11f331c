//! Integer masters: the best partition from given classes.

use super::{cuts::OddSet, pool::Column};
use crate::Error;

/// When to stop.
pub(super) struct Limits {
    pub(super) seconds: Option<f64>,
    pub(super) nodes: i32,
    pub(super) cutoff: f64,
}

/// What came of it.
pub(super) struct Found {
    pub(super) classes: Option<Vec<Vec<u32>>>,
    pub(super) exhausted: bool,
}

pub(super) fn solve(
    right: &[usize],
    columns: &[&Column],
    cuts: &[OddSet],
    limits: Limits,
) -> Result<Found, Error> {
    let mut number = vec![u32::MAX; right.len()];
    let mut b = vec![];
    for (t, &r) in right.iter().enumerate() {
        if r > 0 {
            number[t] = b.len() as u32;
            b.push(r as f64);
        }
    }
    let cols: Vec<(f64, Vec<u32>)> =
        columns.iter().map(|c| (c.cost, c.members.iter().map(|&t| number[t as usize]).collect())).collect();
    let rows: Vec<(f64, Vec<(u32, f64)>)> = cuts
        .iter()
        .map(|s| {
            (
                s.limit,
                columns
                    .iter()
                    .enumerate()
                    .filter_map(|(k, c)| {
                        let x = s.coefficient(&c.members);
                        (x > 0.0).then_some((k as u32, x))
                    })
                    .collect(),
            )
        })
        .collect();
    let (x, exhausted) =
        lookalike_lp::interim::mip(&b, &cols, &rows, limits.seconds, limits.nodes, limits.cutoff);
    let classes = x.map(|x| {
        x.iter()
            .enumerate()
            .flat_map(|(k, &v)| std::iter::repeat_n(columns[k].members.clone(), v.round() as usize))
            .collect()
    });
    Ok(Found { classes, exhausted })
}
