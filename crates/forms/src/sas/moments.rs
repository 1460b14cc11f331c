//! What the formats of SAS say of numbers: days, moments, times.

use arrow_schema::DataType;

use crate::labelled::{Cells, MOMENT, month, quarter};

/// Days from 1960-01-01 to 1970-01-01.
const EPOCH: i64 = 3_653;

/// Seconds of a day.
const DAY: i64 = 86_400;

/// Numbers beyond this are no day or second that a calendar has.
const MOST: f64 = 1e15;

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Days since 1960-01-01.
    Days,
    /// Seconds since then.
    Seconds,
}

/// What is shown of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Time {
    Day(Unit),
    Moment,
    Month(Unit),
    Quarter(Unit),
    Year(Unit),
    Clock,
}

impl Time {
    /// By the name of the format, without its width: `DATE`, `E8601DT`. Formats that show a part of a date which is no period, such as
    /// its weekday, are of days.
    pub(super) fn of(format: &str) -> Option<Self> {
        let name = format.trim().to_ascii_uppercase();
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        // Formats with a sign of their own between the parts: blank, colon, hyphen, none, full stop, slash.
        let parted = |base: &str| {
            name.strip_prefix(base).is_some_and(|sign| matches!(sign, "" | "B" | "C" | "D" | "N" | "P" | "S"))
        };
        if ["DDMMYY", "MMDDYY", "YYMMDD"].iter().any(|base| parted(base)) {
            return Some(Self::Day(Unit::Days));
        }
        if parted("MMYY") || parted("YYMM") {
            return Some(Self::Month(Unit::Days));
        }
        if parted("YYQ") || name.strip_prefix("YYQR").is_some_and(|sign| sign.len() <= 1) {
            return Some(Self::Quarter(Unit::Days));
        }
        Some(match name {
            "DATE" | "DAY" | "DOWNAME" | "JULDAY" | "JULIAN" | "MONNAME" | "MONTH" | "NENGO" | "QTR"
            | "QTRR" | "WEEKDATE" | "WEEKDATX" | "WEEKDAY" | "WEEKU" | "WEEKV" | "WEEKW" | "WORDDATE"
            | "WORDDATX" | "E8601DA" | "B8601DA" | "IS8601DA" | "NLDATE" | "EURDFDE" | "EURDFDD" => {
                Self::Day(Unit::Days)
            }
            "DTDATE" | "E8601DN" | "B8601DN" | "IS8601DN" => Self::Day(Unit::Seconds),
            "DATETIME" | "DATEAMPM" | "MDYAMPM" | "NLDATM" | "E8601DT" | "E8601DZ" | "E8601DX"
            | "E8601LX" | "B8601DT" | "B8601DZ" | "B8601DX" | "B8601LX" | "IS8601DT" | "IS8601DZ"
            | "EURDFDT" => Self::Moment,
            "TIME" | "TIMEAMPM" | "TOD" | "HHMM" | "HOUR" | "MMSS" | "NLTIME" | "E8601TM" | "E8601TZ"
            | "E8601LZ" | "B8601TM" | "B8601TZ" | "B8601LZ" | "IS8601TM" | "IS8601TZ" => Self::Clock,
            "MONYY" | "EURDFMY" => Self::Month(Unit::Days),
            "YEAR" => Self::Year(Unit::Days),
            "DTMONYY" => Self::Month(Unit::Seconds),
            "DTYYQC" => Self::Quarter(Unit::Seconds),
            "DTYEAR" => Self::Year(Unit::Seconds),
            _ => return None,
        })
    }

    pub(super) fn data_type(self) -> DataType {
        match self {
            Self::Day(_) => DataType::Date32,
            Self::Moment => MOMENT,
            Self::Year(_) => DataType::Int64,
            Self::Month(_) | Self::Quarter(_) | Self::Clock => DataType::Utf8,
        }
    }

    /// Appends what a number means.
    pub(super) fn put(self, number: f64, cells: &mut Cells) {
        if number.is_nan() || number.abs() >= MOST {
            return cells.missing();
        }
        let whole = number.floor() as i64;
        let day = |unit: Unit| match unit {
            Unit::Days => whole - EPOCH,
            Unit::Seconds => whole.div_euclid(DAY) - EPOCH,
        };
        match (self, cells) {
            (Self::Day(unit), Cells::Day(cells)) => cells.push(i32::try_from(day(unit)).ok()),
            (Self::Moment, Cells::Moment(cells)) => cells.push(Some(whole - EPOCH * DAY)),
            (Self::Year(unit), Cells::Whole(cells)) => {
                cells.push(months(day(unit)).map(|months| months.div_euclid(12)));
            }
            (Self::Month(unit), cells) => said(cells, months(day(unit)).map(month)),
            (Self::Quarter(unit), cells) => {
                said(cells, months(day(unit)).map(|months| quarter(months.div_euclid(3))));
            }
            (_, cells) => cells.text(clock(whole)),
        }
    }
}

fn said(cells: &mut Cells, text: Option<String>) {
    match text {
        Some(text) => cells.text(text),
        None => cells.missing(),
    }
}

/// Months since the year 0, of a day since 1970-01-01.
fn months(day: i64) -> Option<i64> {
    let hours = jiff::SignedDuration::try_from_hours(day.checked_mul(24)?)?;
    let date = jiff::civil::date(1970, 1, 1).checked_add(hours).ok()?;
    Some(i64::from(date.year()) * 12 + i64::from(date.month()) - 1)
}

/// A duration or a time of day.
fn clock(seconds: i64) -> String {
    let (sign, all) = (if seconds < 0 { "-" } else { "" }, seconds.unsigned_abs());
    format!("{sign}{:02}:{:02}:{:02}", all / 3_600, all / 60 % 60, all % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_times() {
        for (format, time) in [
            ("DATE9.", Some(Time::Day(Unit::Days))),
            ("YYMMDDN8.", Some(Time::Day(Unit::Days))),
            ("ddmmyy", Some(Time::Day(Unit::Days))),
            ("DTDATE", Some(Time::Day(Unit::Seconds))),
            ("DATETIME20.3", Some(Time::Moment)),
            ("E8601DT", Some(Time::Moment)),
            ("MONYY7", Some(Time::Month(Unit::Days))),
            ("YYMMS", Some(Time::Month(Unit::Days))),
            ("YYQC", Some(Time::Quarter(Unit::Days))),
            ("YEAR4.", Some(Time::Year(Unit::Days))),
            ("TIME8.", Some(Time::Clock)),
            ("BEST12.", None),
            ("$CHAR", None),
            ("YYMMX", None),
            ("", None),
        ] {
            assert_eq!(Time::of(format), time, "{format}");
        }
    }

    #[test]
    fn numbers_since_1960_are_days_and_months() {
        let of = |time: Time, number: f64| {
            let mut cells = Cells::of(&time.data_type());
            time.put(number, &mut cells);
            format!("{cells:?}")
        };
        assert_eq!(of(Time::Day(Unit::Days), 3_654.9), "Day([Some(1)])");
        assert_eq!(of(Time::Day(Unit::Seconds), -1.0), "Day([Some(-3654)])");
        assert_eq!(of(Time::Moment, 315_619_199.5), "Moment([Some(-1)])");
        assert_eq!(of(Time::Month(Unit::Days), 0.0), "Text([Some(\"1960-01\")])");
        assert_eq!(of(Time::Quarter(Unit::Days), -1.0), "Text([Some(\"1959Q4\")])");
        assert_eq!(of(Time::Year(Unit::Seconds), 0.0), "Whole([Some(1960)])");
        assert_eq!(of(Time::Clock, 90_061.0), "Text([Some(\"25:01:01\")])");
        assert_eq!(of(Time::Month(Unit::Days), 1e14), "Text([None])");
        assert_eq!(of(Time::Day(Unit::Days), f64::INFINITY), "Day([None])");
    }
}
