//! Values that people read as one: "p", "p " and "P".

use std::collections::BTreeMap;

use lookalike_words::Cell;

use crate::parse_number;

lookalike_words::messages! {
    in "table";

    /// Values that people read as one, and what that means.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Near {
        /// There are such values.
        Groups {
            /// The first groups.
            groups: Vec<NearGroup>,
            /// How many more there are.
            more: usize,
        },
    }

    /// Values that people read as one.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum NearGroup {
        /// All of them.
        All {
            /// The values.
            values: Vec<NearValue>,
        },
        /// The first of them.
        First {
            /// The values.
            values: Vec<NearValue>,
            /// How many more there are.
            more: usize,
        },
    }

    /// A value that people read as another.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum NearValue {
        /// The value alone.
        Value {
            /// The value.
            value: Cell,
        },
        /// The value with its rows.
        Held {
            /// The value.
            value: Cell,
            /// How many rows have it.
            rows: usize,
        },
    }
}

/// Different values that are looked at.
const LOOKED_AT: usize = 100_000;

/// Groups that a message names, and values of each.
const NAMED: usize = 5;

/// Groups of values that differ only in white space, invisible characters, case, or hyphens and underscores between letters;
/// each as places in `values`, at least two, in the order of the values. O(text log l), of the first 100,000 values.
#[must_use]
pub fn near_synonyms<'a>(values: impl IntoIterator<Item = &'a str>) -> Vec<Vec<usize>> {
    let mut alike: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, value) in values.into_iter().take(LOOKED_AT).enumerate() {
        alike.entry(folded(value)).or_default().push(at);
    }
    let mut groups: Vec<Vec<usize>> = alike.into_values().filter(|group| group.len() > 1).collect();
    groups.sort_unstable();
    groups
}

/// What is to be said of such groups; `name` shows a value. `None` if there is no group.
#[must_use]
pub fn near_words(groups: &[Vec<usize>], name: impl Fn(usize) -> NearValue) -> Option<Near> {
    let shown = groups.iter().take(NAMED).map(|group| {
        let values = group.iter().take(NAMED).map(|&at| name(at)).collect();
        match group.len().saturating_sub(NAMED) {
            0 => NearGroup::All { values },
            more => NearGroup::First { values, more },
        }
    });
    let more = groups.len().saturating_sub(NAMED);
    (!groups.is_empty()).then(|| Near::Groups { groups: shown.collect(), more })
}

/// What looks like a hyphen, and the minus.
const DASHES: [char; 7] =
    ['\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2015}', '\u{2212}'];

/// A number as it counts: "2", "2.0" and "+2" are one. Digits that begin with a zero are a code.
fn amount(text: &str) -> Option<String> {
    let digits = text.trim().trim_start_matches(['+', '-']);
    let code = digits.starts_with('0') && digits[1..].starts_with(|c: char| c.is_ascii_digit());
    let number = parse_number(text).filter(|_| !code)?;
    // Minus zero is no number of its own.
    Some((number + 0.0).to_string())
}

fn folded(value: &str) -> String {
    if let Some(amount) = amount(value) {
        return amount;
    }
    let invisible = |c: char| matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}');
    let mut text = String::with_capacity(value.len());
    let mut gap = false;
    let seen = value.chars().filter(|c| !invisible(*c));
    let letters: Vec<char> = seen.map(|c| if DASHES.contains(&c) { '-' } else { c }).collect();
    for (at, &c) in letters.iter().enumerate() {
        let letter = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(|c| c.is_alphabetic());
        let joint = matches!(c, '-' | '_') && letter(at.checked_sub(1)) && letter(Some(at + 1));
        if c.is_whitespace() || joint {
            gap = true;
            continue;
        }
        // After a point white space is a matter of taste: "M. Crohn", "M.Crohn".
        if gap && !text.is_empty() && !text.ends_with('.') {
            text.push(' ');
        }
        gap = false;
        text.extend(c.to_lowercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_read_as_one() {
        let values =
            ["p", "flu", "p ", "HIV", "P", "hiv", "\u{feff}flu", "non-smoker", "Non smoker", "Ä", "ä"];
        assert_eq!(near_synonyms(values), [vec![0, 2, 4], vec![1, 6], vec![3, 5], vec![7, 8], vec![9, 10]]);
        let spelled = ["covid-19", "Masse", "M. Crohn", "covid\u{2013}19", "Ma\u{df}e", "M.Crohn"];
        assert_eq!(near_synonyms(spelled), [vec![0, 3], vec![2, 5]]);
        // Signs mean something.
        let apart = ["A+", "A-", "1-2", "12", "1 2", "-1", "1", "<5", ">5", "1.5", "15", "ab", "a b", ""];
        assert_eq!(near_synonyms(apart), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn messages_are_bounded() {
        let values: Vec<String> =
            (0..7).flat_map(|v| (0..7).map(move |spaces| format!("v{v}{}", " ".repeat(spaces)))).collect();
        let groups = near_synonyms(values.iter().map(String::as_str));
        let name = |at: usize| NearValue::Value { value: Cell::from(values[at].as_str()) };
        let words = near_words(&groups, name).unwrap().to_string();
        assert!(words.starts_with("'v0', 'v0 ', 'v0  ', 'v0   ', 'v0    ' and 2 more; 'v1'"), "{words}");
        assert!(words.contains("; and 2 more such groups: these differ in white space"), "{words}");
        assert_eq!(near_words(&[], name), None);
    }
}
