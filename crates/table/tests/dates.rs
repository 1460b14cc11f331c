//! Dates as people write them: found in the cells or declared, read as distances, written back like the column.
#![cfg(test)]

use lookalike_table::{
    DateFault, DateFormat, DateOrder, DateUnit, Declared, Inferred, Kind, Noun, Question, ReadOptions,
    Reading, Table, Undeclarable, declare, infer, read,
};
use proptest::prelude::*;

fn table(cells: &[impl AsRef<str>]) -> Table {
    let rows: Vec<String> = cells.iter().map(|cell| format!("\"{}\",\n", cell.as_ref())).collect();
    read(format!("x,y\n{}", rows.concat()).as_bytes(), &ReadOptions::default()).unwrap()
}

fn inferred(cells: &[impl AsRef<str>]) -> Inferred {
    infer(&table(cells).columns[0], &[String::from("?")])
}

fn format(cells: &[&str]) -> DateFormat {
    let found = inferred(cells);
    match found.reading {
        Reading::Dates(format) if found.kind == Kind::Date => format,
        other => panic!("{cells:?}: {other:?}, {}", found.evidence),
    }
}

fn declared(cells: &[&str], letters: &str) -> Result<DateFormat, Undeclarable> {
    let format = Declared::DateAs(letters.parse().unwrap());
    declare(&table(cells).columns[0], &[String::from("?")], &format).map(|(kind, reading)| {
        assert_eq!(kind, Kind::Date);
        match reading {
            Reading::Dates(format) => format,
            other => panic!("{other:?}"),
        }
    })
}

/// Days from 1970-01-01 to 2024-03-05: 54 years of which 13 were leap years, then 31 + 29 + 4 days.
const DAY: f64 = (54 * 365 + 13 + 31 + 29 + 4) as f64;

/// Half past two in the afternoon.
const TIME: f64 = DAY + 14.5 / 24.0;

#[test]
fn what_people_write_is_found_and_read() {
    for (cell, letters, value) in [
        ("2024-03-05 14:30", "%Y-%m-%d %H:%M", TIME),
        ("2024-03-05T14:30:00", "%Y-%m-%dT%H:%M:%S", TIME),
        ("2024-03-05T14:30:00Z", "%Y-%m-%dT%H:%M:%S%z", TIME),
        ("2024-03-05T14:30:00+01:00", "%Y-%m-%dT%H:%M:%S%z", TIME - 1.0 / 24.0),
        ("2024-03-05 14:30:00 -0530", "%Y-%m-%d %H:%M:%S %z", TIME + 5.5 / 24.0),
        ("2024-03-05 14:30 UTC", "%Y-%m-%d %H:%M %z", TIME),
        ("2024-03-05 14:30:00.250", "%Y-%m-%d %H:%M:%S.%f", TIME + 0.25 / 86_400.0),
        ("2024-03-05 14:30:00.0000000", "%Y-%m-%d %H:%M:%S.%f", TIME),
        ("2024-03-05, 14:30", "%Y-%m-%d, %H:%M", TIME),
        ("31.03.2024 14:30", "%d.%m.%Y %H:%M", TIME + 26.0),
        ("3/31/2024 2:30 PM", "%-m/%-d/%Y %-I:%M %p", TIME + 26.0),
        ("03/31/2024 02:30:00 a.m.", "%m/%d/%Y %I:%M:%S %p", TIME + 25.5),
        ("31/03/2024 2:30 p. m.", "%d/%m/%Y %-I:%M %p", TIME + 26.0),
        ("5 Mar 2024", "%-d %b %Y", DAY),
        ("05-Mar-2024", "%d-%b-%Y", DAY),
        ("05-MAR-2024 14:30", "%d-%b-%Y %H:%M", TIME),
        ("Mar 5, 2024", "%b %-d, %Y", DAY),
        ("March 5, 2024", "%B %-d, %Y", DAY),
        ("Mar. 05, 2024", "%b. %d, %Y", DAY),
        ("2024 Mar 05", "%Y %b %d", DAY),
        ("5. März 2024", "%-d. %B %Y", DAY),
        ("05. Mrz 2024", "%d. %b %Y", DAY),
        ("Di, 05.03.2024", "%a, %d.%m.%Y", DAY),
        ("Dienstag, 5. März 2024", "%A, %-d. %B %Y", DAY),
        ("Tue, 05 Mar 2024 14:30:00 +0000", "%a, %d %b %Y %H:%M:%S %z", TIME),
        ("Tuesday, March 5, 2024", "%A, %B %-d, %Y", DAY),
        ("mar 5 mar 2024", "%a %-d %b %Y", DAY),
        ("5 de marzo de 2024", "%-d de %B de %Y", DAY),
        ("5 mar 2024 14:30", "%-d %b %Y %H:%M", TIME),
        ("2024-03", "%Y-%m", 650.0),
        ("03/2024", "%m/%Y", 650.0),
        ("3/2024", "%-m/%Y", 650.0),
        ("March 2024", "%B %Y", 650.0),
        ("Mär 2024", "%b %Y", 650.0),
        ("marzo de 2024", "%B de %Y", 650.0),
        ("2024Q1", "%YQ%q", 216.0),
        ("2024-Q1", "%Y-Q%q", 216.0),
        ("Q1 2024", "Q%q %Y", 216.0),
        ("Q1/2024", "Q%q/%Y", 216.0),
    ] {
        let format = format(&[cell]);
        assert_eq!(format.to_string(), letters, "{cell}");
        let read = format.parse(cell).unwrap();
        assert!((read - value).abs() < 1e-9, "{cell}: {read} instead of {value}");
        // A column with fractions of 0 throughout does without.
        if !cell.contains(".0000000") {
            assert_eq!(format.write(read).as_deref(), Some(cell.replace("Mrz", "Mär").as_str()));
        }
    }
}

/// A day of the week that is not that of the date is a slip. It tells day and month apart, too.
#[test]
fn days_of_the_week_are_those_of_their_dates() {
    let german = format(&["Fr, 29.03.2024", "Do, 06.07.2023", "Mo, 24.06.2024"]);
    assert_eq!(german.to_string(), "%a, %d.%m.%Y");
    assert_eq!(
        (german.write(DAY).as_deref(), german.parse("Mi, 05.03.2024")),
        (Some("Di, 05.03.2024"), None)
    );
    let day_first = format(&["Tue 05/03/2024", "Wed 06/03/2024"]);
    assert_eq!(
        (day_first.to_string().as_str(), day_first.parse("Tue 05/03/2024")),
        ("%a %d/%m/%Y", Some(DAY))
    );
    let written = declared(&["martes 05/03/2024", "jueves 07/03/2024"], "%A %d/%m/%Y").unwrap();
    assert_eq!(written.write(DAY + 1.0).as_deref(), Some("miércoles 06/03/2024"));
    assert_eq!("%a %Y".parse::<DateFormat>(), Err(DateFault::Lacks { letter: "%a", needs: "%d" }));
    assert!(inferred(&["Mo", "Di", "Mi"]).question.is_none());
}

#[test]
fn all_cells_tell_together() {
    // Fractions may be left out where they are 0; a name that is long and short at once tells nothing.
    let times = format(&["2024-03-05T14:30:00", "2024-03-05T14:30:00.5"]);
    assert_eq!(times.write(TIME).as_deref(), Some("2024-03-05T14:30:00.0"));
    assert_eq!(format(&["1 May 2024", "1 June 2024"]).to_string(), "%-d %B %Y");
    assert_eq!(format(&["1. Mai 2024", "1. Okt. 2024"]).write(DAY).as_deref(), Some("5. Mär 2024"));
    assert_eq!(format(&["abr 2024", "mar 2024"]).write(648.0).as_deref(), Some("ene 2024"));
    // What two languages share stays open for what is read later.
    let shared = format(&["1 April 2024"]);
    assert!(shared.parse("1 Mai 2024").is_some() && shared.parse("1 May 2024").is_some());
    assert!(shared.parse("1 Mayo 2024").is_none());
    // Different offsets: written as UTC.
    let zones = format(&["2024-03-05 14:30+01:00", "2024-03-05 14:30-05:00"]);
    assert_eq!(zones.write(TIME).as_deref(), Some("2024-03-05 14:30+00:00"));
    assert_eq!(format(&["2024-03-05 14:30+01:00"]).write(TIME).as_deref(), Some("2024-03-05 15:30+01:00"));
    // The order of day and month is found out, or asked, with a time of day, too.
    assert_eq!(format(&["01/02/2024 10:00", "31/12/2024 10:00"]).to_string(), "%d/%m/%Y %H:%M");
    let question = inferred(&["01/02/2024 10:00", "02/03/2024 10:00"]).question.unwrap();
    assert!(question.to_string().contains("may be day/month or month/day"), "{question}");
    let column = &table(&["01/02/2024 10:00"]).columns[0];
    let reading = declare(column, &[], &Declared::Date(Some(DateOrder::Mdy))).unwrap().1;
    assert_eq!(reading.value("01/02/2024 12:00"), Some(DAY - 62.5));
    assert_eq!(
        inferred(&["2024-03-05 14:30", "2024-03-06 15:00", "?"]).evidence.to_string(),
        "2 of 2 values are dates, with a time of day, written as %Y-%m-%d %H:%M, 2024-03-05 14:30 to 2024-03-06 \
         15:00; 1 missing"
    );
}

#[test]
fn what_is_no_date_is_none() {
    for cells in [
        &["2024-03-05 14:30", "2024-03-05"][..],
        &["2024-03-05 24:00"],
        &["2024-03-05 14:60"],
        &["2024-02-30 10:00"],
        &["13:00 PM"],
        &["2024-03-05 13:00 PM"],
        &["2024-03-05 14:30:00.1234567"],
        &["2024-03-05 14:30+15:00"],
        &["5 Mar 2024", "5. März 2024"],
        &["5 Foo 2024"],
        &["Mar 2024", "Marzo 2024", "März 2024"],
        &["31 Feb 2024"],
        &["2024Q5"],
        &["2024-13"],
        &["0012-03", "9999-12"],
        &["12 Main St 2024"],
        &["A1 2024"],
        &["Q1 2024", "2024Q1"],
    ] {
        let found = inferred(cells);
        assert_ne!(found.kind, Kind::Date, "{cells:?}: {}", found.evidence);
        assert_eq!(found.question, None, "{cells:?}");
    }
    let mut cells = vec!["2024-03-05 14:30"; 19];
    cells.push("yesterday");
    let found = inferred(&cells);
    assert!(matches!(found.nearly, Some(Reading::Dates(_))));
    assert_eq!(found.evidence.to_string(), "19 of 20 values are dates; not dates: 'yesterday' (row 20)");
}

#[test]
fn two_digit_years_are_asked_about_and_counted_from_the_year_that_is_said() {
    for (cells, letters) in [
        (["01.02.24", "03.04.31"], "%d.%m.%y"),
        (["12/31/24", "1/2/25"], "%-m/%-d/%y"),
        (["5-Mar-24", "6-May-99"], "%-d-%b-%y"),
        (["Mar-24", "Jun-99"], "%b-%y"),
    ] {
        let found = inferred(&cells);
        let Some(Question::Century { format, .. }) = &found.question else { panic!("{cells:?}") };
        assert_eq!((found.kind, &format.0), (Kind::Category, &format!("date:{letters} from 1930")));
        let column = &table(&cells).columns[0];
        let date = declare(column, &[], &Declared::Date(None));
        assert!(matches!(date, Err(Undeclarable::Question(Question::Century { .. }))), "{date:?}");
    }
    let years = |from: &str| {
        let format = declared(&["01.03.29", "01.03.30"], &format!("%d.%m.%y from {from}")).unwrap();
        ["01.03.29", "01.03.30"].map(|cell| (1970.0 + format.parse(cell).unwrap() / 365.2425) as i32)
    };
    assert_eq!(years("1930"), [2029, 1930]);
    assert_eq!(years("1900"), [1929, 1930]);
    assert_eq!(years("1929"), [1929, 1930]);
    let format = declared(&["01.03.30"], "%d.%m.%y from 1930").unwrap();
    assert_eq!(format.to_string(), "%d.%m.%y from 1930");
    assert_eq!(format.write(format.parse("01.03.30").unwrap()).as_deref(), Some("01.03.30"));
}

#[test]
fn a_declared_format_is_kept_to_the_letter() {
    let stamp = declared(&["20240305T143000Z", "?"], "%Y%m%dT%H%M%S%z").unwrap();
    assert_eq!((stamp.parse("20240305T143000Z"), stamp.unit()), (Some(TIME), DateUnit::Time));
    let german = declared(&["5. Oktober 2024", "1. Mai 2024"], "%-d. %B %Y").unwrap();
    assert_eq!(german.write(DAY).as_deref(), Some("5. März 2024"));
    assert_eq!(
        declared(&["1. Quartal 2024"], "%q. Quartal %Y").unwrap().parse("3. Quartal 2024"),
        Some(218.0)
    );
    assert_eq!(declared(&["202403"], "%Y%m").unwrap().parse("202403"), Some(650.0));
    assert_eq!(declared(&["1/2/2024"], "%F").unwrap_err(), odd("1/2/2024"));
    assert_eq!(
        declared(&["1. Mai 2024", "1. Foo 2024"], "%d. %b %Y").unwrap_err(),
        Undeclarable::Cell { row: 1, cell: String::from("1. Foo 2024"), noun: Noun::Date }
    );
    for (letters, expected) in [
        ("%d.%m.%k", DateFault::Unknown { letter: String::from("%k") }),
        ("%-Y-%m", DateFault::Unknown { letter: String::from("%-Y") }),
        ("%Y-%", DateFault::Open),
        ("%Y-%m-%m", DateFault::Twice { letter: String::from("%m") }),
        ("%Y %B-%m", DateFault::Twice { letter: String::from("%m") }),
        ("%d.%m.", DateFault::NoYear),
        ("", DateFault::NoYear),
        ("%Y", DateFault::YearAlone),
        ("%Y-%d", DateFault::Lacks { letter: "%d", needs: "%m" }),
        ("%Y-%m %H", DateFault::Lacks { letter: "%H", needs: "%d" }),
        ("%F %I:%M", DateFault::Lacks { letter: "%I", needs: "%p" }),
        ("%F %H:%M %p", DateFault::Lacks { letter: "%p", needs: "%I" }),
        ("%F %S", DateFault::Lacks { letter: "%S", needs: "%M" }),
        ("%F %T%f", DateFault::Fraction),
        ("%Y-%m Q%q", DateFault::QuarterAndMonth),
        ("%d.%m.%y", DateFault::NoCentury { format: String::from("%d.%m.%y") }),
        ("%d.%m.%Y from 1930", DateFault::IdleCentury),
        ("%d.%m.%y from 30", DateFault::BadCentury { year: "30".into() }),
    ] {
        assert_eq!(letters.parse::<DateFormat>(), Err(expected), "{letters}");
    }
}

fn odd(cell: &str) -> Undeclarable {
    Undeclarable::Cell { row: 0, cell: cell.to_owned(), noun: Noun::Date }
}

/// Year, month and day of a day number, by counting years and months.
fn calendar(mut day: i64) -> (i64, usize, i64) {
    let leap = |year: i64| (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let mut year = 1970;
    while day < 0 {
        year -= 1;
        day += 365 + i64::from(leap(year));
    }
    while day >= 365 + i64::from(leap(year)) {
        day -= 365 + i64::from(leap(year));
        year += 1;
    }
    let february = 28 + i64::from(leap(year));
    for (month, length) in (1..).zip([31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
        if day < length {
            return (year, month, day + 1);
        }
        day -= length;
    }
    unreachable!()
}

/// Writers that share nothing with the table's, each with what it tells apart in seconds.
type Written = (fn(i64) -> String, i64);

const WRITERS: [Written; 6] = [
    (
        |s| {
            let (y, m, d) = calendar(s.div_euclid(86_400));
            format!("{y:04}-{m:02}-{d:02}T{}Z", clock(s))
        },
        1,
    ),
    (
        |s| {
            let (y, m, d) = calendar(s.div_euclid(86_400));
            format!("{d:02}.{m:02}.{y:04} {}", &clock(s)[..5])
        },
        60,
    ),
    (
        |s| {
            let (y, m, d) = calendar(s.div_euclid(86_400));
            let hour = s.rem_euclid(86_400) / 3600;
            let (half, hour) =
                (if hour < 12 { "AM" } else { "PM" }, if hour % 12 == 0 { 12 } else { hour % 12 });
            format!("{m}/{d}/{y:04} {hour}:{} {half}", &clock(s)[3..])
        },
        1,
    ),
    (
        |s| {
            let (y, m, d) = calendar(s.div_euclid(86_400));
            format!("{d}. {} {y:04}", GERMAN[m - 1])
        },
        86_400,
    ),
    (
        |s| {
            let (y, m, d) = calendar(s.div_euclid(86_400));
            format!("{} {d}, {y:04}", ENGLISH[m - 1])
        },
        86_400,
    ),
    (
        |s| {
            let (y, m, d) = calendar(s.div_euclid(86_400));
            format!("{d} de {} de {y:04}", SPANISH[m - 1])
        },
        86_400,
    ),
];

const GERMAN: [&str; 12] = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];
const ENGLISH: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const SPANISH: [&str; 12] = [
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
];

fn clock(seconds: i64) -> String {
    let of_day = seconds.rem_euclid(86_400);
    format!("{:02}:{:02}:{:02}", of_day / 3600, of_day / 60 % 60, of_day % 60)
}

proptest! {
    /// Times written by others are recognised in any order of the rows, read to the second, and written back.
    #[test]
    fn times_of_others_come_back(
        seconds in prop::collection::vec(-5_000_000_000..8_000_000_000_i64, 1..30),
        which in 0..6_usize,
        turn in 0..30_usize,
    ) {
        let (write, step) = WRITERS[which];
        // The last of January 1970 settles day and month, the first of March and October the names.
        let settling = [30 * 86_400 + 3600, 59 * 86_400 + 7 * 3600, 273 * 86_400];
        let seconds: Vec<i64> = seconds.into_iter().chain(settling).map(|s| s.div_euclid(step) * step).collect();
        let mut cells: Vec<String> = seconds.iter().map(|s| write(*s)).collect();
        let found = inferred(&cells);
        let Reading::Dates(format) = &found.reading else { panic!("{}", found.evidence) };
        for (cell, s) in cells.iter().zip(&seconds) {
            let value = format.parse(cell).unwrap();
            prop_assert!((value * 86_400.0 - *s as f64).abs() < 1e-3, "{} {}", cell, value);
            let back = format.write(value);
            prop_assert_eq!(back.as_ref(), Some(cell));
        }
        let by = turn % cells.len();
        cells.rotate_left(by);
        prop_assert_eq!(inferred(&cells).reading, found.reading);
    }

    /// Microseconds are told apart and come back.
    #[test]
    fn microseconds_come_back(micros in -5_000_000_000_000_000..5_000_000_000_000_000_i64) {
        let s = micros.div_euclid(1_000_000);
        let (y, m, d) = calendar(s.div_euclid(86_400));
        let cell = format!("{y:04}-{m:02}-{d:02} {}.{:06}", clock(s), micros.rem_euclid(1_000_000));
        let format = declared(&[cell.as_str()], "%F %T.%f").unwrap();
        let value = format.parse(&cell).unwrap();
        prop_assert_eq!(format.write(value), Some(cell));
        let next = declared(&["2024-03-05 14:30:00.000001"], "%F %T.%f").unwrap();
        prop_assert!(next.parse("2024-03-05 14:30:00.000001") > next.parse("2024-03-05 14:30:00"));
    }

    #[test]
    fn nothing_panics(cell in "[0-9a-zäQT:.,/+ -]{0,20}|.{0,12}", letters in "(%?[YymdbBHIMSfpzq:. -]){0,8}( from [0-9]{0,5})?") {
        let _ = inferred(&[cell.replace(['"', '\0'], "")]);
        if let Ok(format) = letters.parse::<DateFormat>() {
            let _ = (format.parse(&cell), format.write(12345.678), format.write(f64::NAN), format.write(-1e300));
        }
    }
}
