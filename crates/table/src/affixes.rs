//! What stands around the digits of amounts: a percent sign, a currency, parentheses for what is below 0.

use crate::NumberMark;

/// What all cells of a column have around their numbers; nothing by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Affixes {
    mark: Option<Mark>,
    below: Below,
}

/// A sign and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    sign: &'static str,
    /// What stands between the sign and the number.
    space: Option<char>,
    before: bool,
}

/// How a number below 0 is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Below {
    /// A minus before everything: "-$5", "-5 %".
    #[default]
    First,
    /// A minus before the digits: "$-5".
    AtDigits,
    /// Parentheses around everything: "($5)".
    Parentheses,
}

/// The only sign that is no currency. It stands after the number.
const PERCENT: &str = "%";

/// Signs and codes of currencies, longer ones before those that they begin with.
const CURRENCIES: &[&str] = &[
    "US$", "R$", "$", "\u{20ac}", "\u{a3}", "\u{a5}", "\u{20b9}", "\u{20a9}", "\u{20ba}", "\u{20bd}", "CHF",
    "EUR", "USD", "GBP", "JPY", "CNY", "INR", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF",
    "RON", "BGN", "TRY", "ILS", "ZAR", "BRL", "MXN", "ARS", "CLP", "COP", "PEN", "KRW", "SGD", "HKD",
    "z\u{142}", "K\u{10d}", "kr",
];

const SPACES: [char; 3] = [' ', '\u{a0}', '\u{202f}'];

/// Nothing that people write as an amount is longer.
const LONGEST: usize = 60;

impl Affixes {
    /// Nothing.
    pub const NONE: Self = Self { mark: None, below: Below::First };

    /// Whether there is nothing around the digits.
    pub(crate) fn is_none(self) -> bool {
        self == Self::NONE
    }

    /// What the cells have around their numbers, if anything; the first sign that is found tells, and not all cells need have
    /// it. Parentheses alone are no amounts if no cell is without them.
    pub(crate) fn of<'a>(cells: &(impl Iterator<Item = &'a str> + Clone)) -> Option<Self> {
        let amounts = cells.clone().map(str::trim);
        let amounts =
            amounts.filter(|cell| cell.len() <= LONGEST && cell.bytes().any(|byte| byte.is_ascii_digit()));
        let mark = amounts.clone().find_map(Mark::of);
        let in_parentheses = |cell: &str| cell.starts_with('(') && cell.ends_with(')');
        let any = amounts.clone().any(in_parentheses);
        let below = match mark {
            None if any && !amounts.clone().all(in_parentheses) => Below::Parentheses,
            None => return None,
            Some(_) if any => Below::Parentheses,
            Some(mark) if mark.before && amounts.clone().any(|cell| mark.has_sign_within(cell)) => {
                Below::AtDigits
            }
            Some(_) => Below::First,
        };
        Some(Self { mark, below })
    }

    /// The number in a cell, with its sign and nothing else around it; `None` if the cell has another form.
    pub(crate) fn strip(self, cell: &str) -> Option<String> {
        let cell = cell.trim();
        let inner = cell.strip_prefix('(').and_then(|cell| cell.strip_suffix(')'));
        let (cell, sign) = match (self.below, inner) {
            (Below::Parentheses, Some(inner)) => (inner, "-"),
            (Below::Parentheses, None) | (Below::AtDigits, _) => (cell, ""),
            (Below::First, _) => {
                let rest = cell.strip_prefix(['+', '-']).unwrap_or(cell);
                (rest, &cell[..cell.len() - rest.len()])
            }
        };
        let number = match self.mark {
            Some(mark) => mark.strip(cell)?,
            None => cell,
        };
        // One sign, at its place; a space too many is another form.
        let signed = self.below == Below::AtDigits && number.starts_with(['+', '-']);
        let first = number[usize::from(signed)..].chars().next()?;
        let last = number.chars().next_back()?;
        let digits = first.is_ascii_digit() || matches!(first, '.' | ',');
        (digits && !last.is_whitespace()).then(|| format!("{sign}{number}"))
    }

    /// A number, written without anything around it but its minus, in the form of the column.
    pub(crate) fn put(self, number: &str) -> String {
        let (minus, digits) = number.strip_prefix('-').map_or(("", number), |digits| ("-", digits));
        match (self.below, minus) {
            (Below::AtDigits, _) => self.around(number),
            (Below::Parentheses, "-") => format!("({})", self.around(digits)),
            _ => format!("{minus}{}", self.around(digits)),
        }
    }

    fn around(self, number: &str) -> String {
        let Some(Mark { sign, space, before }) = self.mark else { return number.to_owned() };
        let space = space.map(String::from).unwrap_or_default();
        if before { format!("{sign}{space}{number}") } else { format!("{number}{space}{sign}") }
    }

    /// What it is, for evidence.
    pub(crate) fn marks(self) -> impl Iterator<Item = NumberMark> {
        let mark = self.mark.map(|mark| match mark.sign {
            PERCENT => NumberMark::Percent,
            sign => NumberMark::Currency { sign },
        });
        mark.into_iter().chain((self.below == Below::Parentheses).then_some(NumberMark::Parentheses))
    }
}

impl Mark {
    /// The sign of a cell, if it has one around a number.
    fn of(cell: &str) -> Option<Self> {
        let inner = cell.strip_prefix('(').and_then(|cell| cell.strip_suffix(')')).unwrap_or(cell);
        let inner = inner.strip_prefix(['+', '-']).unwrap_or(inner);
        let space =
            |rest: &str, c: Option<char>| c.filter(|c| SPACES.contains(c) && rest.len() > c.len_utf8());
        let number =
            |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | '+'));
        for sign in CURRENCIES.iter().chain([&PERCENT]) {
            if let Some(rest) = inner.strip_suffix(sign) {
                let space = space(rest, rest.chars().next_back());
                let rest = space.map_or(rest, |c| &rest[..rest.len() - c.len_utf8()]);
                if rest.ends_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',')) {
                    return Some(Self { sign, space, before: false });
                }
            }
            if *sign != PERCENT
                && let Some(rest) = inner.strip_prefix(sign)
            {
                let space = space(rest, rest.chars().next());
                let rest = space.map_or(rest, |c| &rest[c.len_utf8()..]);
                if number(rest.chars().next()) {
                    return Some(Self { sign, space, before: true });
                }
            }
        }
        None
    }

    /// What stands beside the sign and its space.
    fn strip(self, cell: &str) -> Option<&str> {
        if self.before {
            let rest = cell.strip_prefix(self.sign)?;
            self.space.map_or(Some(rest), |space| rest.strip_prefix(space))
        } else {
            let rest = cell.strip_suffix(self.sign)?;
            self.space.map_or(Some(rest), |space| rest.strip_suffix(space))
        }
    }

    /// Whether a plus or minus stands between a sign and the digits.
    fn has_sign_within(self, cell: &str) -> bool {
        self.strip(cell).is_some_and(|number| number.starts_with(['+', '-']))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(cells: &[&str]) -> Option<Affixes> {
        Affixes::of(&cells.iter().copied())
    }

    #[test]
    fn amounts_are_taken_apart_and_put_together() {
        for (cells, numbers) in [
            (&["12 %", "-3 %", "4.5 %"][..], &["12", "-3", "4.5"][..]),
            (&["12%", "100%"], &["12", "100"]),
            (&["\u{20ac} 1.234,50", "-\u{20ac} 2,00"], &["1.234,50", "-2,00"]),
            (&["$1,234.50", "$-2.00"], &["1,234.50", "-2.00"]),
            (&["1,234.50 EUR", "0.10 EUR"], &["1,234.50", "0.10"]),
            (&["USD 7", "USD 8"], &["7", "8"]),
            (&["(1,234)", "17"], &["-1,234", "17"]),
            (&["($5.00)", "$6.00"], &["-5.00", "6.00"]),
            (&["(5 %)", "6 %"], &["-5", "6"]),
            (&["1\u{202f}234\u{a0}\u{20ac}"], &["1\u{202f}234"]),
            (&["US$5", "US$6"], &["5", "6"]),
        ] {
            let affixes = of(cells).unwrap_or_else(|| panic!("{cells:?}"));
            for (cell, number) in cells.iter().zip(numbers) {
                assert_eq!(affixes.strip(cell).as_deref(), Some(*number), "{cell}");
                assert_eq!(affixes.put(number), *cell);
            }
        }
    }

    #[test]
    fn other_forms_are_none() {
        for cells in [
            &["12", "13"][..],
            &["a"],
            &["%"],
            &["(1)", "(2)"],
            &["EUROPE 5"],
            &["krone 5"],
            &["%5"],
            &["$"],
            &["A5 %x"],
            &[],
        ] {
            assert_eq!(of(cells), None, "{cells:?}");
        }
        let percent = of(&["12 %"]).unwrap();
        for cell in ["12%", "12", "12  %", " %", "--1 %", "(12 %)", "12 \u{20ac}", "%"] {
            assert_eq!(percent.strip(cell), None, "{cell}");
        }
        let dollars = of(&["$5"]).unwrap();
        for cell in ["5$", "$ 5", "$-5", "-$-5", "\u{20ac}5", "($5)"] {
            assert_eq!(dollars.strip(cell), None, "{cell}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(cells in prop::collection::vec("[0-9$%()\u{20ac} +\\-.,EUR]{0,8}", 1..4)) {
            if let Some(affixes) = Affixes::of(&cells.iter().map(String::as_str)) {
                for cell in &cells {
                    if let Some(number) = affixes.strip(cell) {
                        let _ = affixes.put(&number);
                    }
                }
            }
        }
    }
}
