//! The centroid of one column of one class.

use lookalike_table::{Column, Reading, is_missing, resolution};

use crate::prepare::recoding::Recoding;

/// The middle of the known cells of a class, each record counted, coded ones as their limit, at least one of them
/// known:
/// * numbers: the mean, rounded to the column's own decimals and spelled like the column;
/// * dates: the mean day, month, quarter or time, rounded half up to what the column tells apart, and spelled like it;
/// * ordered labels: the median, the lower one of two, since ranks have no mean that could be published.
///
/// Empty for labels, which have no middle.
pub(crate) fn centre(
    column: &Column,
    reading: &Reading,
    recoding: &Recoding,
    rows: &[u32],
    markers: &[String],
) -> String {
    let mut known: Vec<f64> = rows
        .iter()
        .map(|&r| column.cell(r as usize))
        .filter(|c| !is_missing(c, markers))
        .filter_map(|c| reading.value(c))
        .map(|x| recoding.code(x))
        .collect();
    // Sorted, so that the order of rows cannot change the sum.
    known.sort_by(f64::total_cmp);
    let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
    match reading {
        Reading::Labels => String::new(),
        Reading::Numbers(format) => {
            let decimals = recoding.whole.as_ref().map(|whole| whole.decimals);
            format.write(mean, decimals.unwrap_or_else(|| resolution(column, *format)))
        }
        Reading::Dates(format) => format.write(mean).unwrap_or_default(),
        Reading::Ranks(order) => {
            let median = known.get(known.len().saturating_sub(1) / 2).map(|rank| *rank as usize);
            median.and_then(|rank| order.get(rank)).cloned().unwrap_or_default()
        }
    }
}

/// The middle between two values, spelled like the column: numbers with one decimal more than the column where it needs one, dates
/// rounded half up to what the column tells apart. Empty for what has no middle.
pub(crate) fn middle(
    column: &Column,
    reading: &Reading,
    recoding: &Recoding,
    (low, high): (f64, f64),
) -> String {
    let middle = f64::midpoint(low, high);
    match reading {
        Reading::Labels | Reading::Ranks(_) => String::new(),
        Reading::Dates(format) => format.write(middle).unwrap_or_default(),
        Reading::Numbers(format) => {
            let decimals = recoding.whole.as_ref().map(|whole| whole.decimals);
            let decimals = decimals.unwrap_or_else(|| resolution(column, *format));
            // The ends have so many decimals: their middle is one of their steps, or half a step between two.
            let steps = middle * 10_f64.powi(i32::try_from(decimals).unwrap_or(i32::MAX));
            let between = (steps - steps.round()).abs() > 0.25;
            format.write(middle, decimals + usize::from(between))
        }
    }
}
