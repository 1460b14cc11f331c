//! Texts of the engine in the language of the page. The engine speaks English; a language's file has, after its messages, a
//! line for each sentence of the engine that it knows: `> English => translation`, with placeholders for what changes. A
//! sentence that no line fits stays English. What is called by one letter is a number and written as the language does; what is called
//! `{cell..}` comes from the table and stays as it is; any other part is looked for among the sentences itself, and must be there:
//! half a sentence is not translated.

use std::collections::BTreeMap;

use super::fill;

/// What was found of the parts of a sentence: the same part can be reached in many ways.
type Memo<'a> = BTreeMap<&'a str, Option<String>>;

/// A sentence of the engine in the language of the page, if it is known.
#[must_use]
pub fn translated(text: &str) -> Option<String> {
    looked_up(text, &mut Memo::new())
}

fn looked_up<'a>(text: &'a str, memo: &mut Memo<'a>) -> Option<String> {
    if let Some(known) = memo.get(text) {
        return known.clone();
    }
    let found = super::phrases().iter().find_map(|(english, other)| {
        let parts = parts(english, text, memo)?;
        let values: Vec<_> = parts.iter().map(|(name, value)| (*name, value.as_str())).collect();
        Some(fill(other, &values))
    });
    memo.insert(text, found.clone());
    found
}

/// The same, or else the English text.
#[must_use]
pub fn known(text: &str) -> String {
    translated(text).unwrap_or_else(|| text.to_owned())
}

/// What stands where a pattern has placeholders, in the language of the page, if the text fits it. Between two placeholders
/// stands something, which may occur in what they stand for, too.
fn parts<'p, 'a>(pattern: &'p str, text: &'a str, memo: &mut Memo<'a>) -> Option<Vec<(&'p str, String)>> {
    let Some((start, after)) = pattern.split_once('{') else { return (pattern == text).then(Vec::new) };
    let rest = text.strip_prefix(start)?;
    let (name, after) = after.split_once('}')?;
    let literal = after.split('{').next().unwrap_or_default();
    let mut found = |end: usize| {
        let (part, rest) = rest.split_at_checked(end).filter(|(part, _)| !part.is_empty())?;
        let mut others = parts(after, rest, memo)?;
        others.insert(0, (name, rewritten(name, part, memo)?));
        Some(others)
    };
    if literal.is_empty() {
        found(rest.len())
    } else {
        rest.match_indices(literal).find_map(|(end, _)| found(end))
    }
}

/// Whether a placeholder stands for a number.
fn is_number(name: &str) -> bool {
    name.len() == 1
}

fn rewritten<'a>(name: &str, value: &'a str, memo: &mut Memo<'a>) -> Option<String> {
    if name.starts_with("cell") {
        return Some(value.to_owned());
    }
    if !is_number(name) {
        return looked_up(value, memo);
    }
    let digits = |b: u8| b.is_ascii_digit() || b == b'.' || b == b',';
    value.strip_prefix('-').unwrap_or(value).bytes().all(digits).then(|| number(value))
}

/// A number of the engine as the language writes it.
#[must_use]
pub fn number(value: &str) -> String {
    let language = super::language();
    let marks = |c| match c {
        '.' => language.decimal_mark(),
        ',' => language.group_mark(),
        digit => digit,
    };
    value.chars().map(marks).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_find_what_changes() {
        let found = |pattern, text| {
            let parts = parts(pattern, text, &mut Memo::new())?;
            Some(
                parts
                    .into_iter()
                    .map(|(name, value)| format!("{name}={value}"))
                    .collect::<Vec<_>>()
                    .join(" "),
            )
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(found("searching", "searching"), some(""));
        assert_eq!(found("searching", "searching on"), None);
        assert_eq!(found("{n} of {m} cells", "3 of 12 cells"), some("n=3 m=12"));
        assert_eq!(found("{n} missing", "some missing"), None);
        assert_eq!(found("row {n}", "row 7"), some("n=7"));
        assert_eq!(found("row {n}.", "row 7"), None);
        assert_eq!(found("row {n}.", "row ."), None);
        // What separates two parts may occur in the first.
        assert_eq!(found("{cell}; {n} moves", "a; b; 7 moves"), some("cell=a; b n=7"));
        assert_eq!(found("{cell}.", "a. b."), some("cell=a. b"));
        // A sentence within must be known.
        assert_eq!(found("{what}; {n} missing", "x; 7 missing"), None);
    }

    #[test]
    fn a_long_sentence_that_nobody_knows_is_given_up_soon() {
        use crate::texts::{Language, Speech, speak};
        speak(Speech::read(Language::German, include_str!("../../texts/de.txt").to_owned()).unwrap());
        // Each part is known, the last is not: without a memo the ways to part it would never end.
        let text = "nobody; ".repeat(60) + "something new";
        let found = super::translated(&text);
        let known = super::translated("nobody; nobody");
        speak(Speech::ENGLISH);
        assert_eq!((found, known.as_deref()), (None, Some("niemand; niemand")));
    }

    #[test]
    fn sentences_of_the_engine_are_translated() {
        use crate::texts::{Language, Speech, speak};
        let evidence = "998 of 1,998 values are digits of one length, some with a leading zero such as 01020: codes, not \
                        numbers; 2 missing";
        assert_eq!(known(evidence), evidence);
        let german = include_str!("../../texts/de.txt").to_owned();
        speak(Speech::read(Language::German, german).unwrap());
        let translated = known(evidence);
        let name = known("the column's name has \"age\", which usually means a date of birth or an age");
        let numbers = known("12 of 12 values are numbers, 1.5 to 2.5");
        let unknown = super::translated("something new");
        speak(Speech::ENGLISH);
        assert!(translated.starts_with("998 von 1.998 Werten sind Ziffern gleicher Länge"), "{translated}");
        assert!(translated.ends_with("wie 01020: Codes, keine Zahlen; 2 fehlen"), "{translated}");
        assert_eq!(
            name,
            "der Name der Spalte enthält „age“, was meist ein Geburtsdatum oder ein Alter bedeutet"
        );
        assert_eq!(numbers, "12 von 12 Werten sind Zahlen, 1.5 bis 2.5");
        assert_eq!(unknown, None);
    }
}
