//! Hierarchies of numbers for all tools: intervals of equal width, from the least number to the greatest.
//!
//! ARX's form: a row a value, with its generalisations from fine to coarse. Intervals end at the least and the greatest number, so that
//! a label costs the same part of the span whether it is read as an interval or as a label of the hierarchy.

use anyhow::{Context, Result};
use lookalike_core::table::{Column, parse_number};

/// The hierarchy of a column of whole numbers: its values, intervals of each of the `widths` (each a multiple of the one before), `*`.
///
/// # Errors
/// If a cell is not a whole number.
pub(super) fn of_numbers(column: &Column, widths: &[i64]) -> Result<Vec<Vec<String>>> {
    let whole = |cell: &str| {
        let number = parse_number(cell).filter(|number| number.fract() == 0.0);
        let number = number.with_context(|| format!("{cell:?} of {} is not a whole number", column.name))?;
        Ok::<_, anyhow::Error>((number as i64, cell.to_owned()))
    };
    let mut values = column.values.iter().map(whole).collect::<Result<Vec<_>>>()?;
    values.sort();
    let (Some(&(least, _)), Some(&(greatest, _))) = (values.first(), values.last()) else {
        return Ok(Vec::new());
    };
    let label = |value: i64, width: i64| {
        let low = least + (value - least).div_euclid(width) * width;
        let high = (low + width - 1).min(greatest);
        if low == high { low.to_string() } else { format!("[{low}-{high}]") }
    };
    let row = |(value, cell): (i64, String)| {
        let labels = widths.iter().map(|&width| label(value, width));
        [cell].into_iter().chain(labels).chain([String::from("*")]).collect()
    };
    Ok(values.into_iter().map(row).collect())
}

/// Widths of about 1/16, 1/8, ... of a span, doubling: for columns of amounts. So many levels.
pub(super) fn doubling(column: &Column, levels: u32) -> Vec<i64> {
    let numbers = || column.values.iter().filter_map(parse_number);
    let span = numbers().fold(f64::MIN, f64::max) - numbers().fold(f64::MAX, f64::min);
    let finest = (span / 2_f64.powi(levels.cast_signed())).ceil().max(2.0) as i64;
    (0..levels).map(|level| finest << level).collect()
}

/// The file of a hierarchy, in ARX's form.
pub(super) fn file(rows: &[Vec<String>]) -> String {
    rows.iter().map(|row| row.join(";") + "\n").collect()
}

#[cfg(test)]
mod tests {
    use lookalike_core::table::{ReadOptions, read};

    use super::*;

    #[test]
    fn intervals_begin_at_the_least_number_and_end_at_the_greatest() {
        let table = read(b"a\n-3\n17\n6\n6\n0\n", &ReadOptions::default()).unwrap();
        let rows = of_numbers(&table.columns[0], &[5, 10]).unwrap();
        let expected = [
            "-3;[-3-1];[-3-6];*",
            "0;[-3-1];[-3-6];*",
            "6;[2-6];[-3-6];*",
            // 17 is alone in an interval that would go on to 21.
            "17;17;17;*",
        ];
        assert_eq!(file(&rows), expected.join("\n") + "\n");
        assert_eq!(doubling(&table.columns[0], 2), [5, 10]);
        let text = read(b"a\n1.5\n", &ReadOptions::default()).unwrap();
        assert!(of_numbers(&text.columns[0], &[5]).is_err());
    }
}
