//! What the formats of SPSS say of numbers: days, moments, times.

use arrow_schema::DataType;

use crate::labelled::{Cells, MOMENT, month, quarter};

/// Seconds from 1582-10-14 to 1970-01-01.
const EPOCH: i64 = 12_219_379_200;

/// Seconds of a day.
const DAY: i64 = 86_400;

/// Numbers beyond these seconds are no time that a calendar has.
const MOST: f64 = 1e15;

/// What a number of seconds means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Time {
    Day,
    Moment,
    Month,
    Quarter,
    Clock,
}

impl Time {
    /// By the number of the format.
    pub(super) fn of(format: u8) -> Option<Self> {
        Some(match format {
            // DATE, ADATE, JDATE, WKYR, EDATE, SDATE.
            20 | 23 | 24 | 30 | 38 | 39 => Self::Day,
            // DATETIME, YMDHMS.
            22 | 41 => Self::Moment,
            // TIME, DTIME, MTIME.
            21 | 25 | 40 => Self::Clock,
            28 => Self::Month,
            29 => Self::Quarter,
            _ => return None,
        })
    }

    pub(super) fn data_type(self) -> DataType {
        match self {
            Self::Day => DataType::Date32,
            Self::Moment => MOMENT,
            Self::Month | Self::Quarter | Self::Clock => DataType::Utf8,
        }
    }

    /// Appends what so many seconds mean.
    pub(super) fn put(self, seconds: f64, cells: &mut Cells) {
        if seconds.is_nan() || seconds.abs() >= MOST {
            return cells.missing();
        }
        let whole = seconds.floor() as i64;
        let unix = whole - EPOCH;
        match cells {
            Cells::Day(cells) => cells.push(i32::try_from(unix.div_euclid(DAY)).ok()),
            Cells::Moment(cells) => cells.push(Some(unix)),
            cells => cells.text(match self {
                Self::Month => month(months(unix.div_euclid(DAY))),
                Self::Quarter => quarter(months(unix.div_euclid(DAY)).div_euclid(3)),
                _ => clock(whole),
            }),
        }
    }
}

/// Months since the year 0, of a day since 1970-01-01.
fn months(day: i64) -> i64 {
    let date =
        jiff::civil::date(1970, 1, 1).checked_add(jiff::SignedDuration::from_hours(day.saturating_mul(24)));
    date.map_or(0, |date| i64::from(date.year()) * 12 + i64::from(date.month()) - 1)
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
    fn seconds_since_1582_are_days_and_months() {
        let of = |time: Time, seconds: f64| {
            let mut cells = Cells::of(&time.data_type());
            time.put(seconds, &mut cells);
            format!("{cells:?}")
        };
        let seconds = EPOCH as f64;
        assert_eq!(of(Time::Day, seconds + 86_400.0), "Day([Some(1)])");
        assert_eq!(of(Time::Moment, seconds - 0.5), "Moment([Some(-1)])");
        assert_eq!(of(Time::Month, seconds), "Text([Some(\"1970-01\")])");
        assert_eq!(of(Time::Quarter, seconds + 200.0 * 86_400.0), "Text([Some(\"1970Q3\")])");
        assert_eq!(of(Time::Clock, 90_061.0), "Text([Some(\"25:01:01\")])");
        assert_eq!(of(Time::Day, f64::INFINITY), "Day([None])");
    }
}
