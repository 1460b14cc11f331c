//! From a value to a cell, and to the calendar.

use std::fmt::Write as _;

use jiff::{SignedDuration, civil::Date};

use super::{
    DateFormat, DateUnit, HalfDay, Part, ZoneStyle,
    read::{EPOCH, MICROS_A_DAY},
};

/// A point in time, taken apart.
struct Moment {
    date: Date,
    /// Microseconds since midnight.
    micros: i64,
}

impl DateFormat {
    /// The date of a value, spelled like the column, rounded to what the column tells apart, half up; `None` outside of the
    /// years 0 to 9999. A time is written with the offset that all of the column have, else as UTC.
    #[must_use]
    pub fn write(&self, value: f64) -> Option<String> {
        let moment = self.moment(value)?;
        let mut out = String::new();
        for part in &self.parts {
            self.part_of(*part, &moment, &mut out);
        }
        Some(out)
    }

    /// The first day of the day, month or quarter of a value, as year-month-day; `None` outside of the years 0 to 9999.
    pub(crate) fn calendar(&self, value: f64) -> Option<String> {
        let Moment { date, .. } = self.moment(value)?;
        Some(format!("{:04}-{:02}-{:02}", date.year(), date.month(), date.day()))
    }

    fn moment(&self, value: f64) -> Option<Moment> {
        // Years beyond 9999 are beyond five million days; the casts are exact below.
        let whole = || (value.abs() < 5e6).then_some((value + 0.5).floor() as i64);
        let month = |months: i64| {
            let year = i16::try_from(1970 + months.div_euclid(12)).ok()?;
            Date::new(year, i8::try_from(months.rem_euclid(12) + 1).ok()?, 1).ok()
        };
        let (date, micros) = match self.unit() {
            DateUnit::Day => (on_day(whole()?)?, 0),
            DateUnit::Month => (month(whole()?)?, 0),
            DateUnit::Quarter => (month(whole()? * 3)?, 0),
            DateUnit::Time => {
                let step = self.step();
                // Of a day: its microseconds are exact, those since 1970 are not.
                let day = (value.abs() < 5e6).then_some(value.floor())?;
                let steps = ((value - day) * (MICROS_A_DAY / step) as f64 + 0.5).floor() as i64;
                let offset = i64::from(self.spelling.offset) * 60_000_000;
                let micros = day as i64 * MICROS_A_DAY + steps * step + offset;
                (on_day(micros.div_euclid(MICROS_A_DAY))?, micros.rem_euclid(MICROS_A_DAY))
            }
        };
        (date.year() >= 0).then_some(Moment { date, micros })
    }

    /// Microseconds of the finest part that is written.
    pub(super) fn step(&self) -> i64 {
        let part = |part: &Part| match part {
            Part::Hour { .. } | Part::Hour12 { .. } => 3_600_000_000,
            Part::Minute => 60_000_000,
            Part::Second => 1_000_000,
            Part::Fraction => 10_i64.pow(6 - u32::from(self.spelling.decimals.min(6))),
            _ => MICROS_A_DAY,
        };
        self.parts.iter().map(part).min().unwrap_or(MICROS_A_DAY)
    }

    fn part_of(&self, part: Part, moment: &Moment, out: &mut String) {
        let Moment { date, micros } = moment;
        let (hour, second) = (micros / 3_600_000_000, micros / 1_000_000);
        let mut put = |number: i64, digits: usize| {
            // Writing to a String cannot fail.
            let _ = write!(out, "{number:0digits$}");
        };
        let digits = |padded: bool| if padded { 2 } else { 1 };
        match part {
            Part::Text(mark) => out.push(mark),
            Part::Year => put(date.year().into(), 4),
            Part::ShortYear { .. } => put((date.year() % 100).into(), 2),
            Part::Month { padded } => put(date.month().into(), digits(padded)),
            Part::MonthName(length) => {
                let month = u8::try_from(date.month()).unwrap_or(0);
                out.push_str(&self.spelling.languages.first.name(month, length, self.spelling.case));
            }
            Part::Weekday(length) => {
                let day = u8::try_from(date.weekday().to_monday_one_offset()).unwrap_or(0);
                out.push_str(&self.spelling.languages.first.weekday_name(day, length, self.spelling.case));
            }
            Part::Day { padded } => put(date.day().into(), digits(padded)),
            Part::Quarter => put(i64::from((date.month() + 2) / 3), 1),
            Part::Hour { padded } => put(hour, digits(padded)),
            Part::Hour12 { padded } => put((hour + 11) % 12 + 1, digits(padded)),
            Part::Minute => put(second / 60 % 60, 2),
            Part::Second => put(second % 60, 2),
            Part::Fraction => {
                let decimals = usize::from(self.spelling.decimals.min(6));
                if decimals > 0 {
                    out.push(self.spelling.point);
                    out.push_str(&format!("{:06}", micros % 1_000_000)[..decimals]);
                }
            }
            Part::HalfDay => out.push_str(match (self.spelling.half, hour >= 12) {
                (HalfDay::Upper, false) => "AM",
                (HalfDay::Upper, true) => "PM",
                (HalfDay::Lower, false) => "am",
                (HalfDay::Lower, true) => "pm",
                (HalfDay::UpperPoints, false) => "A.M.",
                (HalfDay::UpperPoints, true) => "P.M.",
                (HalfDay::LowerPoints, false) => "a.m.",
                (HalfDay::LowerPoints, true) => "p.m.",
                (HalfDay::Spaced, false) => "a. m.",
                (HalfDay::Spaced, true) => "p. m.",
            }),
            Part::Zone => out.push_str(&self.zone()),
        }
    }

    fn zone(&self) -> String {
        let offset = self.spelling.offset;
        let (sign, hours, minutes) =
            (if offset < 0 { '-' } else { '+' }, offset.abs() / 60, offset.abs() % 60);
        match self.spelling.zone {
            ZoneStyle::Z if offset == 0 => String::from("Z"),
            ZoneStyle::Utc if offset == 0 => String::from("UTC"),
            ZoneStyle::Hours if minutes == 0 => format!("{sign}{hours:02}"),
            ZoneStyle::Plain => format!("{sign}{hours:02}{minutes:02}"),
            _ => format!("{sign}{hours:02}:{minutes:02}"),
        }
    }
}

fn on_day(days: i64) -> Option<Date> {
    EPOCH.checked_add(SignedDuration::from_hours(days.checked_mul(24)?)).ok()
}
