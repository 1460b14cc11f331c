//! Which records are deleted.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Rows to delete, ascending: of each value `deletions[value]` rows, every choice among the rows of that value equally
/// likely.
///
/// `values[row]` is the value of a row. The choice depends on the order of the rows and on `rng` alone; rows in
/// canonical order make it independent of the input's order. If a value has fewer rows than are to be deleted, all of
/// them go; a value beyond the end of `deletions` keeps its rows.
#[must_use]
pub fn rows_to_delete(values: &[u32], deletions: &[u64], rng: &mut ChaCha8Rng) -> Vec<usize> {
    let mut left: Vec<u64> = vec![0; deletions.len()];
    for &value in values {
        if let Some(rows) = left.get_mut(value as usize) {
            *rows += 1;
        }
    }
    let mut wanted = deletions.to_vec();
    let mut rows = Vec::new();
    for (row, &value) in values.iter().enumerate() {
        let (Some(left), Some(wanted)) = (left.get_mut(value as usize), wanted.get_mut(value as usize))
        else {
            continue;
        };
        // Selection sampling (Knuth, TAOCP 2, Algorithm S): a row goes with probability wanted / left.
        if *wanted > 0 && rng.random_range(0..*left) < *wanted {
            *wanted -= 1;
            rows.push(row);
        }
        *left -= 1;
    }
    rows
}
