//! Intervals of numbers.

use lookalike_words::Cell;

use super::{ANY, Hierarchy, HierarchyError, MOST_LEVELS, Parameters};

/// Largest number of an interval, counted from the anchor, that is computed exactly.
const MOST_INTERVALS: f64 = 4_503_599_627_370_496.0;

/// How numbers are grouped.
#[derive(Clone, Debug, PartialEq)]
pub struct Intervals {
    /// Width of the intervals of level 1, above 0.
    pub width: f64,
    /// For each further level, how many intervals of the level below make one; each at least 2.
    pub fan_outs: Vec<usize>,
    /// A number at which an interval of every level begins.
    pub anchor: f64,
    /// Numbers below it are one group, `<20`.
    pub from: Option<f64>,
    /// Numbers from here on are one group, `>=90`.
    pub to: Option<f64>,
}

/// Generalises numbers to ever wider intervals, then `*`. If all values, the width, the anchor and the limits are
/// whole numbers, intervals are labelled by their least and greatest number, `[20-29]`; else half-open, `[20-30)`.
/// Intervals end at the limits; what lies outside is `<20` or `>=90` at every level but the last. Each value comes
/// with its number, so that any spelling can be generalised; values are trimmed and sorted by number; an interval's limits are decimals as they are printed, so that no value lies outside its
/// label.
///
/// # Errors
/// If there is no value, a value is no number, the parameters make no intervals, or there are too many.
pub fn interval<'a>(
    values: impl IntoIterator<Item = (&'a str, Option<f64>)>,
    intervals: &Intervals,
) -> Result<Hierarchy, HierarchyError> {
    check(intervals)?;
    let mut numbers = Vec::new();
    for (value, number) in values {
        let wrong = || HierarchyError::NoNumber { value: Cell::from(value) };
        numbers.push((number.filter(|x| x.is_finite()).ok_or_else(wrong)?, value.trim()));
    }
    numbers.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(b.1)));
    numbers.dedup();
    let limits = [Some(intervals.width), Some(intervals.anchor), intervals.from, intervals.to];
    let scale = Scale {
        intervals,
        decimals: limits.iter().flatten().map(|x| decimals(*x)).max().unwrap_or(0),
        whole: numbers.iter().map(|n| n.0).chain(limits.into_iter().flatten()).all(|x| x.fract() == 0.0),
    };
    let rows = numbers.iter().map(|&(x, value)| scale.row(x, value)).collect::<Result<Vec<_>, _>>()?;
    Hierarchy::new(&rows)
}

fn check(intervals: &Intervals) -> Result<(), HierarchyError> {
    let wrong = |why| Err(HierarchyError::Parameters(why));
    if !intervals.width.is_finite() || intervals.width <= 0.0 {
        return wrong(Parameters::Width);
    }
    if intervals.fan_outs.iter().any(|&f| f < 2) {
        return wrong(Parameters::FanOut);
    }
    if intervals.fan_outs.len() + 2 > MOST_LEVELS {
        return Err(HierarchyError::TooDeep { levels: intervals.fan_outs.len() + 2, most: MOST_LEVELS });
    }
    let numbers = [Some(intervals.anchor), intervals.from, intervals.to];
    if numbers.iter().flatten().any(|x| !x.is_finite()) {
        return wrong(Parameters::Infinite);
    }
    match (intervals.from, intervals.to) {
        (Some(from), Some(to)) if from >= to => wrong(Parameters::Limits),
        _ => Ok(()),
    }
}

/// Intervals with the way they are printed.
struct Scale<'a> {
    intervals: &'a Intervals,
    /// Decimals of the finest parameter.
    decimals: usize,
    whole: bool,
}

impl Scale<'_> {
    fn row(&self, x: f64, value: &str) -> Result<Vec<String>, HierarchyError> {
        let Intervals { fan_outs, from, to, .. } = self.intervals;
        let mut row = vec![value.to_owned()];
        let outside = if let Some(from) = from.filter(|&from| x < from) {
            Some(format!("<{}", self.print(from)))
        } else {
            to.filter(|&to| x >= to).map(|to| format!(">={}", self.print(to)))
        };
        if let Some(outside) = outside {
            row.extend(std::iter::repeat_n(outside, fan_outs.len() + 1));
        } else {
            let base = self.base(x, value)?;
            let mut size = 1_i64;
            row.push(self.label(base, 1));
            for &fan_out in fan_outs {
                size = size.saturating_mul(i64::try_from(fan_out).unwrap_or(i64::MAX));
                row.push(self.label(base.div_euclid(size), size));
            }
        }
        row.push(ANY.to_owned());
        Ok(row)
    }

    /// Number of the interval of level 1 that holds `x`, by its printed limits.
    fn base(&self, x: f64, value: &str) -> Result<i64, HierarchyError> {
        let number = ((x - self.intervals.anchor) / self.intervals.width).floor();
        if !number.is_finite() || number.abs() > MOST_INTERVALS {
            return Err(HierarchyError::TooFar { value: Cell::from(value) });
        }
        let mut number = number as i64;
        // Rounding may have led one interval too far.
        if x < self.start(number, 1) {
            number -= 1;
        } else if x >= self.start(number + 1, 1) {
            number += 1;
        }
        Ok(number)
    }

    /// First number of the `at`-th interval that joins `size` intervals of level 1, as printed.
    fn start(&self, at: i64, size: i64) -> f64 {
        let steps = at as f64 * size as f64;
        let exact = self.intervals.anchor + steps * self.intervals.width;
        format!("{exact:.*}", self.decimals).parse().unwrap_or(exact)
    }

    fn label(&self, at: i64, size: i64) -> String {
        let Intervals { from, to, .. } = self.intervals;
        let low = from.map_or(self.start(at, size), |from| self.start(at, size).max(from));
        let high = to.map_or(self.start(at + 1, size), |to| self.start(at + 1, size).min(to));
        match self.whole {
            true if high - low <= 1.0 => self.print(low),
            true => format!("[{}-{}]", self.print(low), self.print(high - 1.0)),
            false => format!("[{}-{})", self.print(low), self.print(high)),
        }
    }

    fn print(&self, x: f64) -> String {
        // 0.0 + turns -0 into 0.
        format!("{:.*}", self.decimals, 0.0 + x)
    }
}

/// Decimals of a number as it is shortest written.
fn decimals(x: f64) -> usize {
    x.to_string().split_once('.').map_or(0, |(_, fraction)| fraction.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Hierarchy, HierarchyError, Intervals};

    fn intervals(width: f64, fan_outs: &[usize]) -> Intervals {
        Intervals { width, fan_outs: fan_outs.to_vec(), anchor: 0.0, from: None, to: None }
    }

    /// The generator, for plain numbers.
    fn interval<'a>(
        values: impl IntoIterator<Item = &'a str>,
        intervals: &Intervals,
    ) -> Result<Hierarchy, HierarchyError> {
        super::interval(values.into_iter().map(|value| (value, value.trim().parse().ok())), intervals)
    }

    fn row(hierarchy: &Hierarchy, value: &str) -> Vec<String> {
        hierarchy.rows()[hierarchy.find(value).unwrap()].clone()
    }

    #[test]
    fn whole_numbers() {
        let hierarchy = interval(["27", "9", "-1", "40"], &intervals(5.0, &[2, 2])).unwrap();
        assert_eq!(row(&hierarchy, "27"), ["27", "[25-29]", "[20-29]", "[20-39]", "*"]);
        assert_eq!(row(&hierarchy, "-1"), ["-1", "[-5--1]", "[-10--1]", "[-20--1]", "*"]);
        assert_eq!(row(&hierarchy, "40")[3], "[40-59]");
        let single = interval(["3", "4"], &intervals(1.0, &[10])).unwrap();
        assert_eq!(row(&single, "3"), ["3", "3", "[0-9]", "*"]);
    }

    #[test]
    fn limits_and_anchor() {
        let limited = Intervals { anchor: 18.0, from: Some(20.0), to: Some(90.0), ..intervals(10.0, &[4]) };
        let hierarchy = interval(["19", "20", "27", "28", "89", "90", "103"], &limited).unwrap();
        assert_eq!(row(&hierarchy, "19"), ["19", "<20", "<20", "*"]);
        assert_eq!(row(&hierarchy, "20"), ["20", "[20-27]", "[20-57]", "*"]);
        assert_eq!(row(&hierarchy, "28"), ["28", "[28-37]", "[20-57]", "*"]);
        assert_eq!(row(&hierarchy, "89"), ["89", "[88-89]", "[58-89]", "*"]);
        assert_eq!(row(&hierarchy, "103"), ["103", ">=90", ">=90", "*"]);
    }

    #[test]
    fn decimals_lie_within_their_labels() {
        // 0.3 / 0.1 is below 3 in floating point.
        let hierarchy = interval(["0.3", "0.25", "-0.05"], &intervals(0.1, &[5])).unwrap();
        assert_eq!(row(&hierarchy, "0.3"), ["0.3", "[0.3-0.4)", "[0.0-0.5)", "*"]);
        assert_eq!(row(&hierarchy, "0.25")[1], "[0.2-0.3)");
        assert_eq!(row(&hierarchy, "-0.05")[1], "[-0.1-0.0)");
        assert_eq!(row(&interval(["1.5"], &intervals(10.0, &[])).unwrap(), "1.5")[1], "[0-10)");
    }

    #[test]
    fn refuses_what_makes_no_intervals() {
        let refused = |values: &[&str], intervals: &Intervals| {
            interval(values.iter().copied(), intervals).unwrap_err().to_string()
        };
        assert!(refused(&["1", "x"], &intervals(5.0, &[])).contains("'x' is not a number"));
        assert!(refused(&["1e300"], &intervals(5.0, &[])).contains("larger width"));
        for width in [0.0, -1.0, f64::NAN] {
            assert!(refused(&["1"], &intervals(width, &[])).contains("width"));
        }
        assert!(refused(&["1"], &intervals(5.0, &[1])).contains("at least 2"));
        let crossed = Intervals { from: Some(9.0), to: Some(9.0), ..intervals(5.0, &[]) };
        assert!(refused(&["1"], &crossed).contains("'from'"));
        assert_eq!(interval([], &intervals(5.0, &[])).unwrap_err(), HierarchyError::Empty);
    }

    proptest! {
        /// Every number lies within its labels, whatever the width, the anchor and the limits.
        #[test]
        fn labels_hold_their_numbers(
            tenths in prop::collection::vec(-5000..5000_i32, 1..30),
            whole in any::<bool>(),
            width in 1..80_i32,
            fan_outs in prop::collection::vec(2..4_usize, 0..4),
            anchor in -40..40_i32,
            limits in prop::option::of((-300..0_i32, 0..300_i32)),
        ) {
            let number = |x: i32| if whole { f64::from(x) } else { f64::from(x) / 10.0 };
            let intervals = Intervals {
                width: number(width),
                fan_outs,
                anchor: number(anchor),
                from: limits.map(|l| number(l.0)),
                to: limits.map(|l| number(l.1 + 1)),
            };
            let cells: Vec<String> = tenths.iter().map(|&x| number(x).to_string()).collect();
            let hierarchy = interval(cells.iter().map(String::as_str), &intervals).unwrap();
            for cell in &cells {
                let x: f64 = cell.parse().unwrap();
                for label in &row(&hierarchy, cell)[1..] {
                    prop_assert!(holds(label, x), "{} does not hold {}", label, x);
                }
            }
        }
    }

    /// Reads a label back, without the code that made it.
    fn holds(label: &str, x: f64) -> bool {
        if label == "*" || label.parse() == Ok(x) {
            return true;
        }
        if let Some(limit) = label.strip_prefix(">=") {
            return x >= limit.parse().unwrap();
        }
        if let Some(limit) = label.strip_prefix('<') {
            return x < limit.parse().unwrap();
        }
        let Some(inner) = label.strip_prefix('[') else { return false };
        let open = inner.ends_with(')');
        let inner = &inner[..inner.len() - 1];
        let dash = 1 + inner[1..].find('-').unwrap();
        let (low, high): (f64, f64) = (inner[..dash].parse().unwrap(), inner[dash + 1..].parse().unwrap());
        low <= x && if open { x < high } else { x <= high }
    }
}
