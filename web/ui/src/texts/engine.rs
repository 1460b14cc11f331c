//! Texts of the engine in the language of the page. The engine speaks English; a language's file has, after its messages, a
//! line for each sentence of the engine that it knows: `> English => translation`, with placeholders for what changes. A
//! sentence that no line fits stays English. `{n}`, `{m}` and `{k}` are numbers and written as the language does; what is called
//! `{cell..}` comes from the table and stays as it is; any other part is looked for among the sentences itself.

use super::fill;

/// A sentence of the engine in the language of the page, if it is known.
#[must_use]
pub fn translated(text: &str) -> Option<String> {
    super::phrases().iter().find_map(|(english, other)| {
        let found = matched(english, text)?;
        let known: Vec<_> = found.iter().map(|(name, value)| (*name, rewritten(name, value))).collect();
        let values: Vec<_> = known.iter().map(|(name, value)| (*name, value.as_str())).collect();
        Some(fill(other, &values))
    })
}

/// The same, or else the English text.
#[must_use]
pub fn known(text: &str) -> String {
    translated(text).unwrap_or_else(|| text.to_owned())
}

/// What stands where a pattern has placeholders, if the text fits it. A placeholder ends where what follows it begins.
fn matched<'a>(pattern: &'a str, text: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
    let (start, mut pattern) = pattern.split_once('{').unwrap_or((pattern, ""));
    let mut rest = text.strip_prefix(start)?;
    let mut found = Vec::new();
    while !pattern.is_empty() {
        let (name, after) = pattern.split_once('}')?;
        let (literal, next) = after.split_once('{').unwrap_or((after, ""));
        let end = if next.is_empty() { rest.strip_suffix(literal)?.len() } else { rest.find(literal)? };
        let found_here = &rest[..end];
        let digits = |b: u8| b.is_ascii_digit() || b == b'.' || b == b',';
        if found_here.is_empty() || is_number(name) && !found_here.bytes().all(digits) {
            return None;
        }
        found.push((name, found_here));
        rest = &rest[end + literal.len()..];
        pattern = next;
    }
    rest.is_empty().then_some(found)
}

/// Whether a placeholder stands for a number.
fn is_number(name: &str) -> bool {
    matches!(name, "n" | "m" | "k")
}

fn rewritten(name: &str, value: &str) -> String {
    let language = super::language();
    if name.starts_with("cell") {
        return value.to_owned();
    }
    if !is_number(name) {
        return known(value);
    }
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
        assert_eq!(matched("searching", "searching"), Some(Vec::new()));
        assert_eq!(matched("searching", "searching on"), None);
        assert_eq!(matched("{n} of {m} cells", "3 of 12 cells"), Some(vec![("n", "3"), ("m", "12")]));
        assert_eq!(matched("{what}; {n} missing", "x; some missing"), None);
        assert_eq!(matched("row {n}", "row 7"), Some(vec![("n", "7")]));
        assert_eq!(matched("row {n}.", "row 7"), None);
        assert_eq!(matched("row {n}.", "row ."), None);
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
