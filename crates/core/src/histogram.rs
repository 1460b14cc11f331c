//! How the values of a column are spread, as a few bars for people who look at an open table.

use std::cmp::Reverse;

use lookalike_model::info::Bar;
use lookalike_table::{Column, Inferred, Kind, Reading, is_missing};

/// Bars of a column at most.
const BARS: usize = 12;

/// The bars of a column: ranges of equal width for numbers and dates, the most frequent labels otherwise, all rarer ones
/// together at the end. None where nearly all values differ by nature, or where there is one value only.
pub(crate) fn bars(column: &Column, inferred: &Inferred, markers: &[String]) -> Vec<Bar> {
    if inferred.kind == Kind::Identifier || inferred.distinct < 2 {
        return Vec::new();
    }
    let mut counts = vec![0_usize; column.values.len()];
    for &code in &column.cells {
        counts[code as usize] += 1;
    }
    let cells = column.values.iter().map(str::trim).zip(counts);
    let known = cells.filter(|(cell, count)| *count > 0 && !is_missing(cell, markers));
    match &inferred.reading {
        Reading::Labels => labels(known.collect()),
        reading => ranges(known.filter_map(|(cell, n)| Some((reading.value(cell)?, cell, n))).collect()),
    }
}

fn labels(mut known: Vec<(&str, usize)>) -> Vec<Bar> {
    known.sort_by_key(|&(cell, count)| (Reverse(count), cell));
    if known.len() <= BARS {
        return known.into_iter().map(|(cell, count)| Bar { label: cell.to_owned(), count }).collect();
    }
    let (shown, rest) = known.split_at(BARS - 1);
    let others = Bar { label: String::new(), count: rest.iter().map(|(_, count)| count).sum() };
    let shown = shown.iter().map(|&(cell, count)| Bar { label: cell.to_owned(), count });
    shown.chain([others]).collect()
}

/// A range is named by the least and the greatest cell in it, as they are spelled; one without a cell has no name.
fn ranges(mut known: Vec<(f64, &str, usize)>) -> Vec<Bar> {
    known.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(b.1)));
    let (Some(first), Some(last)) = (known.first(), known.last()) else { return Vec::new() };
    let (least, width) = (first.0, (last.0 - first.0) / BARS as f64);
    let values = 1 + known.windows(2).filter(|pair| pair[0].0 < pair[1].0).count();
    if values <= BARS || width <= 0.0 {
        let of_one = known.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq());
        return of_one.map(bar).collect();
    }
    let place = |value: f64| (((value - least) / width) as usize).min(BARS - 1);
    let mut bars = vec![Bar::default(); BARS];
    for of_one in known.chunk_by(|a, b| place(a.0) == place(b.0)) {
        bars[place(of_one[0].0)] = bar(of_one);
    }
    bars
}

fn bar(cells: &[(f64, &str, usize)]) -> Bar {
    let count = cells.iter().map(|cell| cell.2).sum();
    let label = match (cells.first(), cells.last()) {
        (Some(first), Some(last)) if first.0 < last.0 => format!("{} - {}", first.1, last.1),
        (Some(first), _) => first.1.to_owned(),
        _ => String::new(),
    };
    Bar { label, count }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(cells: &[&str]) -> Vec<(String, usize)> {
        let text = format!("x\n{}\n", cells.join("\n"));
        let table = lookalike_table::read(text.as_bytes(), &lookalike_table::ReadOptions::default()).unwrap();
        let markers = [String::new(), String::from("?")];
        let inferred = lookalike_table::infer(&table.columns[0], &markers);
        let bars = bars(&table.columns[0], &inferred, &markers);
        bars.into_iter().map(|bar| (bar.label, bar.count)).collect()
    }

    fn is(label: &str, count: usize) -> (String, usize) {
        (label.to_owned(), count)
    }

    #[test]
    fn few_values_have_a_bar_each() {
        assert_eq!(of(&["3", "1", "?", "3"]), [is("1", 1), is("3", 2)]);
        assert_eq!(of(&["b", "a", "b", "?"]), [is("b", 2), is("a", 1)]);
        assert_eq!(of(&["1", "1"]), []);
    }

    #[test]
    fn many_numbers_stand_in_ranges_of_equal_width() {
        let cells: Vec<String> = (0..24).chain([119]).map(|n| n.to_string()).collect();
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        let bars = of(&cells);
        assert_eq!(bars.len(), BARS);
        // A width of 119/12 = 9.92.
        assert_eq!(bars[..4], [is("0 - 9", 10), is("10 - 19", 10), is("20 - 23", 4), is("", 0)]);
        assert_eq!(bars[BARS - 1], is("119", 1));
    }

    #[test]
    fn rare_labels_share_the_last_bar() {
        let cells: Vec<String> = (0..20).flat_map(|n| vec![format!("v{n:02}"); 20 - n]).collect();
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        let bars = of(&cells);
        assert_eq!((&bars[0], bars.len()), (&is("v00", 20), BARS));
        assert_eq!(bars[BARS - 1], is("", (1..=9).sum()));
    }
}
