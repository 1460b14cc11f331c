//! Row order.

use lookalike_table::Column;

use crate::{
    Check, Subject,
    judge::{compare, words},
    published::Published,
};

/// Whether rows are sorted by published content; see [`crate::judge`] for the order.
pub(crate) fn sorted(published: &Published) -> Check {
    let columns: Vec<(&Column, Vec<u32>)> = published.sorted_by.iter().map(|c| (*c, ranks(c))).collect();
    let rank = |ranks: &[u32], column: &Column, row: usize| ranks[column.cells[row] as usize];
    // The first column in which two neighbours differ decides.
    let inverted = |row: &usize| {
        let differing = columns.iter().map(|(c, ranks)| (c, rank(ranks, c, row - 1), rank(ranks, c, *row)));
        let mut differing = differing.filter(|(_, before, after)| before != after);
        differing.next().filter(|(_, before, after)| before > after).map(|(c, ..)| (*row, *c))
    };
    let broken: Vec<(usize, &Column)> = (1..published.rows).filter_map(|row| inverted(&row)).collect();
    let finding = words::sorted(broken.len());
    Check::new(
        Subject::Sorted,
        finding,
        broken.into_iter().map(|(row, column)| words::unsorted(row, &column.name)),
    )
}

/// The rank of each different cell of a column, by code.
fn ranks(column: &Column) -> Vec<u32> {
    let mut codes: Vec<usize> = (0..column.values.len()).collect();
    codes.sort_unstable_by(|&a, &b| compare(&column.values[a], &column.values[b]));
    let mut ranks = vec![0; codes.len()];
    for (rank, code) in codes.into_iter().enumerate() {
        ranks[code] = rank as u32;
    }
    ranks
}
