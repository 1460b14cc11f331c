//! What a column of labels looks like that would be one of dates or numbers if it were written in one way. It stays one of labels: its
//! evidence says what keeps it from being more.

use lookalike_words::Cell;

use crate::{Finding, NumberFormat, date, parse_number};

/// Cells that a message shows, and other values than numbers that may be markers.
const SHOWN: usize = 3;
const MARKERS: usize = 5;

/// Fewer different numbers are codes.
const NUMBERS: usize = 5;

/// Percent of the known values that are nearly all.
const NEARLY_PERCENT: u128 = 90;

/// Characters of the longest unit.
const UNIT: usize = 12;

/// What these different values, each with its cells, resemble, of so many known cells.
pub(crate) fn resembles<'a>(
    counts: &(impl Iterator<Item = (&'a str, usize)> + Clone),
    known: usize,
) -> Option<Finding> {
    several_dates(counts, known)
        .or_else(|| numbers_within(counts, known))
        .or_else(|| mostly_numbers(counts, known))
        .or_else(|| like_numbers(counts, known))
}

/// In u128: 100 times a count of cells may overflow a 32-bit usize.
fn are_nearly_all(count: usize, known: usize) -> bool {
    count as u128 * 100 >= known as u128 * NEARLY_PERCENT
}

/// Dates, each of some format.
fn several_dates<'a>(
    counts: &(impl Iterator<Item = (&'a str, usize)> + Clone),
    known: usize,
) -> Option<Finding> {
    let dates = || counts.clone().filter(|(cell, _)| date::is_date(cell));
    let fitting: usize = dates().map(|(_, count)| count).sum();
    if !are_nearly_all(fitting, known) {
        return None;
    }
    // One of each format.
    let (mut formats, mut cells) = (Vec::new(), Vec::new());
    for (cell, _) in dates() {
        if cells.len() < SHOWN
            && !formats.iter().any(|format: &date::DateFormat| format.parse(cell).is_some())
        {
            formats.extend(date::formats(cell));
            cells.push(Cell::from(cell.trim()));
        }
    }
    (cells.len() > 1).then_some(Finding::SeveralDates { fitting, values: known, cells })
}

/// Numbers with a unit behind them, or a minus that is not one of ASCII before the digits.
fn numbers_within<'a>(
    counts: &(impl Iterator<Item = (&'a str, usize)> + Clone),
    known: usize,
) -> Option<Finding> {
    let mut unit: Option<String> = None;
    let (mut fitting, mut distinct, mut shown) = (0, 0, None);
    for (cell, count) in counts.clone() {
        let cell = cell.trim();
        if parse_number(cell).is_none() {
            let Some(found) = around(cell) else { continue };
            let found = found.to_lowercase();
            if !found.is_empty() && *unit.get_or_insert_with(|| found.clone()) != found {
                return None;
            }
            shown.get_or_insert(cell);
        }
        fitting += count;
        distinct += 1;
    }
    let cell = Cell::from(shown?);
    (distinct >= NUMBERS && are_nearly_all(fitting, known)).then_some(Finding::NumbersWithin {
        fitting,
        values: known,
        cell,
    })
}

/// The unit of a number with something around it; empty if that is a minus alone.
fn around(cell: &str) -> Option<&str> {
    let behind = cell.strip_suffix(['-', '\u{2212}']);
    let before = cell.strip_prefix(['\u{2212}', '\u{2013}']);
    let inner = behind.or(before).unwrap_or_else(|| cell.strip_prefix(['-', '+']).unwrap_or(cell));
    let minus = inner.len() < cell.len() && !cell.starts_with(['-', '+']);
    let end = inner.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',')).unwrap_or(inner.len());
    let (number, rest) = inner.split_at(end);
    let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    if !digit(number.as_bytes().first()) || !digit(number.as_bytes().last()) {
        return None;
    }
    let unit = rest.trim_start();
    let letters =
        |c: char| c.is_alphabetic() || matches!(c, '/' | '%' | '.' | '\u{b0}' | '\u{b2}' | '\u{b3}');
    // "5a" is a school class.
    let is_unit = unit.chars().all(letters)
        && unit.chars().count() <= UNIT
        && (unit.chars().count() > 1 || unit == "%" || unit.len() < rest.len());
    match unit {
        "" => minus.then_some(""),
        unit => is_unit.then_some(unit),
    }
}

/// More numbers than others, and few others, without a digit: "None", "--".
fn mostly_numbers<'a>(
    counts: &(impl Iterator<Item = (&'a str, usize)> + Clone),
    known: usize,
) -> Option<Finding> {
    let of = |format: NumberFormat| {
        let numbers = counts.clone().filter(|(cell, _)| format.parse(cell).is_some());
        numbers.fold((0, 0), |(cells, distinct), (_, count)| (cells + count, distinct + 1))
    };
    let (fitting, distinct, format) = [NumberFormat::PLAIN, NumberFormat::COMMA]
        .map(|format| (of(format).0, of(format).1, format))
        .into_iter()
        .reduce(|best, other| if other.0 > best.0 { other } else { best })?;
    if distinct < NUMBERS || fitting <= known / 2 {
        return None;
    }
    let others =
        || counts.clone().filter(|(cell, _)| format.parse(cell).is_none()).map(|(cell, _)| cell.trim());
    if others().take(MARKERS + 1).count() > MARKERS
        || others().any(|cell| cell.bytes().any(|b| b.is_ascii_digit()))
    {
        return None;
    }
    Some(Finding::MostlyNumbers { fitting, values: known, odd: others().map(Cell::from).collect() })
}

/// What stands before or behind a number that is no part of it: a bound, a formula of a spreadsheet, what cannot be seen.
const BEFORE: [char; 10] = ['<', '>', '=', '\u{2264}', '\u{2265}', '~', '"', '\'', '\u{feff}', '\u{200b}'];
const BEHIND: [char; 6] = ['+', '"', '%', '\'', '\u{feff}', '\u{200b}'];

/// Numbers, or nearly so, in several spellings: "<5" among numbers, "3,29" beside "3.86", \"=\"23\"\".
fn like_numbers<'a>(
    counts: &(impl Iterator<Item = (&'a str, usize)> + Clone),
    known: usize,
) -> Option<Finding> {
    let is_number =
        |cell: &str| [NumberFormat::PLAIN, NumberFormat::COMMA].iter().any(|f| f.parse(cell).is_some());
    let looks_so = |cell: &str| {
        let inner = cell.trim().trim_start_matches(BEFORE).trim_end_matches(BEHIND).trim();
        is_number(inner)
    };
    let of = |holds: &dyn Fn(&str) -> bool| {
        let such = counts.clone().filter(|(cell, _)| holds(cell));
        such.fold((0, 0), |(cells, distinct), (_, count)| (cells + count, distinct + 1))
    };
    let (numbers, _) = of(&is_number);
    let (fitting, distinct) = of(&looks_so);
    let formulas = counts.clone().all(|(cell, _)| cell.trim().starts_with('='));
    if distinct < NUMBERS || !are_nearly_all(fitting, known) || !(numbers > known / 2 || formulas) {
        return None;
    }
    let plain = |cell: &str| NumberFormat::PLAIN.parse(cell).is_some();
    let (cell, _) = counts.clone().find(|(cell, _)| !plain(cell))?;
    Some(Finding::LikeNumbers { fitting, values: known, cell: Cell::from(cell.trim()) })
}

#[cfg(test)]
mod tests {
    use crate::{Kind, ReadOptions, infer, read};

    /// The evidence for a column of these cells, if it is one of labels.
    fn evidence(cells: &[&str]) -> String {
        let text = cells.iter().fold(String::from("x;y\n"), |text, cell| text + cell + ";\n");
        let options = ReadOptions { delimiter: Some(b';'), ..ReadOptions::default() };
        let table = read(text.as_bytes(), &options).unwrap();
        let inferred = infer(&table.columns[0], &[String::new()]);
        assert!(matches!(inferred.kind, Kind::Category | Kind::Identifier), "{cells:?}");
        inferred.evidence.to_string()
    }

    #[test]
    fn dates_in_several_formats_are_told() {
        for cells in [
            &["2024-03-29", "29.03.2024", "06.07.2023", "2023-07-06"][..],
            &["2024-03-29 13:59:00+01:00", "2023-07-06 00:13:00"],
            &["13/01/2024", "01/13/2024", "2024-01-13"],
        ] {
            let told = evidence(cells);
            assert!(told.contains("are dates, but in several formats") && told.contains(cells[0]), "{told}");
        }
    }

    #[test]
    fn numbers_with_something_around_them_are_told() {
        for (cells, shown) in [
            (&["103 kg", "44 kg", "97 kg", "47 kg", "98 KG"][..], "103 kg"),
            (&["78", "17", "\u{2212}36", "\u{2212}94", "5"], "\u{2212}36"),
            (&["66-", "18", "15-", "1-", "7"], "66-"),
            (&["12 %", "13%", "14 %", "15 %", "16 %"], "12 %"),
        ] {
            let told = evidence(cells);
            assert!(told.contains("5 of 5 values look like numbers") && told.contains(shown), "{told}");
        }
    }

    #[test]
    fn markers_among_numbers_are_told() {
        let told = evidence(&["17", "None", "45", "--", "33", "21", "60", "<NA>", "None"]);
        assert!(told.contains("5 of 9 values are numbers") && told.contains("--missing"), "{told}");
        for marker in ["'None'", "'--'", "'<NA>'"] {
            assert!(told.contains(marker), "{told}");
        }
    }

    #[test]
    fn numbers_in_several_spellings_are_told() {
        for (cells, shown) in [
            (&["12", "17", "<5", "36", "94", "8"][..], "<5"),
            (&["3,29", "3.86", "4.1", "2,5", "7.25"], "3,29"),
            (&["=\"23\"", "=\"31\"", "=\"47\"", "=\"50\"", "=\"62\""], "=\"23\""),
            (&["23\u{200b}", "31", "47", "50\u{200b}", "62"], "23"),
        ] {
            let told = evidence(cells);
            assert!(told.contains("look like numbers, but are not all written in one way"), "{told}");
            assert!(told.contains(shown), "{told}");
        }
    }

    #[test]
    fn labels_are_labels() {
        for cells in [
            &["5a", "7a", "8a", "9a", "10a", "6a"][..],
            &["12 kg", "13 cm", "14 kg", "15 m", "16 s"],
            &["E11", "E12", "I10", "J45", "C50"],
            &["1", "2", "3", "other", "none"],
            &["10-19", "20-29", "30-39", "40-49", "50-59"],
            &["1067-", "x", "y", "z"],
            &["A", "B", "A", "C"],
            &["1", "2", "3", "4", "5", "6", "A1", "B2"],
        ] {
            let told = evidence(cells);
            assert!(told.contains("values, "), "{told}");
        }
    }
}
