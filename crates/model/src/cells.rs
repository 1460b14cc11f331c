//! What is put in place of cells, as people type it: labels of codes, such as `1:male,2:female,9:?`, and widths. Flags and the
//! page's fields are read by this.

use std::{collections::BTreeMap, fmt, str::FromStr};

use lookalike_words::Name;

lookalike_words::messages! {
    in "model";

    /// What is wrong with items between signs.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum ItemFault {
        /// A double quote without its other one.
        OpenQuote,
        /// Two items without the sign between them.
        NoSign {
            /// The sign.
            sign: char,
        },
        /// A sign without what it parts.
        NoItem {
            /// The sign.
            sign: char,
        },
        /// An item that stands twice.
        Twice {
            /// What it is called.
            name: Name,
        },
    }

    /// What is wrong with labels of codes.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum LabelsFault {
        /// Their signs.
        Item(ItemFault),
        /// A code without its label.
        NoLabel {
            /// The code.
            code: Name,
        },
    }

    /// What is wrong with a width.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum WidthFault {
        /// It is not a number of digits.
        NotANumber {
            /// The column.
            column: Name,
            /// What is given.
            value: Name,
        },
    }
}

impl std::error::Error for ItemFault {}

impl std::error::Error for LabelsFault {}

impl std::error::Error for WidthFault {}

impl From<ItemFault> for LabelsFault {
    fn from(why: ItemFault) -> Self {
        Self::Item(why)
    }
}

/// Labels of codes, in the order in which they were given: a code or label that holds `:`, `=`, a comma or a double quote stands in
/// double quotes, a quote is doubled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodeLabels(pub Vec<(String, String)>);

impl FromStr for CodeLabels {
    type Err = LabelsFault;

    fn from_str(text: &str) -> Result<Self, LabelsFault> {
        let mut of_codes: Vec<(String, String)> = Vec::new();
        let mut rest = Some(text);
        while let Some(codes) = rest {
            let (code, label) = item(codes, ':')?;
            let label = label.ok_or_else(|| LabelsFault::NoLabel { code: code.as_str().into() })?;
            let (label, next) = item(label, ',')?;
            if of_codes.iter().any(|(known, _)| *known == code) {
                return Err(ItemFault::Twice { name: code.into() }.into());
            }
            of_codes.push((code, label));
            rest = next;
        }
        Ok(Self(of_codes))
    }
}

impl fmt::Display for CodeLabels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (code, label)) in self.0.iter().enumerate() {
            write!(f, "{}{}:{}", if at == 0 { "" } else { "," }, quoted(code), quoted(label))?;
        }
        Ok(())
    }
}

impl From<&BTreeMap<String, String>> for CodeLabels {
    fn from(labels: &BTreeMap<String, String>) -> Self {
        Self(labels.iter().map(|(code, label)| (code.clone(), label.clone())).collect())
    }
}

/// The number of digits to which the cells of a column are filled up.
///
/// # Errors
/// If it is not a number.
pub fn width(column: &str, text: &str) -> Result<u8, WidthFault> {
    text.parse().map_err(|_| WidthFault::NotANumber { column: column.into(), value: text.into() })
}

/// The item before a separator, and what follows the separator, if there is one.
///
/// # Errors
/// A quote that is not closed, something between a closing quote and the separator, no item.
pub fn item(text: &str, separator: char) -> Result<(String, Option<&str>), ItemFault> {
    let text = text.trim_start();
    let (item, rest) = if let Some(quoted) = text.strip_prefix('"') {
        unquoted(quoted).ok_or(ItemFault::OpenQuote)?
    } else {
        let end = text.find(separator).unwrap_or(text.len());
        (text[..end].trim().to_owned(), &text[end..])
    };
    if item.is_empty() {
        return Err(ItemFault::NoItem { sign: separator });
    }
    match rest.trim_start().strip_prefix(separator) {
        Some(next) => Ok((item, Some(next))),
        None if rest.trim().is_empty() => Ok((item, None)),
        None => Err(ItemFault::NoSign { sign: separator }),
    }
}

/// A text in double quotes, if it needs them to be one item.
#[must_use]
pub fn quoted(text: &str) -> String {
    if text.contains([':', '=', ',', '"']) || text.trim() != text {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// The text up to the closing quote, and what follows it; `None` if there is none.
#[must_use]
pub fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut item = String::new();
    let mut rest = text;
    loop {
        let (before, after) = rest.split_once('"')?;
        item.push_str(before);
        match after.strip_prefix('"') {
            Some(next) => {
                item.push('"');
                rest = next;
            }
            None => return Some((item, after)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_come_back() {
        let of =
            |pairs: &[(&str, &str)]| CodeLabels(pairs.iter().map(|&(a, b)| (a.into(), b.into())).collect());
        for (text, pairs) in [
            ("1:male,2:female,9:?", &[("1", "male"), ("2", "female"), ("9", "?")][..]),
            (" 1 : male , 2:not known ", &[("1", "male"), ("2", "not known")]),
            (r#""1:2":"x, ""y""",2:z=1"#, &[("1:2", "x, \"y\""), ("2", "z=1")]),
        ] {
            let found: CodeLabels = text.parse().unwrap();
            assert_eq!(found, of(pairs), "{text}");
            assert_eq!(found.to_string().parse::<CodeLabels>().unwrap(), found, "{found}");
        }
        for (wrong, says) in [
            ("", "nothing stands before or after a ':'"),
            ("1", "the code \"1\" has no label"),
            ("1:", "nothing stands before or after a ','"),
            (":male", "nothing stands before or after a ':'"),
            ("1:a,1:b", "\"1\" is given twice"),
            ("1:a,", "nothing stands before or after a ':'"),
            ("1:\"a", "a quote is not closed"),
            ("1:\"a\"b", "',' is missing after a closing quote"),
        ] {
            let why = wrong.parse::<CodeLabels>().unwrap_err().to_string();
            assert!(why.contains(says), "{wrong}: {why}");
        }
    }

    #[test]
    fn widths_are_numbers() {
        assert_eq!(width("zip", "5"), Ok(5));
        for wrong in ["", "five", "-1", "256", "5.0"] {
            let why = width("zip", wrong).unwrap_err().to_string();
            assert!(why.contains("width of \"zip\"") && why.contains("numbers of digits such as 5"), "{why}");
        }
    }
}
