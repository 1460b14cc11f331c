//! Minimal sample uniques, as in SUDA: sets of columns in which a row is alone and in no part of which it is.
//!
//! M. J. Elliot, A. M. Manning, R. W. Ford. A computational algorithm for handling the special uniques problem.
//! International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems 10(5), 2002. Here all sets of up to
//! [`LARGEST_SET`] columns are looked at, one after another, and no scores are made of them.

use super::{joined, sizes};

/// Columns of the largest sets that are looked at.
pub const LARGEST_SET: usize = 3;

/// Most cells that are looked at, all sets together; with more, sets are smaller.
const MOST: u64 = 1 << 26;

/// Minimal sample uniques.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimal {
    /// Columns of the largest sets that were looked at.
    pub largest_set: usize,
    /// Rows that have one, by its size: of one column, of two, ...
    pub rows: Vec<usize>,
    /// The same of those sets that each column belongs to.
    pub columns: Vec<Vec<usize>>,
    /// Rows that have one which the column belongs to, of whatever size.
    pub singled_out: Vec<usize>,
}

/// The minimal sample uniques of a table with these columns, each the codes of its cells.
///
/// Cost: the rows times the sets. At most 2^26 cells are looked at: with more rows or columns the sets are smaller, and
/// [`Minimal::largest_set`] says so.
#[must_use]
pub fn minimal(columns: &[&[u32]]) -> Minimal {
    let rows = columns.first().map_or(0, |column| column.len());
    let largest_set = largest(columns.len() as u64, rows as u64);
    let mut found = Found::new(columns.len(), rows, largest_set);
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

/// Which rows have a code that no other has.
fn alone(codes: &[u32]) -> Vec<bool> {
    let sizes = sizes(codes);
    codes.iter().map(|&code| sizes[code as usize] == 1).collect()
}

/// Which rows have a minimal sample unique, by its size and by its columns.
struct Found {
    rows: Vec<Vec<bool>>,
    columns: Vec<Vec<Vec<bool>>>,
}

impl Found {
    fn new(columns: usize, rows: usize, sizes: usize) -> Self {
        let none = vec![vec![false; rows]; sizes];
        Self { columns: vec![none.clone(); columns], rows: none }
    }

    fn add(&mut self, set: &[usize], is: impl Fn(usize) -> bool) {
        let size = set.len() - 1;
        for row in (0..self.rows[size].len()).filter(|&row| is(row)) {
            self.rows[size][row] = true;
            for &column in set {
                self.columns[column][size][row] = true;
            }
        }
    }

    fn counted(&self, largest_set: usize) -> Minimal {
        let count = |rows: &Vec<bool>| rows.iter().filter(|&&is| is).count();
        let counts = |sizes: &Vec<Vec<bool>>| sizes.iter().map(count).collect();
        let any = |sizes: &Vec<Vec<bool>>| {
            let rows = 0..sizes.first().map_or(0, Vec::len);
            rows.filter(|&row| sizes.iter().any(|rows| rows[row])).count()
        };
        Minimal {
            largest_set,
            rows: counts(&self.rows),
            columns: self.columns.iter().map(counts).collect(),
            singled_out: self.columns.iter().map(any).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// By the definition: row by row, set by set, cell by cell.
    fn by_definition(columns: &[Vec<u32>], row: usize, set: &[usize]) -> bool {
        let rows = 0..columns[0].len();
        let alone = |set: &[usize]| {
            rows.clone().filter(|&other| set.iter().all(|&c| columns[c][other] == columns[c][row])).count()
                == 1
        };
        let parts = 0..(1_u32 << set.len()) - 1;
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
            cells in prop::collection::vec(prop::collection::vec(0u32..4, 4), 2..14), width in 1usize..5,
        ) {
            let columns: Vec<Vec<u32>> = (0..width).map(|c| cells.iter().map(|row| row[c]).collect()).collect();
            let found = minimal(&columns.iter().map(Vec::as_slice).collect::<Vec<_>>());
            prop_assert_eq!(found.largest_set, width.min(3));
            let sets: Vec<Vec<usize>> = (1..1_u32 << width)
                .map(|bits| (0..width).filter(|at| bits >> at & 1 == 1).collect())
                .collect();
            for size in 1..=found.largest_set {
                let with = |row: usize, column: Option<usize>| sets.iter().any(|set| {
                    set.len() == size && column.is_none_or(|c| set.contains(&c)) && by_definition(&columns, row, set)
                });
                let rows = 0..cells.len();
                prop_assert_eq!(found.rows[size - 1], rows.clone().filter(|&row| with(row, None)).count());
                for column in 0..width {
                    prop_assert!(found.singled_out[column] >= found.columns[column][size - 1]);
                    prop_assert!(found.singled_out[column] <= found.columns[column].iter().sum());
                    let expected = rows.clone().filter(|&row| with(row, Some(column))).count();
                    prop_assert_eq!(found.columns[column][size - 1], expected);
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
