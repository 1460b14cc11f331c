//! Decimals as they are written, told apart however many digits they have.

use crate::number::EXACT_DIGITS;

/// What a plain number stands for: equal for two spellings of one number ("1.50", "15e-1"), different for two numbers, even if
/// they are rounded to the same [`f64`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Decimal {
    negative: bool,
    /// Without zeros at either end; empty for zero.
    digits: String,
    /// The power of ten of the last digit; 0 for zero.
    exponent: i64,
}

impl Decimal {
    /// Of a cell that is a number in the grammar of [`crate::parse_number`].
    pub(crate) fn of(number: &str) -> Self {
        let number = number.trim();
        let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
        // An exponent too long for i64 belongs to 0 or to an underflow.
        let exponent: i64 = exponent.parse().unwrap_or(0);
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = [whole.trim_start_matches(['+', '-']), fraction].concat();
        let counting = digits.trim_end_matches('0');
        let zeros = digits.len() - counting.len();
        let counting = counting.trim_start_matches('0');
        if counting.is_empty() {
            return Self { negative: false, digits: String::new(), exponent: 0 };
        }
        let places = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        Self {
            negative: mantissa.starts_with('-'),
            digits: counting.to_owned(),
            exponent: exponent.saturating_sub(places(fraction.len())).saturating_add(places(zeros)),
        }
    }

    /// Whether it has more digits that count than numbers of an [`f64`] are always told apart by.
    pub(crate) fn is_long(&self) -> bool {
        self.digits.len() > EXACT_DIGITS
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn spellings_of_one_number_are_one_decimal() {
        for cells in [
            &["1.5", "+1.50", " 15e-1", "0.15E1", "01.5"][..],
            &["0", "-0.00", "0e7", "."],
            &["-1200", "-1.2e3", "-1200.0"],
            &["1700000000000000071", "1700000000000000071.0", "1.700000000000000071e18"],
        ] {
            for cell in cells {
                assert_eq!(Decimal::of(cell), Decimal::of(cells[0]), "{cell}");
            }
        }
        for (a, b) in [("1.5", "-1.5"), ("1.5", "15"), ("1e999999999999999999999", "1e3"), ("0.1", "0.01")] {
            assert_ne!(Decimal::of(a), Decimal::of(b), "{a} {b}");
        }
        let long = |cell| Decimal::of(cell).is_long();
        assert!(long("0.1234567890123456") && !long("00.0012345678901234500") && !long("123456789012345e9"));
    }

    proptest! {
        #[test]
        fn few_digits_are_as_the_standard_library_has_them(a in "-?[0-9]{1,4}(\\.[0-9]{0,4})?(e-?[0-9])?", b in "-?[0-9]{1,4}(\\.[0-9]{0,4})?(e-?[0-9])?") {
            let number = |cell: &str| crate::parse_number(cell).unwrap() + 0.0;
            prop_assert_eq!(Decimal::of(&a) == Decimal::of(&b), number(&a) == number(&b));
        }

        #[test]
        fn never_panics(cell in any::<String>()) {
            let _ = Decimal::of(&cell);
        }
    }
}
