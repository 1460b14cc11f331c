//! What a message is about.

use std::{borrow::Cow, collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{self, MapAccess, SeqAccess, Visitor},
};

use crate::{
    Message, Said,
    said::{Fields, What},
};

/// An argument of a message. As JSON a number, a text, a list, a message, or an object that says what the text is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
pub enum Arg {
    /// How many: written with the thousands apart. A truth value is 1 or 0.
    Count(u64),
    /// A text as it stands: a format, a path, what another program said.
    Text(String),
    /// Several.
    List(Vec<Self>),
    /// A message within the message.
    Said(Said),
    /// Another number, written with a decimal point.
    Figure {
        /// Its digits, as English writes them.
        figure: String,
    },
    /// What the data holder named.
    Name {
        /// The name.
        name: String,
    },
    /// A value of the table.
    Cell {
        /// The value, perhaps shortened.
        cell: String,
    },
}

impl Arg {
    /// Whether there is nothing to say: an argument that is not there is an empty list.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) => text.is_empty(),
            Self::List(items) => items.is_empty(),
            _ => false,
        }
    }

    /// By which number a form is chosen: a list's is that of its items.
    pub(crate) fn count(&self) -> Option<u64> {
        match self {
            Self::Count(count) => Some(*count),
            Self::List(items) => Some(items.len() as u64),
            _ => None,
        }
    }

    /// How many messages are within each other, at most.
    pub(crate) fn depth(&self) -> usize {
        match self {
            Self::Said(said) => 1 + said.depth(),
            Self::List(items) => items.iter().map(Self::depth).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// The same with each text changed.
    pub(crate) fn map_texts(&self, change: &dyn Fn(&str) -> String) -> Self {
        match self {
            Self::Count(count) => Self::Count(*count),
            Self::Text(text) => Self::Text(change(text)),
            Self::List(items) => Self::List(items.iter().map(|item| item.map_texts(change)).collect()),
            Self::Said(said) => Self::Said(said.map_texts(change)),
            Self::Figure { figure } => Self::Figure { figure: change(figure) },
            Self::Name { name } => Self::Name { name: change(name) },
            Self::Cell { cell } => Self::Cell { cell: change(cell) },
        }
    }
}

impl<'de> Deserialize<'de> for Arg {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

/// Reads an argument by what comes, without trying one form after another.
struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Arg;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, a text, a list or a message")
    }

    fn visit_u64<E: de::Error>(self, count: u64) -> Result<Arg, E> {
        Ok(Arg::Count(count))
    }

    fn visit_i64<E: de::Error>(self, count: i64) -> Result<Arg, E> {
        u64::try_from(count).map(Arg::Count).map_err(E::custom)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Arg, E> {
        Ok(Arg::Text(text.to_owned()))
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Arg, E> {
        Ok(Arg::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Arg, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Arg::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Arg, A::Error> {
        let fields = Fields::read(map)?;
        if fields.is_message() {
            return fields.said().map(Arg::Said);
        }
        let (what, text) = fields.what.ok_or_else(|| de::Error::custom("no argument of a message"))?;
        Ok(match what {
            What::Figure => Arg::Figure { figure: text },
            What::Name => Arg::Name { name: text },
            What::Cell => Arg::Cell { cell: text },
        })
    }
}

/// The arguments of a message, by name.
pub(crate) type Args = BTreeMap<std::borrow::Cow<'static, str>, Arg>;

/// Which way a number loses its digits: bounds go down and gaps up, so that they stay true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// To the nearest.
    Near,
    /// To the next lower one.
    Down,
    /// To the next higher one.
    Up,
}

/// A number that is no count, with its digits chosen by who says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure(String);

impl Figure {
    /// With so many decimals.
    #[must_use]
    pub fn fixed(x: f64, decimals: usize) -> Self {
        Self(format!("{x:.decimals$}"))
    }

    /// With so many significant digits, without zeros at the end; whole numbers keep all of theirs.
    #[must_use]
    pub fn significant(x: f64, digits: i32, round: Round) -> Self {
        // Below this many decimals nothing is told any more.
        const MOST: i32 = 12;
        let magnitude = if x == 0.0 { 0 } else { x.abs().log10().floor() as i32 };
        let places = (digits - 1 - magnitude).clamp(0, MOST);
        let (decimals, unit) = (places.unsigned_abs() as usize, 10_f64.powi(places));
        let text = match round {
            Round::Near => format!("{x:.decimals$}"),
            Round::Down => format!("{:.decimals$}", (x * unit).floor() / unit),
            Round::Up => format!("{:.decimals$}", (x * unit).ceil() / unit),
        };
        if !text.contains('.') {
            return Self(text);
        }
        let short = text.trim_end_matches('0').trim_end_matches('.');
        Self(if short == "-0" { "0" } else { short }.to_owned())
    }

    /// With as many digits as tell it from all other numbers.
    #[must_use]
    pub fn shortest(x: f64) -> Self {
        Self(x.to_string())
    }
}

impl From<u128> for Figure {
    fn from(x: u128) -> Self {
        Self(x.to_string())
    }
}

/// The name of a column, a sheet, a file, a person: shown in the quotation marks of the language.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name(pub String);

impl From<&str> for Name {
    fn from(name: &str) -> Self {
        Self(name.to_owned())
    }
}

impl From<String> for Name {
    fn from(name: String) -> Self {
        Self(name)
    }
}

/// A value of the table: shown in single quotation marks, without control characters, and cut after 40 characters, so
/// that none floods a message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell(String);

impl Cell {
    /// As it is shown, without the quotation marks.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Cell {
    fn from(value: &str) -> Self {
        const LONGEST: usize = 40;
        let mut chars = value.chars();
        let mut text = printable(chars.by_ref().take(LONGEST));
        if chars.next().is_some() {
            text.push_str("...");
        }
        Self(text)
    }
}

fn printable(chars: impl Iterator<Item = char>) -> String {
    let mut text = String::new();
    for c in chars {
        if is_obeyed(c) { text.push_str(&escaped(c)) } else { text.push(c) }
    }
    text
}

/// A character that is not to be obeyed, as JSON writes it.
fn escaped(c: char) -> String {
    match c {
        '\n' => String::from("\\n"),
        '\r' => String::from("\\r"),
        '\t' => String::from("\\t"),
        _ => format!("\\u{:04x}", u32::from(c)),
    }
}

/// Whether a terminal may obey it instead of showing it: control characters, and those that turn the direction of what follows.
fn is_obeyed(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text for a terminal: its lines and tabs as they are, and whatever else a terminal may obey as JSON writes it, so that JSON stays
/// the same data.
#[must_use]
pub fn shown(text: &str) -> Cow<'_, str> {
    let is_foreign = |c: char| is_obeyed(c) && !matches!(c, '\n' | '\t');
    if !text.contains(is_foreign) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if is_foreign(c) { escaped(c) } else { c.to_string() }).collect())
}

/// What can be an argument.
pub trait AsArg {
    /// As an argument.
    fn as_arg(&self) -> Arg;
}

impl AsArg for usize {
    fn as_arg(&self) -> Arg {
        Arg::Count(*self as u64)
    }
}

impl AsArg for u64 {
    fn as_arg(&self) -> Arg {
        Arg::Count(*self)
    }
}

impl AsArg for u32 {
    fn as_arg(&self) -> Arg {
        Arg::Count(u64::from(*self))
    }
}

impl AsArg for bool {
    fn as_arg(&self) -> Arg {
        Arg::Count(u64::from(*self))
    }
}

impl AsArg for String {
    fn as_arg(&self) -> Arg {
        Arg::Text(self.clone())
    }
}

impl AsArg for &'static str {
    fn as_arg(&self) -> Arg {
        Arg::Text((*self).to_owned())
    }
}

impl AsArg for char {
    fn as_arg(&self) -> Arg {
        Arg::Text(self.to_string())
    }
}

impl AsArg for Figure {
    fn as_arg(&self) -> Arg {
        Arg::Figure { figure: self.0.clone() }
    }
}

impl AsArg for Name {
    fn as_arg(&self) -> Arg {
        Arg::Name { name: printable(self.0.chars()) }
    }
}

impl AsArg for Cell {
    fn as_arg(&self) -> Arg {
        Arg::Cell { cell: self.0.clone() }
    }
}

impl<M: Message> AsArg for M {
    fn as_arg(&self) -> Arg {
        Arg::Said(self.said())
    }
}

impl<T: AsArg> AsArg for Vec<T> {
    fn as_arg(&self) -> Arg {
        Arg::List(self.iter().map(AsArg::as_arg).collect())
    }
}

impl<T: AsArg> AsArg for Option<T> {
    fn as_arg(&self) -> Arg {
        self.as_ref().map_or_else(|| Arg::List(Vec::new()), AsArg::as_arg)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_so_many_digits_and_bounds_stay_bounds() {
        let told = |x, round| Figure::significant(x, 3, round).0;
        let near =
            [37.591_76, 39.264_5, 1.0, 0.333_333, 0.0, 1234.5, 999.96, 0.001_234_5, -0.000_000_000_000_01];
        let expected = ["37.6", "39.3", "1", "0.333", "0", "1234", "1000", "0.00123", "0"];
        assert_eq!(near.map(|x| told(x, Round::Near)), expected);
        assert_eq!([2.129_9, 0.999_9, 12.0].map(|x| told(x, Round::Down)), ["2.12", "0.999", "12"]);
        assert_eq!(
            [12.31, 0.500_01, 99.91, 0.25].map(|x| told(x, Round::Up)),
            ["12.4", "0.501", "100", "0.25"]
        );
    }
}
