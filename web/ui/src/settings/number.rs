//! Numbers as people type them.

/// The number that plain decimal digits stand for: `5`, `2.5`, `.5`, and `2,5` where the language of the page has a decimal
/// comma. Up to 15 digits it is exactly rounded, up to 19 (a third, as a configuration has it) within two units in the last
/// place. The standard library's parser would cost the page 12 kB.
pub(crate) fn decimal(text: &str) -> Option<f64> {
    let text = text.trim().replace(crate::texts::language().decimal_mark(), ".");
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    let digits = format!("{whole}{part}");
    // Up to 15 digits, mantissa and power of ten are exact, so that the quotient is rounded once.
    if digits.is_empty() || digits.len() > 19 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let power = part.bytes().fold(1.0, |power, _| power * 10.0);
    Some(digits.parse::<u64>().ok()? as f64 / power)
}

/// The same with a sign.
pub(super) fn signed(text: &str) -> Option<f64> {
    match text.trim().strip_prefix('-') {
        Some(rest) => decimal(rest).map(|x| -x),
        None => decimal(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_comma_where_the_language_has_one() {
        use crate::texts::{Language, Speech, speak};
        let german = include_str!("../../texts/de.txt").to_owned();
        speak(Speech::read(Language::German, german).unwrap());
        assert_eq!((decimal("2,5"), decimal("2.5"), decimal("1.234,5")), (Some(2.5), Some(2.5), None));
        speak(Speech::ENGLISH);
        assert_eq!(decimal("2,5"), None);
    }

    #[test]
    fn decimals_are_what_the_standard_library_reads() {
        for text in ["0", "5", "2.5", ".5", "5.", "0.1", "123456789012.345", "3.14159265358979", "000.70"] {
            assert_eq!(decimal(text), text.parse().ok(), "{text}");
            let negative = format!("-{text}");
            assert_eq!(signed(&negative), negative.parse().ok(), "{negative}");
        }
        for text in ["", ".", "-1", "1e3", "1.2.3", "inf", "NaN", "1,5", "0x1", "12345678901234567890"] {
            assert_eq!(decimal(text), None, "{text}");
        }
        for third in [1.0 / 3.0, 2.0 / 3.0, 0.1 + 0.2, 1.0 / 7.0] {
            assert!((decimal(&third.to_string()).unwrap() - third).abs() < 1e-15);
        }
        assert_eq!((signed("--1"), signed("-"), signed(" -1.5 ")), (None, None, Some(-1.5)));
    }
}
