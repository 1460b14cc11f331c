//! The order of the attributes by rising weighted variance Var/w^2 of the original values (Liang 2020, (36)), which
//! variance-sort and Greedy Search follow. Only the order leaves with the job.

use lookalike_table::{Column, Reading, Role, Schema, Table};

use super::recoding::Recoding;

/// The rank of each quasi-identifier among them, in the order of the schema. Equal variances are ordered by name.
pub(super) fn ranks(table: &Table, schema: &Schema, recodings: &[Recoding], rows: &[u32]) -> Vec<u32> {
    let quasi = schema.columns.iter().filter(|c| c.role == Role::QuasiIdentifier);
    let keys: Vec<(f64, &str)> = quasi
        .map(|spec| {
            let column = &table.columns[spec.index];
            let recoding = &recodings[spec.index];
            let variance = match (&spec.reading, &recoding.whole) {
                (Reading::Labels, None) => of_values(counts(column, rows)),
                (Reading::Labels, Some(whole)) => of_values(whole.counts.clone()),
                (_, Some(whole)) => whole.variance,
                (by_value, None) => of_numbers(column, by_value, recoding, rows),
            };
            (variance / (spec.weight * spec.weight), spec.name.as_str())
        })
        .collect();
    let before = |a: &(f64, &str), b: &(f64, &str)| a.0.total_cmp(&b.0).then(a.1.cmp(b.1)).is_lt();
    keys.iter().map(|key| keys.iter().filter(|other| before(other, key)).count() as u32).collect()
}

fn counts(column: &Column, rows: &[u32]) -> Vec<usize> {
    let mut counts = vec![0; column.values.len()];
    for &r in rows {
        counts[column.cells[r as usize] as usize] += 1;
    }
    counts
}

fn of_numbers(column: &Column, reading: &Reading, recoding: &Recoding, rows: &[u32]) -> f64 {
    let mut known: Vec<(f64, f64)> = (column.values.iter().zip(counts(column, rows)))
        .filter(|(_, count)| *count > 0)
        .filter_map(|(text, count)| Some((recoding.code(reading.value(text)?), count as f64)))
        .collect();
    // Sorted, so that the order of the rows cannot change a bit.
    known.sort_by(|a, b| a.0.total_cmp(&b.0));
    let n: f64 = known.iter().map(|k| k.1).sum();
    let mean = known.iter().map(|(x, c)| x * c).sum::<f64>() / n;
    known.iter().map(|(x, c)| (x - mean) * (x - mean) * c).sum::<f64>() / n
}

/// Of the binaries of a category together: sum p (1 - p).
fn of_values(mut counts: Vec<usize>) -> f64 {
    counts.sort_unstable();
    let rows: usize = counts.iter().sum();
    counts.iter().map(|&c| c as f64 / rows as f64).map(|p| p * (1.0 - p)).sum()
}
