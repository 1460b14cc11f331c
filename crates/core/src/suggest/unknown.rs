//! Numbers that mean "not known": 9, 99 or 999, and 8, 98 or 998 for another reason, as surveys have them.
//!
//! Read as numbers they would be the oldest people of the table. Nothing is changed here: what is found is proposed, and a run
//! that reads such a column as numbers says so.

use std::collections::BTreeMap;

use lookalike_model::{info::UnknownCodes, settings::Settings};
use lookalike_table::{Column, Inferred, Kind, NumberFormat, Reading, Table, infer, is_missing};
use lookalike_words::{Cell, Name, Said, messages};

messages! {
    in "core";

    /// Why a number may mean "not known".
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum UnknownBy {
        /// No other is near.
        Apart {
            /// The number.
            code: Cell,
            /// Cells that have it.
            cells: usize,
            /// The largest other.
            below: Cell,
        },
        /// Below 0, where nothing but such codes is.
        Negative {
            /// The number.
            code: Cell,
            /// Cells that have it.
            cells: usize,
        },
        /// Others are near, each in far fewer cells.
        Frequent {
            /// The number.
            code: Cell,
            /// Cells that have it.
            cells: usize,
            /// Cells that have the most frequent of those near.
            near: usize,
        },
    }

    /// A column that a run reads as numbers although some may mean "not known".
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum UnknownWarning {
        /// They count as numbers.
        Counted {
            /// The column.
            name: Name,
            /// The largest of them, as a name in a flag.
            code: String,
            /// Why it may mean "not known".
            why: Said,
        },
    }
}

/// Numbers below a code that are looked at for how often their like occur.
const NEAR: u64 = 10;

/// How many times as often as any of them a code occurs.
const TIMES: usize = 4;

/// Codes below 0 that a column has, at most.
const MOST_BELOW: usize = 4;

/// Fewest cells that tell that a number is frequent.
const FEWEST: usize = 5;

/// The numbers of a column that may mean "not known", if any do.
pub(crate) fn unknown_codes(
    column: &Column,
    inferred: &Inferred,
    markers: &[String],
) -> Option<UnknownCodes> {
    if inferred.kind != Kind::Integer || inferred.reading != Reading::Numbers(NumberFormat::PLAIN) {
        return None;
    }
    let mut counts = vec![0_usize; column.values.len()];
    column.cells.iter().for_each(|&code| counts[code as usize] += 1);
    let (mut numbers, mut negative) = (BTreeMap::<u64, usize>::new(), BTreeMap::<u64, usize>::new());
    for (value, count) in column.values.iter().zip(counts).filter(|(_, count)| *count > 0) {
        let value = value.trim();
        if is_missing(value, markers) {
            continue;
        }
        // A plus or a leading zero is of no such code, and neither are its neighbours those of one.
        let digits = value.strip_prefix('-').unwrap_or(value);
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit())
            && (digits.len() == 1 || !digits.starts_with('0'));
        let number: u64 = digits.parse().ok().filter(|_| plain)?;
        let of = if digits.len() < value.len() { &mut negative } else { &mut numbers };
        *of.entry(number).or_default() += count;
    }
    if !negative.is_empty() {
        return below_zero(&negative, &numbers);
    }
    let (&largest, &cells) = numbers.iter().next_back()?;
    let nines = largest.to_string();
    if !nines.bytes().all(|digit| digit == b'9') || largest == u64::MAX {
        return None;
    }
    // A second reason has the number before; where 9 means one, 8 may.
    let second = (largest - 1, numbers.get(&(largest - 1)).copied());
    let below = |top: u64| numbers.range(..top).next_back().map(|(&number, _)| number);
    let (top, also) = match second {
        (number, Some(_)) if below(number).is_none_or(|other| is_apart(number, other)) => (number, true),
        _ => (largest, false),
    };
    let other = below(top)?;
    let code = || Cell::from(nines.as_str());
    let why = if is_apart(top, other) {
        UnknownBy::Apart { code: code(), cells, below: Cell::from(other.to_string().as_str()) }
    } else {
        let near = numbers.range(largest.saturating_sub(NEAR)..largest).map(|(_, &count)| count).max()?;
        if largest < NEAR || cells < FEWEST || cells < TIMES * near {
            return None;
        }
        UnknownBy::Frequent { code: code(), cells, near }
    };
    let codes = also.then_some(top).into_iter().chain([largest]).map(|code| code.to_string()).collect();
    Some(UnknownCodes { codes, why: why.into() })
}

/// Codes below 0, such as -9 and -99, beside numbers that are not: some are made of nines, the others of one digit or nines and an
/// eight. -1 alone may be a number.
fn below_zero(negative: &BTreeMap<u64, usize>, numbers: &BTreeMap<u64, usize>) -> Option<UnknownCodes> {
    let nines = |code: u64| code.to_string().bytes().all(|digit| digit == b'9');
    let is_code = |code: u64| {
        matches!(code, 1 | 7 | 8) || nines(code) || code < u64::MAX && nines(code + 1) && code > 9
    };
    let (&largest, &cells) = negative.iter().rev().find(|(code, _)| nines(**code))?;
    if negative.len() > MOST_BELOW
        || numbers.len() < negative.len()
        || !negative.keys().all(|&code| is_code(code))
    {
        return None;
    }
    let code = format!("-{largest}");
    let why = UnknownBy::Negative { code: Cell::from(code.as_str()), cells };
    let others = negative.keys().filter(|other| **other != largest).map(|other| format!("-{other}"));
    let codes = others.chain([code]).collect();
    Some(UnknownCodes { codes, why: why.into() })
}

/// Whether a code stands by itself above the largest other number: by more than two thirds of that number, or by a third if the code has
/// more digits; a code of one digit with two or more between that do not occur.
fn is_apart(code: u64, other: u64) -> bool {
    let digits = |number: u64| number.to_string().len();
    match digits(code) {
        1 => code - other > 2,
        length => {
            // Numbers of nineteen digits have a triple, too.
            let (three_gaps, other_wide) = (3 * u128::from(code - other), u128::from(other));
            three_gaps > 2 * other_wide || length > digits(other) && three_gaps > other_wide
        }
    }
}

/// The quasi-identifiers that a run with these settings reads as numbers although some may mean "not known".
#[must_use]
pub(super) fn unknown_as_numbers(table: &Table, settings: &Settings) -> Vec<Said> {
    let markers = &settings.missing.markers;
    let unsaid = |name: &&String| {
        let Settings { kinds, orders, pad, labels, .. } = settings;
        let (name, declared) = (*name, kinds.contains_key(*name) || orders.contains_key(*name));
        !declared && !pad.contains_key(name) && !labels.contains_key(name)
    };
    let warning = |name: &String| {
        let column = table.column(name)?;
        let UnknownCodes { codes, why } = unknown_codes(column, &infer(column, markers), markers)?;
        let (name, code) = (Name::from(name.as_str()), codes.last()?.clone());
        Some(UnknownWarning::Counted { name, code, why }.into())
    };
    settings.quasi.iter().filter(unsaid).filter_map(warning).collect()
}

#[cfg(test)]
mod tests {
    use lookalike_table::{ReadOptions, read};

    use super::*;

    /// The codes that are found among these numbers, each so many times.
    fn found(cells: &[(&str, usize)]) -> Option<(Vec<String>, String)> {
        let rows = cells.iter().flat_map(|&(cell, count)| std::iter::repeat_n(cell, count));
        let text = rows.fold(String::from("x,y\n"), |text, cell| text + cell + ",\n");
        let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
        let markers = [String::new(), String::from("?")];
        let column = &table.columns[0];
        let unknown = unknown_codes(column, &infer(column, &markers), &markers)?;
        Some((unknown.codes, unknown.why.to_string()))
    }

    #[test]
    fn numbers_that_stand_by_themselves_are_found() {
        let (codes, why) = found(&[("17", 3), ("45", 2), ("94", 1), ("?", 2), ("999", 12)]).unwrap();
        assert_eq!(codes, ["999"]);
        assert!(why.contains("'999'") && why.contains("12 cells") && why.contains("'94'"), "{why}");
        assert_eq!(found(&[("17", 3), ("45", 2), ("998", 2), ("999", 12)]).unwrap().0, ["998", "999"]);
        assert_eq!(found(&[("1", 30), ("2", 20), ("9", 3)]).unwrap().0, ["9"]);
        assert_eq!(found(&[("1", 30), ("2", 20), ("8", 1), ("9", 3)]).unwrap().0, ["8", "9"]);
        assert_eq!(found(&[("0", 30), ("12", 20), ("99", 3)]).unwrap().0, ["99"]);
        assert!(
            is_apart(9_999_999_999_999_999_999, 17)
                && !is_apart(9_999_999_999_999_999_999, 9_999_999_999_999_999_998)
        );
    }

    #[test]
    fn numbers_that_are_too_frequent_are_found() {
        let ages: Vec<(String, usize)> = (18..98).map(|age| (age.to_string(), 3)).collect();
        let with = |count: usize| {
            let mut cells: Vec<(&str, usize)> =
                ages.iter().map(|(age, count)| (age.as_str(), *count)).collect();
            cells.push(("99", count));
            found(&cells)
        };
        let (codes, why) = with(40).unwrap();
        assert_eq!(codes, ["99"]);
        assert!(why.contains("40 cells") && why.contains('3'), "{why}");
        assert_eq!(with(3), None, "people of 99 years");
    }

    #[test]
    fn codes_below_zero_are_found() {
        let (codes, why) = found(&[("17", 3), ("45", 2), ("30", 9), ("-9", 6), ("-1", 4)]).unwrap();
        assert_eq!(codes, ["-1", "-9"]);
        assert!(why.contains("'-9'") && why.contains("6 cells"), "{why}");
        assert_eq!(found(&[("1", 3), ("2", 2), ("3", 9), ("-9", 8), ("-99", 9)]).unwrap().0, ["-9", "-99"]);
        assert_eq!(found(&[("1", 3), ("2", 2), ("0", 9), ("-98", 8), ("-99", 9)]).unwrap().0, ["-98", "-99"]);
        for cells in [
            &[("-1", 3), ("0", 3), ("1", 3)][..],
            &[("-9", 3), ("-4", 3), ("1", 3), ("5", 3)],
            &[("-9", 3), ("5", 0)],
            &[("-10", 3), ("-9", 3), ("5", 3), ("6", 3)],
        ] {
            assert_eq!(found(cells), None, "{cells:?}");
        }
    }

    #[test]
    fn numbers_among_others_are_none() {
        for cells in [
            &[("7", 3), ("8", 3), ("9", 3)][..],
            &[("1", 1), ("7", 1), ("9", 1)],
            &[("90", 3), ("95", 3), ("99", 3)],
            &[("900", 3), ("950", 3), ("999", 3)],
            &[("17", 3), ("45", 3), ("100", 3)],
            &[("-1", 3), ("2", 3), ("9", 9)],
            &[("9", 9)],
            &[("1", 3), ("2", 3), ("09", 9)],
            &[("1.5", 3), ("2", 3), ("9", 9)],
        ] {
            assert_eq!(found(cells), None, "{cells:?}");
        }
    }
}
