//! Formats of dates as the user says them: the letters of strftime, as far as they are understood.
//!
//! `%d.%m.%Y %H:%M`; for years of two digits followed by the first of the hundred years that they stand for: `%d.%m.%y from
//! 1930`, by which 30 is 1930 and 29 is 2029.

use std::{fmt, str::FromStr};

use lookalike_words::Name;

use super::{DateFormat, Part, Spelling, names::Length};

lookalike_words::messages! {
    in "table";

    /// Why a text is no format of dates.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum DateFault {
        /// A letter that is not understood.
        Unknown {
            /// The letter with its percent sign.
            letter: String,
        },
        /// It ends with a percent sign.
        Open,
        /// A part of the date stands twice.
        Twice {
            /// The letter that is too much.
            letter: String,
        },
        /// There is no year.
        NoYear,
        /// There is a year and nothing else.
        YearAlone,
        /// A part is there, but not the larger one that it is a part of.
        Lacks {
            /// The letter that is there.
            letter: &'static str,
            /// The letter that is not.
            needs: &'static str,
        },
        /// A quarter beside a month.
        QuarterAndMonth,
        /// A fraction of a second that no mark separates from the second.
        Fraction,
        /// Two digits of the year, and nothing says of which century.
        NoCentury {
            /// The format.
            format: String,
        },
        /// A century, but the year has four digits.
        IdleCentury,
        /// A century that is no year.
        BadCentury {
            /// What stands there.
            year: Name,
        },
    }
}

impl std::error::Error for DateFault {}

/// What stands between a format and the first year of its century.
const FROM: &str = " from ";

impl FromStr for DateFormat {
    type Err = DateFault;

    fn from_str(text: &str) -> Result<Self, DateFault> {
        let (letters, from) = match text.trim().rsplit_once(FROM) {
            Some((letters, year)) => (letters.trim(), Some(century(year.trim())?)),
            None => (text.trim(), None),
        };
        let parts = parts(letters, from)?;
        check(&parts)?;
        match (parts.iter().any(|part| matches!(part, Part::ShortYear { .. })), from) {
            (true, None) => Err(DateFault::NoCentury { format: letters.to_owned() }),
            (false, Some(_)) => Err(DateFault::IdleCentury),
            _ => Ok(Self { parts, spelling: Spelling::USUAL }),
        }
    }
}

fn century(year: &str) -> Result<i16, DateFault> {
    let digits = year.len() == 4 && year.bytes().all(|b| b.is_ascii_digit());
    let first = year.parse().ok().filter(|first: &i16| digits && *first <= 9900);
    first.ok_or_else(|| DateFault::BadCentury { year: Name::from(year) })
}

fn parts(letters: &str, from: Option<i16>) -> Result<Vec<Part>, DateFault> {
    let whole = letters.replace("%F", "%Y-%m-%d").replace("%T", "%H:%M:%S").replace("%R", "%H:%M");
    let mut parts = Vec::new();
    let mut rest = whole.chars();
    while let Some(c) = rest.next() {
        if c != '%' {
            parts.push(Part::Text(c));
            continue;
        }
        let mut letter = rest.next().ok_or(DateFault::Open)?;
        let padded = letter != '-';
        if !padded {
            letter = rest.next().ok_or(DateFault::Open)?;
        }
        let part = match (letter, padded) {
            ('%', true) => Part::Text('%'),
            ('Y', true) => Part::Year,
            ('y', true) => Part::ShortYear { from: from.unwrap_or(0) },
            ('m', padded) => Part::Month { padded },
            ('d', padded) => Part::Day { padded },
            ('e', true) => Part::Day { padded: false },
            ('b' | 'h', true) => Part::MonthName(Length::Short),
            ('B', true) => Part::MonthName(Length::Long),
            ('a', true) => Part::Weekday(Length::Short),
            ('A', true) => Part::Weekday(Length::Long),
            ('q', true) => Part::Quarter,
            ('H', padded) => Part::Hour { padded },
            ('I', padded) => Part::Hour12 { padded },
            ('M', true) => Part::Minute,
            ('S', true) => Part::Second,
            ('f', true) => match parts.pop() {
                Some(Part::Text('.' | ',')) => Part::Fraction,
                _ => return Err(DateFault::Fraction),
            },
            ('p', true) => Part::HalfDay,
            ('z', true) => Part::Zone,
            (letter, padded) => {
                let sign = if padded { "" } else { "-" };
                return Err(DateFault::Unknown { letter: format!("%{sign}{letter}") });
            }
        };
        parts.push(part);
    }
    Ok(parts)
}

/// What a part is of, and the letter that a message names it by.
fn role(part: Part) -> Option<(usize, &'static str)> {
    Some(match part {
        Part::Text(_) => return None,
        Part::Year => (0, "%Y"),
        Part::ShortYear { .. } => (0, "%y"),
        Part::Month { .. } => (1, "%m"),
        Part::MonthName(Length::Short) => (1, "%b"),
        Part::MonthName(Length::Long) => (1, "%B"),
        Part::Day { .. } => (2, "%d"),
        Part::Quarter => (3, "%q"),
        Part::Hour { .. } => (4, "%H"),
        Part::Hour12 { .. } => (4, "%I"),
        Part::Minute => (5, "%M"),
        Part::Second => (6, "%S"),
        Part::Fraction => (7, "%f"),
        Part::HalfDay => (8, "%p"),
        Part::Zone => (9, "%z"),
        Part::Weekday(Length::Short) => (10, "%a"),
        Part::Weekday(Length::Long) => (10, "%A"),
    })
}

/// Whether the parts make one date.
fn check(parts: &[Part]) -> Result<(), DateFault> {
    let mut seen: [Option<&'static str>; 11] = [None; 11];
    for (at, letter) in parts.iter().filter_map(|part| role(*part)) {
        if seen[at].replace(letter).is_some() {
            return Err(DateFault::Twice { letter: letter.to_owned() });
        }
    }
    let [year, month, day, quarter, hour, minute, second, fraction, half, zone, weekday] = seen;
    let needs = |what: Option<&'static str>, other: Option<&'static str>, needs: &'static str| match what {
        Some(letter) if other.is_none() => Err(DateFault::Lacks { letter, needs }),
        _ => Ok(()),
    };
    if year.is_none() {
        return Err(DateFault::NoYear);
    }
    if quarter.is_some() && month.or(day).is_some() {
        return Err(DateFault::QuarterAndMonth);
    }
    needs(fraction, second, "%S")?;
    needs(second, minute, "%M")?;
    needs(minute, hour, "%H")?;
    needs(zone, hour, "%H")?;
    needs(hour, day, "%d")?;
    needs(weekday, day, "%d")?;
    needs(day, month, "%m")?;
    needs(half, hour.filter(|hour| *hour == "%I"), "%I")?;
    needs(hour.filter(|hour| *hour == "%I"), half, "%p")?;
    if month.is_none() && quarter.is_none() { Err(DateFault::YearAlone) } else { Ok(()) }
}

impl DateFormat {
    /// The letters, without a century.
    pub(super) fn letters(&self) -> String {
        let mut text = String::new();
        for part in &self.parts {
            let sign = |padded: bool| if padded { "%" } else { "%-" };
            let (sign, letter) = match *part {
                Part::Text('%') => ("%", '%'),
                Part::Text(c) => ("", c),
                Part::Year => ("%", 'Y'),
                Part::ShortYear { .. } => ("%", 'y'),
                Part::Month { padded } => (sign(padded), 'm'),
                Part::MonthName(Length::Short) => ("%", 'b'),
                Part::MonthName(Length::Long) => ("%", 'B'),
                Part::Weekday(Length::Short) => ("%", 'a'),
                Part::Weekday(Length::Long) => ("%", 'A'),
                Part::Day { padded } => (sign(padded), 'd'),
                Part::Quarter => ("%", 'q'),
                Part::Hour { padded } => (sign(padded), 'H'),
                Part::Hour12 { padded } => (sign(padded), 'I'),
                Part::Minute => ("%", 'M'),
                Part::Second => ("%", 'S'),
                // A fraction that no cell has.
                Part::Fraction if self.spelling.decimals == 0 => continue,
                Part::Fraction => {
                    text.push(self.spelling.point);
                    ("%", 'f')
                }
                Part::HalfDay => ("%", 'p'),
                Part::Zone => ("%", 'z'),
            };
            text.push_str(sign);
            text.push(letter);
        }
        text
    }
}

impl fmt::Display for DateFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.letters())?;
        let from = self.parts.iter().find_map(|part| match part {
            Part::ShortYear { from } => Some(*from),
            _ => None,
        });
        from.map_or(Ok(()), |from| write!(f, "{FROM}{from:04}"))
    }
}
