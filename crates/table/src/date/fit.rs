//! The format of a column, from all of its cells.

use super::{
    Case, DateFormat, DateOrder, HalfDay, Language, Languages, Length, Part, Spelling, ZoneStyle,
    guess::{guess, usual},
};
use crate::DateEvidence;

/// What the cells of a column say of their format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// The cells are no dates, or not of one format.
    None,
    /// This format, and why this order of day and month, if that was to be found out.
    Only(DateFormat, Option<DateEvidence>),
    /// Day first and month first are both possible, and differ; one such cell.
    EitherWay(DateFormat, String),
    /// The year has two digits, as in this cell, and nothing tells the century.
    Century(DateFormat, String),
}

/// The format of all cells, from all of them.
pub(crate) fn fit<'a>(cells: &(impl Iterator<Item = &'a str> + Clone)) -> Fit {
    let Some(first) = cells.clone().next() else { return Fit::None };
    let mut formats = guess(first);
    formats.retain(|format| cells.clone().all(|cell| usual(format, cell)));
    let Some(one) = formats.first().map(|first| in_all_languages(first, &formats)) else { return Fit::None };
    let one = &one;
    if one.has_short_year() {
        return Fit::Century(one.clone().refined(cells), first.trim().to_owned());
    }
    let with = |order| formats.iter().find(|format| !format.has_names() && format.order() == Some(order));
    // The first cell that tells the two apart.
    let telling = |order| {
        let wrong = guess(first).into_iter().find(|format| format.order() == Some(order));
        let cell = cells.clone().find(|cell| wrong.as_ref().is_none_or(|wrong| wrong.parse(cell).is_none()));
        cell.unwrap_or_default().trim().to_owned()
    };
    let only = |format: &DateFormat, why| Fit::Only(format.clone().refined(cells), why);
    match (with(DateOrder::Dmy), with(DateOrder::Mdy)) {
        (None, None) => only(one, None),
        (Some(dmy), None) => only(dmy, Some(DateEvidence::DayFirst { date: telling(DateOrder::Mdy) })),
        (None, Some(mdy)) => only(mdy, Some(DateEvidence::MonthFirst { date: telling(DateOrder::Dmy) })),
        (Some(dmy), Some(mdy)) => match cells.clone().find(|cell| dmy.parse(cell) != mdy.parse(cell)) {
            None => only(dmy, Some(DateEvidence::Same)),
            Some(_) if dmy.separator() == Some('.') => only(dmy, Some(DateEvidence::Points)),
            Some(cell) => Fit::EitherWay(dmy.clone().refined(cells), cell.trim().to_owned()),
        },
    }
}

/// The first format, its names in the languages of all others of its form: they share all names of the column, and read the
/// same.
fn in_all_languages(first: &DateFormat, formats: &[DateFormat]) -> DateFormat {
    let form = |part: &Part| match part {
        Part::MonthName(_) => Part::MonthName(Length::Short),
        Part::Weekday(_) => Part::Weekday(Length::Short),
        other => *other,
    };
    let alike = |other: &&DateFormat| other.parts.iter().map(form).eq(first.parts.iter().map(form));
    let mut first = first.clone();
    for other in formats.iter().filter(alike) {
        first.spelling.languages = first.spelling.languages.with(other.spelling.languages.first);
    }
    first
}

/// A declared format, its months in the languages of the cells.
pub(crate) fn declared<'a>(
    format: &DateFormat,
    cells: &(impl Iterator<Item = &'a str> + Clone),
) -> DateFormat {
    let mut best = (format.clone(), 0);
    if format.has_words() {
        for language in Language::ALL {
            let mut format = format.clone();
            format.spelling.languages = Languages::of(language);
            // Those that read most: what they do not read are the slips.
            let count = cells.clone().filter(|cell| format.parse(cell).is_some()).count();
            if count > best.1 {
                best = (format, count);
            } else if count == best.1 && count > 0 {
                best.0.spelling.languages = best.0.spelling.languages.with(language);
            }
        }
    }
    DateFormat { parts: format.parts.clone(), ..best.0.refined(cells) }
}

/// Whether a text is a date in some format.
pub(crate) fn is_date(text: &str) -> bool {
    !guess(text).is_empty()
}

/// All formats of a cell.
pub(crate) fn formats(cell: &str) -> Vec<DateFormat> {
    guess(cell)
}

/// The formats of the first cell that has one; the order of day and month is open.
pub(crate) fn candidate<'a>(mut cells: impl Iterator<Item = &'a str> + Clone) -> Vec<DateFormat> {
    let all = cells.clone();
    let formats = cells.find_map(|cell| Some(guess(cell)).filter(|formats| !formats.is_empty()));
    let known = formats.unwrap_or_default().into_iter().filter(|format| !format.has_short_year());
    known.map(|format| format.refined(&all)).collect()
}

impl DateFormat {
    /// With what all cells together tell of how it is written. Where they differ, the order of rows does not matter.
    fn refined<'a>(mut self, cells: &(impl Iterator<Item = &'a str> + Clone)) -> Self {
        let mut seen = Seen { days: true, hours: true, ..Seen::default() };
        for fields in cells.clone().filter_map(|cell| self.fields(cell)) {
            seen.days &= !fields.short_day;
            seen.hours &= !fields.short_hour;
            seen.decimals = seen.decimals.max(fields.decimals);
            seen.point = least(seen.point, fields.point);
            seen.half = least(seen.half, fields.half_style);
            if let Some(word) = fields.word {
                seen.case = least(seen.case, Some(Case::of(word)));
                let length = self.spelling.languages.month(word).and_then(|(_, length)| length);
                seen.length = seen.length.max(length);
            }
            if let Some(word) = fields.weekday_word {
                seen.case = least(seen.case, Some(Case::of(word)));
                let length = self.spelling.languages.weekday(word).map(|(_, length)| length);
                seen.weekday = seen.weekday.max(length);
            }
            if let Some((offset, style)) = fields.zone {
                seen.zone = least(seen.zone, Some(style));
                let same = seen.offset.is_none_or(|known| known == offset);
                seen.offset = Some(if same { offset } else { 0 });
                seen.offsets |= !same;
            }
        }
        let usual = self.spelling;
        self.spelling = Spelling {
            languages: usual.languages,
            case: seen.case.unwrap_or(usual.case),
            half: seen.half.unwrap_or(usual.half),
            decimals: u8::try_from(seen.decimals).unwrap_or(0),
            point: seen.point.unwrap_or(usual.point),
            zone: seen.zone.unwrap_or(usual.zone),
            offset: seen.offset.filter(|_| !seen.offsets).unwrap_or(0),
        };
        for part in &mut self.parts {
            match part {
                Part::Month { padded } | Part::Day { padded } => *padded = seen.days,
                Part::Hour { padded } | Part::Hour12 { padded } => *padded = seen.hours,
                Part::Weekday(length) => *length = seen.weekday.unwrap_or(*length),
                Part::MonthName(length) => *length = seen.length.unwrap_or(*length),
                _ => {}
            }
        }
        self
    }
}

/// What the cells have in common.
#[derive(Default)]
struct Seen {
    /// Two digits throughout.
    days: bool,
    hours: bool,
    decimals: usize,
    point: Option<char>,
    half: Option<HalfDay>,
    case: Option<Case>,
    length: Option<Length>,
    weekday: Option<Length>,
    zone: Option<ZoneStyle>,
    offset: Option<i16>,
    /// Whether there are different ones.
    offsets: bool,
}

/// The lesser of two, if there are two.
fn least<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    a.into_iter().chain(b).min()
}
