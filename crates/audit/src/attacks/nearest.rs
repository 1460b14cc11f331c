//! The published rows nearest to a row of an exact table.
//!
//! The distance of two rows is the sum of those of their cells (Gower, A General Coefficient of Similarity, Biometrics 27, 1971): numbers
//! by their difference as a part of the column's width, labels 0 or 1. A generalised cell is as near as the nearest value that it may
//! be, so that it is at 0 from all values in it, and `*` from all there are. Distance 0 is then what
//! [`consistency`](crate::consistency) calls consistent: the attacker cannot rule the row out. Any other choice, such as the middle of
//! a range, would bring rows near that cannot be the person's and move away rows that may be.
//!
//! Rows at the same distance are drawn from by the seed, anew for each search: rows that are published alike tell nothing of which is whose.

use std::cmp::Ordering;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::attribute::Attribute;

/// The `count` published rows nearest to a row of an exact table by these columns, ascending; all if there are no more.
pub(super) fn nearest(
    by: &[&Attribute],
    (table, row): (usize, usize),
    count: usize,
    rng: &mut ChaCha8Rng,
) -> Vec<usize> {
    let rows = by.first().map_or(0, |attribute| attribute.published.cells.len());
    let mut sums = vec![0.0; rows];
    for attribute in by {
        let of_entry = attribute.distances(table, row);
        for (sum, &code) in sums.iter_mut().zip(&attribute.published.cells) {
            *sum += of_entry[code as usize];
        }
    }
    let count = count.min(rows);
    let Some(last) = count.checked_sub(1) else { return Vec::new() };
    let distances = &sums;
    let mut ordered = sums.clone();
    let (_, &mut farthest, _) = ordered.select_nth_unstable_by(last, f64::total_cmp);
    let at = |which: Ordering| move |row: &usize| distances[*row].total_cmp(&farthest) == which;
    let mut found: Vec<usize> = (0..rows).filter(at(Ordering::Less)).collect();
    let mut alike: Vec<usize> = (0..rows).filter(at(Ordering::Equal)).collect();
    draw(&mut alike, count - found.len(), rng);
    found.extend(alike);
    found.sort_unstable();
    found
}

/// Leaves so many of them, each choice as likely as the others.
pub(super) fn draw<T>(of: &mut Vec<T>, count: usize, rng: &mut ChaCha8Rng) {
    let count = count.min(of.len());
    for at in 0..count {
        let other = rng.random_range(at..of.len());
        of.swap(at, other);
    }
    of.truncate(count);
}

/// So many different numbers below `below`, in the order in which they are drawn.
pub(super) fn drawn(below: usize, count: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let mut all: Vec<usize> = (0..below).collect();
    draw(&mut all, count, rng);
    all
}
