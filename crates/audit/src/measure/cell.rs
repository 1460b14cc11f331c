//! A published cell, parsed.

use lookalike_table::parse_number;

use super::Reading;
use crate::suppressed::is_suppressed;

/// A published cell.
///
/// * `30`, `-1.5`: a number; `FLU`: a label;
/// * `[18-20]`, `[-5--2]`: a range of numbers, both ends included;
/// * `{FLU, HIV}`, `{1, 2}`, `{?, [18-20]}`: a set; a comma, brace or backslash in a member has a backslash before it.
///
/// All else that looks generalised is of a form not known: other brackets, `>=90`, `20-30`, a star within a text.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Nothing is published.
    Suppressed,
    /// What the value may be: one atom, or the members of a set.
    OneOf(Vec<Atom>),
    /// Generalised in a form that is not known.
    Unknown,
}

/// A possible value.
#[derive(Clone, Debug, PartialEq)]
pub enum Atom {
    /// Not known in the original either.
    Missing,
    /// A number, with its text.
    Number(f64, String),
    /// A range of numbers: ends in order.
    Range(f64, f64),
    /// A label.
    Label(String),
}

/// Parses a published cell.
#[must_use]
pub fn parse_cell(text: &str, reading: &Reading) -> Cell {
    if is_suppressed(text, &reading.suppressed) {
        return Cell::Suppressed;
    }
    one_of(text, |member| atom(member, reading))
}

/// Parses a cell of a column that is known to hold labels and sets of them, whatever these look like.
pub(super) fn parse_labels(text: &str, reading: &Reading) -> Cell {
    if is_suppressed(text, &reading.suppressed) {
        return Cell::Suppressed;
    }
    let label = |text: &str| {
        let missing = reading.missing.iter().any(|marker| marker == text.trim());
        Some(if missing { Atom::Missing } else { Atom::Label(text.to_owned()) })
    };
    one_of(text, label)
}

fn one_of(text: &str, atom: impl Fn(&str) -> Option<Atom>) -> Cell {
    let atoms = match text.trim().strip_prefix('{').and_then(|t| t.strip_suffix('}')) {
        Some(members) => split(members).and_then(|members| members.iter().map(|m| atom(m)).collect()),
        None => atom(text).map(|atom| vec![atom]),
    };
    atoms.map_or(Cell::Unknown, Cell::OneOf)
}

/// The one value that a text says; `None` for a set and for forms that are not known.
fn atom(text: &str, reading: &Reading) -> Option<Atom> {
    let trimmed = text.trim();
    if reading.missing.iter().any(|marker| marker == trimmed) {
        return Some(Atom::Missing);
    }
    if let Some(number) = parse_number(trimmed) {
        return Some(Atom::Number(number + 0.0, text.to_owned()));
    }
    if let Some(inner) = trimmed.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
        return range(inner).map(|(low, high)| Atom::Range(low, high));
    }
    (!looks_generalised(trimmed)).then(|| Atom::Label(text.to_owned()))
}

/// Two numbers around a dash, in order; `None` if there is no such dash, or more than one.
fn range(text: &str) -> Option<(f64, f64)> {
    let splits = text.match_indices('-').filter_map(|(at, _)| {
        let (low, high) = (parse_number(&text[..at])?, parse_number(&text[at + 1..])?);
        Some((low, high))
    });
    let mut splits = splits.fuse();
    match (splits.next(), splits.next()) {
        (Some((low, high)), None) if low <= high => Some((low, high)),
        _ => None,
    }
}

fn looks_generalised(text: &str) -> bool {
    let bound = text.trim_start_matches(['<', '>', '=', '\u{2264}', '\u{2265}']);
    let ends = |a: &[char], b: &[char]| text.starts_with(a) && text.ends_with(b);
    text.contains('*')
        || (bound.len() < text.len() && parse_number(bound).is_some())
        || text.starts_with('[')
        || ends(&['(', ']'], &[')', ']', '['])
        || range(text).is_some()
}

/// The members of a set without its braces; `None` if a brace is not escaped or a backslash escapes nothing.
fn split(text: &str) -> Option<Vec<String>> {
    let mut members = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let last = members.last_mut()?;
        match c {
            '\\' => last.push(chars.next().filter(|c| matches!(c, ',' | '{' | '}' | '\\'))?),
            '{' | '}' => return None,
            ',' => {
                chars.next_if_eq(&' ');
                members.push(String::new());
            }
            c => last.push(c),
        }
    }
    Some(members)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(text: &str) -> Cell {
        parse_cell(text, &Reading::default())
    }

    fn label(text: &str) -> Atom {
        Atom::Label(text.to_owned())
    }

    fn number(x: f64, text: &str) -> Atom {
        Atom::Number(x, text.to_owned())
    }

    #[test]
    fn known_forms() {
        let one = |text: &str, atom: Atom| assert_eq!(parse(text), Cell::OneOf(vec![atom]), "{text}");
        one("30", number(30.0, "30"));
        one("-1.50", number(-1.5, "-1.50"));
        one("[18-20]", Atom::Range(18.0, 20.0));
        one("[-5--2]", Atom::Range(-5.0, -2.0));
        one("[-5-2]", Atom::Range(-5.0, 2.0));
        one("[1e-5-2.5]", Atom::Range(1e-5, 2.5));
        one("FLU", label("FLU"));
        one("Married-civ-spouse", label("Married-civ-spouse"));
        one("<=50K", label("<=50K"));
        one("?", Atom::Missing);
        assert_eq!(parse("*"), Cell::Suppressed);
        let set = |text: &str, atoms: &[Atom]| assert_eq!(parse(text), Cell::OneOf(atoms.to_vec()), "{text}");
        set("{FLU, HIV}", &[label("FLU"), label("HIV")]);
        set("{1, 2.0}", &[number(1.0, "1"), number(2.0, "2.0")]);
        set("{?, [18-20]}", &[Atom::Missing, Atom::Range(18.0, 20.0)]);
        set(r"{a\, b, \{c\}, d\\}", &[label("a, b"), label("{c}"), label(r"d\")]);
    }

    #[test]
    fn unknown_forms() {
        for text in [
            "[2024-01-05 - 2024-02-01]",
            ">=90",
            "<20",
            "20-30",
            "2207*",
            "[20, 30[",
            "(1,2]",
            "[20-10]",
            "[a-b]",
            "{a{b}",
            r"{a\b}",
            "{a, 2*}",
            "[1-2-3]",
        ] {
            assert_eq!(parse(text), Cell::Unknown, "{text}");
        }
    }

    proptest! {
        /// Whatever labels a set is made of, they come back.
        #[test]
        fn sets_come_back(labels in prop::collection::vec("[a-z,{}\\\\]{1,6}", 1..5)) {
            let escaped: Vec<String> = labels
                .iter()
                .map(|l| l.chars().flat_map(|c| match c {
                    ',' | '{' | '}' | '\\' => vec!['\\', c],
                    c => vec![c],
                }).collect())
                .collect();
            let text = format!("{{{}}}", escaped.join(", "));
            let atoms: Vec<Atom> = labels.iter().map(|l| label(l)).collect();
            prop_assert_eq!(parse(&text), Cell::OneOf(atoms));
        }

        #[test]
        fn ranges_come_back(a in -1e6..1e6_f64, b in -1e6..1e6_f64) {
            let (low, high) = (a.min(b), a.max(b));
            prop_assert_eq!(parse(&format!("[{low}-{high}]")), Cell::OneOf(vec![Atom::Range(low, high)]));
        }

        #[test]
        fn never_panics(text in any::<String>()) {
            let _ = parse(&text);
        }
    }
}
