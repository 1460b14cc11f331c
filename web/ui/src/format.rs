//! Figures as people read them, in the language of the page.

use lookalike_model::finding::one_in;

use crate::texts::language;

/// `1234567` as `1,234,567`.
#[must_use]
pub fn count(n: usize) -> String {
    language().count(n as u64)
}

/// Decimals as this language writes them.
fn written(text: &str) -> String {
    match language().decimal_mark() {
        '.' => text.to_owned(),
        mark => text.replace('.', mark.encode_utf8(&mut [0; 4])),
    }
}

/// A number with so many decimals: `0.500` as the command line writes it, in the language of the page.
#[must_use]
pub fn fixed(x: f64, decimals: usize) -> String {
    written(&format!("{x:.decimals$}"))
}

/// The same without zeros at the end.
pub(crate) fn shortened(text: &str) -> String {
    if !text.contains('.') {
        return written(text);
    }
    written(text.trim_end_matches('0').trim_end_matches('.'))
}

/// A number with three significant digits, thousands separated: `1,234`, `12.3`, `0.00123`.
#[must_use]
pub fn number(x: f64) -> String {
    if !x.is_finite() {
        return String::from(t!(FORMAT_UNKNOWN));
    }
    let magnitude = x.abs();
    if magnitude == 0.0 {
        return String::from("0");
    }
    if magnitude >= 999.5 {
        let sign = if x < 0.0 { "-" } else { "" };
        return format!("{sign}{}", count(magnitude.round() as usize));
    }
    let decimals = decimals(magnitude);
    shortened(&format!("{x:.decimals$}"))
}

/// Decimals of three significant digits, six at most.
fn decimals(magnitude: f64) -> usize {
    match magnitude {
        m if m >= 99.95 => 0,
        m if m >= 9.995 => 1,
        m if m >= 0.9995 => 2,
        m if m >= 0.09995 => 3,
        m if m >= 0.009_995 => 4,
        m if m >= 0.000_999_5 => 5,
        _ => 6,
    }
}

/// A number of at least 0, rounded down: as a bound, it stays one.
#[must_use]
pub fn at_least(x: f64) -> String {
    let unit = 10_f64.powf(decimals(x.abs()) as f64);
    number((x * unit).floor() / unit)
}

/// A percentage with three significant digits and two decimals at most: `12.4 %`. Almost all is not all.
#[must_use]
pub fn percent(x: f64) -> String {
    if !x.is_finite() {
        return String::from(t!(FORMAT_UNKNOWN));
    }
    let x = if x > 99.9 && x < 100.0 { 99.9 } else { x };
    let decimals = match x.abs() {
        x if x < 9.995 => 2,
        x if x < 99.95 => 1,
        _ => 0,
    };
    let short = shortened(&format!("{x:.decimals$}"));
    format!("{} %", if short == "-0" { "0" } else { &short })
}

/// How far a loss is from the best possible one, by a gap in per cent of the loss: `the best possible loss is at most 1.2 %
/// lower`.
#[must_use]
pub fn from_the_best(of: f64) -> String {
    t!(FORMAT_FROM_BEST, gap = gap_digits(of))
}

/// A gap in per cent of the loss, wherever it stands: `1.2 %`.
#[must_use]
pub fn gap(of: f64) -> String {
    format!("{} %", gap_digits(of))
}

/// Rounded up, so that it stays true.
fn gap_digits(gap: f64) -> String {
    let gap = if gap.is_finite() { gap.max(0.0) } else { 100.0 };
    let unit = match gap {
        g if g >= 1.0 => 10.0,
        g if g >= 0.01 => 1e3,
        _ => 1e6,
    };
    written(&((gap * unit).ceil() / unit).to_string())
}

/// A duration: `0.4 s`, `12 s`, `2 min 5 s`, `3 h 7 min`.
#[must_use]
pub fn seconds(s: f64) -> String {
    let whole = s.max(0.0).round() as u64;
    match whole {
        0..=9 => written(&format!("{:.1} s", s.max(0.0))),
        10..=59 => format!("{whole} s"),
        60..=3599 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

/// A size of a file: `512 bytes`, `1.5 MB`.
#[must_use]
pub fn bytes(n: f64) -> String {
    let units = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    let Some((scale, unit)) = units.into_iter().find(|(scale, _)| n >= *scale) else {
        return n!(N_BYTE, n.max(0.0) as usize);
    };
    let value = n / scale;
    if value < 99.95 { written(&format!("{value:.1} {unit}")) } else { format!("{value:.0} {unit}") }
}

/// A probability as odds: `1 in 5`, `1 in 2.5`.
#[must_use]
pub fn odds(p: f64) -> String {
    if p <= 0.0 || !p.is_finite() {
        return String::from(t!(FORMAT_NONE));
    }
    t!(FORMAT_ODDS, of = shortened(&format!("{:.6}", one_in(p))))
}

/// `2026-05-01T14:03:22Z` as `2026-05-01 14:03:22 UTC`.
#[must_use]
pub fn moment(at: &str) -> String {
    at.replace('T', " ").replace('Z', " UTC")
}

/// `2026-05-01T14:03:22Z` as `14:03 UTC`.
#[must_use]
pub fn time(at: &str) -> String {
    at.get(11..16).map_or_else(|| moment(at), |time| format!("{time} UTC"))
}

/// `a`, `a and b`, `a, b and c`; after the fourth `and 3 more`.
#[must_use]
pub fn list(names: &[&str]) -> String {
    const SHOWN: usize = 4;
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [init @ .., last] if names.len() <= SHOWN => t!(FORMAT_AND, names = init.join(", "), last = last),
        _ => t!(FORMAT_AND_MORE, names = names[..SHOWN].join(", "), n = count(names.len() - SHOWN)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_thousands() {
        assert_eq!(
            [0, 7, 999, 1000, 12_345, 1_234_567].map(count),
            ["0", "7", "999", "1,000", "12,345", "1,234,567"]
        );
        assert_eq!([1, 2000].map(|rows| n!(N_ROW, rows)), ["1 row", "2,000 rows"]);
    }

    #[test]
    fn numbers_have_three_significant_digits() {
        let numbers = [0.0, 1_234_567.4, 999.6, 123.45, 12.345_6, 1.0, 0.5, 0.012_345, -1500.2, f64::NAN];
        let expected = ["0", "1,234,567", "1,000", "123", "12.3", "1", "0.5", "0.0123", "-1,500", "unknown"];
        assert_eq!(numbers.map(number), expected);
    }

    #[test]
    fn percentages() {
        assert_eq!(
            [0.0, 3.456, 12.345, 100.0, -0.001].map(percent),
            ["0 %", "3.46 %", "12.3 %", "100 %", "0 %"]
        );
        // Ten is not one, and almost all is not all.
        assert_eq!([10.0, 120.0, 99.96, 9.999].map(percent), ["10 %", "120 %", "99.9 %", "10 %"]);
    }

    #[test]
    fn a_gap_is_rounded_up_and_the_same_wherever_it_stands() {
        assert_eq!(
            [8.64, 0.1231, 0.0, 1e-9, 8.7].map(gap),
            ["8.7 %", "0.124 %", "0 %", "0.000001 %", "8.7 %"]
        );
        assert!(from_the_best(8.64).contains("8.7 %"));
    }

    #[test]
    fn durations() {
        let expected = ["0.0 s", "0.4 s", "9.4 s", "10 s", "59 s", "1 min 0 s", "2 min 5 s", "1 h 2 min"];
        assert_eq!([-1.0, 0.42, 9.4, 9.9, 59.4, 59.6, 125.0, 3725.0].map(seconds), expected);
    }

    #[test]
    fn sizes() {
        let expected = ["1 byte", "999 bytes", "1.0 kB", "150 kB", "2.5 MB", "1.2 GB"];
        assert_eq!([1.0, 999.0, 1000.0, 150_000.0, 2.5e6, 1.23e9].map(bytes), expected);
    }

    #[test]
    fn odds_are_whole_where_they_can_be() {
        assert_eq!([0.2, 0.4, 1.0, 0.0].map(odds), ["1 in 5", "1 in 2.5", "1 in 1", "none"]);
        let whole: Vec<String> = (1..2000).map(|n| odds(1.0 / f64::from(n))).collect();
        assert!(whole.iter().all(|odds| !odds.contains('.')), "no rounding of the reciprocal");
        assert_eq!(odds(0.177), "1 in 5.6", "5.65 is said as less, not as more");
        assert_eq!(odds(1.0 / 7.96), "1 in 7.9");
    }

    #[test]
    fn moments_and_times() {
        assert_eq!(moment("2026-05-01T14:03:22Z"), "2026-05-01 14:03:22 UTC");
        assert_eq!((time("2026-05-01T14:03:22Z"), time("noon")), ("14:03 UTC".into(), "noon".into()));
    }

    #[test]
    fn lists() {
        assert_eq!(list(&[]), "");
        assert_eq!(list(&["a"]), "a");
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
        assert_eq!(list(&["a", "b", "c", "d", "e", "f"]), "a, b, c, d and 2 more");
    }
}
