//! Numbers in cells.

use crate::{Column, NumberFormat};

/// More decimals than any finite number but zero has zeros after its point; keeps "1e-999999999" from asking for a
/// gigabyte of digits.
const MOST_DECIMALS: usize = 340;

/// The finite number that a cell holds, if it is one: optional sign, digits with an optional decimal point, optional
/// exponent; white space around it does not count. "NaN", "inf", "0x10", "1,5", "1 000" and numbers that overflow are
/// none; one that underflows is 0. Neither is a whole number in digits that no [`f64`] is: times in nanoseconds and codes of 18 digits
/// would be taken for their neighbours. Decimals are rounded to the nearest [`f64`]; whether two of a column become one thereby is
/// seen in the whole column only ([`crate::infer`]).
#[must_use]
pub fn parse_number(cell: &str) -> Option<f64> {
    finite(cell).filter(|number| is_exact(cell, *number))
}

/// Whether a cell is a number in the grammar of [`parse_number`], but a whole one that no [`f64`] is.
pub(crate) fn is_long(cell: &str) -> bool {
    finite(cell).is_some_and(|number| !is_exact(cell, number))
}

/// The finite number in a cell, rounded.
fn finite(cell: &str) -> Option<f64> {
    let cell = cell.trim();
    // Rust's own grammar is the one above, plus words for NaN and infinity.
    let plain = |b: u8| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E');
    if !cell.bytes().all(plain) {
        return None;
    }
    cell.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Whether a cell that holds a number rounded to this one is no whole number in digits beyond it.
fn is_exact(cell: &str, number: f64) -> bool {
    match whole_digits(cell) {
        Some(digits) if digits.trim_end_matches('0').len() > EXACT_DIGITS => {
            digits.len() <= COMPARED_DIGITS && digits.parse() == Ok(number.abs() as u128)
        }
        _ => true,
    }
}

/// Any number of so many digits is a [`u128`].
const COMPARED_DIGITS: usize = 38;

/// Numbers of so many digits that count, zeros at the end left out, are told apart by an [`f64`].
pub(crate) const EXACT_DIGITS: usize = 15;

/// The digits of a whole number that is written in digits alone, with or without a sign; without leading zeros.
fn whole_digits(cell: &str) -> Option<&str> {
    let digits = cell.trim();
    let digits = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    let whole = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    whole.then(|| digits.trim_start_matches('0'))
}

/// Whether a cell says that it is a number but is not a finite one: NaN, inf, infinity (in any case, with or without
/// sign), 1e999.
#[must_use]
pub fn is_nonfinite(cell: &str) -> bool {
    cell.trim().parse().is_ok_and(|number: f64| !number.is_finite())
}

/// Decimals of the finest cell of a column: the most digits that any of its numbers has after the decimal sign, as
/// written, the exponent taken into account ("1.50" has 2, "1.5e-3" has 4, "2e3" has 0). Cells that are no numbers
/// do not count. At most 340.
#[must_use]
pub fn resolution(column: &Column, format: NumberFormat) -> usize {
    column.values.iter().filter_map(|cell| format.decimals(cell)).max().unwrap_or(0)
}

pub(crate) fn decimals(number: &str) -> usize {
    let number = number.trim();
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let digits = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    // An exponent too long for i64 belongs to 0 or to an underflow.
    let exponent: i64 = exponent.parse().unwrap_or(0);
    let digits = i64::try_from(digits).unwrap_or(i64::MAX).saturating_sub(exponent);
    usize::try_from(digits.max(0)).map_or(MOST_DECIMALS, |digits| digits.min(MOST_DECIMALS))
}

/// How a cell spells a number; `None` if it holds none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// Optional sign and digits.
    Whole,
    /// With a decimal point or an exponent, even if the value is whole.
    Fractional,
}

pub(crate) fn spelling(cell: &str) -> Option<Spelling> {
    parse_number(cell)?;
    let fractional = cell.bytes().any(|b| matches!(b, b'.' | b'e' | b'E'));
    Some(if fractional { Spelling::Fractional } else { Spelling::Whole })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn accepts_plain_numbers_only() {
        let good = [
            ("10", 10.0),
            (" -3 ", -3.0),
            ("+3", 3.0),
            ("1e3", 1000.0),
            ("1.5E-1", 0.15),
            (".5", 0.5),
            ("5.", 5.0),
        ];
        for (cell, number) in good {
            assert_eq!(parse_number(cell), Some(number), "{cell}");
        }
        assert_eq!(parse_number("1e308"), Some(1e308));
        assert_eq!(parse_number("-9007199254740992"), Some(-9_007_199_254_740_992.0));
        assert_eq!(parse_number("000000000000000000012"), Some(12.0));
        assert_eq!(parse_number("100000000000000000000000000000000000000000000000000"), Some(1e50));
        assert_eq!(parse_number("12345678901234567000000000000000000000000000000000000"), None);
        assert_eq!(parse_number("9007199254740993"), None, "no f64");
        for cell in [
            "", " ", "abc", "0x10", "1,5", "1_000", "--1", "1e", "e5", ".", "+", "1 2", "NaN", "inf", "1e999",
        ] {
            assert_eq!(parse_number(cell), None, "{cell}");
        }
    }

    #[test]
    fn knows_what_is_not_finite() {
        for cell in ["NaN", "nan", "-NaN", "inf", "-Inf", "+Infinity", " infinity ", "1e999", "-1e999"] {
            assert!(is_nonfinite(cell), "{cell}");
            assert_eq!(parse_number(cell), None, "{cell}");
        }
        for cell in ["", "1e308", "1e-999", "none", "info"] {
            assert!(!is_nonfinite(cell), "{cell}");
        }
    }

    #[test]
    fn counts_decimals() {
        let cases = [
            ("7", 0),
            ("1.50", 2),
            ("1.5e-3", 4),
            ("2e3", 0),
            ("1.25e1", 1),
            ("5.", 0),
            ("1e-400", 340),
            ("0e-999999999999999999999", 0),
        ];
        for (cell, expected) in cases {
            assert_eq!(decimals(cell), expected, "{cell}");
        }
        let column = Column {
            name: "x".into(),
            texts: false,
            values: ["1.5", "n.a.123", "2.25"].iter().collect(),
            cells: vec![0, 1, 2],
        };
        assert_eq!(resolution(&column, NumberFormat::PLAIN), 2);
    }

    proptest! {
        /// A number printed with d decimals has d decimals, and is read as the number that was printed.
        #[test]
        fn reads_what_is_printed(number in -1e9..1e9_f64, decimals_asked in 0..12_u8) {
            let cell = format!("{number:.*}", usize::from(decimals_asked));
            prop_assert_eq!(decimals(&cell), usize::from(decimals_asked));
            prop_assert!((parse_number(&cell).unwrap() - number).abs() <= 0.5 * 10f64.powi(-i32::from(decimals_asked)) + 1e-6);
        }

        #[test]
        fn never_panics(cell in any::<String>()) {
            prop_assert!(!(parse_number(&cell).is_some() && is_nonfinite(&cell)));
            let _ = decimals(&cell);
        }
    }
}
