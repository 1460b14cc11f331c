//! What the number format of a cell says of its text: leading zeros, and how fine a time is.
//!
//! A postcode that is kept as a number is shown by a format such as `00000`: what people see is 01067, and 1067 would be another
//! code. Percent signs, currencies, marks between thousands and decimals change no number and are left out.

/// Whole numbers from here on are not exact in a workbook.
const EXACT: f64 = 1e15;

/// A number format, as far as it matters here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NumberFormat {
    /// Digits and what stands between them, if small numbers are shown with leading zeros.
    zeros: Option<Vec<Sign>>,
    /// Whether it shows seconds, and a fraction of them.
    pub(super) seconds: bool,
    pub(super) fraction: bool,
}

/// A sign of a format of digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Digit,
    Text(char),
}

impl NumberFormat {
    /// From its code, such as `00000`, `"D-"00000` or `h:mm`.
    pub(super) fn of(code: &str) -> Self {
        let zeros = digits(code).filter(|signs| width(signs) > 1);
        let plain = unquoted(code);
        let seconds = plain.contains(['s', 'S']);
        let fraction = ["s.0", "S.0", "s,0", "S,0", "s].0", "S].0"].iter().any(|of| plain.contains(of));
        Self { zeros, seconds, fraction }
    }

    /// A whole number with the zeros and other signs that it is shown with; `None` if it is shown as a number.
    pub(super) fn with_zeros(&self, number: f64) -> Option<String> {
        let signs = self.zeros.as_ref()?;
        if !(0.0..EXACT).contains(&number) || number.fract() != 0.0 {
            return None;
        }
        let width = width(signs);
        let digits = format!("{:0>width$}", number + 0.0);
        // Digits that have no place of their own stand at the first one.
        let (mut next, surplus) = (digits.chars(), digits.len() - width);
        let (mut text, mut first) = (String::new(), true);
        for sign in signs {
            match sign {
                Sign::Text(c) => text.push(*c),
                Sign::Digit => {
                    text.extend(next.by_ref().take(if first { surplus + 1 } else { 1 }));
                    first = false;
                }
            }
        }
        Some(text)
    }
}

/// How many digits there are at the least.
fn width(signs: &[Sign]) -> usize {
    signs.iter().filter(|sign| **sign == Sign::Digit).count()
}

/// The digits of a format for numbers from 0 on, and the texts between them; `None` if it has anything else, such as a decimal
/// point or a condition.
fn digits(code: &str) -> Option<Vec<Sign>> {
    let mut signs = Vec::new();
    let mut rest = code.chars();
    let mut zero = false;
    while let Some(c) = rest.next() {
        match c {
            // What follows is for numbers below 0.
            ';' => break,
            '0' => {
                zero = true;
                signs.push(Sign::Digit);
            }
            // Behind a zero a place is always shown; before one it is only if there is a digit.
            '#' if zero => signs.push(Sign::Digit),
            '#' => {}
            '"' => signs.extend(rest.by_ref().take_while(|c| *c != '"').map(Sign::Text)),
            '\\' => signs.push(Sign::Text(rest.next()?)),
            // A blank as wide as the next sign.
            '_' => {
                rest.next()?;
            }
            '[' => {
                let within: String = rest.by_ref().take_while(|c| *c != ']').collect();
                // Colours and languages; conditions and times are of other formats.
                let colour = within.len() > 2 && within.bytes().all(|c| c.is_ascii_alphanumeric());
                if !colour && !within.starts_with("$-") {
                    return None;
                }
            }
            '-' | ' ' | '(' | ')' => signs.push(Sign::Text(c)),
            _ => return None,
        }
    }
    zero.then_some(signs)
}

/// A code without the texts that stand for themselves.
fn unquoted(code: &str) -> String {
    let mut plain = String::new();
    let mut rest = code.chars();
    while let Some(c) = rest.next() {
        match c {
            '"' => rest.by_ref().take_while(|c| *c != '"').for_each(drop),
            '\\' | '_' | '*' => drop(rest.next()),
            c => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_those_that_are_shown() {
        for (code, number, text) in [
            ("00000", 1067.0, "01067"),
            ("00000", 10_115.0, "10115"),
            ("00000", 0.0, "00000"),
            ("00000", 101_155.0, "101155"),
            ("00000;-00000", 1067.0, "01067"),
            ("[$-407]00000", 1067.0, "01067"),
            ("[Red]00000", 1067.0, "01067"),
            ("\"D-\"00000", 1067.0, "D-01067"),
            ("0000\"-\"000", 123_456.0, "0123-456"),
            ("000\\-00\\-0000", 12_345_678.0, "012-34-5678"),
            ("00000-0000", 10_670_001.0, "01067-0001"),
            ("00-0", 12_345.0, "1234-5"),
            ("0#####", 1067.0, "001067"),
            ("##00", 7.0, "07"),
        ] {
            assert_eq!(NumberFormat::of(code).with_zeros(number).as_deref(), Some(text), "{code}");
        }
    }

    #[test]
    fn numbers_stay_numbers() {
        for code in [
            "General",
            "0",
            "#,##0",
            "0.00",
            "0.0%",
            "#,##0.00 \"\u{20ac}\"",
            "0.00E+00",
            "#,##0_);(#,##0)",
            "@",
            "[<=99999]00000;00000-0000",
            "[h]:mm",
            "",
            "00000\\",
        ] {
            assert_eq!(NumberFormat::of(code).with_zeros(1067.0), None, "{code}");
        }
        for number in [-1067.0, 10.5, 1e15, f64::NAN, f64::INFINITY] {
            assert_eq!(NumberFormat::of("00000").with_zeros(number), None, "{number}");
        }
    }

    #[test]
    fn seconds_are_those_of_the_format() {
        let of = |code: &str| (NumberFormat::of(code).seconds, NumberFormat::of(code).fraction);
        assert_eq!(
            (of("h:mm"), of("hh:mm:ss"), of("mm:ss.0")),
            ((false, false), (true, false), (true, true))
        );
        assert_eq!((of("h \"std\" mm"), of("[ss].00")), ((false, false), (true, true)));
    }
}
