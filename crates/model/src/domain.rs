//! The declared domain of a column, as settings hold it and people type it.

use serde::{Deserialize, Serialize};

/// The values that a column may have, whether they occur or not: the denominator of the certainty penalty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Domain {
    /// The labels of a category.
    Labels(Vec<String>),
    /// Numbers, dates or ordered labels between two, both included, spelled as in the column.
    Range {
        /// The least.
        from: String,
        /// The greatest.
        to: String,
    },
}

impl Domain {
    /// `0..120`, or labels as `Bath|Hull|Kent`. What holds a double quote, `|` or `..` stands in double quotes, a quote is
    /// doubled. `None` if it is neither.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if has_bar(text) {
            return items(text, "|").map(Self::Labels);
        }
        match <[String; 2]>::try_from(items(text, "..")?) {
            Ok([from, to]) => Some(Self::Range { from, to }),
            Err(_) => None,
        }
    }

    /// As [`Self::parse`] reads it.
    #[must_use]
    pub fn typed(&self) -> String {
        match self {
            Self::Labels(labels) => labels.iter().map(|label| quoted(label)).collect::<Vec<_>>().join("|"),
            Self::Range { from, to } => format!("{}..{}", quoted(from), quoted(to)),
        }
    }
}

fn quoted(item: &str) -> String {
    let plain =
        item.trim() == item && !item.is_empty() && !["\"", "|", ".."].iter().any(|s| item.contains(s));
    if plain && !item.ends_with('.') && !item.starts_with('.') {
        return item.to_owned();
    }
    format!("\"{}\"", item.replace('"', "\"\""))
}

/// Whether a bar stands between items: outside of quotes, which open only where an item begins.
fn has_bar(text: &str) -> bool {
    let mut rest = text.trim_start();
    loop {
        if let Some(inner) = rest.strip_prefix('"') {
            let Some((_, after)) = unquoted(inner) else { return false };
            rest = after;
        }
        match (rest.find('|'), rest.find("..")) {
            (Some(bar), Some(dots)) if dots < bar => rest = rest[dots + 2..].trim_start(),
            (Some(_), _) => return true,
            (None, _) => return false,
        }
    }
}

/// Items between separators, none empty; one that holds a separator stands in double quotes. `None` if that is not what the
/// text is.
#[must_use]
pub fn items(text: &str, separator: &str) -> Option<Vec<String>> {
    let mut items = Vec::new();
    let mut rest = Some(text.trim());
    while let Some(text) = rest {
        let (item, after) = if let Some(inner) = text.strip_prefix('"') {
            unquoted(inner)?
        } else {
            let end = text.find(separator).unwrap_or(text.len());
            (text[..end].trim().to_owned(), &text[end..])
        };
        if item.is_empty() {
            return None;
        }
        items.push(item);
        let after = after.trim_start();
        rest = match after.strip_prefix(separator) {
            Some(next) => Some(next.trim_start()),
            None if after.is_empty() => None,
            None => return None,
        };
    }
    Some(items)
}

/// What stands before the closing quote, and after it.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut item = String::new();
    let mut rest = text;
    loop {
        let end = rest.find('"')?;
        item.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('"') {
            Some(next) => {
                item.push('"');
                rest = next;
            }
            None => return Some((item, rest)),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unnecessary_wraps, reason = "what is expected is compared with what may be nothing")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn range(from: &str, to: &str) -> Option<Domain> {
        Some(Domain::Range { from: from.to_owned(), to: to.to_owned() })
    }

    fn labels(labels: &[&str]) -> Option<Domain> {
        Some(Domain::Labels(labels.iter().map(ToString::to_string).collect()))
    }

    #[test]
    fn ranges_and_labels() {
        assert_eq!(Domain::parse("0..120"), range("0", "120"));
        assert_eq!(Domain::parse(" -5 .. 1,5 "), range("-5", "1,5"));
        assert_eq!(Domain::parse("01.01.1900..31.12.2025"), range("01.01.1900", "31.12.2025"));
        assert_eq!(Domain::parse("Bath|Hull | Kent"), labels(&["Bath", "Hull", "Kent"]));
        assert_eq!(Domain::parse(r#""a|b"|"say ""no"""|c..d"#), labels(&["a|b", r#"say "no""#, "c..d"]));
        assert_eq!(Domain::parse(r#""very low".."a..b""#), range("very low", "a..b"));
        assert_eq!(Domain::parse(r#"a.."|a""#), range("a", "|a"));
        for wrong in ["", "5", "0..", "..5", "1..2..3", "a|", "|a", "\"a", "\"a\"", "\"a\"b..c", "\"a\"b|c"] {
            assert_eq!(Domain::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn as_it_is_written() {
        let json = r#"{"from":"0","to":"120"}"#;
        let read = |text: &str| serde_json::from_str::<Domain>(text);
        assert_eq!(read(json).ok(), range("0", "120"));
        assert_eq!(serde_json::to_string(&range("0", "120").unwrap()).unwrap(), json);
        assert_eq!(read(r#"["a","b"]"#).ok(), labels(&["a", "b"]));
        assert!(read(r#"{"from":"0"}"#).is_err() && read(r#"{"from":"0","to":"1","step":"1"}"#).is_err());
    }

    proptest! {
        #[test]
        fn what_is_typed_is_read(all in prop::collection::vec("[a|.\" ]{0,4}[a-c.]", 2..4)) {
            let domain = Domain::Labels(all.clone());
            prop_assert_eq!(Domain::parse(&domain.typed()), Some(domain));
            let domain = Domain::Range { from: all[0].clone(), to: all[1].clone() };
            prop_assert_eq!(Domain::parse(&domain.typed()), Some(domain));
        }
    }
}
