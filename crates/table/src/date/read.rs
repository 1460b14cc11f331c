//! From a cell to its value.

use jiff::civil::{self, Date};

use super::{DateFormat, DateUnit, HalfDay, Part, ZoneStyle};

/// Day 0.
pub(super) const EPOCH: Date = civil::date(1970, 1, 1);

const SECONDS_A_DAY: i64 = 86_400;

/// The least unit that is told apart.
pub(super) const MICROS_A_DAY: i64 = SECONDS_A_DAY * 1_000_000;

/// Digits of a fraction of a second that are told apart; any that follow must be zeros.
const MICRO_DIGITS: usize = 6;

/// Beyond so many days from 1970, in the years before 1791 and after 2149, microseconds are no longer told apart in a
/// number: only milliseconds are read there.
const MICROS_WITHIN: i64 = 65_536;

/// What a cell says.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fields<'a> {
    year: i16,
    month: i8,
    day: i8,
    quarter: i8,
    hour: i64,
    minute: i64,
    second: i64,
    micros: i64,
    /// Whether it is in the second half of the day.
    half: Option<bool>,
    /// How the half is written.
    pub(super) half_style: Option<HalfDay>,
    /// Minutes east of Greenwich, and how that is written.
    pub(super) zone: Option<(i16, ZoneStyle)>,
    /// Whether a day or month has one digit.
    pub(super) short_day: bool,
    /// Whether an hour has one digit.
    pub(super) short_hour: bool,
    /// Digits of a fraction of a second that tell something apart, and what stands before them.
    pub(super) decimals: usize,
    pub(super) point: Option<char>,
    /// The name of the month.
    pub(super) word: Option<&'a str>,
    /// The day of the week, Monday as 1, and its name.
    weekday: Option<u8>,
    pub(super) weekday_word: Option<&'a str>,
}

impl DateFormat {
    /// The value of a cell in the format's unit; `None` if it is no date of this format. White space around it does not
    /// count, nor whether days, months and hours have a leading zero, nor how long the name of a month is and in which
    /// case.
    #[must_use]
    pub fn parse(&self, cell: &str) -> Option<f64> {
        self.value(&self.fields(cell)?)
    }

    /// What a cell says, part by part.
    pub(super) fn fields<'a>(&self, cell: &'a str) -> Option<Fields<'a>> {
        let mut rest = cell.trim();
        let mut fields = Fields::default();
        for (at, part) in self.parts.iter().enumerate() {
            // Beside other digits it has all of its own.
            let touches =
                |at: Option<usize>| at.and_then(|at| self.parts.get(at)).is_some_and(|part| part.is_number());
            let full = touches(at.checked_sub(1)) || touches(at.checked_add(1));
            let pointed = self.parts.get(at + 1) == Some(&Part::Text('.'));
            rest = self.part(*part, rest, &mut fields, full, pointed)?;
        }
        rest.is_empty().then_some(fields)
    }

    /// Takes one part off the beginning of a text.
    fn part<'a>(
        &self,
        part: Part,
        rest: &'a str,
        fields: &mut Fields<'a>,
        full: bool,
        pointed: bool,
    ) -> Option<&'a str> {
        let least = if full { 2 } else { 1 };
        let two = |rest: &'a str, least| number(rest, least, 2);
        match part {
            Part::Text(mark) => return rest.strip_prefix(mark),
            Part::Year => {
                let (year, rest) = number(rest, 4, 4)?;
                fields.year = i16::try_from(year).ok()?;
                return Some(rest);
            }
            Part::ShortYear { from } => {
                let (short, rest) = two(rest, 2)?;
                let within = (i64::from(short) - i64::from(from)).rem_euclid(100);
                fields.year = from + i16::try_from(within).ok()?;
                return Some(rest);
            }
            Part::Quarter => {
                let (quarter, rest) = number(rest, 1, 1)?;
                fields.quarter = i8::try_from(quarter).ok().filter(|quarter| (1..=4).contains(quarter))?;
                return Some(rest);
            }
            Part::Month { .. } | Part::Day { .. } => {
                let (number, after) = two(rest, least)?;
                fields.short_day |= rest.len() - after.len() == 1;
                let number = i8::try_from(number).ok()?;
                if matches!(part, Part::Day { .. }) {
                    fields.day = number;
                } else {
                    fields.month = number;
                }
                return Some(after);
            }
            Part::Weekday(_) => {
                let end = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
                let (word, after) = rest.split_at(end);
                fields.weekday = Some(self.spelling.languages.weekday(word)?.0);
                fields.weekday_word = Some(word);
                return Some(if pointed { after } else { after.strip_prefix('.').unwrap_or(after) });
            }
            Part::MonthName(_) => {
                let end = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
                let (word, after) = rest.split_at(end);
                fields.month = i8::try_from(self.spelling.languages.month(word)?.0).ok()?;
                fields.word = Some(word);
                return Some(if pointed { after } else { after.strip_prefix('.').unwrap_or(after) });
            }
            Part::Hour { .. } | Part::Hour12 { .. } => {
                let (hour, after) = two(rest, least)?;
                fields.short_hour |= rest.len() - after.len() == 1;
                let fits =
                    if matches!(part, Part::Hour { .. }) { hour < 24 } else { (1..=12).contains(&hour) };
                fields.hour = fits.then_some(i64::from(hour))?;
                return Some(after);
            }
            Part::Minute | Part::Second => {
                let (number, rest) = two(rest, 2)?;
                let number = Some(i64::from(number)).filter(|number| *number < 60)?;
                if part == Part::Minute {
                    fields.minute = number;
                } else {
                    fields.second = number;
                }
                return Some(rest);
            }
            Part::Fraction | Part::HalfDay | Part::Zone => {}
        }
        match part {
            Part::Fraction => fraction(rest, fields),
            Part::HalfDay => half(rest, fields),
            _ => zone(rest, fields),
        }
    }

    /// The number that stands for what a cell says.
    fn value(&self, fields: &Fields) -> Option<f64> {
        let year = i64::from(fields.year);
        match self.unit() {
            DateUnit::Month => {
                let month = i64::from(fields.month);
                (1..=12).contains(&month).then(|| ((year - 1970) * 12 + month - 1) as f64)
            }
            DateUnit::Quarter => Some(((year - 1970) * 4 + i64::from(fields.quarter) - 1) as f64),
            DateUnit::Day => Some(day(fields)? as f64),
            DateUnit::Time => {
                let hour = match fields.half {
                    Some(second) => fields.hour % 12 + if second { 12 } else { 0 },
                    None => fields.hour,
                };
                let offset = fields.zone.map_or(0, |(minutes, _)| i64::from(minutes));
                let days = day(fields)?;
                if fields.decimals > 3 && fields.micros % 1000 != 0 && days.abs() >= MICROS_WITHIN {
                    return None;
                }
                let seconds =
                    days * SECONDS_A_DAY + (hour * 60 + fields.minute - offset) * 60 + fields.second;
                Some((seconds * 1_000_000 + fields.micros) as f64 / MICROS_A_DAY as f64)
            }
        }
    }
}

/// The day number of a calendar day, if there is such a day, and it is on the day of the week that is said.
fn day(fields: &Fields) -> Option<i64> {
    let date = Date::new(fields.year, fields.month, fields.day).ok()?;
    if fields
        .weekday
        .is_some_and(|weekday| i8::try_from(weekday) != Ok(date.weekday().to_monday_one_offset()))
    {
        return None;
    }
    Some(date.duration_since(EPOCH).as_secs() / SECONDS_A_DAY)
}

/// The number of `least` to `most` digits with which a text begins, and what follows.
fn number(text: &str, least: usize, most: usize) -> Option<(u32, &str)> {
    let digits = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at_checked(digits)?;
    (digits >= least).then_some(())?;
    Some((number.parse().ok()?, rest))
}

/// A fraction of a second with its mark, if there is one.
fn fraction<'a>(rest: &'a str, fields: &mut Fields) -> Option<&'a str> {
    let Some(after) = rest.strip_prefix(['.', ',']) else { return Some(rest) };
    let digits = after.bytes().take_while(u8::is_ascii_digit).count();
    let (fraction, after) = after.split_at_checked(digits)?;
    let (told, zeros) = fraction.split_at_checked(digits.min(MICRO_DIGITS))?;
    if digits == 0 || digits > 9 || zeros.bytes().any(|digit| digit != b'0') {
        return None;
    }
    fields.decimals = told.len();
    fields.point = rest.chars().next();
    fields.micros = format!("{told:0<6}").parse().ok()?;
    Some(after)
}

/// The half of the day.
fn half<'a>(rest: &'a str, fields: &mut Fields) -> Option<&'a str> {
    let styles = [
        ("AM", "PM", HalfDay::Upper),
        ("am", "pm", HalfDay::Lower),
        ("A.M.", "P.M.", HalfDay::UpperPoints),
        ("a.m.", "p.m.", HalfDay::LowerPoints),
        ("a. m.", "p. m.", HalfDay::Spaced),
        ("a.\u{a0}m.", "p.\u{a0}m.", HalfDay::Spaced),
        ("Am", "Pm", HalfDay::Upper),
    ];
    styles.into_iter().find_map(|(first, second, style)| {
        let first = rest.strip_prefix(first).map(|after| (false, after));
        let (half, after) = first.or_else(|| rest.strip_prefix(second).map(|after| (true, after)))?;
        (fields.half, fields.half_style) = (Some(half), Some(style));
        Some(after)
    })
}

/// The offset from UTC.
fn zone<'a>(rest: &'a str, fields: &mut Fields) -> Option<&'a str> {
    for (name, style) in [("Z", ZoneStyle::Z), ("UTC", ZoneStyle::Utc), ("GMT", ZoneStyle::Utc)] {
        if let Some(after) = rest.strip_prefix(name) {
            fields.zone = Some((0, style));
            return Some(after);
        }
    }
    let sign = if rest.starts_with('-') { -1 } else { 1 };
    let (hours, after) = number(rest.strip_prefix(['+', '-'])?, 2, 2)?;
    let (minutes, after, style) = match (after.strip_prefix(':'), number(after, 2, 2)) {
        (Some(after), _) => {
            let (minutes, after) = number(after, 2, 2)?;
            (minutes, after, ZoneStyle::Colon)
        }
        (None, Some((minutes, after))) => (minutes, after, ZoneStyle::Plain),
        (None, None) => (0, after, ZoneStyle::Hours),
    };
    // The farthest clocks are 14 hours ahead.
    let within = hours * 60 + minutes <= 14 * 60 && minutes < 60;
    let minutes = i16::try_from(hours * 60 + minutes).ok().filter(|_| within)?;
    fields.zone = Some((sign * minutes, style));
    Some(after)
}
