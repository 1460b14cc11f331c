//! What the page says, in several languages. All messages stand in `texts/`, a file a language, a line a message: `KEY =
//! message`. English is compiled in and has the keys; the other files have the same keys in the same order and are loaded
//! when somebody wants them.
//!
//! * `{name}` in a message is a placeholder; `t!(KEY, name = value)` fills it.
//! * ` || ` separates the forms for one and for several; `n!(KEY, n)` takes one of them and fills `{n}`.
//!
//! Texts of the engine are English; [`engine`] turns those that are known into the language of the page.

pub mod engine;
mod language;
pub mod statement;
#[cfg(test)]
mod tests;

use std::cell::Cell;

use yew::{Html, html};

pub use engine::{grouped, known};
pub use language::Language;

use crate::format::count;

/// Names a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key(u16);

/// The keys, by the build script.
pub(crate) mod k {
    include!(concat!(env!("OUT_DIR"), "/keys.rs"));
}

/// The English messages, in the order of their keys.
const ENGLISH: Messages = include!(concat!(env!("OUT_DIR"), "/english.rs"));

/// All messages of a language, in the order of their keys.
pub type Messages = &'static [&'static str];

/// A language, its messages, and what it knows of the engine's sentences: English and translation.
#[derive(Clone, Copy, Debug)]
pub struct Speech {
    language: Language,
    messages: Messages,
    phrases: &'static [(&'static str, &'static str)],
}

impl Speech {
    /// English, which is always there.
    pub const ENGLISH: Self = Self { language: Language::English, messages: ENGLISH, phrases: &[] };

    /// A language by its file, which stays in memory as long as the page: there are two such files. `None` if its messages are
    /// not those of this page.
    #[must_use]
    pub fn read(language: Language, file: String) -> Option<Self> {
        let file: &'static str = file.leak();
        let lines = || file.lines().filter(|line| !line.starts_with('#'));
        let messages = lines().filter(|line| !line.starts_with('>'));
        let messages: Vec<_> = messages.filter_map(|line| Some(line.split_once(" = ")?.1)).collect();
        let phrases: Vec<_> =
            lines().filter_map(|line| line.strip_prefix("> ")?.split_once(" => ")).collect();
        (messages.len() == ENGLISH.len()).then(|| Self {
            language,
            messages: messages.leak(),
            phrases: phrases.leak(),
        })
    }
}

thread_local! {
    static CURRENT: Cell<Speech> = const { Cell::new(Speech::ENGLISH) };
}

/// A message, with its placeholders filled if there are any.
macro_rules! t {
    ($key:ident) => { $crate::texts::text($crate::texts::k::$key) };
    ($key:ident, $($name:ident = $value:expr),+ $(,)?) => {
        $crate::texts::fill(t!($key), &[$((stringify!($name), $value.to_string().as_str())),+])
    };
}

/// The form of a message for a number, with `{n}` and the other placeholders filled.
macro_rules! n {
    ($key:ident, $n:expr $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::texts::counted(t!($key), $n, &[$((stringify!($name), $value.to_string().as_str())),*])
    };
}

/// The language of the page.
#[must_use]
pub fn language() -> Language {
    CURRENT.get().language
}

/// The page speaks this language from now on.
pub fn speak(speech: Speech) {
    CURRENT.set(speech);
}

fn phrases() -> &'static [(&'static str, &'static str)] {
    CURRENT.get().phrases
}

pub(crate) fn text(key: Key) -> &'static str {
    CURRENT.get().messages.get(usize::from(key.0)).copied().unwrap_or_default()
}

/// Puts values where their names stand in braces.
pub(crate) fn fill(message: &str, values: &[(&str, &str)]) -> String {
    let (mut filled, mut rest) = (String::with_capacity(message.len() + 16), message);
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let named = after.split_once('}').and_then(|(name, after)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some((value, after))
        });
        if let Some((value, after)) = named {
            filled.push_str(value);
            rest = after;
        } else {
            filled.push('{');
            rest = after;
        }
    }
    filled.push_str(rest);
    filled
}

pub(crate) fn counted(message: &str, n: usize, values: &[(&str, &str)]) -> String {
    let (one, many) = message.split_once(" || ").unwrap_or((message, message));
    let number = count(n);
    let mut all = vec![("n", number.as_str())];
    all.extend_from_slice(values);
    fill(if n == 1 { one } else { many }, &all)
}

/// Lines of the engine, each in the language of the page if it is known; blank space before a line stays.
pub(crate) fn their_lines(text: &str) -> Html {
    if language() == Language::English {
        return html! { { text } };
    }
    let line = |line: &str| {
        let words = line.trim_start();
        let indent = &line[..line.len() - words.len()];
        html! { <>{ indent }if !words.is_empty() { { theirs(words) } }{ "\n" }</> }
    };
    html! { <>{ for text.lines().map(line) }</> }
}

/// A text of the engine, in the language of the page if it is known, else marked as English.
pub(crate) fn theirs(text: &str) -> Html {
    if language() == Language::English {
        return html! { { text } };
    }
    match engine::translated(text) {
        Some(text) => html! { { text } },
        None => html! { <span lang="en">{ text }</span> },
    }
}
