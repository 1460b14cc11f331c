//! Numbers in cells.

/// From here on some whole numbers are none of this type: two to the power of 53.
const FIRST_WITH_GAPS: f64 = 9_007_199_254_740_992.0;

/// The finite number that a cell holds, if it is one: an optional sign, digits with an optional decimal point, an
/// optional exponent; white space around it does not count. Whatever else a cell holds is text, "1,5", "1 000", "inf",
/// "0x10" and numbers that overflow included; a number that underflows is 0. So is a whole number in digits alone that would be taken
/// for its neighbour, being none of the numbers of this type.
pub(crate) fn number(cell: &str) -> Option<f64> {
    let cell = cell.trim();
    let bytes = cell.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = |at: usize| usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
    let mut at = sign(0);
    let mut mantissa = digits(at);
    at += mantissa;
    if bytes.get(at) == Some(&b'.') {
        let fraction = digits(at + 1);
        mantissa += fraction;
        at += 1 + fraction;
    }
    if mantissa == 0 {
        return None;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at += 1;
        at += sign(at);
        let exponent = digits(at);
        if exponent == 0 {
            return None;
        }
        at += exponent;
    }
    if at < bytes.len() {
        return None;
    }
    // Only the rounding to the nearest number is left to the standard library.
    let number: f64 = cell.parse().ok().filter(|number: &f64| number.is_finite())?;
    let whole = bytes.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-'));
    if !whole || number.abs() < FIRST_WITH_GAPS {
        return Some(number);
    }
    let digits = cell.trim_start_matches(['+', '-', '0']);
    // Fifteen digits that count are always told apart.
    let few = digits.trim_end_matches('0').len() <= 15;
    (few || digits.len() <= 38 && format!("{:.0}", number.abs()) == digits).then_some(number)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn plain_numbers_are_numbers_and_nothing_else_is() {
        for (cell, expected) in [
            ("10", 10.0),
            (" -3 ", -3.0),
            ("+3", 3.0),
            ("1e3", 1000.0),
            ("1.5E-1", 0.15),
            (".5", 0.5),
            ("5.", 5.0),
        ] {
            assert_eq!(number(cell), Some(expected), "{cell}");
        }
        for cell in [
            "", " ", "abc", "0x10", "1,5", "1_000", "--1", "1e", "e5", ".", "+", "1 2", "NaN", "inf",
            "1e999", "1e+", "٣",
        ] {
            assert_eq!(number(cell), None, "{cell}");
        }
    }

    proptest! {
        /// Two readers that share nothing agree on what is a number.
        #[test]
        fn numbers_are_those_of_the_table_reader(
            cell in "[ 0-9eE.+-]{0,8}|.{0,6}|-?[0-9]{15,45}|90071992547409[89][0-9]|-?[0-9]{0,22}\\.[0-9]{0,30}(e-?[0-9]{1,3})?"
        ) {
            prop_assert_eq!(number(&cell), lookalike_table::parse_number(&cell));
        }
    }
}
