//! Set partitioning as an integer programme: cover every row exactly by given classes, at the least cost.
//!
//! The integer master of column generation. It starts from an incumbent where the back end takes one.

mod message;

pub use message::PartitionFault;

use crate::{
    Backend, Error,
    integer::{self, Integer},
};

/// An integer programme `min sum cost x, sum over classes of (count of row) x = right, x >= 0 integer`.
#[derive(Clone, Debug)]
pub struct Programme<'a> {
    /// How often each row is to be covered; at least 1.
    pub right: &'a [usize],
    /// Cost and rows of each class; a row may stand there more than once.
    pub classes: &'a [(f64, Vec<u32>)],
    /// Valid inequalities `sum coefficient x <= rhs`, as rhs and (class, coefficient): they tighten the relaxation.
    pub cuts: &'a [(f64, Vec<(u32, f64)>)],
    /// Classes of a known solution, a class as often as it is used; may be empty.
    pub start: &'a [u32],
}

/// When to give up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Seconds of wall clock; infinite for none.
    pub seconds: f64,
    /// Nodes of branch and bound.
    pub nodes: u32,
}

/// The best solution that was found, if any was, and what is proven of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// How often each class is used in the best solution that was found, if any was. It is checked.
    pub uses: Option<Vec<usize>>,
    /// No solution costs less, within the back end's tolerances; minus infinity if it proved nothing, infinity if there
    /// is no solution.
    pub bound: f64,
    /// Whether the search came to its end: no better solution exists, within the back end's tolerances; with no
    /// solution at hand, none exists.
    pub complete: bool,
}

/// Solves the programme.
///
/// # Errors
/// [`Error::Input`] for a row or class that does not exist or a number that is not finite, [`Error::Backend`] if the
/// back end fails.
pub fn solve(programme: &Programme, backend: Backend, limits: Limits) -> Result<Solution, Error> {
    check(programme)?;
    let asked = integer::Limits { seconds: limits.seconds, nodes: limits.nodes };
    let answer = written(programme).solve(backend, asked)?;
    let round = |x: Vec<f64>| x.iter().map(|v| v.round().max(0.0) as usize).collect::<Vec<_>>();
    let rounded = answer.values.map(round);
    let found = rounded.is_some();
    let uses = rounded.filter(|uses| covers(programme, uses));
    // An answer that does not hold proves nothing.
    let complete = answer.complete && found == uses.is_some();
    let bound = match (complete, found) {
        (true, false) => f64::INFINITY,
        _ if answer.bound.is_nan() => f64::NEG_INFINITY,
        _ => answer.bound,
    };
    Ok(Solution { uses, bound, complete })
}

/// The programme as rows and columns: a column a class, with how often the known solution uses it.
fn written(programme: &Programme) -> Integer {
    let mut uses = vec![0.0; programme.classes.len()];
    for &class in programme.start {
        uses[class as usize] += 1.0;
    }
    let mut integer = Integer::default();
    let classes: Vec<integer::Column> = programme
        .classes
        .iter()
        .zip(uses)
        .map(|((cost, rows), used)| {
            let most = rows.iter().map(|&row| programme.right[row as usize]).min().unwrap_or(0);
            integer.count(*cost, most, used)
        })
        .collect();
    for (row, &right) in by_row(programme).into_iter().zip(programme.right) {
        integer.equal(right as f64, row.into_iter().map(|(class, count)| (classes[class], count)).collect());
    }
    for (rhs, coefficients) in programme.cuts {
        integer.at_most(*rhs, coefficients.iter().map(|&(class, x)| (classes[class as usize], x)).collect());
    }
    if programme.start.is_empty() {
        integer.without_start();
    }
    integer
}

fn check(programme: &Programme) -> Result<(), Error> {
    let bad = |fault: PartitionFault| Err(Error::input(fault));
    let (rows, classes) = (programme.right.len(), programme.classes.len());
    if programme.right.contains(&0) {
        return bad(PartitionFault::Right);
    }
    let fits = |c: &(f64, Vec<u32>)| c.0.is_finite() && c.1.iter().all(|&r| (r as usize) < rows);
    if !programme.classes.iter().all(fits) {
        return bad(PartitionFault::Class);
    }
    let mut cuts = programme.cuts.iter();
    if !cuts.all(|cut| cut.0.is_finite() && cut.1.iter().all(|c| (c.0 as usize) < classes && c.1.is_finite()))
    {
        return bad(PartitionFault::Cut);
    }
    if programme.start.iter().any(|&c| c as usize >= classes) {
        return bad(PartitionFault::Start);
    }
    Ok(())
}

/// Whether the uses cover every row exactly.
fn covers(programme: &Programme, uses: &[usize]) -> bool {
    let mut covered = vec![0; programme.right.len()];
    for ((_, rows), &count) in programme.classes.iter().zip(uses) {
        for &row in rows {
            covered[row as usize] += count;
        }
    }
    covered == programme.right
}

/// The rows of the programme as (class, count), by row, classes ascending.
fn by_row(programme: &Programme) -> Vec<Vec<(usize, f64)>> {
    let mut rows: Vec<Vec<(usize, f64)>> = vec![Vec::new(); programme.right.len()];
    for (class, (_, members)) in programme.classes.iter().enumerate() {
        for &row in members {
            match rows[row as usize].last_mut() {
                Some((last, count)) if *last == class => *count += 1.0,
                _ => rows[row as usize].push((class, 1.0)),
            }
        }
    }
    rows
}
