//! Minimal sample uniques, as in SUDA: sets of columns in which a row is alone and in no part of which it is. Where persons have
//! several rows, a row is alone if no other person has one with these cells, and persons are counted who have such a row.
//!
//! M. J. Elliot, A. M. Manning, R. W. Ford. A computational algorithm for handling the special uniques problem.
//! International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), 2002. Here all sets of up to
//! [`LARGEST_SET`] columns are looked at, one after another, and no scores are made of them.

use super::joined;

/// Columns of the largest sets that are looked at.
pub const LARGEST_SET: usize = 3;

/// Most cells that are looked at, all sets together; with more, sets are smaller.
const MOST: u64 = 1 << 26;

/// Minimal sample uniques.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimal {
    /// Columns of the largest sets that were looked at.
    pub largest_set: usize,
    /// Owners of a row that has one, by its size: of one column, of two, ...
    pub rows: Vec<usize>,
    /// The same of those sets that each column belongs to.
    pub columns: Vec<Vec<usize>>,
    /// Owners of a row that has one which the column belongs to, of whatever size.
    pub singled_out: Vec<usize>,
}

/// The minimal sample uniques of a table with these columns, each the codes of its cells; `owners` says whose each row is,
/// by numbers from 0 ([`each_its_own`](super::each_its_own) where rows are nobody's but their own).
///
/// Cost: the rows times the sets. At most 2^26 cells are looked at: with more rows or columns the sets are smaller, and
/// [`Minimal::largest_set`] says so.
#[must_use]
pub fn minimal(columns: &[&[u32]], owners: &[u32]) -> Minimal {
    let largest_set = largest(columns.len() as u64, owners.len() as u64);
    let mut found = Found::new(columns.len(), owners, largest_set);
    let alone = |codes: &[u32]| alone(codes, owners);
    let single: Vec<Vec<bool>> = columns.iter().map(|column| alone(column)).collect();
    for (at, alone) in single.iter().enumerate() {
        found.add(&[at], |row| alone[row]);
    }
    let mut pairs: Vec<Vec<Vec<bool>>> = Vec::new();
    if largest_set > 1 {
        for (i, first) in columns.iter().enumerate() {
            let with = |second: &&[u32]| alone(&joined(first, second));
            pairs.push(columns[i + 1..].iter().map(with).collect());
            for (j, alone) in (i + 1..).zip(&pairs[i]) {
                found.add(&[i, j], |row| alone[row] && !single[i][row] && !single[j][row]);
            }
        }
    }
    if largest_set > 2 {
        for i in 0..columns.len() {
            for j in i + 1..columns.len() {
                let pair = joined(columns[i], columns[j]);
                for k in j + 1..columns.len() {
                    let alone = alone(&joined(&pair, columns[k]));
                    let parts = [&pairs[i][j - i - 1], &pairs[i][k - i - 1], &pairs[j][k - j - 1]];
                    // Alone in a column is alone in its pairs, too.
                    found.add(&[i, j, k], |row| alone[row] && !parts.iter().any(|part| part[row]));
                }
            }
        }
    }
    found.counted(largest_set)
}

/// Columns of the largest sets that there is time for.
fn largest(columns: u64, rows: u64) -> usize {
    let pairs = columns * columns.saturating_sub(1) / 2;
    let triples = pairs.saturating_mul(columns.saturating_sub(2)) / 3;
    let fits = |sets: u64| sets.saturating_mul(rows) <= MOST;
    let most = if fits(columns + pairs + triples) {
        LARGEST_SET
    } else if fits(columns + pairs) {
        2
    } else {
        1
    };
    most.min(columns as usize)
}

/// Which rows have a code that no row of another owner has.
pub(super) fn alone(codes: &[u32], owners: &[u32]) -> Vec<bool> {
    let mut of_code = vec![None; codes.iter().max().map_or(0, |&most| most as usize + 1)];
    for (&code, &owner) in codes.iter().zip(owners) {
        let (first, shared) = of_code[code as usize].get_or_insert((owner, false));
        *shared |= *first != owner;
    }
    codes.iter().map(|&code| of_code[code as usize].is_some_and(|(_, shared)| !shared)).collect()
}

/// Which owners have a row with a minimal sample unique, by its size and by its columns.
struct Found<'a> {
    owners: &'a [u32],
    of_any: Vec<Vec<bool>>,
    columns: Vec<Vec<Vec<bool>>>,
}

impl<'a> Found<'a> {
    fn new(columns: usize, owners: &'a [u32], sizes: usize) -> Self {
        let count = owners.iter().max().map_or(0, |&last| last as usize + 1);
        let none = vec![vec![false; count]; sizes];
        Self { owners, columns: vec![none.clone(); columns], of_any: none }
    }

    fn add(&mut self, set: &[usize], is: impl Fn(usize) -> bool) {
        let size = set.len() - 1;
        for (_, &owner) in self.owners.iter().enumerate().filter(|(row, _)| is(*row)) {
            self.of_any[size][owner as usize] = true;
            for &column in set {
                self.columns[column][size][owner as usize] = true;
            }
        }
    }

    fn counted(&self, largest_set: usize) -> Minimal {
        let count = |owners: &Vec<bool>| owners.iter().filter(|&&is| is).count();
        let counts = |sizes: &Vec<Vec<bool>>| sizes.iter().map(count).collect();
        let any = |sizes: &Vec<Vec<bool>>| {
            let owners = 0..sizes.first().map_or(0, Vec::len);
            owners.filter(|&owner| sizes.iter().any(|owners| owners[owner])).count()
        };
        Minimal {
            largest_set,
            rows: counts(&self.of_any),
            columns: self.columns.iter().map(counts).collect(),
            singled_out: self.columns.iter().map(any).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// By the definition: row by row, set by set, cell by cell.
    fn by_definition(columns: &[Vec<u32>], owners: &[u32], row: usize, set: &[usize]) -> bool {
        let rows = 0..columns[0].len();
        let alone = |set: &[usize]| {
            let like = |other: &usize| set.iter().all(|&c| columns[c][*other] == columns[c][row]);
            rows.clone().filter(like).all(|other| owners[other] == owners[row])
        };
        let parts = 1..(1_u32 << set.len()) - 1;
        alone(set)
            && !parts.into_iter().any(|part| {
                let part: Vec<usize> =
                    (0..set.len()).filter(|at| part >> at & 1 == 1).map(|at| set[at]).collect();
                alone(&part)
            })
    }

    proptest! {
        #[test]
        fn as_the_definition_has_it(
            cells in prop::collection::vec((0u32..8, prop::collection::vec(0u32..4, 4)), 2..14),
            width in 1usize..5,
            several: bool,
        ) {
            let owners: Vec<u32> = (0..).zip(&cells).map(|(row, (owner, _))| if several { *owner } else { row }).collect();
            let cells: Vec<Vec<u32>> = cells.into_iter().map(|(_, cells)| cells).collect();
            let columns: Vec<Vec<u32>> = (0..width).map(|c| cells.iter().map(|row| row[c]).collect()).collect();
            let found = minimal(&columns.iter().map(Vec::as_slice).collect::<Vec<_>>(), &owners);
            prop_assert_eq!(found.largest_set, width.min(3));
            let sets: Vec<Vec<usize>> = (1..1_u32 << width)
                .map(|bits| (0..width).filter(|at| bits >> at & 1 == 1).collect())
                .collect();
            for size in 1..=found.largest_set {
                let with = |row: usize, column: Option<usize>| sets.iter().any(|set| {
                    set.len() == size
                        && column.is_none_or(|c| set.contains(&c))
                        && by_definition(&columns, &owners, row, set)
                });
                let count = |column: Option<usize>| {
                    let rows = (0..cells.len()).filter(|&row| with(row, column));
                    rows.map(|row| owners[row]).collect::<BTreeSet<u32>>().len()
                };
                prop_assert_eq!(found.rows[size - 1], count(None));
                for column in 0..width {
                    prop_assert!(found.singled_out[column] >= found.columns[column][size - 1]);
                    prop_assert!(found.singled_out[column] <= found.columns[column].iter().sum());
                    prop_assert_eq!(found.columns[column][size - 1], count(Some(column)));
                }
            }
        }
    }

    #[test]
    fn what_there_is_no_time_for_is_said() {
        assert_eq!(
            (largest(10, 300_000), largest(40, 30_000), largest(400, 10_000), largest(1, 9)),
            (3, 2, 1, 1)
        );
    }
}
