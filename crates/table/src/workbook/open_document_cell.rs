//! The text of a cell of an ODS workbook: its value in the spelling of a CSV, or what is shown where that says more.

use quick_xml::events::BytesStart;

use super::{cell::Shown, open_document::attribute};
use crate::Error;

/// Whole numbers from here on are not exact in a workbook.
const EXACT: f64 = 1e15;

/// Blanks that one element may stand for.
const BLANKS: usize = 1 << 16;

/// What a cell says of its value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Its text is all it has.
    Text,
    Said(String),
    /// A number; and whether it is shown as an amount or a share.
    Number(f64, bool),
    Day(String),
    Clock(String),
    Truth(bool),
    Error,
    Nothing,
}

impl Value {
    pub(super) fn of(element: &BytesStart<'_>) -> Result<Self, Error> {
        let said = |name: &str| attribute(element, name);
        let kind = said("office:value-type")?.unwrap_or_default();
        if said("calcext:value-type")?.is_some_and(|kind| kind == "error") {
            return Ok(Self::Error);
        }
        let number = || {
            let number = said("office:value")?.and_then(|number| number.trim().parse::<f64>().ok());
            Ok::<_, Error>(number.filter(|number| number.is_finite()))
        };
        Ok(match kind.as_str() {
            "float" => number()?.map_or(Self::Text, |number| Self::Number(number, false)),
            "percentage" | "currency" => number()?.map_or(Self::Text, |number| Self::Number(number, true)),
            "date" => said("office:date-value")?.map_or(Self::Text, Self::Day),
            "time" => said("office:time-value")?.map_or(Self::Text, Self::Clock),
            "boolean" => match said("office:boolean-value")?.as_deref() {
                Some("true") => Self::Truth(true),
                Some("false") => Self::Truth(false),
                _ => Self::Text,
            },
            "string" => said("office:string-value")?.map_or(Self::Text, Self::Said),
            _ => Self::Nothing,
        })
    }

    /// As text, and what is to be said of it. `content` is what is shown.
    pub(super) fn shown(self, content: &str) -> (String, Shown) {
        let plain = |text: String| (text, Shown::Plain);
        match self {
            // Text in a cell that has no value is a remark of some program's.
            Self::Nothing => plain(String::new()),
            Self::Text => plain(content.to_owned()),
            Self::Said(text) => plain(text),
            Self::Error => (content.to_owned(), Shown::Error),
            Self::Truth(yes) => plain(String::from(if yes { "TRUE" } else { "FALSE" })),
            Self::Day(day) => {
                let day = day.strip_suffix("T00:00:00").map(str::to_owned).unwrap_or(day);
                plain(day)
            }
            Self::Clock(duration) => match clock(&duration, content) {
                Some(text) => (text, Shown::Clock),
                None => plain(content.to_owned()),
            },
            // Adding zero turns the negative zero.
            Self::Number(number, of_amount) => {
                let text = (number + 0.0).to_string();
                match with_zeros(number, &text, content).filter(|_| !of_amount) {
                    Some(shown) => (shown, Shown::Zeros),
                    None => plain(text),
                }
            }
        }
    }
}

/// A whole number as it is shown, if that has leading zeros, or parts with hyphens between them.
fn with_zeros(number: f64, plain: &str, shown: &str) -> Option<String> {
    let shown = shown.trim();
    if !(0.0..EXACT).contains(&number) || number.fract() != 0.0 || shown.contains(['.', ',', '%', '\n']) {
        return None;
    }
    let digits: String = shown.chars().filter(char::is_ascii_digit).collect();
    let zeros = digits.strip_suffix(plain)?;
    let is_padded = !zeros.is_empty() && zeros.bytes().all(|digit| digit == b'0');
    let ends = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let parts = shown.contains('-') && ends(shown.chars().next()) && ends(shown.chars().next_back());
    (is_padded || zeros.is_empty() && parts).then(|| shown.to_owned())
}

/// A duration such as `PT04H24M21.5S` as a time of day, as fine as what is shown.
fn clock(duration: &str, shown: &str) -> Option<String> {
    let (sign, rest) = match duration.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", duration),
    };
    let (hours, rest) = rest.strip_prefix("PT")?.split_once('H')?;
    let (minutes, seconds) = rest.split_once('M')?;
    let seconds = seconds.strip_suffix('S')?;
    let (seconds, fraction) = seconds.split_once(['.', ',']).unwrap_or((seconds, ""));
    let [hours, minutes, seconds] = [hours, minutes, seconds].map(|part| part.parse::<u64>().ok());
    let text = format!("{sign}{:02}:{:02}", hours?, minutes?);
    let seconds = seconds?;
    if shown.matches(':').count() == 1 {
        return Some(text);
    }
    let digits = fraction.trim_end_matches('0');
    let has_fraction = !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit());
    Some(if has_fraction && shown.contains(['.', ',']) {
        format!("{text}:{seconds:02}.{:0<3}", digits.get(..3).unwrap_or(digits))
    } else {
        format!("{text}:{seconds:02}")
    })
}

/// The text of a cell as it is read: its paragraphs are its lines.
#[derive(Default)]
pub(super) struct Content {
    text: String,
    /// Elements that are open within the cell, those of paragraphs, and those of remarks and shapes.
    open: usize,
    paragraphs: usize,
    aside: usize,
    begun: bool,
}

impl Content {
    pub(super) fn begin(&mut self, name: &str, element: &BytesStart<'_>) -> Result<(), Error> {
        self.open += 1;
        if self.aside > 0 || name.starts_with("draw:") || name == "office:annotation" || name == "table:table"
        {
            self.aside += 1;
            return Ok(());
        }
        match name {
            "text:p" | "text:h" => {
                if std::mem::replace(&mut self.begun, true) {
                    self.text.push('\n');
                }
                self.paragraphs += 1;
            }
            "text:s" => {
                let count = attribute(element, "text:c")?.and_then(|count| count.parse().ok()).unwrap_or(1);
                self.text.extend(std::iter::repeat_n(' ', BLANKS.min(count)));
            }
            "text:tab" => self.text.push('\t'),
            "text:line-break" => self.text.push('\n'),
            _ => {}
        }
        Ok(())
    }

    /// Whether the cell ends.
    pub(super) fn end(&mut self, name: &str) -> bool {
        if self.open == 0 {
            return true;
        }
        self.open -= 1;
        if self.aside > 0 {
            self.aside -= 1;
        } else if matches!(name, "text:p" | "text:h") {
            self.paragraphs = self.paragraphs.saturating_sub(1);
        }
        false
    }

    pub(super) fn put(&mut self, text: &str) {
        if self.paragraphs > 0 && self.aside == 0 {
            self.text.push_str(text);
        }
    }

    pub(super) fn text(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_those_that_are_shown() {
        for (number, shown, text) in [
            (1067.0, "01067", Some("01067")),
            (0.0, "00000", Some("00000")),
            (1067.0, "D-01067", Some("D-01067")),
            (12_345_678.0, "012-34-5678", Some("012-34-5678")),
            (123_456_789.0, "123-45-6789", Some("123-45-6789")),
            (10_115.0, "10115", None),
            (1067.0, "1.067", None),
            (1067.0, "1067,00", None),
            (1067.0, "1 067", None),
            (1067.0, "-1067-", None),
            (-1067.0, "-01067", None),
            (7.0, "0,07 k", None),
            (0.5, "00", None),
        ] {
            assert_eq!(with_zeros(number, &(number + 0.0).to_string(), shown).as_deref(), text, "{shown}");
        }
    }

    #[test]
    fn times_are_as_fine_as_they_are_shown() {
        for (duration, shown, text) in [
            ("PT04H24M21S", "04:24", Some("04:24")),
            ("PT04H24M21.8563S", "04:24:21", Some("04:24:21")),
            ("PT04H24M21.8563S", "04:24:21,86", Some("04:24:21.856")),
            ("PT30H00M00S", "30:00:00", Some("30:00:00")),
            ("-PT01H00M00S", "-01:00", Some("-01:00")),
            ("P1D", "1 d", None),
        ] {
            assert_eq!(clock(duration, shown).as_deref(), text, "{duration} {shown}");
        }
    }
}
