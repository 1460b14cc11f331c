//! Numbers as people write them: decimal point or decimal comma, with or without a mark between thousands.

use std::borrow::Cow;

use crate::{
    NumberMark,
    number::{Spelling, decimals, parse_number, spelling},
};

/// How a column spells its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberFormat {
    /// `.` or `,`.
    pub decimal: char,
    /// What stands between thousands, if anything may: `,`, `.`, an apostrophe or a space.
    pub group: Option<char>,
}

/// Marks between thousands that leave the decimal sign open: spaces (plain, no-break, narrow no-break), apostrophes.
const NEUTRAL_GROUPS: [char; 5] = [' ', '\u{a0}', '\u{202f}', '\'', '\u{2019}'];

impl NumberFormat {
    /// Decimal point, no marks: the notation of data files.
    pub const PLAIN: Self = Self { decimal: '.', group: None };
    pub(crate) const COMMA: Self = Self { decimal: ',', group: None };
    pub(crate) const POINT_GROUPED: Self = Self { decimal: '.', group: Some(',') };
    pub(crate) const COMMA_GROUPED: Self = Self { decimal: ',', group: Some('.') };

    /// All formats, the likelier first.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let neutral = NEUTRAL_GROUPS
            .into_iter()
            .flat_map(|g| ['.', ','].map(|decimal| Self { decimal, group: Some(g) }));
        [Self::PLAIN, Self::COMMA, Self::POINT_GROUPED, Self::COMMA_GROUPED].into_iter().chain(neutral)
    }

    /// The finite number that a cell holds, if it is one. Marks between thousands are optional, but if one stands
    /// there, all must: "1,234,567" or "1234567", not "1,234567" or "12,34".
    #[must_use]
    pub fn parse(self, cell: &str) -> Option<f64> {
        parse_number(&self.plain(cell)?)
    }

    /// Digits after the decimal sign, as [`crate::resolution`] counts them; `None` if the cell is no number.
    #[must_use]
    pub fn decimals(self, cell: &str) -> Option<usize> {
        let plain = self.plain(cell)?;
        parse_number(&plain)?;
        Some(decimals(&plain))
    }

    /// A number with so many decimals, spelled like the column.
    #[must_use]
    pub fn write(self, number: f64, decimals: usize) -> String {
        let text = format!("{number:.decimals$}");
        // "-0" and "-0.0" are zero.
        let zero = text.bytes().all(|b| matches!(b, b'-' | b'0' | b'.'));
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) if zero => ("", digits),
            Some(digits) => ("-", digits),
            None => ("", text.as_str()),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let mut out = String::from(sign);
        for (at, digit) in whole.chars().enumerate() {
            if at > 0 && (whole.len() - at).is_multiple_of(3) {
                out.extend(self.group);
            }
            out.push(digit);
        }
        if !fraction.is_empty() {
            out.push(self.decimal);
            out.push_str(fraction);
        }
        out
    }

    /// The marks in it, for evidence; none in the plain format.
    pub(crate) fn marks(self) -> Vec<NumberMark> {
        let decimal = (self.decimal == ',').then_some(NumberMark::DecimalComma);
        let group = self.group.map(|group| match group {
            ',' => NumberMark::Commas,
            '.' => NumberMark::Points,
            '\'' | '\u{2019}' => NumberMark::Apostrophes,
            _ => NumberMark::Spaces,
        });
        decimal.into_iter().chain(group).collect()
    }

    pub(crate) fn spelling(self, cell: &str) -> Option<Spelling> {
        spelling(&self.plain(cell)?)
    }

    /// The cell in the plain format; `None` if it does not fit this one. What is left is still to be parsed.
    fn plain(self, cell: &str) -> Option<Cow<'_, str>> {
        let cell = cell.trim();
        if self == Self::PLAIN {
            return Some(Cow::Borrowed(cell));
        }
        // No label gets further than this.
        if !cell.bytes().next()?.is_ascii_digit() && !cell.starts_with(['+', '-', '.', ',']) {
            return None;
        }
        let signless = cell.strip_prefix(['+', '-']).unwrap_or(cell);
        let sign = &cell[..cell.len() - signless.len()];
        let end = signless.find([self.decimal, 'e', 'E']).unwrap_or(signless.len());
        let (whole, rest) = signless.split_at(end);
        let whole = match self.group {
            Some(group) if whole.contains(group) => ungrouped(whole, group)?,
            _ => whole.to_owned(),
        };
        let rest = match rest.strip_prefix(self.decimal) {
            Some(fraction) if fraction.contains(['.', ',']) => return None,
            Some(fraction) => format!(".{fraction}"),
            None => rest.to_owned(),
        };
        if whole.contains(['.', ',']) {
            return None;
        }
        Some(Cow::Owned(format!("{sign}{whole}{rest}")))
    }
}

/// Digits without their marks; `None` if a mark stands anywhere but between thousands.
fn ungrouped(whole: &str, group: char) -> Option<String> {
    let mut parts = whole.split(group);
    let first = parts.next()?;
    let fits = (1..=3).contains(&first.len())
        && !first.starts_with('0')
        && whole.chars().all(|c| c == group || c.is_ascii_digit())
        && parts.all(|part| part.len() == 3);
    fits.then(|| whole.chars().filter(|&c| c != group).collect())
}

/// What the cells of a column say of their format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// No format fits all cells.
    None,
    /// This one does; all that fit as well read the same numbers, or are set aside for a stated reason.
    Only(NumberFormat),
    /// Points may stand between thousands: "1.234". Read as decimals, which is the notation of data files.
    PointEitherWay,
    /// Commas may be decimal or stand between thousands: "1,234".
    CommaEitherWay,
}

/// The format of all cells, from all of them.
pub(crate) fn fit<'a>(cells: &(impl Iterator<Item = &'a str> + Clone)) -> Fit {
    let fits = |format: NumberFormat| cells.clone().all(|cell| format.parse(cell).is_some());
    if fits(NumberFormat::PLAIN) {
        let grouped = cells.clone().any(|cell| cell.contains('.')) && fits(NumberFormat::COMMA_GROUPED);
        return if grouped { Fit::PointEitherWay } else { Fit::Only(NumberFormat::PLAIN) };
    }
    if fits(NumberFormat::COMMA) && fits(NumberFormat::POINT_GROUPED) {
        return Fit::CommaEitherWay;
    }
    NumberFormat::all().find(|format| fits(*format)).map_or(Fit::None, Fit::Only)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(cells: &[&str]) -> Fit {
        fit(&cells.iter().copied())
    }

    #[test]
    fn the_whole_column_tells_the_format() {
        use NumberFormat as F;
        assert_eq!(of(&["1", "2.5"]), Fit::Only(F::PLAIN));
        assert_eq!(of(&["1,5", "2"]), Fit::Only(F::COMMA));
        assert_eq!(of(&["1,234", "2,5"]), Fit::Only(F::COMMA));
        assert_eq!(of(&["1,234", "0,500"]), Fit::Only(F::COMMA));
        assert_eq!(of(&["1,234", "1,234,567"]), Fit::Only(F::POINT_GROUPED));
        assert_eq!(of(&["1,234", "2.5"]), Fit::Only(F::POINT_GROUPED));
        assert_eq!(of(&["1.234", "2,5"]), Fit::Only(F::COMMA_GROUPED));
        assert_eq!(of(&["1.234.567", "2"]), Fit::Only(F::COMMA_GROUPED));
        assert_eq!(of(&["1 234", "2"]), Fit::Only(F { decimal: '.', group: Some(' ') }));
        assert_eq!(of(&["1\u{202f}234,5"]), Fit::Only(F { decimal: ',', group: Some('\u{202f}') }));
        assert_eq!(of(&["1'234.5"]), Fit::Only(F { decimal: '.', group: Some('\'') }));
        assert_eq!(of(&["1,234", "5,678"]), Fit::CommaEitherWay);
        assert_eq!(of(&["1.234", "5.678", "900"]), Fit::PointEitherWay);
        assert_eq!(of(&["0.234", "5.678"]), Fit::Only(F::PLAIN));
        for cells in [["12,34,56"], ["1,2345,678"], ["1 23"], ["1,5;"], ["a"], ["1.234,567.8"], ["0,123,456"]]
        {
            assert_eq!(of(&cells), Fit::None, "{cells:?}");
        }
    }

    #[test]
    fn numbers_are_written_like_the_column() {
        let write = |decimal, group, x, d| NumberFormat { decimal, group }.write(x, d);
        assert_eq!(write(',', Some('.'), -1_234_567.891, 2), "-1.234.567,89");
        assert_eq!(write('.', Some(','), 999.5, 0), "1,000");
        assert_eq!(write('.', None, -0.04, 1), "0.0");
        assert_eq!(write(',', None, 1234.5, 1), "1234,5");
    }

    proptest! {
        /// What a format writes, it reads.
        #[test]
        fn reads_what_it_writes(number in -1e9..1e9_f64, decimals in 0..5_u8, at in 0..14_usize) {
            let format = NumberFormat::all().nth(at).unwrap();
            let cell = format.write(number, usize::from(decimals));
            let step = 10f64.powi(-i32::from(decimals));
            prop_assert!((format.parse(&cell).unwrap() - number).abs() <= 0.5 * step + 1e-6, "{cell}");
            prop_assert_eq!(format.decimals(&cell), Some(usize::from(decimals)));
        }

        #[test]
        fn never_panics(cell in any::<String>(), at in 0..14_usize) {
            let _ = NumberFormat::all().nth(at).unwrap().parse(&cell);
        }
    }
}
