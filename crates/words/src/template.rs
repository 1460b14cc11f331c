//! The form of a line of the catalogue; the crate's documentation describes it.

use std::collections::BTreeSet;

/// A part of a template.
#[derive(Debug, PartialEq)]
pub(crate) enum Part<'a> {
    Text(&'a str),
    Brace(char),
    Value { name: &'a str, join: Join },
    Setting { setting: &'a str, value: Option<&'a str> },
    Counted { name: &'a str, forms: Vec<&'a str> },
    Present { name: &'a str, then: &'a str, otherwise: &'a str },
}

/// What stands between the items of a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Join {
    Commas,
    /// Commas, and the language's "and" before the last.
    And,
    /// Semicolons, for items that have commas themselves.
    Semicolons,
}

/// The parts of a template, in order.
///
/// # Errors
///
/// A brace without its other one, or braces around something that has no form.
pub(crate) fn parts(template: &str) -> Result<Vec<Part<'_>>, String> {
    let (mut found, mut rest) = (Vec::new(), template);
    while let Some(open) = rest.find('{') {
        if open > 0 {
            found.push(Part::Text(&rest[..open]));
        }
        let close =
            closing(&rest[open..]).ok_or_else(|| format!("a brace is not closed in \"{template}\""))? + open;
        found.push(part(&rest[open + 1..close])?);
        rest = &rest[close + 1..];
    }
    if rest.contains('}') {
        return Err(format!("a brace is not opened in \"{template}\""));
    }
    if !rest.is_empty() {
        found.push(Part::Text(rest));
    }
    Ok(found)
}

/// The words of a template: a blank within braces parts none.
pub(crate) fn words(template: &str) -> Vec<&str> {
    let (mut words, mut depth, mut from) = (Vec::new(), 0_usize, 0);
    for (at, byte) in template.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b' ' if depth == 0 => {
                words.push(&template[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    words.push(&template[from..]);
    words
}

/// A template without its placeholders; `None` if it has none.
pub(crate) fn literal(template: &str) -> Option<String> {
    let parts = parts(template).ok()?;
    let text = |part: &Part<'_>| match part {
        Part::Text(text) => Some((*text).to_owned()),
        Part::Brace(brace) => Some(brace.to_string()),
        _ => None,
    };
    let literal: Vec<String> = parts.iter().filter_map(text).collect();
    (literal.len() < parts.len()).then(|| literal.concat())
}

/// Where the brace ends that the text begins with.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

fn part(inner: &str) -> Result<Part<'_>, String> {
    match inner {
        "<" => return Ok(Part::Brace('{')),
        ">" => return Ok(Part::Brace('}')),
        _ => {}
    }
    if let Some(setting) = inner.strip_prefix('@') {
        let (setting, value) = setting.split_once(' ').map_or((setting, None), |(s, value)| (s, Some(value)));
        return Ok(Part::Setting { setting, value });
    }
    let name_ends = inner.find(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'));
    let (name, rest) = inner.split_at(name_ends.unwrap_or(inner.len()));
    let odd = || format!("{{{inner}}} is no placeholder");
    if name.is_empty() {
        return Err(odd());
    }
    match rest.chars().next() {
        None => Ok(Part::Value { name, join: Join::Commas }),
        Some('&') if rest == "&" => Ok(Part::Value { name, join: Join::And }),
        Some(';') if rest == ";" => Ok(Part::Value { name, join: Join::Semicolons }),
        Some('|') => match forms(&rest[1..]) {
            (2 | 3, forms) => Ok(Part::Counted { name, forms }),
            _ => Err(odd()),
        },
        Some('?') => match forms(&rest[1..]) {
            (2, forms) => Ok(Part::Present { name, then: forms[0], otherwise: forms[1] }),
            _ => Err(odd()),
        },
        _ => Err(odd()),
    }
}

/// The forms between bars that stand in no further braces, and their number.
fn forms(text: &str) -> (usize, Vec<&str>) {
    let (mut forms, mut depth, mut from) = (Vec::new(), 0_usize, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b'|' if depth == 0 => {
                forms.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    forms.push(&text[from..]);
    (forms.len(), forms)
}

/// The names of the arguments that a template says or asks for.
///
/// # Errors
///
/// As [`parts`].
pub(crate) fn arguments(template: &str) -> Result<BTreeSet<&str>, String> {
    let mut names = BTreeSet::new();
    for part in parts(template)? {
        match part {
            Part::Text(_) | Part::Brace(_) | Part::Setting { value: None, .. } => {}
            Part::Setting { value: Some(value), .. } => names.extend(arguments(value)?),
            Part::Value { name, .. } => _ = names.insert(name),
            Part::Counted { name, forms } => {
                names.insert(name);
                for form in forms {
                    names.extend(arguments(form)?);
                }
            }
            Part::Present { name, then, otherwise } => {
                names.insert(name);
                names.extend(arguments(then)?);
                names.extend(arguments(otherwise)?);
            }
        }
    }
    Ok(names)
}

/// The settings that a template names, each with its value.
#[cfg(test)]
pub(crate) fn settings(template: &str) -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    for part in parts(template).unwrap_or_default() {
        match part {
            Part::Setting { setting, value } => {
                found.insert((setting.to_owned(), value.unwrap_or_default().to_owned()));
            }
            Part::Counted { forms, .. } => found.extend(forms.into_iter().flat_map(settings)),
            Part::Present { then, otherwise, .. } => {
                found.extend(settings(then));
                found.extend(settings(otherwise));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn braces_have_forms() {
        let of = |template| parts(template).unwrap();
        assert_eq!(
            of("a {n} b"),
            [Part::Text("a "), Part::Value { name: "n", join: Join::Commas }, Part::Text(" b")]
        );
        assert_eq!(
            of("{n|one|{n} of {<}{m}{>}}")[0],
            Part::Counted { name: "n", forms: vec!["one", "{n} of {<}{m}{>}"] }
        );
        assert_eq!(of("{x?{x}|}")[0], Part::Present { name: "x", then: "{x}", otherwise: "" });
        assert_eq!(of("{x;}")[0], Part::Value { name: "x", join: Join::Semicolons });
        assert_eq!(of("{@k 2}")[0], Part::Setting { setting: "k", value: Some("2") });
        assert_eq!(of("{@k {c}=2}")[0], Part::Setting { setting: "k", value: Some("{c}=2") });
        for wrong in ["{", "}", "{}", "{N}", "{n|}x|", "{n?a}", "{n|a}", "{n|a|b|c|d}", "{n&x}", "a {n|{m}"] {
            assert!(parts(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn arguments_are_found_in_forms() {
        let names = arguments("{n|{a}|{b?{c}|{d}}} {e&} {@f} {@g {h}}").unwrap();
        assert_eq!(names.into_iter().collect::<String>(), "abcdehn");
    }

    proptest! {
        #[test]
        fn no_text_is_too_odd(template in "[a{}|?&;@< ]{0,20}") {
            let _ = parts(&template);
            let _ = arguments(&template);
        }
    }
}
