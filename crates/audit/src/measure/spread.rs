//! How a column's values are spread, before and after.

use lookalike_table::Table;
use lookalike_words::Name;

use super::{Reading, column::Parsed, numbers::Numbers, pair::Pair};
use crate::{Error, Unmeasurable};

/// Bins of a column of numbers, and labels that are told apart.
const BINS: usize = 12;

/// A range of numbers or a label, and how often it occurs.
#[derive(Clone, Debug, PartialEq)]
pub struct Bin {
    /// Its least and largest number, both included if whole; `None` for a label.
    pub range: Option<(f64, f64)>,
    /// The label; `None` for numbers, for all rarer labels together, and for what is missing.
    pub label: Option<String>,
    /// What is missing.
    pub missing: bool,
    /// Share of the original rows, 0 to 1.
    pub before: f64,
    /// Share of the published rows, 0 to 1.
    pub after: f64,
}

/// How often each range of numbers, or each of the most frequent labels, occurs before and after. A published range counts
/// as uniformly spread, a set as evenly.
///
/// # Errors
/// [`Error::NoColumn`]; [`Error::Spread`] if published cells are of a form that is not known.
pub fn spread(
    original: &Table,
    published: &Table,
    column: &str,
    reading: &Reading,
) -> Result<Vec<Bin>, Error> {
    let find = |table: &'_ Table| table.columns.iter().position(|c| c.name == column);
    let (Some(before), Some(after)) = (find(original), find(published)) else {
        return Err(Error::NoColumn { column: Name::from(column) });
    };
    let pair = Pair::new(&original.columns[before], &published.columns[after], reading);
    let unmeasurable = |why: &Unmeasurable| Error::Spread { column: Name::from(column), why: why.clone() };
    let parsed = pair.published.as_ref().map_err(unmeasurable)?;
    let (before, after) = (rows_of(&pair.before.cells, &pair.original), rows_of(&pair.after.cells, parsed));
    Ok(match (&pair.original, parsed) {
        (Parsed::Numbers(original), Parsed::Numbers(published)) => {
            numbers((original, &before), (published, &after), pair.step)
        }
        (Parsed::Labels { cells, labels, .. }, Parsed::Labels { cells: sets, labels: names, .. }) => {
            of_labels((cells, labels, &before), (sets, names, &after))
        }
        _ => Vec::new(),
    })
}

/// Rows of each entry of a dictionary.
fn rows_of(cells: &[u32], parsed: &Parsed) -> Vec<f64> {
    let entries = match parsed {
        Parsed::Numbers(entries) => entries.len(),
        Parsed::Labels { cells, .. } => cells.len(),
    };
    let mut rows = vec![0.0; entries];
    for &code in cells {
        rows[code as usize] += 1.0;
    }
    rows
}

/// Bins of equal width, one a number where there are few; then what is missing, if anything is.
fn numbers(before: (&[Numbers], &[f64]), after: (&[Numbers], &[f64]), step: f64) -> Vec<Bin> {
    let Some((least, most)) = Parsed::Numbers(before.0.to_vec()).span() else { return Vec::new() };
    let width = most - least;
    // Whole numbers have bins of whole width.
    let (count, wide) = if step > 0.0 {
        let wide = ((width + 1.0) / BINS as f64).ceil();
        (((width + 1.0) / wide).ceil(), wide)
    } else if width > 0.0 {
        (BINS as f64, width / BINS as f64)
    } else {
        (1.0, 0.0)
    };
    let share = |(cells, rows): (&[Numbers], &[f64]), of: &dyn Fn(&Numbers) -> f64| {
        let sum: f64 = cells.iter().zip(rows).map(|(cell, rows)| of(cell) * rows).sum();
        sum / rows.iter().sum::<f64>().max(1.0)
    };
    let mut bins: Vec<Bin> = (0..count as usize)
        .map(|at| {
            let from = least + at as f64 * wide;
            let to = if step > 0.0 { (from + wide - 1.0).min(most) } else { from + wide };
            let last = at + 1 == count as usize;
            let within = |cell: &Numbers| inside(cell, (from, to), (step, last), (least, most));
            let (before, after) = (share(before, &within), share(after, &within));
            Bin { range: Some((from, to)), label: None, missing: false, before, after }
        })
        .collect();
    let unknown = |cell: &Numbers| f64::from(u8::from(matches!(cell, Numbers::Missing)));
    let (before, after) = (share(before, &unknown), share(after, &unknown));
    if before + after > 0.0 {
        bins.push(Bin { range: None, label: None, missing: true, before, after });
    }
    bins
}

/// Share of a cell's values in a bin; what is suppressed is anywhere. A point between two bins belongs to the upper one.
fn inside(
    cell: &Numbers,
    (from, to): (f64, f64),
    (step, last): (f64, bool),
    (least, most): (f64, f64),
) -> f64 {
    match cell {
        Numbers::Missing => 0.0,
        Numbers::Suppressed => {
            if most > least {
                (to - from + step) / (most - least + step)
            } else {
                1.0
            }
        }
        Numbers::Known { parts, .. } if step == 0.0 && !last => {
            let on_edge = parts.iter().filter(|(low, high)| low == high && *low == to).count();
            cell.share_within(from, to, step) - on_edge as f64 / parts.len().max(1) as f64
        }
        Numbers::Known { .. } => cell.share_within(from, to, step),
    }
}

type Sets<'a> = (&'a [Option<Vec<u32>>], &'a [String], &'a [f64]);

/// The labels that are most frequent before, the rarer ones together, what is missing.
fn of_labels(before: Sets, after: Sets) -> Vec<Bin> {
    let mut names: Vec<&String> = before.1.iter().chain(after.1).collect();
    names.sort_unstable();
    names.dedup();
    let shares = |(cells, labels, rows): Sets| {
        let mut shares = vec![0.0; names.len()];
        let all: Vec<u32> = (0..labels.len() as u32).collect();
        for (set, &rows) in cells.iter().zip(rows) {
            let set = set.as_ref().unwrap_or(&all);
            for &label in set {
                if let Ok(at) = names.binary_search(&&labels[label as usize]) {
                    shares[at] += rows / set.len() as f64;
                }
            }
        }
        let sum = rows.iter().sum::<f64>().max(1.0);
        shares.into_iter().map(|share| share / sum).collect::<Vec<f64>>()
    };
    let (before, after) = (shares(before), shares(after));
    let mut order: Vec<usize> = (0..names.len()).filter(|&at| !names[at].is_empty()).collect();
    order.sort_by(|&a, &b| before[b].total_cmp(&before[a]).then(a.cmp(&b)));
    let bin = |label: Option<&String>, missing, places: &[usize]| Bin {
        range: None,
        label: label.cloned(),
        missing,
        before: places.iter().map(|&at| before[at]).sum(),
        after: places.iter().map(|&at| after[at]).sum(),
    };
    let (shown, rest) = order.split_at(order.len().min(BINS));
    let mut bins: Vec<Bin> = shown.iter().map(|&at| bin(Some(names[at]), false, &[at])).collect();
    if !rest.is_empty() {
        bins.push(bin(None, false, rest));
    }
    if let Some(at) = names.iter().position(|name| name.is_empty()) {
        bins.push(bin(None, true, &[at]));
    }
    bins
}

#[cfg(test)]
mod tests {
    use lookalike_table::{ReadOptions, read};

    use super::*;

    fn bins(before: &str, after: &str) -> Result<Vec<Bin>, Error> {
        let table = |text: &str| read(text.as_bytes(), &ReadOptions::default()).unwrap();
        let reading = Reading { missing: vec![String::from("?")], ..Reading::default() };
        spread(&table(before), &table(after), "x", &reading)
    }

    fn shares(bins: &[Bin]) -> Vec<(f64, f64)> {
        bins.iter().map(|bin| (bin.before, bin.after)).collect()
    }

    #[test]
    fn a_range_counts_evenly_for_its_whole_numbers() {
        // Four people: 1, 2, 3, 4; two published as 1-2, two as 1-4.
        let bins = bins("x\n1\n2\n3\n4\n", "x\n[1-2]\n[1-2]\n[1-4]\n[1-4]\n").unwrap();
        assert_eq!(bins[0].range, Some((1.0, 1.0)));
        assert_eq!(shares(&bins), [(0.25, 0.375), (0.25, 0.375), (0.25, 0.125), (0.25, 0.125)]);
    }

    #[test]
    fn bins_of_many_numbers_are_equally_wide_and_sum_to_all() {
        let ages = (0..100).map(|i| format!("{}\n", 10 + i)).collect::<Vec<_>>().concat();
        let all = bins(&format!("x\n{ages}"), &format!("x\n{}", "[10-109]\n".repeat(100))).unwrap();
        assert_eq!(all.len(), 12);
        assert_eq!(all[0].range, Some((10.0, 18.0)));
        for sum in [all.iter().map(|b| b.before).sum::<f64>(), all.iter().map(|b| b.after).sum()] {
            assert!((sum - 1.0).abs() < 1e-9, "{all:?}");
        }
        // Nothing is lost at the edges of bins of real numbers.
        let reals = (0..=24).map(|i| format!("{:.2}\n", f64::from(i) * 0.25)).collect::<Vec<_>>().concat();
        let all = bins(&format!("x\n{reals}"), &format!("x\n{reals}")).unwrap();
        let sum: f64 = all.iter().map(|b| b.before).sum();
        assert!((sum - 1.0).abs() < 1e-9 && all.iter().all(|b| b.before == b.after), "{all:?}");
    }

    #[test]
    fn labels_share_a_set_evenly_and_missing_stands_alone() {
        let bins = bins("x\na\na\nb\n?\n", "x\n\"{a, b}\"\n\"{a, b}\"\nb\n?\n").unwrap();
        let labels: Vec<_> = bins.iter().map(|bin| (bin.label.as_deref(), bin.missing)).collect();
        assert_eq!(labels, [(Some("a"), false), (Some("b"), false), (None, true)]);
        assert_eq!(shares(&bins), [(0.5, 0.25), (0.25, 0.5), (0.25, 0.25)]);
    }

    #[test]
    fn rare_labels_stand_together() {
        let rows: String = (0..20).map(|i| format!("label {i}\n").repeat(21 - i)).collect();
        let bins = bins(&format!("x\n{rows}"), &format!("x\n{rows}")).unwrap();
        assert_eq!((bins.len(), bins[0].label.as_deref()), (13, Some("label 0")));
        assert_eq!((&bins[12].label, bins[12].missing), (&None, false));
        assert!((bins.iter().map(|b| b.after).sum::<f64>() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn cells_of_an_unknown_form_are_no_guess() {
        assert!(matches!(bins("x\n1\n2\n", "x\nsome\nsome\n"), Err(Error::Spread { .. })));
        assert!(matches!(bins("y\n1\n", "y\n1\n"), Err(Error::NoColumn { .. })));
    }
}
