//! Row order.

use std::cmp::Ordering;

use lookalike_table::{Column, parse_number, text::counted};

use crate::{Check, name, published::Published};

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
    let finding = finding(broken.len());
    Check::new(name::SORTED, finding, broken.into_iter().map(|(row, column)| witness(row, &column.name)))
}

/// In words: rows out of order.
pub(crate) fn finding(broken: usize) -> String {
    if broken == 0 {
        return String::from("the order of the rows follows from what is published, and tells nothing more");
    }
    let places = counted(broken, "row", "rows");
    format!("{places} out of order: the order may tell something about the input")
}

/// A row (from 0) that should come before the one that it follows, by a column.
pub(crate) fn witness(row: usize, column: &str) -> String {
    format!("published row {} should come before row {row} (column {column:?})", row + 1)
}

/// The rank of each different cell of a column, by code.
fn ranks(column: &Column) -> Vec<u32> {
    let keys: Vec<Option<f64>> = column.values.iter().map(parse_number).collect();
    let mut codes: Vec<usize> = (0..keys.len()).collect();
    codes.sort_unstable_by(|&a, &b| compare((keys[a], &column.values[a]), (keys[b], &column.values[b])));
    let mut ranks = vec![0; keys.len()];
    for (rank, code) in codes.into_iter().enumerate() {
        ranks[code] = rank as u32;
    }
    ranks
}

/// Numbers by value, then text; numbers before what is no number; text by bytes.
pub(crate) fn compare(a: (Option<f64>, &str), b: (Option<f64>, &str)) -> Ordering {
    let by_kind = match (a.0, b.0) {
        (Some(x), Some(y)) => x.partial_cmp(&y).unwrap_or(Ordering::Equal),
        (x, y) => y.is_some().cmp(&x.is_some()),
    };
    by_kind.then_with(|| a.1.cmp(b.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_before_text_and_ties_by_text() {
        let expected = ["-5", "-0", "0", "+2", "2", "2.0", "10", "", "10a", "[10-12]", "[9-11]", "a", "é"];
        let mut values: Vec<String> = expected.map(String::from).to_vec();
        values.rotate_left(5);
        values.swap(0, 7);
        let cells = (0..values.len() as u32).collect();
        let column = Column { name: "x".into(), values: values.iter().collect(), cells };
        let ranks = ranks(&column);
        let sorted: Vec<&str> = (0..expected.len())
            .map(|rank| &column.values[ranks.iter().position(|&r| r as usize == rank).unwrap()])
            .collect();
        assert_eq!(sorted, expected);
    }
}
