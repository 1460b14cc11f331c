//! The text of a cell.

use calamine::{DataRef, ExcelDateTime};

use super::number_format::NumberFormat;

/// What is to be said of a cell, if anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    Plain,
    /// The error of a formula.
    Error,
    /// A number with the zeros that its format shows.
    Zeros,
    /// A time of day or a duration, which is no date.
    Clock,
}

/// A cell as text. Numbers have no decimal places that they do not need, but the leading zeros of their format; dates are those
/// of ISO 8601.
pub(super) fn shown(cell: &DataRef<'_>, format: Option<&NumberFormat>) -> (String, Shown) {
    let number = |plain: String, number: f64| match format.and_then(|format| format.with_zeros(number)) {
        Some(text) => (text, Shown::Zeros),
        None => (plain, Shown::Plain),
    };
    let text = match cell {
        DataRef::Int(whole) => return number(whole.to_string(), *whole as f64),
        // Adding zero turns the negative zero.
        DataRef::Float(real) => return number((real + 0.0).to_string(), *real),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::Bool(yes) => String::from(if *yes { "TRUE" } else { "FALSE" }),
        DataRef::DateTime(date) => return moment(*date, format),
        DataRef::Error(error) => return (error.to_string(), Shown::Error),
        DataRef::Empty => String::new(),
    };
    (text, Shown::Plain)
}

/// A date, a date with a time of day, or a time alone. A time alone is as fine as its format shows it: what lies below is
/// the rest of a fraction of a day, by which nearly all cells would differ.
fn moment(date: ExcelDateTime, format: Option<&NumberFormat>) -> (String, Shown) {
    let (year, month, day, hour, minute, second, milli) = date.to_ymd_hms_milli();
    let value = date.as_f64();
    let fraction = if milli == 0 { String::new() } else { format!(".{milli:03}") };
    let clock = |hour: u64| format!("{hour:02}:{minute:02}:{second:02}{fraction}");
    let alone = |hour: u64| match format.map(|format| (format.seconds, format.fraction)) {
        Some((false, _)) => format!("{hour:02}:{minute:02}"),
        Some((true, false)) => format!("{hour:02}:{minute:02}:{second:02}"),
        _ => clock(hour),
    };
    if value < 0.0 {
        // Before the calendar's first day: a number whose format is a mistake.
        ((value + 0.0).to_string(), Shown::Plain)
    } else if date.is_duration() {
        (alone(value as u64 * 24 + u64::from(hour)), Shown::Clock)
    } else if value < 1.0 {
        (alone(u64::from(hour)), Shown::Clock)
    } else if (hour, minute, second, milli) == (0, 0, 0, 0) {
        (format!("{year:04}-{month:02}-{day:02}"), Shown::Plain)
    } else {
        (format!("{year:04}-{month:02}-{day:02}T{}", clock(u64::from(hour))), Shown::Plain)
    }
}

/// A cell's place as a spreadsheet shows it: `B3`.
pub(super) fn place(row: u32, column: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = column;
    loop {
        letters.push(char::from(b'A' + (rest % 26) as u8));
        rest /= 26;
        if rest == 0 {
            break;
        }
        rest -= 1;
    }
    letters.into_iter().rev().collect::<String>() + &(row + 1).to_string()
}

#[cfg(test)]
mod tests {
    use calamine::ExcelDateTimeType;

    use super::*;

    #[test]
    fn times_are_as_fine_as_their_format_shows_them() {
        let of = |value, kind, format| {
            let cell = DataRef::DateTime(ExcelDateTime::new(value, kind, false));
            shown(&cell, Some(&NumberFormat::of(format)))
        };
        let clock = |format| of(0.183_586_3, ExcelDateTimeType::DateTime, format);
        for (format, text) in [("h:mm", "04:24"), ("hh:mm:ss", "04:24:21"), ("h:mm:ss.000", "04:24:21.856")] {
            assert_eq!(clock(format), (text.to_owned(), Shown::Clock), "{format}");
        }
        assert_eq!(of(1.25, ExcelDateTimeType::TimeDelta, "[h]:mm").0, "30:00");
        let admitted = of(45_000.75, ExcelDateTimeType::DateTime, "dd.mm.yyyy hh:mm");
        assert_eq!(admitted, (String::from("2023-03-15T18:00:00"), Shown::Plain));
    }
}
