//! Numbers as people write them: decimal point or decimal comma, with or without a mark between thousands.

use std::borrow::Cow;

use crate::{
    Affixes, NumberMark,
    decimal::Decimal,
    number::{Spelling, decimals, is_long, parse_number, spelling},
};

/// How a column spells its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberFormat {
    /// `.` or `,`.
    pub decimal: char,
    /// What stands between thousands, if anything may: `,`, `.`, an apostrophe or a space.
    pub group: Option<char>,
    /// What stands around the numbers: a percent sign, a currency, parentheses.
    pub affixes: Affixes,
}

/// Marks between thousands that leave the decimal sign open: spaces (plain, no-break, narrow no-break), apostrophes.
const NEUTRAL_GROUPS: [char; 5] = [' ', '\u{a0}', '\u{202f}', '\'', '\u{2019}'];

impl NumberFormat {
    /// Decimal point, no marks: the notation of data files.
    pub const PLAIN: Self = Self::new('.', None);
    pub(crate) const COMMA: Self = Self::new(',', None);
    pub(crate) const POINT_GROUPED: Self = Self::new('.', Some(','));
    pub(crate) const COMMA_GROUPED: Self = Self::new(',', Some('.'));

    /// Whether a mark stands between its thousands.
    #[must_use]
    pub fn is_grouped(self) -> bool {
        self.group.is_some()
    }

    /// With nothing around the numbers.
    #[must_use]
    pub const fn new(decimal: char, group: Option<char>) -> Self {
        Self { decimal, group, affixes: Affixes::NONE }
    }

    /// The same with this around the numbers.
    pub(crate) fn with_affixes(self, affixes: Affixes) -> Self {
        Self { affixes, ..self }
    }

    /// All formats, the likelier first.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let neutral =
            NEUTRAL_GROUPS.into_iter().flat_map(|g| ['.', ','].map(|decimal| Self::new(decimal, Some(g))));
        [Self::PLAIN, Self::COMMA, Self::POINT_GROUPED, Self::COMMA_GROUPED].into_iter().chain(neutral)
    }

    /// All formats that cells may have: with what is around their numbers, if anything is, after those with nothing.
    pub(crate) fn of<'a>(cells: &(impl Iterator<Item = &'a str> + Clone)) -> Vec<Self> {
        let affixes = Affixes::of(cells).into_iter();
        Self::all()
            .chain(affixes.flat_map(|affixes| Self::all().map(move |format| format.with_affixes(affixes))))
            .collect()
    }

    /// The format in which all of these cells are numbers; `None` if there is none, or if two of them read a cell as different numbers:
    /// "1,234" alone may be either.
    #[must_use]
    pub fn only_of<'a>(cells: &(impl Iterator<Item = &'a str> + Clone)) -> Option<Self> {
        let read = |format: Self| cells.clone().map(|cell| format.parse(cell)).collect::<Option<Vec<f64>>>();
        let mut fitting = Self::of(cells).into_iter().filter_map(|format| Some((format, read(format)?)));
        let (first, numbers) = fitting.next()?;
        fitting.all(|(_, others)| others == numbers).then_some(first)
    }

    /// The finite number that a cell holds, if it is one. Marks between thousands are optional, but if one stands
    /// there, all must: "1,234,567" or "1234567", not "1,234567" or "12,34".
    #[must_use]
    pub fn parse(self, cell: &str) -> Option<f64> {
        parse_number(&self.plain(cell)?)
    }

    /// Whether a cell holds a finite number that [`Self::parse`] leaves out: a whole one with more digits than a 64-bit floating-point
    /// number holds.
    #[must_use]
    pub fn is_long(self, cell: &str) -> bool {
        self.plain(cell).is_some_and(|plain| is_long(&plain))
    }

    /// Whether a cell holds a finite number, of any length.
    pub(crate) fn is_number(self, cell: &str) -> bool {
        self.plain(cell).is_some_and(|plain| parse_number(&plain).is_some() || is_long(&plain))
    }

    /// What a cell stands for that is one of its numbers.
    pub(crate) fn decimal_of(self, cell: &str) -> Option<Decimal> {
        Some(Decimal::of(&self.plain(cell)?))
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
        if !self.affixes.is_none() {
            return self.affixes.put(&self.with_affixes(Affixes::NONE).write(number, decimals));
        }
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
        decimal.into_iter().chain(group).chain(self.affixes.marks()).collect()
    }

    pub(crate) fn spelling(self, cell: &str) -> Option<Spelling> {
        spelling(&self.plain(cell)?)
    }

    /// The cell in the plain format; `None` if it does not fit this one. What is left is still to be parsed.
    fn plain(self, cell: &str) -> Option<Cow<'_, str>> {
        let cell = cell.trim();
        if !self.affixes.is_none() {
            let number = self.affixes.strip(cell)?;
            let plain = self.with_affixes(Affixes::NONE).plain(&number)?;
            return Some(Cow::Owned(plain.into_owned()));
        }
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

/// Whether a cell could be a number in any format, with or without something around it.
pub(crate) fn is_any(cell: &str) -> bool {
    NumberFormat::of(&std::iter::once(cell)).iter().any(|format| format.is_number(cell))
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
    PointEitherWay(Affixes),
    /// Commas may be decimal or stand between thousands: "1,234".
    CommaEitherWay(Affixes),
}

/// The format of all cells, from all of them.
pub(crate) fn fit<'a>(cells: &(impl Iterator<Item = &'a str> + Clone)) -> Fit {
    match fit_in(cells, Affixes::NONE) {
        Fit::None => Affixes::of(cells).map_or(Fit::None, |affixes| fit_in(cells, affixes)),
        fit => fit,
    }
}

/// The same with this around the numbers.
fn fit_in<'a>(cells: &(impl Iterator<Item = &'a str> + Clone), affixes: Affixes) -> Fit {
    let fits = |format: NumberFormat| {
        let format = format.with_affixes(affixes);
        cells.clone().all(|cell| format.parse(cell).is_some())
    };
    if fits(NumberFormat::PLAIN) {
        let grouped = cells.clone().any(|cell| cell.contains('.')) && fits(NumberFormat::COMMA_GROUPED);
        return if grouped {
            Fit::PointEitherWay(affixes)
        } else {
            Fit::Only(NumberFormat::PLAIN.with_affixes(affixes))
        };
    }
    if fits(NumberFormat::COMMA) && fits(NumberFormat::POINT_GROUPED) {
        return Fit::CommaEitherWay(affixes);
    }
    let found = NumberFormat::all().find(|format| fits(*format));
    found.map_or(Fit::None, |format| Fit::Only(format.with_affixes(affixes)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(cells: &[&str]) -> Fit {
        fit(&cells.iter().copied())
    }

    #[test]
    fn the_only_format_of_cells() {
        let only = |cells: &[&str]| {
            let cells = cells.iter().copied();
            NumberFormat::only_of(&cells)
                .map(|format| cells.map(|cell| format.parse(cell).unwrap()).collect::<Vec<f64>>())
        };
        assert_eq!(only(&["10", "9.5"]), Some(vec![10.0, 9.5]));
        assert_eq!(only(&["800,5", "1200"]), Some(vec![800.5, 1200.0]));
        assert_eq!(only(&["1.000,5", "20"]), Some(vec![1000.5, 20.0]));
        assert_eq!(only(&["\u{20ac} 900", "\u{20ac} 1100"]), Some(vec![900.0, 1100.0]));
        assert_eq!(only(&["10 %", "5 %"]), Some(vec![10.0, 5.0]));
        // A thousand or one and a bit: nobody can tell.
        assert_eq!(only(&["1,234", "2,345"]), None);
        assert_eq!(only(&["low", "10"]), None);
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
        assert_eq!(of(&["1 234", "2"]), Fit::Only(F::new('.', Some(' '))));
        assert_eq!(of(&["1\u{202f}234,5"]), Fit::Only(F::new(',', Some('\u{202f}'))));
        assert_eq!(of(&["1'234.5"]), Fit::Only(F::new('.', Some('\''))));
        assert_eq!(of(&["1,234", "5,678"]), Fit::CommaEitherWay(Affixes::NONE));
        assert_eq!(of(&["1.234", "5.678", "900"]), Fit::PointEitherWay(Affixes::NONE));
        assert_eq!(of(&["0.234", "5.678"]), Fit::Only(F::PLAIN));
        for cells in [["12,34,56"], ["1,2345,678"], ["1 23"], ["1,5;"], ["a"], ["1.234,567.8"], ["0,123,456"]]
        {
            assert_eq!(of(&cells), Fit::None, "{cells:?}");
        }
    }

    #[test]
    fn numbers_are_written_like_the_column() {
        let write = |decimal, group, x, d| NumberFormat::new(decimal, group).write(x, d);
        assert_eq!(write(',', Some('.'), -1_234_567.891, 2), "-1.234.567,89");
        assert_eq!(write('.', Some(','), 999.5, 0), "1,000");
        assert_eq!(write('.', None, -0.04, 1), "0.0");
        assert_eq!(write(',', None, 1234.5, 1), "1234,5");
    }

    #[test]
    fn amounts_have_one_form() {
        let numbers = |cells: &[&str]| match of(cells) {
            Fit::Only(format) => cells.iter().map(|cell| format.parse(cell)).collect::<Option<Vec<_>>>(),
            _ => None,
        };
        assert_eq!(numbers(&["12 %", "12.5 %", "-3 %"]), Some(vec![12.0, 12.5, -3.0]));
        assert_eq!(numbers(&["\u{20ac} 1.234,50", "\u{20ac} 7,25"]), Some(vec![1234.5, 7.25]));
        assert_eq!(numbers(&["$1,234.50", "$7"]), Some(vec![1234.5, 7.0]));
        assert_eq!(numbers(&["1,234.50 EUR", "-7 EUR"]), Some(vec![1234.5, -7.0]));
        assert_eq!(numbers(&["(1,234.5)", "1,234", "0"]), Some(vec![-1234.5, 1234.0, 0.0]));
        // What is between the signs is as strict and as open as without them.
        assert!(matches!(of(&["$1,234", "$5,678"]), Fit::CommaEitherWay(_)));
        assert!(matches!(of(&["\u{20ac} 1.234", "\u{20ac} 5.678"]), Fit::PointEitherWay(_)));
        for cells in [
            &["12 %", "12%"][..],
            &["12 %", "12"],
            &["$5", "\u{20ac}5"],
            &["$5", "5$"],
            &["$12,34,56"],
            &["12 %", "x %"],
        ] {
            assert_eq!(of(cells), Fit::None, "{cells:?}");
        }
    }

    #[test]
    fn amounts_are_written_like_the_column() {
        let write = |cells: &[&str], x, d| match of(cells) {
            Fit::Only(format) => format.write(x, d),
            other => panic!("{other:?}"),
        };
        assert_eq!(write(&["12.5 %"], 7.25, 1), "7.2 %");
        assert_eq!(write(&["\u{20ac} 1.234,50"], 12_345.678, 2), "\u{20ac} 12.345,68");
        assert_eq!(write(&["$1,234.50"], -2.0, 2), "-$2.00");
        assert_eq!(write(&["(1,234.5)", "2"], -2345.5, 1), "(2,345.5)");
        assert_eq!(write(&["(1,234.5)", "2"], -0.01, 1), "0.0");
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
