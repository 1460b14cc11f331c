//! The formats that one cell may be of.

use super::{
    Case, DateFormat, DateOrder, DateUnit, HalfDay, Language, Languages, Length, Part, Spelling, ZoneStyle,
};

/// More pieces than any date that is recognised.
const MOST: usize = 24;

/// The first of the hundred years that two digits stand for until the user says it; only to see whether a cell could be a
/// date.
const SOME_CENTURY: i16 = 1930;

/// Months and quarters are recognised in these years only; the user may declare others.
const YEARS: std::ops::Range<f64> = 1800.0..2200.0;

/// A piece of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece<'a> {
    Digits(&'a str),
    Word(&'a str),
    Mark(char),
}

use Piece::{Digits, Mark, Word};

/// Runs of digits, runs of letters, and all else one by one; `None` if a cell is no date for sure.
fn pieces(cell: &str) -> Option<Vec<Piece<'_>>> {
    let usual = (6..=48).contains(&cell.len()) && cell.bytes().any(|b| b.is_ascii_digit());
    let mut pieces = Vec::new();
    let mut rest = if usual { cell } else { "" };
    while let Some(first) = rest.chars().next() {
        let run = |of: fn(&char) -> bool| rest.find(|c: char| !of(&c)).unwrap_or(rest.len());
        let (piece, end) = if first.is_ascii_digit() {
            let end = run(char::is_ascii_digit);
            (Digits(&rest[..end]), end)
        } else if first.is_alphabetic() {
            let end = run(|c| c.is_alphabetic());
            (Word(&rest[..end]), end)
        } else if matches!(first, '-' | '/' | '.' | ',' | ':' | '+' | ' ' | '\u{a0}') {
            (Mark(first), first.len_utf8())
        } else {
            return None;
        };
        pieces.push(piece);
        rest = &rest[end..];
        if pieces.len() > MOST {
            return None;
        }
    }
    (!pieces.is_empty()).then_some(pieces)
}

/// The formats of this cell that are recognised without being told: two where day and month could change places, more
/// where a month's name is the same in several languages. All of them read the cell.
pub(super) fn guess(cell: &str) -> Vec<DateFormat> {
    let cell = cell.trim();
    let Some(pieces) = pieces(cell) else { return Vec::new() };
    let clock = pieces.windows(2).position(|pair| matches!(pair, [Digits(_), Mark(':')]));
    let (day, time, spelling) = match clock {
        None => (pieces.as_slice(), Vec::new(), Spelling::USUAL),
        Some(at) => match (joint(&pieces[..at]), time(&pieces[at..])) {
            (Some((day, mut joint)), Some((time, spelling))) => {
                joint.extend(time);
                (day, joint, spelling)
            }
            _ => return Vec::new(),
        },
    };
    let mut formats = Vec::new();
    let (weekday, before, day) = weekday(day);
    for (language, parts) in days(day) {
        let has_day = parts.iter().any(|part| matches!(part, Part::Day { .. }));
        if !time.is_empty() && !has_day {
            continue;
        }
        let case = day.iter().find_map(|piece| match piece {
            Word(word) if language.month(word).is_some() => Some(Case::of(word)),
            _ => None,
        });
        let case = case.or_else(|| weekday.map(Case::of)).unwrap_or(Case::Title);
        // Digits have the language of the day of the week.
        let named = parts.iter().any(|part| matches!(part, Part::MonthName(_)));
        let same = |other: &Language| {
            weekday.map_or(*other == language, |word| {
                has_day && other.weekday(word).is_some() && (!named || *other == language)
            })
        };
        for language in Language::ALL.into_iter().filter(same) {
            let spelling = Spelling { languages: Languages::of(language), case, ..spelling };
            let parts: Vec<Part> = before.iter().chain(&parts).chain(&time).copied().collect();
            let pointless = without_point(&parts);
            formats.push(DateFormat { parts, spelling });
            formats.extend(pointless.map(|parts| DateFormat { parts, spelling }));
        }
    }
    formats.retain(|format| usual(format, cell));
    formats
}

/// The name of a day of the week at the beginning, what it is as parts with what stands behind it, and the rest: `Fri, `, `Fr. `, `Fr., `.
fn weekday<'a, 'b>(day: &'b [Piece<'a>]) -> (Option<&'a str>, Vec<Part>, &'b [Piece<'a>]) {
    let Some((Word(word), after)) = day.split_first() else { return (None, Vec::new(), day) };
    if Language::ALL.iter().all(|language| language.weekday(word).is_none()) {
        return (None, Vec::new(), day);
    }
    let marks = after.iter().take_while(|piece| matches!(piece, Mark('.' | ',' | ' ' | '\u{a0}'))).count();
    let (between, rest) = after.split_at(marks);
    let texts = between.iter().filter_map(|piece| match piece {
        Mark(mark) => Some(Part::Text(*mark)),
        _ => None,
    });
    let parts: Vec<Part> = std::iter::once(Part::Weekday(Length::Short)).chain(texts).collect();
    // "Mar 5, 2024" begins with a month.
    if marks == 0 || days(rest).is_empty() { (None, Vec::new(), day) } else { (Some(word), parts, rest) }
}

/// Whether a cell is a date of a format, of a year that is not far off where that alone makes it one.
pub(super) fn usual(format: &DateFormat, cell: &str) -> bool {
    let Some(value) = format.parse(cell) else { return false };
    match format.unit() {
        DateUnit::Month => YEARS.contains(&(1970.0 + (value / 12.0).floor())),
        DateUnit::Quarter => YEARS.contains(&(1970.0 + (value / 4.0).floor())),
        DateUnit::Day | DateUnit::Time => true,
    }
}

/// Names that are not shortened have no point: `1. Mai 2024` beside `1. Okt. 2024`. Without one in the format, cells may have it.
fn without_point(parts: &[Part]) -> Option<Vec<Part>> {
    let name = parts.iter().position(|part| matches!(part, Part::MonthName(_)))?;
    let mut parts = parts.to_vec();
    (parts.get(name + 1) == Some(&Part::Text('.')) && parts.get(name + 2) == Some(&Part::Text(' '))).then(
        || {
            parts.remove(name + 1);
            parts
        },
    )
}

/// A day before its time of day, and what stands between them.
fn joint<'a, 'b>(before: &'b [Piece<'a>]) -> Option<(&'b [Piece<'a>], Vec<Part>)> {
    match before {
        [day @ .., Mark(','), Mark(' ')] => Some((day, vec![Part::Text(','), Part::Text(' ')])),
        [day @ .., Mark(blank @ (' ' | '\u{a0}'))] => Some((day, vec![Part::Text(*blank)])),
        [day @ .., Word(t @ ("T" | "t"))] => Some((day, t.chars().map(Part::Text).collect())),
        _ => None,
    }
}

/// A time of day: hours and minutes, perhaps seconds, a half of the day, an offset.
fn time(pieces: &[Piece]) -> Option<(Vec<Part>, Spelling)> {
    let [Digits(hour), Mark(':'), Digits(minute), rest @ ..] = pieces else { return None };
    if hour.len() > 2 || minute.len() != 2 {
        return None;
    }
    let mut spelling = Spelling::USUAL;
    let mut tail = vec![Part::Text(':'), Part::Minute];
    let mut rest = rest;
    if let [Mark(':'), Digits(second), after @ ..] = rest {
        (second.len() == 2).then_some(())?;
        // A fraction of 0 is not written by all programs: other cells may have one.
        tail.extend([Part::Text(':'), Part::Second, Part::Fraction]);
        rest = match after {
            [Mark('.' | ','), Digits(_), after @ ..] => after,
            _ => after,
        };
    }
    let (blanks, after) = blanks(rest);
    let half = match after {
        [Word("AM" | "PM" | "Am" | "Pm"), after @ ..] => Some((HalfDay::Upper, after)),
        [Word("am" | "pm"), after @ ..] => Some((HalfDay::Lower, after)),
        [Word("A" | "P"), Mark('.'), Word("M"), Mark('.'), after @ ..] => Some((HalfDay::UpperPoints, after)),
        [Word("a" | "p"), Mark('.'), Word("m"), Mark('.'), after @ ..] => Some((HalfDay::LowerPoints, after)),
        [Word("a" | "p"), Mark('.'), Mark(' ' | '\u{a0}'), Word("m"), Mark('.'), after @ ..] => {
            Some((HalfDay::Spaced, after))
        }
        _ => None,
    };
    if let Some((style, after)) = half {
        spelling.half = style;
        tail.extend(blanks.iter().copied());
        tail.push(Part::HalfDay);
        rest = after;
    }
    let (blanks, after) = self::blanks(rest);
    let zone = match after {
        [Word("Z")] => Some(ZoneStyle::Z),
        [Word("UTC" | "GMT")] => Some(ZoneStyle::Utc),
        [Mark('+' | '-'), Digits(_), Mark(':'), Digits(_)] => Some(ZoneStyle::Colon),
        [Mark('+' | '-'), Digits(digits)] if digits.len() == 4 => Some(ZoneStyle::Plain),
        [Mark('+' | '-'), Digits(_)] => Some(ZoneStyle::Hours),
        [] if blanks.is_empty() => None,
        _ => return None,
    };
    if let Some(style) = zone {
        spelling.zone = style;
        tail.extend(blanks);
        tail.push(Part::Zone);
    }
    let padded = true;
    let hour = if half.is_some() { Part::Hour12 { padded } } else { Part::Hour { padded } };
    Some(([hour].into_iter().chain(tail).collect(), spelling))
}

/// The white space at the beginning.
fn blanks<'a, 'b>(pieces: &'b [Piece<'a>]) -> (Vec<Part>, &'b [Piece<'a>]) {
    match pieces {
        [Mark(blank @ (' ' | '\u{a0}')), after @ ..] => (vec![Part::Text(*blank)], after),
        _ => (Vec::new(), pieces),
    }
}

/// The parts of a day, month or quarter, in each way in which they can be read.
fn days(pieces: &[Piece]) -> Vec<(Language, Vec<Part>)> {
    let lengths: Vec<usize> = pieces
        .iter()
        .filter_map(|piece| match piece {
            Digits(digits) => Some(digits.len()),
            _ => None,
        })
        .collect();
    let words = pieces.iter().any(|piece| matches!(piece, Word(_)));
    if words {
        return quarter(pieces)
            .map_or_else(|| named(pieces, &lengths), |parts| vec![(Language::English, parts)]);
    }
    let english = |parts: Vec<Part>| (Language::English, parts);
    match pieces {
        [Digits(_), Mark(mark @ ('-' | '/' | '.')), Digits(_), Mark(other), Digits(_)] if mark == other => {
            digits(*mark, &lengths).into_iter().map(english).collect()
        }
        [Digits(year), Mark(mark @ ('-' | '/')), Digits(_)] if year.len() == 4 => {
            vec![english(vec![Part::Year, Part::Text(*mark), Part::Month { padded: true }])]
        }
        [Digits(_), Mark(mark @ ('-' | '/')), Digits(year)] if year.len() == 4 => {
            vec![english(vec![Part::Month { padded: true }, Part::Text(*mark), Part::Year])]
        }
        _ => Vec::new(),
    }
}

/// Three numbers: the one with four digits is the year; with two digits each, the last or the first.
fn digits(mark: char, lengths: &[usize]) -> Vec<Vec<Part>> {
    let format = |order| DateFormat::days(order, Some(mark), true).parts;
    let short = |order| -> Vec<Part> {
        let year =
            |part: Part| if part == Part::Year { Part::ShortYear { from: SOME_CENTURY } } else { part };
        format(order).into_iter().map(year).collect()
    };
    match lengths {
        [4, ..] => vec![format(DateOrder::Ymd)],
        [.., 4] => vec![format(DateOrder::Dmy), format(DateOrder::Mdy)],
        [2, 2, 2] => vec![short(DateOrder::Dmy), short(DateOrder::Mdy), short(DateOrder::Ymd)],
        [.., 2] => vec![short(DateOrder::Dmy), short(DateOrder::Mdy)],
        _ => Vec::new(),
    }
}

/// A year and a quarter: `2024Q1`, `2024-Q1`, `Q1 2024`.
fn quarter(pieces: &[Piece]) -> Option<Vec<Part>> {
    let letter = pieces.iter().find_map(|piece| match piece {
        Word(word @ ("Q" | "q")) => word.chars().next(),
        _ => None,
    })?;
    let (letter, quarter) = (Part::Text(letter), Part::Quarter);
    Some(match pieces {
        [Digits(_), Word(_), Digits(_)] => vec![Part::Year, letter, quarter],
        [Digits(_), Mark(mark), Word(_), Digits(_)] => vec![Part::Year, Part::Text(*mark), letter, quarter],
        [Word(_), Digits(_), Mark(mark), Digits(_)] => vec![letter, quarter, Part::Text(*mark), Part::Year],
        _ => return None,
    })
}

/// A day or a month by the month's name, in each language that has this name.
fn named(pieces: &[Piece], lengths: &[usize]) -> Vec<(Language, Vec<Part>)> {
    let year = |length: usize| match length {
        4 => Some(Part::Year),
        2 => Some(Part::ShortYear { from: SOME_CENTURY }),
        _ => None,
    };
    let day = |length: usize| (length <= 2).then_some(Part::Day { padded: true });
    // The year stands at the end, or with four digits at the beginning.
    let numbers = match lengths {
        [4, last] => day(*last).map(|day| vec![Part::Year, day]),
        [first, last] => day(*first).zip(year(*last)).map(|(day, year)| vec![day, year]),
        [only] => year(*only).map(|year| vec![year]),
        _ => None,
    };
    let Some(numbers) = numbers else { return Vec::new() };
    let in_language = |language: Language| {
        let (mut parts, mut months, mut numbers) = (Vec::new(), 0, numbers.iter().copied());
        for piece in pieces {
            match piece {
                Digits(_) => parts.extend(numbers.next()),
                Mark(mark) => parts.push(Part::Text(*mark)),
                Word(word) => match language.month(word) {
                    Some((_, length)) => {
                        months += 1;
                        parts.push(Part::MonthName(length.unwrap_or(Length::Short)));
                    }
                    // 5 de marzo de 2024.
                    None if language == Language::Spanish && matches!(*word, "de" | "del") => {
                        parts.extend(word.chars().map(Part::Text));
                    }
                    None => return None,
                },
            }
        }
        (months == 1).then_some((language, parts))
    };
    Language::ALL.into_iter().filter_map(in_language).collect()
}
